package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;

/** The intermediate tensors of a kernel of several steps; closes them however the kernel ends. */
public final class Temporaries implements AutoCloseable {
  private final List<DenseTensor> made = new ArrayList<>();

  /** Records {@code result}, unless it is a fault, and returns it. */
  public Object note(Object result) {
    if (result instanceof DenseTensor tensor) {
      made.add(tensor);
    }
    return result;
  }

  /** Two results; or the fault in the place of one of them, with the other closed. */
  public static Object both(Object first, Object second) {
    if (first instanceof DenseTensor && second instanceof DenseTensor) {
      return new Object[] {first, second};
    }
    try (Temporaries made = new Temporaries()) {
      made.note(first);
      made.note(second);
      return first instanceof Fault ? first : second;
    }
  }

  @Override
  public void close() {
    made.forEach(DenseTensor::close);
  }
}
