package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Programs over images return the same results, including strides and faults, whichever
 * convolutions the kernels prefer to return channels last.
 */
class RandomImageProgramsTest {
  private static final int PROGRAMS = Sample.whole() ? 100 : 40;
  private static final long[][] SHAPES = {
    {2, ImageProgram.CHANNELS, 5, 6},
    {1, ImageProgram.CHANNELS, 1, 1},
    {1, ImageProgram.CHANNELS, 40, 60},
    {0, ImageProgram.CHANNELS, 3, 3},
    {ImageProgram.CHANNELS, 4, 3},
    {2, ImageProgram.CHANNELS + 1, 5, 6}
  };

  private int turned;

  @Test
  void nobodyCanTellHowImagesLie() {
    long seed = 20261123;
    for (int i = 0; i < PROGRAMS; i++) {
      long number = seed + i;
      List<Object> rowMajor = outcomes(number, weight -> false);
      assertEquals(rowMajor, outcomes(number, weight -> true), () -> "program " + number);
      assertEquals(rowMajor, outcomes(number, weight -> weight == 3), () -> "program " + number);
    }
    assertTrue(turned > PROGRAMS, () -> turned + " convolutions gave their channels last");
  }

  /** What a program returns for each shape, twice. */
  private List<Object> outcomes(long seed, Predicate<Long> liked) {
    List<Object> outcomes = new ArrayList<>();
    try (ImageProgram program =
        new ImageProgram(seed, request -> liked.test(request.weight().shape().size(2)))) {
      Plan plan = written(program, new Random(seed));
      for (long[] sizes : SHAPES) {
        for (int i = 0; i < 2; i++) {
          for (Object each : program.run(plan, UnaryOperator.identity(), seed, sizes)) {
            outcomes.add(each instanceof Fault fault ? fault + " " + fault.operands() : each);
          }
          turned += (int) program.given.stream().filter(each -> each).count();
        }
      }
    }
    return outcomes;
  }

  private static Plan written(ImageProgram program, Random random) {
    List<Value> images = new ArrayList<>(List.of(program.x));
    List<Value> results = new ArrayList<>();
    int steps = 3 + random.nextInt(8);
    for (int i = 0; i < steps; i++) {
      Value image = images.get(random.nextInt(images.size()));
      if (random.nextInt(12) == 0) {
        results.add(seen(program, random, image));
      } else {
        images.add(made(program, random, image, images.get(random.nextInt(images.size()))));
      }
    }
    results.add(program.averaged(images.getLast()));
    return program.plan(results.toArray(Value[]::new));
  }

  private static Value made(ImageProgram program, Random random, Value image, Value other) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> program.convolved(image);
      case 3 -> program.pointwise(image);
      case 4 -> program.normalized(program.convolved(image));
      case 5 -> program.normalized(image);
      case 6 -> program.call("relu", image);
      case 7 -> program.added(image, other);
      case 8 -> program.call("mul.Tensor", image, program.parameter("scale"));
      case 9 -> program.pooled(image);
      case 10 -> program.call("dropout", image, program.real(0.5), program.bool(false));
      default -> program.call("hardtanh", image, program.real(0), program.real(0.3));
    };
  }

  /** A value that shows the image's layout, or its elements. */
  private static Value seen(ImageProgram program, Random random, Value image) {
    return switch (random.nextInt(4)) {
      case 0 -> image;
      case 1 -> program.flattened(image);
      case 2 -> program.list(image);
      default -> program.call("cat", program.list(image, image), program.integer(1));
    };
  }
}
