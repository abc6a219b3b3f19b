package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies a computation to the matrices of a batch, one after the other. */
final class Matrices {
  /** Computes the results for one matrix, or for one matrix of each operand. */
  @FunctionalInterface
  interface Work {
    /**
     * @param in row-major elements of each operand's matrix
     * @param out arrays to fill, one per result
     * @param poll to be polled if a matrix takes long; after a cancellation the results are
     *     discarded
     */
    @Nullable Fault run(double[][] in, double[][] out, CancellationPoll poll);
  }

  private final Call call;
  private final CancellationPoll poll;

  /** The batch dimensions, which all operands share. */
  private final long[] batch;

  private final List<Places> places = new ArrayList<>();
  private final List<DenseTensor> operands;
  private final int[] counts;

  private Matrices(Call call, List<DenseTensor> operands) {
    this.call = call;
    this.poll = new CancellationPoll(call);
    this.operands = operands;
    long[] sizes = operands.get(0).shape().toArray();
    this.batch = Arrays.copyOf(sizes, sizes.length - 2);
    this.counts = new int[operands.size()];
    for (int i = 0; i < counts.length; i++) {
      places.add(Places.of(operands.get(i).layout()));
      counts[i] = Math.toIntExact(size(operands.get(i), 2) * size(operands.get(i), 1));
    }
  }

  /**
   * The computation.
   *
   * @param operands the number of operands, which share their batch dimensions and dtype
   * @param cost the approximate number of steps per matrix
   * @param shapes the dimensions of each result after those of the batch
   */
  record Mapping(int operands, double cost, List<long[]> shapes, Work work) {
    /**
     * The form of the only result, or the forms of all results, for a first operand of this form.
     */
    Object forms(TensorForm first) {
      Object[] forms =
          shapes.stream()
              .map(own -> TensorForm.contiguous(first.dtype(), shape(first.shape(), own)))
              .toArray();
      return forms.length == 1 ? forms[0] : forms;
    }

    private static Shape shape(Shape first, long[] own) {
      long[] sizes = Arrays.copyOf(first.toArray(), first.rank() - 2 + own.length);
      System.arraycopy(own, 0, sizes, first.rank() - 2, own.length);
      return Shape.of(sizes);
    }
  }

  static long rows(TensorForm matrix) {
    return matrix.shape().size(matrix.rank() - 2);
  }

  static long columns(TensorForm matrix) {
    return matrix.shape().size(matrix.rank() - 1);
  }

  private static long size(DenseTensor tensor, int fromEnd) {
    return tensor.shape().size(tensor.rank() - fromEnd);
  }

  /** A fault unless {@code tensor} holds matrices of float32 or float64. */
  static @Nullable Fault misfit(String name, TensorForm tensor) {
    Fault fault = wrongDType(name, tensor);
    return fault == null ? noMatrix(name, tensor) : fault;
  }

  private static @Nullable Fault noMatrix(String name, TensorForm tensor) {
    return tensor.rank() >= 2
        ? null
        : OperandChecks.shape(
            Message.of("%s takes matrices, but the shape is %s", name, tensor.shape()),
            "at least 2 dimensions",
            tensor.shape());
  }

  /** A fault unless {@code other} has the dtype of {@code matrix}, which has been checked. */
  static @Nullable Fault sameDType(
      String name, TensorForm matrix, String parameter, TensorForm other) {
    Fault fault = wrongDType(name, other);
    return fault == null
        ? OperandChecks.sameDType(name, matrix.dtype(), parameter, other.dtype())
        : fault;
  }

  private static @Nullable Fault wrongDType(String name, TensorForm tensor) {
    DType dtype = tensor.dtype();
    if (dtype.kind() == DType.Kind.COMPLEX) {
      return Fault.unsupported(name + " is not implemented for complex numbers");
    }
    if (dtype != DType.FLOAT32 && dtype != DType.FLOAT64) {
      return Fault.dtype(Message.of("%s takes float32 or float64, but got %s", name, dtype))
          .withExpected("float32 or float64", dtype.toString());
    }
    return null;
  }

  /** As {@link #misfit}; also a fault unless they are square. */
  static @Nullable Fault notSquare(String name, TensorForm tensor) {
    Fault fault = wrongDType(name, tensor);
    return fault == null ? notSquareShape(name, tensor) : fault;
  }

  /** A fault unless the tensor holds square matrices, of any dtype. */
  static @Nullable Fault notSquareShape(String name, TensorForm tensor) {
    Fault fault = noMatrix(name, tensor);
    if (fault != null || rows(tensor) == columns(tensor)) {
      return fault;
    }
    return OperandChecks.shape(
        Message.of("%s takes square matrices, but the shape is %s", name, tensor.shape()),
        "[..., n, n]",
        tensor.shape());
  }

  /** The results, or a fault; a single result is not in an array. */
  static Object map(Call call, Mapping mapping) {
    List<DenseTensor> operands = new ArrayList<>();
    for (int i = 0; i < mapping.operands(); i++) {
      operands.add(call.tensor(i));
    }
    return new Matrices(call, operands).mapped(mapping);
  }

  private Object mapped(Mapping mapping) {
    List<long[]> shapes = mapping.shapes();
    long cost = (long) Math.clamp(mapping.cost(), 1, 1L << 40);
    Object[] made = new Object[shapes.size()];
    double[][] out = new double[shapes.size()][];
    for (int i = 0; i < made.length; i++) {
      long[] own = shapes.get(i);
      out[i] = new double[Math.toIntExact(Arrays.stream(own).reduce(1, (a, b) -> a * b))];
      DenseTensor first = operands.get(0);
      made[i] = call.allocate(first.dtype(), Mapping.shape(first.shape(), own));
      if (made[i] instanceof Fault fault) {
        return closed(made, fault);
      }
    }
    double[][] in = new double[counts.length][];
    long total = Arrays.stream(batch).reduce(1, (a, b) -> a * b);
    for (long i = 0; i < total && poll.mayContinue(cost); i++) {
      for (int k = 0; k < in.length; k++) {
        in[k] = read(k, i);
      }
      Fault refused = poll.fault() == null ? mapping.work().run(in, out, poll) : null;
      Fault fault = poll.fault() == null ? refused : poll.fault();
      if (fault != null) {
        return closed(made, fault);
      }
      for (int k = 0; k < made.length; k++) {
        write((DenseTensor) made[k], i, out[k]);
      }
    }
    Fault stop = poll.fault();
    return stop != null ? closed(made, stop) : made.length == 1 ? made[0] : made;
  }

  private static Fault closed(Object[] made, Fault fault) {
    for (Object each : made) {
      if (each instanceof DenseTensor tensor) {
        tensor.close();
      }
    }
    return fault;
  }

  private double[] read(int operand, long matrix) {
    DenseTensor tensor = operands.get(operand);
    int count = counts[operand];
    double[] values = new double[count];
    for (int i = 0; i < count && poll.mayContinue(1); i++) {
      long at = places.get(operand).at(matrix * count + i);
      values[i] = Elements.asDouble(tensor.segment(), tensor.dtype(), at);
    }
    return values;
  }

  private void write(DenseTensor target, long matrix, double[] values) {
    long first = target.layout().offset() + matrix * values.length;
    for (int i = 0; i < values.length && poll.mayContinue(1); i++) {
      Elements.putDouble(target.segment(), target.dtype(), first + i, values[i]);
    }
  }
}
