package dev.staunch.eager;

import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handle of a program should be: a tensor, or why there is none, and its storage's state.
 */
final class Expected {
  /** What a storage's last write left, for all that view it. */
  static final class Cells {
    Causes causes = Causes.NONE;
  }

  final Cells cells;

  /** Whether the operation that made this made the storage too, or would have. */
  final boolean first;

  @Nullable DenseTensor tensor;
  Causes own = Causes.NONE;
  boolean closed;

  Expected(Cells cells, boolean first) {
    this.cells = cells;
    this.first = first;
  }

  /** Why a read may give no value; what was not made has nothing to do with the storage. */
  Causes causes() {
    return own.isOpen() ? cells.causes.or(own) : own.and(cells.causes);
  }

  void close() {
    closed = true;
    if (tensor != null) {
      tensor.close();
    }
  }

  /** Whether each element of the storage is one of this, and no two of this are one (F4). */
  boolean isWhole() {
    if (tensor == null) {
      return first;
    }
    long all = tensor.storage().byteSize() / tensor.dtype().bytes();
    return tensor.elements() == all && Layouts.reaches(tensor) == all;
  }

  /** The handles among {@code arguments}, those in lists included. */
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
