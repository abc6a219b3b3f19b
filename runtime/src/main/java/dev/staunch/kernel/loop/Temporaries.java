package dev.staunch.kernel.loop;

import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;

/** The tensors that a kernel of several steps makes on its way; closed on every way out. */
public final class Temporaries implements AutoCloseable {
  private final List<DenseTensor> made = new ArrayList<>();

  /** Notes {@code result}, unless it is a fault, and hands it on. */
  public Object note(Object result) {
    if (result instanceof DenseTensor tensor) {
      made.add(tensor);
    }
    return result;
  }

  @Override
  public void close() {
    made.forEach(DenseTensor::close);
  }
}
