package dev.staunch.kernel.algebra;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.Shape;
import java.util.List;

/** Singular values and vectors of real and complex matrices. */
final class SingularValues {
  private SingularValues() {}

  /**
   * U, the singular values and V of a call's matrices; U and V are square if {@code full}.
   *
   * @param conjugated whether V has the conjugates of its elements
   */
  static Object of(Operands call, String name, boolean full, boolean conjugated) {
    TensorForm matrix = call.form(0);
    Fault fault = Matrices.misfitNumbers(name, matrix);
    if (fault != null) {
      return fault;
    }
    int rows = Shape.asInt(Matrices.rows(matrix));
    int columns = Shape.asInt(Matrices.columns(matrix));
    int count = Math.min(rows, columns);
    int parts = Matrices.parts(matrix.dtype());
    long left = (long) parts * (full ? rows : count);
    long right = (long) parts * (full ? columns : count);
    return new Matrices.Mapping(
        1,
        parts * Jacobi.cost(count) * Math.max(rows, columns) / Math.max(1, count),
        List.of(
            new long[] {(long) parts * rows, left},
            new long[] {count},
            new long[] {(long) parts * columns, right}),
        1,
        (in, out, poll) -> {
          Fault notNumbers = SpectrumOperations.notFinite(name, in[0]);
          if (notNumbers != null) {
            return notNumbers;
          }
          if (parts == 2) {
            ComplexMatrix source = ComplexMatrix.ofBlocks(in[0], rows, columns);
            decompose(source, rows, full, conjugated, out, poll);
          } else {
            decompose(in[0], rows, columns, full, out, poll);
          }
          return null;
        });
  }

  private static void decompose(
      ComplexMatrix matrix,
      int rows,
      boolean full,
      boolean conjugated,
      double[][] out,
      CancellationPoll poll) {
    int columns = matrix.width();
    boolean wide = columns > rows;
    int tall = Math.max(rows, columns);
    int count = Math.min(rows, columns);
    double[] lines = new double[2 * tall * count];
    for (int k = 0; k < count && poll.mayContinue(tall); k++) {
      for (int i = 0; i < tall; i++) {
        lines[2 * k * tall + i] = wide ? matrix.re(k, i) : matrix.re(i, k);
        lines[(2 * k + 1) * tall + i] = wide ? -matrix.im(k, i) : matrix.im(i, k);
      }
    }
    Jacobi.Vectors vectors = Jacobi.singular(lines, 2, tall, count, out[1], poll);
    ComplexMatrix thin = Jacobi.Vectors.columns(vectors.left(), tall, count);
    ComplexMatrix whole = thin;
    if (full) {
      ComplexMatrix copy = Jacobi.Vectors.columns(vectors.left(), tall, count);
      whole = new Unitary(copy, tall, poll).basis(tall);
      for (int at = 0; at < tall * count; at++) {
        whole.set(at / count, at % count, thin.res()[at], thin.ims()[at]);
      }
    }
    ComplexMatrix narrow = Jacobi.Vectors.columns(vectors.right(), count, count);
    ComplexMatrix right = wide ? whole : narrow;
    if (conjugated) {
      right.conjugate();
    }
    (wide ? narrow : whole).putBlocks(out[0]);
    right.putBlocks(out[2]);
  }

  private static void decompose(
      double[] matrix, int rows, int columns, boolean full, double[][] out, CancellationPoll poll) {
    boolean wide = columns > rows;
    int tall = Math.max(rows, columns);
    int count = Math.min(rows, columns);
    double[] lines = wide ? matrix : Triangles.transposed(matrix, rows, columns, poll);
    double[] tallVectors = new double[tall * count];
    double[] shortVectors = new double[count * count];
    Jacobi.singular(lines, tall, count, tallVectors, out[1], shortVectors, poll);
    double[] whole = full ? completed(tallVectors, tall, count, poll) : tallVectors;
    out[0] = wide ? shortVectors : whole;
    out[2] = wide ? whole : shortVectors;
  }

  /** Orthogonal columns, completed by further orthogonal ones up to the number of rows. */
  private static double[] completed(
      double[] vectors, int rows, int columns, CancellationPoll poll) {
    double[] basis = new double[rows * rows];
    new Orthogonal(vectors.clone(), rows, columns, poll).basis(basis, rows);
    for (int i = 0; i < rows; i++) {
      System.arraycopy(vectors, i * columns, basis, i * rows, columns);
    }
    return basis;
  }
}
