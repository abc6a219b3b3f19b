package dev.staunch.eager;

import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The expected state of a handle: a tensor, or why there is none, and its storage's state. */
final class Expected {
  /** What a storage's last write left, for all views of it. */
  static final class Cells {
    Causes causes = Causes.NONE;
  }

  final Cells cells;

  /** Whether the operation that made this also made the storage, or would have made it. */
  final boolean first;

  @Nullable DenseTensor tensor;
  Causes own = Causes.NONE;
  boolean closed;

  Expected(Cells cells, boolean first) {
    this.cells = cells;
    this.first = first;
  }

  /** Why a read may return no value; a tensor that was not made does not depend on the storage. */
  Causes causes() {
    return own.isOpen() ? cells.causes.or(own) : own.and(cells.causes);
  }

  void close() {
    closed = true;
    if (tensor != null) {
      tensor.close();
    }
  }

  /** Whether this covers each element of the storage exactly once (F4). */
  boolean isWhole() {
    if (tensor == null) {
      return first;
    }
    long all = tensor.storage().byteSize() / tensor.dtype().bytes();
    return tensor.elements() == all && Layouts.reaches(tensor) == all;
  }

  /** The handles among {@code arguments}, including those in lists. */
  static List<Expected> in(Object... arguments) {
    List<Expected> found = new ArrayList<>();
    for (Object argument : arguments) {
      if (argument instanceof Expected handle) {
        found.add(handle);
      } else if (argument instanceof List<?> list) {
        found.addAll(in(list.toArray()));
      }
    }
    return found;
  }
}
