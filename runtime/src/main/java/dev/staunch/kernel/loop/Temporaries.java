package dev.staunch.kernel.loop;

import dev.staunch.kernel.Call;
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

  /** {@code read}; a noted copy of it, or its fault, if writing {@code written} may change it. */
  public Object apart(Call call, DenseTensor read, DenseTensor written) {
    return read.storage() == written.storage()
        ? note(Copying.toContiguous(call, read, read.dtype()))
        : read;
  }

  @Override
  public void close() {
    made.forEach(DenseTensor::close);
  }
}
