package dev.staunch.peers;

import dev.staunch.fault.Message;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * What differs between a value of ours and libtorch's: a word for the kind and the particulars.
 * Numbers may differ by {@code 1e-5} relatively (half precision: one unit in the last place), or
 * ours is as close to what libtorch gives in double precision.
 *
 * @param least the tolerance that all numbers have at least
 * @param excused the differences that have a reason: others are looked for behind them
 */
record Comparison(double least, Predicate<String> excused) {
  /** Of results that are as exact as their dtype is. */
  static final Comparison PLAIN = new Comparison(0, difference -> false);

  /** Of results that are computed in {@code dtype}, whatever they are written into. */
  Comparison computedIn(DType dtype) {
    return new Comparison(ofDType(dtype), excused);
  }

  boolean isBad(@Nullable String difference) {
    return difference != null && !excused.test(difference);
  }

  /** A difference without a reason, if one of both is; else any. */
  @Nullable String worse(@Nullable String first, @Nullable String second) {
    return first == null || isBad(second) ? second : first;
  }

  /**
   * The difference, or null.
   *
   * @param exact what libtorch gives in double precision, or null if that is not known
   */
  @Nullable String of(Object ours, Object theirs, @Nullable Object exact) {
    if (ours instanceof dev.staunch.eager.Tensor a && theirs instanceof Tensor b) {
      return tensors(a.value(), b, exact instanceof Tensor c ? c : null);
    }
    if (ours instanceof List<?> a && theirs instanceof List<?> b) {
      if (a.size() != b.size()) {
        return "length: " + a.size() + " for " + b.size();
      }
      String found = null;
      for (int i = 0; i < a.size() && !isBad(found); i++) {
        Object reference = exact instanceof List<?> c && c.size() == b.size() ? c.get(i) : null;
        found = worse(found, of(a.get(i), b.get(i), reference));
      }
      return found;
    }
    if (ours instanceof Double a && theirs instanceof Double b) {
      return close(a, b, 1e-12) ? null : "value: " + a + " for " + b;
    }
    if (ours instanceof ComplexNumber a && theirs instanceof ComplexNumber b) {
      boolean same = close(a.re(), b.re(), 1e-12) && close(a.im(), b.im(), 1e-12);
      return same ? null : "value: " + a + " for " + b;
    }
    return Objects.equals(ours, theirs) ? null : "value: " + ours + " for " + theirs;
  }

  static boolean areEqual(DenseTensor a, Tensor b) {
    return !b.is_conj()
        && !b.is_neg()
        && Libtorch.dtype(b) == a.dtype()
        && Arrays.equals(numbers(a), numbers(b, a.dtype()));
  }

  private @Nullable String tensors(DenseTensor a, Tensor b, @Nullable Tensor exact) {
    if (!b.defined()) {
      return "undefined: " + a.describe() + " for no tensor";
    }
    DType dtype = Libtorch.dtype(b);
    if (dtype != a.dtype()) {
      return "dtype: " + a.describe() + " for " + b.scalar_type();
    }
    long[] sizes = Libtorch.longs(b.sizes());
    if (!Arrays.equals(sizes, a.shape().toArray())) {
      return "shape: " + a.describe() + " for " + Arrays.toString(sizes);
    }
    String values = values(a, b, exact);
    return isBad(values) ? values : worse(values, layout(a, b));
  }

  private static @Nullable String layout(DenseTensor a, Tensor b) {
    long[] strides = Libtorch.longs(b.strides());
    for (int i = 0; a.elements() > 0 && i < strides.length; i++) {
      if (a.shape().size(i) > 1 && a.layout().stride(i) != strides[i]) {
        return "layout: " + a.layout() + " for " + Arrays.toString(strides);
      }
    }
    return null;
  }

  private @Nullable String values(DenseTensor a, Tensor b, @Nullable Tensor exact) {
    double[] ours = numbers(a);
    double[] theirs = numbers(b, a.dtype());
    double[] best = null;
    double scale = 0;
    String found = null;
    for (int i = 0; i < ours.length && !isBad(found); i++) {
      if (same(a.dtype(), ours[i], theirs[i])) {
        continue;
      }
      if (best == null) {
        best = reference(a, exact, ours.length);
        scale = Arrays.stream(theirs).map(Math::abs).filter(Double::isFinite).max().orElse(0);
      }
      if (best.length == 0 || !asGood(a.dtype(), ours[i], theirs[i], best[i], scale)) {
        String real = best.length == 0 ? "" : ", in double precision " + best[i];
        String text = "value: [%d] of %s is %s for %s%s";
        found = worse(found, Message.of(text, i, a.describe(), "" + ours[i], "" + theirs[i], real));
      }
    }
    return found;
  }

