package dev.staunch.vector;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Preparation;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.vector.SetCall.Accuracy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Whether the vector kernels answer a call as the plain ones do: within rule S1 of the result that
 * the plain kernels compute in float64.
 */
final class Agreement {
  private static final Catalog PLAIN =
      StandardOperations.catalog().with(StandardOperations.plainKernels());
  private static final Catalog VECTORS =
      PLAIN.with(new VectorKernels(StandardOperations.plainKernels()));

  /** By what share of themselves operands are perturbed. */
  private static final double STEP = 1e-7;

  private final ResourceScope scope;
  private final SetCall call;
  private final Random random;
  private final KernelBench plain;

  private Agreement(ResourceScope scope, SetCall call, long seed) {
    this.scope = scope;
    this.call = call;
    this.random = new Random(seed);
    this.plain = new KernelBench(scope, PLAIN, false);
  }

  /** The first difference; null if there is none. */
  static @Nullable String difference(ResourceScope scope, SetCall call, long seed) {
    return new Agreement(scope, call, seed).difference();
  }

  private @Nullable String difference() {
    List<Object> expected = plain.run(call.name(), call.arguments(), null, call.order());
    Preparation kept = KernelBench.preparation(scope, call.constants());
    List<Object> found = vectors(false, kept);
    List<Object> again = vectors(true, kept);
    for (int i = 0; i < expected.size(); i++) {
      String which = expected.size() == 1 ? "" : "result " + i + " ";
      String difference = difference(i, expected.get(i), found.get(i));
      if (difference != null) {
        return which + difference;
      }
      difference = bits(found.get(i), again.get(i));
      if (difference != null) {
        return which + "differs from one call to the next " + difference;
      }
    }
    return null;
  }

  private List<Object> vectors(boolean backwards, Preparation kept) {
    KernelBench bench = new KernelBench(scope, VECTORS, backwards);
    return bench.run(call.name(), call.arguments(), kept, call.order());
  }

  private @Nullable String difference(int number, Object expected, Object found) {
    if (expected instanceof Fault one) {
      boolean same =
          found instanceof Fault two
              && one.type() == two.type()
              && one.message().equals(two.message());
      return same ? null : "is " + found + " instead of " + one;
    }
    if (!(found instanceof DenseTensor tensor)) {
      return "is " + found;
    }
    DenseTensor other = (DenseTensor) expected;
    boolean ordered = call.order() == Call.Order.AS_WRITTEN;
    if (tensor.dtype() != other.dtype()
        || !tensor.shape().equals(other.shape())
        || (ordered && !tensor.layout().equals(other.layout()))) {
      return "is " + RandomOperands.describe(tensor) + ", not " + RandomOperands.describe(other);
    }
    if (call.accuracy().exact() || !tensor.dtype().isFloating()) {
      return bits(expected, found);
    }
    return close(number, other, tensor);
  }

  /** The first element that is not the same, numbers that are none and their signs apart. */
  private static @Nullable String bits(Object expected, Object found) {
    if (!(expected instanceof DenseTensor one && found instanceof DenseTensor two)) {
      return expected instanceof Fault == found instanceof Fault ? null : "is " + found;
    }
    double[] first = HostTensors.toDoubles(one);
    double[] second = HostTensors.toDoubles(two);
    int at = Arrays.mismatch(first, second);
    return at < 0 ? null : where(two, at) + ": " + second[at] + " instead of " + first[at];
  }

  private @Nullable String close(int number, DenseTensor expected, DenseTensor found) {
    double[] exact = exact(number, (which, value) -> value);
    double[] bounds = bounds(number, exact);
    double[] plainly = HostTensors.toDoubles(expected);
    double[] numbers = HostTensors.toDoubles(found);
    DType dtype = found.dtype();
    for (int i = 0; i < numbers.length; i++) {
      double allowed = relative(dtype) * (bounds[i] + 1e5 * call.accuracy().floor()) + least(dtype);
      allowed = Math.max(allowed, Math.abs(plainly[i] - exact[i]));
      if (!agrees(numbers[i], plainly[i], exact[i], bounds[i], allowed, most(dtype))) {
        return Message.of(
            "%s: %s, plain %s, exact %s, allowed difference %s",
            where(found, i), numbers[i], plainly[i], exact[i], allowed);
      }
    }
    return null;
  }

  private static boolean agrees(
      double found, double plain, double exact, double bound, double allowed, double most) {
    if (Double.compare(found, plain) == 0 || Double.compare(found, exact) == 0) {
      return true;
    }
    if (Double.isFinite(bound) && bound > most / 2) {
      return true; // an order of sums may overflow that another does not
    }
    boolean finite = Double.isFinite(found) && Double.isFinite(exact);
    return finite ? Math.abs(found - exact) <= allowed : found == plain;
  }

