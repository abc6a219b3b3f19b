package dev.staunch.data.array;

import dev.staunch.data.array.TensorExamples.Member;
import dev.staunch.data.row.DenseColumn;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.IndexOrder;
import dev.staunch.data.row.Mark;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.Rows;
import dev.staunch.data.row.SeekableRows;
import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of tensors, copied in runs. */
final class TensorRows implements SeekableRows {
  private static final int RUN_BYTES = 1 << 18;
  private static final int MOST_ROWS = 4096;

  private final List<Member> members;
  private final List<Field> fields;
  private final IndexOrder order;
  private final Rows rows;
  private final int run;
  private @Nullable Mark mark;
  private long bytes;

  TensorRows(TensorExamples examples, ReadOptions how) {
    this.members = examples.members();
    this.fields = members.stream().map(Member::field).toList();
    this.order = new IndexOrder(how, examples.count());
    this.rows = new Rows(fields);
    long each = Math.max(1, fields.stream().mapToLong(Field::rowBytes).sum());
    this.run = Math.clamp(RUN_BYTES / each, 1, MOST_ROWS);
  }

  @Override
  public List<Field> fields() {
    return fields;
  }

  @Override
  public @Nullable Rows next() {
    rows.clear();
    int count = (int) Math.min(run, order.left());
    if (count == 0) {
      return null;
    }
    mark = order.mark();
    Fault fault = null;
    for (int i = 0; i < members.size() && fault == null; i++) {
      fault = copy(members.get(i), (DenseColumn) rows.columns().get(i), count);
    }
    order.pass(count);
    for (int row = 0; row < count; row++) {
      if (fault == null) {
        rows.begin();
        rows.end();
      } else {
        rows.fail(fault);
      }
    }
    bytes += rows.bytes();
    return rows;
  }

  private @Nullable Fault copy(Member member, DenseColumn column, int count) {
    column.reserve(count);
    DenseTensor tensor = member.tensor();
    if (tensor == null) {
      copy(member.array(), 0, column, count);
      return null;
    }
    if (!tensor.retain()) {
      return tensor.closedFault();
    }
    try {
      int width = tensor.dtype().bytes();
      copy(tensor.segment(), tensor.layout().offset() * width, column, count);
      return null;
    } finally {
      tensor.release();
    }
  }

  private void copy(MemorySegment from, long offset, DenseColumn column, int count) {
    MemorySegment to = MemorySegment.ofArray(column.bytes());
    int width = column.width();
    if (order.isPermuted()) {
      for (int row = 0; row < count; row++) {
        long at = offset + order.index(row) * width;
        MemorySegment.copy(from, at, to, (long) row * width, width);
      }
    } else {
      MemorySegment.copy(from, offset + order.index(0) * width, to, 0, (long) count * width);
    }
  }

  @Override
  public void restart(long epoch) {
    order.restart(epoch);
  }

  @Override
  public @Nullable Mark mark() {
    return mark;
  }

  @Override
  public void restart(long epoch, Mark place) {
    order.restart(epoch, place);
  }

  @Override
  public long bytesRead() {
    return bytes;
  }

  @Override
  public void close() {}
}
