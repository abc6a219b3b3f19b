package dev.staunch.peers;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Factors of matrices are unique up to signs, orders and roundings only: ours are right if the
 * matrix comes out of them again, and those that must be are orthonormal. Of a factorization that
 * says it failed nothing is asked.
 */
final class Factors {
  private static final Set<String> OPERATIONS =
      Set.of(
          "linalg_svd",
          "svd",
          "linalg_qr",
          "qr",
          "linalg_eigh",
          "linalg_eig",
          "linalg_eigvals",
          "linalg_lu",
          "linalg_lu_factor",
          "linalg_lu_factor_ex",
          "linalg_cholesky_ex");

  private Factors() {}

  /** Whether {@code results} are right, though they are not libtorch's numbers. */
  static boolean areRight(String operation, List<?> arguments, List<?> results) {
    String name = operation.substring(operation.indexOf("::") + 2);
    if (!OPERATIONS.contains(name) || !(arguments.getFirst() instanceof Twin twin)) {
      return false;
    }
    Tensor matrix = wide(twin.theirs());
    Tensor[] of = new Tensor[results.size()];
    for (int i = 0; i < of.length; i++) {
      DenseTensor own = ((dev.staunch.eager.Tensor) results.get(i)).value();
      of[i] = own.dtype().isFloating() || own.dtype().bytes() > 4 ? wide(copy(own)) : copy(own);
    }
    boolean single = twin.ours().dtype().bytes() * (twin.theirs().is_complex() ? 1 : 2) == 8;
    double close = single ? 1e-4 : 1e-10;
    return switch (name) {
      case "linalg_svd", "svd" -> isSingular(name, matrix, of, close);
      case "linalg_qr", "qr" -> isTriangular(matrix, of, close);
      case "linalg_eigh" -> {
        boolean upper = arguments.size() > 1 && String.valueOf(arguments.get(1)).startsWith("U");
        Tensor whole = hermitian(upper ? matrix.mH() : matrix);
        yield isOrthonormal(of[1], close)
            && near(scaled(of[1], of[0]).matmul(of[1].mH()), whole, close);
      }
      case "linalg_eig" -> near(matrix.matmul(of[1]), scaled(of[1], of[0]), close);
      case "linalg_eigvals" -> areEigenvalues(matrix, of[0], close);
      case "linalg_lu" ->
          of[0].numel() == 0 || near(of[0].matmul(of[1]).matmul(of[2]), matrix, close);
      case "linalg_cholesky_ex" -> isRoot(arguments, matrix, of, close);
      default -> {
        T_TensorTensorTensor_T parts = torch.lu_unpack(of[0], of[1]);
        yield near(parts.get0().matmul(parts.get1()).matmul(parts.get2()), matrix, close);
      }
    };
  }

  private static Tensor wide(Tensor tensor) {
    return tensor.to(torch.ScalarType.ComplexDouble);
  }

  private static Tensor copy(DenseTensor own) {
    long[] at = Elements.positions(own.layout());
    int size = own.dtype().bytes();
    Tensor made = Libtorch.empty(own.dtype(), own.shape().toArray());
    for (int i = 0; i < at.length; i++) {
      MemorySegment to = Libtorch.bytes(made, (long) at.length * size);
      MemorySegment.copy(own.segment(), at[i] * size, to, (long) i * size, size);
    }
    return made;
  }

  /** The columns of {@code matrix} times those numbers. */
  private static Tensor scaled(Tensor matrix, Tensor numbers) {
    return matrix.mul(numbers.unsqueeze(-2));
  }

  private static boolean near(Tensor a, Tensor b, double close) {
    if (a.numel() == 0) {
      return true;
    }
    double size = b.abs().max().item_double();
    return a.sub(b).abs().max().item_double() <= close * Math.max(size, Double.MIN_NORMAL);
  }

  private static boolean isOrthonormal(Tensor matrix, double close) {
    Tensor squares = matrix.mH().matmul(matrix);
    return near(
        squares,
        torch.eye(squares.size(-1)).to(torch.ScalarType.ComplexDouble).expand_as(squares),
        close);
  }

  private static boolean isSingular(String name, Tensor matrix, Tensor[] of, double close) {
    long count = of[1].size(-1);
    Tensor left = of[0].narrow(-1, 0, count);
    Tensor right = (name.equals("svd") ? of[2].mH() : of[2]).narrow(-2, 0, count);
    return isOrthonormal(of[0], close)
        && isOrthonormal(name.equals("svd") ? of[2] : of[2].mH(), close)
        && near(scaled(left, of[1]).matmul(right), matrix, close);
  }

  /** With the triangle alone: its squares are those of the matrix. */
  private static boolean isTriangular(Tensor matrix, Tensor[] of, double close) {
    boolean upper = near(torch.tril(of[1], -1), torch.zeros_like(of[1]), close);
    if (of[0].numel() == 0) {
      return upper && near(of[1].mH().matmul(of[1]), matrix.mH().matmul(matrix), close);
    }
    return upper && isOrthonormal(of[0], close) && near(of[0].matmul(of[1]), matrix, close);
  }

  /** What the lower half says of the whole. */
  private static Tensor hermitian(Tensor matrix) {
    Tensor below = torch.tril(matrix, -1);
    Tensor diagonal = torch.diag_embed(torch.real(matrix.diagonal(0, -2, -1)));
    return below.add(below.mH()).add(diagonal);
  }

  /** With each of them taken from its diagonal the matrix is singular; and their sum is right. */
  private static boolean areEigenvalues(Tensor matrix, Tensor values, double close) {
    Tensor eye = torch.eye(matrix.size(-1)).to(torch.ScalarType.ComplexDouble);
    if (values.numel() == 0) {
      return true;
    }
    Tensor moved = matrix.unsqueeze(-3).sub(values.unsqueeze(-1).unsqueeze(-1).mul(eye));
    Tensor least = torch.linalg_svdvals(moved).select(-1, -1);
    double size = matrix.abs().max().item_double();
    Tensor trace = matrix.diagonal(0, -2, -1).sum(new long[] {-1});
    Tensor away = values.sum(new long[] {-1}).sub(trace).abs();
    return least.max().item_double() <= close * size && away.max().item_double() <= close * size;
  }

  private static boolean isRoot(List<?> arguments, Tensor matrix, Tensor[] of, double close) {
    boolean upper = Boolean.TRUE.equals(arguments.get(1));
    Tensor whole = hermitian(upper ? matrix.mH() : matrix);
    Tensor squares = upper ? of[0].mH().matmul(of[0]) : of[0].matmul(of[0].mH());
    Tensor sound = of[1].eq(new Scalar(0)).unsqueeze(-1).unsqueeze(-1);
    Tensor none = torch.zeros_like(whole);
    return near(torch.where(sound, squares, none), torch.where(sound, whole, none), close);
  }
}
