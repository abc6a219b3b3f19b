package dev.staunch.execute;

import dev.staunch.engine.Guard;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.Call;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an operation would have accepted in place of an operand that it refused, if all its
 * other tensors are the model's own: tries forms near the refused one on the operation's inference.
 */
final class AcceptedForms {
  /** Operations that compute with weights of so many sizes have a fast inference. */
  private static final int MOST_SIZES = 16;

  /** An operation that accepts more dtypes than this did not fail because of the dtype alone. */
  private static final int MOST_DTYPES = 3;

  private final Inference inference;
  private final Call call;
  private final int place;
  private final TensorForm refused;
  private final Shape input;

  /**
   * The dimension in which other tensors were joined to the input, so that the operand is larger;
   * or -1.
   */
  private final int joined;

  private AcceptedForms(Inference inference, Call call, int place, Shape input) {
    this.inference = inference;
    this.input = input;
    this.call = call;
    this.place = place;
    this.refused = call.form(place);
    this.joined = joined(refused.shape(), input);
  }

  /**
   * {@code fault} with the form that would have been accepted in {@code place}, if that can be
   * determined: {@code float32[*, 12]}, where a star stands for any size, or {@code int64 or
   * int32}.
   *
   * @param own whether a tensor is the model's
   * @param input the shape of what the operand was made of. If it differs from the operand's in one
   *     size only, because other tensors were joined to it, the answer is about the input.
   */
  static Fault addedTo(
      Fault fault,
      @Nullable Inference inference,
      Call call,
      int place,
      Predicate<DenseTensor> own,
      Shape input) {
    Set<Long> sizes = new LinkedHashSet<>();
    if (inference == null || !areOwn(call, place, own, sizes)) {
      return fault;
    }
    AcceptedForms forms = new AcceptedForms(inference, call, place, input);
    String accepted =
        switch (fault.type()) {
          case SHAPE -> forms.shapes(sizes);
          case DTYPE -> forms.dtypes();
          default -> null;
        };
    return accepted == null
        ? fault
        : fault.withExpected(accepted, forms.refused.dtype() + forms.sent().toString());
  }

  /** Whether there are other tensors and all of them are the model's; collects their sizes. */
  private static boolean areOwn(Call call, int place, Predicate<DenseTensor> own, Set<Long> sizes) {
    for (int i = 0; i < call.size(); i++) {
      for (Object value : call.value(i) instanceof List<?> list ? list : List.of(call.value(i))) {
        if (i != place && value instanceof DenseTensor tensor) {
          if (!own.test(tensor)) {
            return false;
          }
          for (int d = 0; d < tensor.rank() && sizes.size() < MOST_SIZES; d++) {
            sizes.add(tensor.shape().size(d));
          }
        }
      }
    }
    return !sizes.isEmpty();
  }

  private @Nullable String dtypes() {
    List<DType> taken =
        Arrays.asList(DType.values()).reversed().stream()
            .filter(dtype -> isOfDType(infer(refused.cast(dtype))))
            .toList();
    return taken.isEmpty() || taken.size() > MOST_DTYPES
        ? null
        : taken.stream().map(DType::toString).collect(Collectors.joining(" or "));
  }

  private @Nullable String shapes(Set<Long> known) {
    for (long[] sizes : near(refused.shape(), known)) {
      boolean roomForOthers =
          IntStream.range(0, sizes.length).allMatch(d -> sizes[d] >= others(sizes, d));
      if (roomForOthers && takes(sizes)) {
        return refused.dtype() + pattern(sizes);
      }
    }
    return null;
  }

  /** The shape to report next to the accepted one: the input's, or the operand's. */
  private Shape sent() {
    return joined < 0 ? refused.shape() : input;
  }

  /**
   * The only dimension in which the operand's size differs from the input's, and is larger; or -1.
   */
  private static int joined(Shape operand, Shape input) {
    int differing = -1;
    for (int d = 0; operand.rank() == input.rank() && d < input.rank(); d++) {
      if (operand.size(d) != input.size(d)) {
        if (differing >= 0 || operand.size(d) < input.size(d)) {
          return -1;
        }
        differing = d;
      }
    }
    return differing;
  }

  /** How much of dimension {@code d} of the accepted {@code sizes} other tensors fill. */
  private long others(long[] sizes, int d) {
    return d == joined && sizes.length == refused.rank()
        ? refused.shape().size(d) - input.size(d)
        : 0;
  }

  /**
   * Shapes that differ from {@code shape} in one size, or have one dimension more or less; the
   * likely ones first.
   */
  private static List<long[]> near(Shape shape, Set<Long> known) {
    List<long[]> shapes = new ArrayList<>();
    int rank = shape.rank();
    for (int d = rank - 1; d >= 0; d--) {
      for (long size : known) {
        long[] other = sizes(shape);
        other[d] = size;
        shapes.add(other);
      }
    }
    for (int d = 0; d <= rank; d++) {
      long[] longer = new long[rank + 1];
      for (int i = 0; i <= rank; i++) {
        longer[i] = i == d ? 1 : shape.size(i < d ? i : i - 1);
      }
      shapes.add(longer);
    }
    for (int d = 0; d < rank; d++) {
      long[] shorter = new long[rank - 1];
      for (int i = 0; i < rank - 1; i++) {
        shorter[i] = shape.size(i < d ? i : i + 1);
      }
      shapes.add(shorter);
    }
    return shapes;
  }

  private static long[] sizes(Shape shape) {
    long[] sizes = new long[shape.rank()];
    Arrays.setAll(sizes, shape::size);
    return sizes;
  }

  private String pattern(long[] sizes) {
    List<String> words = new ArrayList<>();
    for (int d = 0; d < sizes.length; d++) {
      long[] larger = sizes.clone();
      larger[d]++;
      words.add(takes(larger) ? "*" : Long.toString(sizes[d] - others(sizes, d)));
    }
    return words.toString();
  }

  private boolean takes(long[] sizes) {
    Object result = infer(TensorForm.contiguous(refused.dtype(), Shape.of(sizes)));
    return !(result instanceof Fault) && result != Inference.Unknown.NOT_INFERRED;
  }

  /** Whether the inferred result shows that the dtype is right, even if the shape is wrong. */
  private static boolean isOfDType(Object inferred) {
    return inferred instanceof Fault fault
        ? fault.type() == FaultType.SHAPE
        : !(inferred instanceof Inference.Unknown);
  }

  private Object infer(TensorForm form) {
    return Guard.attempt(inference::infer, with(form));
  }

  /** The operands of the call, with {@code form} in place of the refused one. */
  private Operands with(TensorForm form) {
    return new Operands() {
      @Override
      public int size() {
        return call.size();
      }

      @Override
      public Object value(int i) {
        return i == place ? form : call.value(i);
      }

      @Override
      public boolean isTensor(int i) {
        return i == place || call.isTensor(i);
      }

      @Override
      public TensorForm form(int i) {
        return i == place ? form : call.form(i);
      }
    };
  }
}
