package dev.staunch.data.dataset;

import dev.staunch.data.row.Column;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.Rows;
import dev.staunch.data.row.SparseColumn;
import dev.staunch.fault.Fault;
import dev.staunch.memory.Hold;
import dev.staunch.memory.Holder;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A batch being filled. Dense rows are written straight into its tensors; sparse ones wait on the
 * heap. A tensor is held while it is written, because another thread may close the memory (M1).
 */
final class Filling {
  private static final Holder WRITER = () -> "the filling of a batch";

  private final ResourceScope scope;
  private final List<Field> fields;
  private final int size;
  private final @Nullable MemorySegment[] segments;
  private final LinkedHashMap<String, DenseTensor> dense = new LinkedHashMap<>();
  private final Rows sparse;
  private int count;

  private Filling(ResourceScope scope, List<Field> fields, int size) {
    this.scope = scope;
    this.fields = fields;
    this.size = size;
    this.segments = new @Nullable MemorySegment[fields.size()];
    this.sparse = new Rows(fields.stream().filter(Field::sparse).toList());
  }

  /**
   * Begins a batch with tensors for {@code size} examples; returns a fault if there is no memory.
   */
  static Object begin(OffHeap memory, String name, List<Field> fields, int size) {
    ResourceScope scope = ResourceScope.open(memory, name);
    Filling filling = new Filling(scope, fields, size);
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      if (!field.sparse()) {
        Object made = DenseTensor.allocate(scope, field.dtype(), batched(field.shape(), size));
        if (!(made instanceof DenseTensor tensor)) {
          scope.close();
          return made;
        }
        filling.dense.put(field.name(), tensor.named(field.name()));
        filling.segments[i] = tensor.storage().segment();
      }
    }
    return filling;
  }

  private static Shape batched(Shape shape, long size) {
    long[] sizes = new long[shape.rank() + 1];
    sizes[0] = size;
    System.arraycopy(shape.toArray(), 0, sizes, 1, shape.rank());
    return Shape.of(sizes);
  }

  int room() {
    return size - count;
  }

  /** Adds rows that hold no fault; returns a fault if the memory was closed. */
  @Nullable Fault add(Rows rows, int first, int number) {
    return held(() -> write(rows, first, number));
  }

  private @Nullable Fault held(Runnable writing) {
    Hold hold = scope.hold(WRITER);
    if (hold == null) {
      return scope.closedFault();
    }
    try {
      for (DenseTensor tensor : dense.values()) {
        if (tensor.isClosed()) {
          return tensor.closedFault();
        }
      }
      writing.run();
      return null;
    } finally {
      hold.end();
    }
  }

  private void write(Rows rows, int first, int number) {
    int sparseAt = 0;
    for (int i = 0; i < fields.size(); i++) {
      Column column = rows.columns().get(i);
      MemorySegment target = segments[i];
      if (target != null && column instanceof DenseColumn values) {
        int width = values.width();
        MemorySegment.copy(
            MemorySegment.ofArray(values.bytes()),
            (long) first * width,
            target,
            (long) count * width,
            (long) number * width);
      } else {
        sparse.columns().get(sparseAt++).copy(column, first, number, count);
      }
    }
    count += number;
  }

  /** Pads with zeros; returns a fault if the memory was closed. */
  @Nullable Fault addZeros() {
    return held(this::writeZeros);
  }

  private void writeZeros() {
    for (int i = 0; i < fields.size(); i++) {
      MemorySegment target = segments[i];
      if (target != null) {
        target.asSlice((long) count * fields.get(i).rowBytes()).fill((byte) 0);
      }
    }
    for (int row = count; row < size; row++) {
      int at = row;
      sparse.columns().forEach(column -> column.endRow(at));
    }
    count = size;
  }

  /** Returns the full batch; or a fault if there is no memory, and then frees everything. */
  Object finish(int pad, Position position) {
    LinkedHashMap<String, DenseTensor> tensors = new LinkedHashMap<>();
    long bytes = 0;
    int sparseAt = 0;
    for (Field field : fields) {
      DenseTensor whole = dense.get(field.name());
      if (whole != null) {
        tensors.put(field.name(), whole);
      } else {
        Fault fault = addSparse(tensors, (SparseColumn) sparse.columns().get(sparseAt++));
        if (fault != null) {
          close();
          return fault;
        }
      }
    }
    for (DenseTensor tensor : tensors.values()) {
      bytes += tensor.storage().byteSize();
    }
    return new TensorBatch(scope, tensors, size, pad, position, bytes);
  }

  private @Nullable Fault addSparse(Map<String, DenseTensor> into, SparseColumn column) {
    int elements = column.end(size - 1);
    long[] offsets = new long[size + 1];
    for (int row = 0; row < size; row++) {
      offsets[row + 1] = column.end(row);
    }
    MemorySegment values =
        MemorySegment.ofArray(column.values().bytes())
            .asSlice(0, (long) elements * column.values().width());
    MemorySegment indices =
        MemorySegment.ofArray(column.indices()).asSlice(0, (long) elements * Long.BYTES);
    Shape each = Shape.of(elements);
    List<Object> made = new ArrayList<>();
    made.add(HostTensors.bytes(scope, column.field().dtype(), each, values));
    made.add(HostTensors.bytes(scope, DType.INT64, each, indices));
    made.add(HostTensors.longs(scope, Shape.of(offsets.length), offsets));
    String[] parts = {".values", ".indices", ".offsets"};
    for (int i = 0; i < parts.length; i++) {
      if (!(made.get(i) instanceof DenseTensor tensor)) {
        return (Fault) made.get(i);
      }
      String name = column.field().name() + parts[i];
      into.put(name, tensor.named(name));
    }
    return null;
  }

  void close() {
    scope.close();
  }
}
