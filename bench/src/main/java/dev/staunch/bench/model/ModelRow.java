package dev.staunch.bench.model;

import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;

/**
 * A model and its batch size.
 *
 * @param model the name of its archive, without the extension
 */
public record ModelRow(String model, int batch) {
  /** Ids that exist in the tables of every model: of words, and of items. */
  private static final int WORDS = 5000;

  private static final int THINGS = 10_000;
  private static final int LENGTH = 32;
  private static final int LONG_LENGTH = 128;

  /** The number of items of each kind in an example of the recommender. */
  private static final int BAG = 4;

  /** Reads {@code MODEL@BATCH}. */
  public static ModelRow of(String name) {
    int at = name.indexOf('@');
    return new ModelRow(name.substring(0, at), Integer.parseInt(name, at + 1, name.length(), 10));
  }

  /** Arguments of {@code forward}, always the same, made as in the peers' programs. */
  public List<Object> inputs(ResourceScope scope) {
    Random random = new Random(1);
    return switch (model) {
      case "mlp_bn" -> List.of(normal(scope, random, batch, 128));
      case "lenet" -> List.of(normal(scope, random, batch, 1, 28, 28));
      case "resnet18", "resnet50" -> List.of(normal(scope, random, batch, 3, 224, 224));
      case "lstm", "lstm_loop" -> List.of(ids(scope, random, WORDS, batch, LENGTH));
      case "bert1", "bert12" ->
          List.of(
              ids(scope, random, WORDS, batch, LONG_LENGTH),
              integers(scope, i -> 1, batch, LONG_LENGTH));
      case "dlrm" ->
          List.of(
              normal(scope, random, batch, 13),
              ids(scope, random, THINGS, 26, (long) batch * BAG),
              integers(scope, i -> (long) i * BAG, batch));
      default -> throw new IllegalArgumentException("no inputs are known for " + model);
    };
  }

  private static DenseTensor normal(ResourceScope scope, Random random, long... sizes) {
    DenseTensor tensor = allocated(scope, DType.FLOAT32, sizes);
    for (int i = 0; i < tensor.elements(); i++) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
    }
    return tensor;
  }

  private static DenseTensor ids(ResourceScope scope, Random random, int most, long... sizes) {
    return integers(scope, i -> random.nextInt(most), sizes);
  }

  private static DenseTensor integers(
      ResourceScope scope, IntToLongFunction element, long... sizes) {
    DenseTensor tensor = allocated(scope, DType.INT64, sizes);
    for (int i = 0; i < tensor.elements(); i++) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_LONG, i, element.applyAsLong(i));
    }
    return tensor;
  }

  private static DenseTensor allocated(ResourceScope scope, DType dtype, long... sizes) {
    return (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(sizes));
  }

  @Override
  public String toString() {
    return model + "@" + batch;
  }
}