  private double[] exact(int number, Mapping mapping) {
    Object result = plain.run(call.name(), wide(mapping), null, Call.Order.AS_WRITTEN).get(number);
    return HostTensors.toDoubles((DenseTensor) result);
  }

  private double[] bounds(int number, double[] exact) {
    Accuracy accuracy = call.accuracy();
    double[] bounds = Arrays.stream(exact).map(Math::abs).toArray();
    if (accuracy.absolutes() != 0) {
      add(bounds, accuracy.mixed() ? mixed() : exact(number, this::absolute), null);
    }
    for (int i = 0; i < 3 && accuracy.perturbed(); i++) {
      double[] near = exact(number, (which, value) -> value * (1 + STEP * random.nextGaussian()));
      add(bounds, near, exact);
    }
    return bounds;
  }

  private double absolute(int which, double value) {
    return (call.accuracy().absolutes() >> which & 1) == 0 ? value : Math.abs(value);
  }

  private static void add(double[] bounds, double[] more, double @Nullable [] exact) {
    for (int i = 0; i < bounds.length; i++) {
      double part = exact == null ? Math.abs(more[i]) : Math.abs(more[i] - exact[i]) / STEP;
      bounds[i] += Double.isNaN(part) && Double.isFinite(bounds[i]) ? 0 : part;
    }
  }

  /** The sums of a convolution whose image and kernels are the largest numbers nearby. */
  private double[] mixed() {
    List<Object> arguments = wide((which, value) -> Double.isFinite(value) ? Math.abs(value) : 0);
    List<Object> pooling = new ArrayList<>();
    pooling.add(arguments.get(0));
    for (long each : new long[] {5, 1, 2, 1}) {
      pooling.add(List.of(each, each));
    }
    pooling.add(false);
    arguments.set(0, plain.run("aten::max_pool2d", pooling, null, call.order()).get(0));
    DenseTensor weight = (DenseTensor) arguments.get(1);
    double[] kernels = HostTensors.toDoubles(weight);
    int size = (int) (weight.shape().size(2) * weight.shape().size(3));
    for (int i = 0; i < kernels.length; i += size) {
      double most = Arrays.stream(kernels, i, i + size).max().orElse(0);
      Arrays.fill(kernels, i, i + size, most);
    }
    arguments.set(1, HostTensors.doubles(scope, weight.shape(), kernels));
    Object sums = plain.run(call.name(), arguments, null, Call.Order.AS_WRITTEN).get(0);
    return HostTensors.toDoubles((DenseTensor) sums);
  }

  /** A function of the position of an argument and of one of its elements. */
  private interface Mapping {
    double of(int which, double value);
  }

  /** The arguments in float64. */
  private List<Object> wide(Mapping mapping) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < call.arguments().size(); i++) {
      all.add(wide(i, call.arguments().get(i), mapping));
    }
    return all;
  }

  private Object wide(int which, Object argument, Mapping mapping) {
    if (argument instanceof List<?> list) {
      List<Object> all = new ArrayList<>();
      list.forEach(each -> all.add(wide(which, each, mapping)));
      return all;
    }
    if (!(argument instanceof DenseTensor tensor && tensor.dtype().isFloating())) {
      return argument;
    }
    double[] values = HostTensors.toDoubles(tensor);
    Arrays.setAll(values, i -> mapping.of(which, values[i]));
    return HostTensors.doubles(scope, tensor.shape(), values);
  }

  private static double relative(DType dtype) {
    return switch (dtype) {
      case FLOAT64 -> 1e-13;
      case FLOAT16 -> 0x1p-10;
      case BFLOAT16 -> 0x1p-7;
      default -> 1e-5;
    };
  }

  /** What is lost in sums of numbers that have fewer digits because they are near 0. */
  private static double least(DType dtype) {
    return switch (dtype) {
      case FLOAT64 -> 1e-318;
      case FLOAT16 -> 0x1p-24;
      default -> 1e-40;
    };
  }

  private static double most(DType dtype) {
    return switch (dtype) {
      case FLOAT64 -> Double.MAX_VALUE;
      case FLOAT16 -> 65504;
      default -> Float.MAX_VALUE;
    };
  }

  private static String where(DenseTensor tensor, int place) {
    long[] index = RandomOperands.shape(tensor);
    long rest = place;
    for (int i = index.length - 1; i >= 0; i--) {
      long size = index[i];
      index[i] = rest % size;
      rest /= size;
    }
    return "at " + Arrays.toString(index) + " of " + RandomOperands.describe(tensor);
  }
}
