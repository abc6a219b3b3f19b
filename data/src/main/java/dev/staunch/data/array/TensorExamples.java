package dev.staunch.data.array;

import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tensors and Java arrays whose first dimension counts the examples. Immutable; arrays are not
 * copied, so nobody should write to them while they are read. A tensor still belongs to its owner,
 * who keeps it open as long as iterators use it.
 */
public final class TensorExamples implements Examples {
  /**
   * A field's data, from a tensor or an array.
   *
   * @param tensor null if the elements are in an array
   * @param array the elements in row-major order if they are in an array
   */
  record Member(Field field, long count, @Nullable DenseTensor tensor, MemorySegment array) {}

  private final String name;
  private final List<Member> members;

  private TensorExamples(String name, List<Member> members) {
    this.name = name;
    this.members = members;
  }

  /** Returns examples without fields yet; the name is used in messages. */
  public static TensorExamples named(String name) {
    return new TensorExamples(name, List.of());
  }

  /**
   * Adds a tensor's rows as a field.
   *
   * @throws dev.staunch.fault.StaunchException if it has no dimension, a different number of rows
   *     than the others, or is closed
   */
  public TensorExamples with(String field, DenseTensor tensor) {
    if (tensor.rank() == 0) {
      throw Fault.shape(Message.of("`%s` has no dimension that counts examples", field))
          .toException();
    }
    Field each = field(field, tensor.dtype(), tensor.shape());
    if (tensor.isContiguous()) {
      return added(new Member(each, tensor.shape().size(0), tensor, MemorySegment.NULL));
    }
    byte[] copy = new byte[Shape.asInt(tensor.elements() * tensor.dtype().bytes())];
    Fault fault = HostTensors.copyTo(tensor, MemorySegment.ofArray(copy));
    if (fault != null) {
      throw fault.toException();
    }
    return added(new Member(each, tensor.shape().size(0), null, MemorySegment.ofArray(copy)));
  }

  /** Adds the rows of a float32 array of this shape as a field. */
  public TensorExamples with(String field, float[] values, long... shape) {
    return with(field, DType.FLOAT32, MemorySegment.ofArray(values), values.length, shape);
  }

  /** Like {@link #with(String, float[], long...)}, for int64. */
  public TensorExamples with(String field, long[] values, long... shape) {
    return with(field, DType.INT64, MemorySegment.ofArray(values), values.length, shape);
  }

  /** Like {@link #with(String, float[], long...)}, for int32. */
  public TensorExamples with(String field, int[] values, long... shape) {
    return with(field, DType.INT32, MemorySegment.ofArray(values), values.length, shape);
  }

  /** Like {@link #with(String, float[], long...)}, for float64. */
  public TensorExamples with(String field, double[] values, long... shape) {
    return with(field, DType.FLOAT64, MemorySegment.ofArray(values), values.length, shape);
  }

  /** Like {@link #with(String, float[], long...)}, for uint8. */
  public TensorExamples with(String field, byte[] values, long... shape) {
    return with(field, DType.UINT8, MemorySegment.ofArray(values), values.length, shape);
  }

  private TensorExamples with(
      String field, DType dtype, MemorySegment values, long count, long... shape) {
    Shape whole = shape.length == 0 ? Shape.of(count) : Shape.of(shape);
    if (whole.elements() != count) {
      throw Fault.shape(
              Message.of(
                  "`%s` has %d values, and the shape %s needs %d",
                  field, count, whole, whole.elements()))
          .toException();
    }
    return added(new Member(field(field, dtype, whole), whole.size(0), null, values));
  }

  private static Field field(String name, DType dtype, Shape whole) {
    long[] sizes = whole.toArray();
    return Field.of(name, dtype, Arrays.copyOfRange(sizes, 1, sizes.length));
  }

  private TensorExamples added(Member member) {
    for (Member other : members) {
      if (other.count != member.count) {
        throw Fault.shape(
                Message.of(
                    "`%s` has %d examples, but `%s` has %d",
                    member.field.name(), member.count, other.field.name(), other.count))
            .toException();
      }
    }
    List<Member> more = new ArrayList<>(members);
    more.add(member);
    return new TensorExamples(name, List.copyOf(more));
  }

  @Override
  public String name() {
    return name;
  }

  /** The number of examples. */
  public long count() {
    return members.isEmpty() ? 0 : members.getFirst().count();
  }

  List<Member> members() {
    return members;
  }

  @Override
  public boolean isIndexed() {
    return true;
  }

  @Override
  public RowStream open(ReadOptions how) {
    return new TensorRows(this, how);
  }
}
