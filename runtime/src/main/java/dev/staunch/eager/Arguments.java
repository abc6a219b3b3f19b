package dev.staunch.eager;

import dev.staunch.kernel.Kernel;
import dev.staunch.type.DType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Java arguments as the run-time values that schemas speak of. */
final class Arguments {
  private Arguments() {}

  static List<Object> longs(long... values) {
    return Arrays.stream(values).<Object>mapToObj(Long::valueOf).toList();
  }

  static List<Object> tensors(Tensor... tensors) {
    return List.<Object>of((Object[]) tensors);
  }

  static Object code(DType dtype) {
    return (long) dtype.code();
  }

  static Object optional(@Nullable Tensor tensor) {
    return tensor == null ? Kernel.None.NONE : tensor;
  }

  /** Whether these are sizes of a shape whose elements can be counted. */
  static boolean isShape(long... sizes) {
    long elements = 1;
    for (long size : sizes) {
      if (size < 0 || (size > 0 && elements > Long.MAX_VALUE / size)) {
        return false;
      }
      elements *= size;
    }
    return true;
  }
}