  private boolean asGood(DType dtype, double a, double b, double exact, double scale) {
    double error = Math.abs(b - exact);
    double own = Math.abs(a - exact);
    return Double.compare(a, exact) == 0
        || own <= 2 * error
        || own <= tolerance(dtype) * (Math.abs(exact) + scale / 10);
  }

  private static double[] reference(DenseTensor a, @Nullable Tensor exact, int count) {
    DType dtype = a.dtype().isFloating() ? DType.FLOAT64 : DType.COMPLEX128;
    if (exact == null || !exact.defined() || Libtorch.dtype(exact) != dtype) {
      return new double[0];
    }
    double[] numbers = numbers(exact, dtype);
    return numbers.length == count ? numbers : new double[0];
  }

  private boolean same(DType dtype, double a, double b) {
    return switch (dtype.kind()) {
      case BOOL, INTEGRAL -> a == b;
      case FLOATING, COMPLEX -> close(a, b, tolerance(dtype));
    };
  }

  private double tolerance(DType dtype) {
    return Math.max(least, ofDType(dtype));
  }

  private static double ofDType(DType dtype) {
    return switch (dtype) {
      case FLOAT16 -> 0x1.02p-10;
      case BFLOAT16 -> 0x1.02p-7;
      case FLOAT64, COMPLEX128 -> 1e-10;
      default -> 1e-5;
    };
  }

  private static boolean close(double a, double b, double tolerance) {
    return a == b
        || (Double.isNaN(a) && Double.isNaN(b))
        || (Math.abs(a - b) <= tolerance + tolerance * Math.abs(b)
            && Double.isFinite(a) == Double.isFinite(b));
  }

  /** Said behind a difference: whether there are numbers among the operands that may overflow. */
  static String kind(List<?> values) {
    String kind = "";
    for (Object value : values) {
      String each =
          switch (value) {
            case Twin twin -> kind(twin.ours().dtype(), numbers(twin.ours().value()));
            case List<?> list -> kind(list);
            case Double number -> kind(DType.FLOAT32, number);
            default -> "";
          };
      kind = each.compareTo(kind) > 0 ? each : kind;
    }
    return kind;
  }

  private static String kind(DType dtype, double... numbers) {
    double large = dtype.isFloating() && dtype.bytes() < 4 ? 1e3 : 1e15;
    double most = Arrays.stream(numbers).map(Math::abs).max().orElse(0);
    return Double.isFinite(most)
        ? most > large ? " of large operands" : ""
        : " of operands not finite";
  }

  private static double[] numbers(DenseTensor tensor) {
    long[] at = Elements.positions(tensor.layout());
    return numbers(tensor.segment(), tensor.dtype(), at);
  }

  private static double[] numbers(Tensor tensor, DType dtype) {
    if (tensor.numel() == 0) {
      return new double[0];
    }
    Tensor plain = tensor.resolve_conj().resolve_neg().contiguous();
    long[] at = new long[(int) plain.numel()];
    Arrays.setAll(at, i -> i);
    return numbers(Libtorch.bytes(plain, plain.numel() * dtype.bytes()), dtype, at);
  }

  /** Complex ones as pairs; int64 as far as doubles tell them apart. */
  private static double[] numbers(MemorySegment segment, DType dtype, long[] at) {
    boolean complex = dtype.kind() == DType.Kind.COMPLEX;
    DType part = dtype == DType.COMPLEX64 ? DType.FLOAT32 : complex ? DType.FLOAT64 : dtype;
    double[] numbers = new double[complex ? 2 * at.length : at.length];
    for (int i = 0; i < numbers.length; i++) {
      long place = complex ? 2 * at[i / 2] + i % 2 : at[i];
      numbers[i] = Elements.asDouble(segment, part, place);
    }
    return numbers;
  }
}
