package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Applies a computation to the matrices of a batch, one after the other. A matrix of complex
 * numbers is computed with as a real one of twice the rows and columns, in which {@code a + bi} is
 * the block {@code [a -b; b a]}: blocks are added, multiplied, inverted and turned like the
 * numbers.
 */
final class Matrices {
  /** Computes the results for one matrix, or for one matrix of each operand. */
  @FunctionalInterface
  interface Work {
    /**
     * @param in row-major elements of each operand's matrix
     * @param out arrays to fill, one per result; of complex blocks, only the first columns count
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
      counts[i] = Shape.asInt(size(operands.get(i), 2) * size(operands.get(i), 1));
    }
  }

  /**
   * The computation.
   *
   * @param operands the number of operands, which share their batch dimensions and dtype
   * @param cost the approximate number of steps per matrix
   * @param shapes the dimensions of each result after those of the batch; blocks count as such
   * @param real the index of the result that is real even for complex matrices; -1 for none
   */
  record Mapping(int operands, double cost, List<long[]> shapes, int real, Work work) {
    Mapping(int operands, double cost, List<long[]> shapes, Work work) {
      this(operands, cost, shapes, -1, work);
    }

    /**
     * The form of the only result, or the forms of all results, for a first operand of this form.
     */
    Object forms(TensorForm first) {
      Object[] forms =
          IntStream.range(0, shapes.size())
              .mapToObj(i -> form(i, first.dtype(), first.shape()))
              .toArray();
      return forms.length == 1 ? forms[0] : forms;
    }

    private TensorForm form(int result, DType first, Shape batched) {
      DType dtype = result == real ? first.parts() : first;
      long[] own = shapes.get(result);
      long parts = own.length == 2 ? Matrices.parts(dtype) : 1;
      int rank = batched.rank() - 2;
      long[] sizes = Arrays.copyOf(batched.toArray(), rank + own.length);
      for (int i = 0; i < own.length; i++) {
        sizes[rank + i] = own[i] / parts;
      }
      return TensorForm.contiguous(dtype, Shape.of(sizes));
    }
  }

  /** The rows, and the columns, of the block of a number. */
  static int parts(DType dtype) {
    return dtype.kind() == DType.Kind.COMPLEX ? 2 : 1;
  }

  /** The number of rows in computations. */
  static int height(TensorForm matrix) {
    return Shape.asInt(rows(matrix) * parts(matrix.dtype()));
  }

  /** The number of columns in computations. */
  static int width(TensorForm matrix) {
    return Shape.asInt(columns(matrix) * parts(matrix.dtype()));
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

  /** A fault unless {@code tensor} holds matrices of real or complex numbers. */
  static @Nullable Fault misfitNumbers(String name, TensorForm tensor) {
    return isComplex(tensor) ? noMatrix(name, tensor) : misfit(name, tensor);
  }

  /** As {@link #misfitNumbers}; also a fault unless they are square. */
  static @Nullable Fault notSquareNumbers(String name, TensorForm tensor) {
    return isComplex(tensor) ? notSquareShape(name, tensor) : notSquare(name, tensor);
  }

  /** The conjugates of a tensor's matrices, with rows and columns swapped. */
  static Object adjoint(Steps steps, Object matrix) {
    Object turned = steps.run("transpose.int", matrix, -2L, -1L);
    return Steps.isTensor(turned) && isComplex(Steps.form(turned))
        ? steps.run("conj_physical", turned)
        : turned;
  }

  static boolean isComplex(TensorForm tensor) {
    return tensor.dtype().kind() == DType.Kind.COMPLEX;
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
    Fault fault = isComplex(matrix) ? null : wrongDType(name, other);
    return fault == null
        ? OperandChecks.sameDType(name, matrix.dtype(), parameter, other.dtype())
        : fault;
  }

  private static @Nullable Fault wrongDType(String name, TensorForm tensor) {
    DType dtype = tensor.dtype();
    if (isComplex(tensor)) {
      return Fault.unsupported(name + " is not implemented for complex numbers");
    }
    if (dtype != DType.FLOAT32 && dtype != DType.FLOAT64) {
      return Fault.dtype(Message.of("%s takes float32 or float64, but got %s", name, dtype))
          .withExpected(ExpectedDType.of(DType.FLOAT32, DType.FLOAT64), dtype);
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
      DenseTensor first = operands.get(0);
      TensorForm form = mapping.form(i, first.dtype(), first.shape());
      long count = Arrays.stream(shapes.get(i)).reduce(1, (a, b) -> a * b);
      out[i] = array(shapes.get(i).length == 2 ? count : count * parts(form.dtype()));
      made[i] = call.allocate(form.dtype(), form.shape());
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
        write((DenseTensor) made[k], i, out[k], shapes.get(k));
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
    int parts = parts(tensor.dtype());
    int columns = Shape.asInt(size(tensor, 1));
    double[] values = array((long) count * parts * parts);
    for (int i = 0; i < count && poll.mayContinue(1); i++) {
      long at = places.get(operand).at(matrix * count + i);
      if (parts == 1) {
        values[i] = Elements.asDouble(tensor.segment(), tensor.dtype(), at);
      } else {
        double re = Elements.asDouble(tensor.segment(), tensor.dtype().parts(), 2 * at);
        double im = Elements.asDouble(tensor.segment(), tensor.dtype().parts(), 2 * at + 1);
        ComplexMatrix.putBlock(values, 2 * columns, i / columns, i % columns, re, im);
      }
    }
    return values;
  }

  private static double[] array(long size) {
    return new double[Shape.asInt(size)];
  }

  private void write(DenseTensor target, long matrix, double[] values, long[] shape) {
    DType dtype = target.dtype();
    int parts = parts(dtype);
    int width = shape.length == 2 ? Shape.asInt(shape[1]) : 1;
    int count = values.length / (shape.length == 2 ? parts * parts : parts);
    long first = target.layout().offset() + matrix * count;
    for (int i = 0; i < count && poll.mayContinue(1); i++) {
      if (parts == 1) {
        Elements.putDouble(target.segment(), dtype, first + i, values[i]);
      } else {
        int columns = Math.max(1, width / 2);
        int at = i / columns * 2 * width + i % columns * 2;
        Elements.putComplex(target.segment(), dtype, first + i, values[at], values[at + width]);
      }
    }
  }
}
