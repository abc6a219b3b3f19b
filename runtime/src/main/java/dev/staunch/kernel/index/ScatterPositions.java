package dev.staunch.kernel.index;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.loop.Integers;
import dev.staunch.kernel.loop.Plane;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.Operand;
import dev.staunch.kernel.operand.Places;
import dev.staunch.kernel.primitive.Gather;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The positions that gather reads and scatter writes: for each element of the index, one in the
 * indexed tensor and one in the tensor of values.
 *
 * @param lines the same positions in the indexed tensor, if they are worth handling line by line
 *     and need not be checked ahead
 * @param starts the starts of the lines of values; null if their elements are not neighbours
 */
record ScatterPositions(
    Integers targets,
    Integers sources,
    Gather.@Nullable Lines lines,
    Gather.@Nullable Positions starts) {

  /**
   * The positions of {@code index} along a dimension of {@code self}; or a fault.
   *
   * @param ahead whether every index is checked before any position is returned. If not, an index
   *     out of bounds {@linkplain CancellationPoll#stopped stops} {@code poll} when it is reached:
   *     that reads the index only once, and is for results that no other code sees.
   */
  static Object of(
      CancellationPoll poll,
      String name,
      DenseTensor self,
      long asked,
      DenseTensor index,
      @Nullable DenseTensor source,
      boolean ahead) {
    Object dim = misfit(name, self.shape(), asked, Call.formOf(index), shape(source));
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    long size = self.rank() == 0 ? 1 : self.shape().size(at);
    boolean apart = ahead || size == 0; // if there are no elements, no position is harmless
    Fault fault = apart ? Integers.of(poll, index).outside("index", at, 0, size) : null;
    if (fault != null) {
      return fault;
    }
    DenseTensor values = source == null ? index : source;
    Layout read = spread(values.layout(), index.shape());
    return new ScatterPositions(
        targets(poll, self, at, index, apart ? Long.MAX_VALUE : size),
        Integers.positions(poll, read),
        apart ? null : lines(self, at, index),
        at == index.rank() - 1 && read.stride(at) == 1 ? Plane.starts(read, 1)::load : null);
  }

  /**
   * @param size indices from 0 up to this one, exclusive, are in bounds; the largest long if they
   *     were already checked
   */
  private static Integers targets(
      CancellationPoll poll, DenseTensor self, int dim, DenseTensor index, long size) {
    Layout layout = spread(self.layout(), index.shape());
    long[] strides = layout.strides();
    long step = self.rank() == 0 ? 1 : self.layout().stride(dim);
    if (dim < strides.length) {
      strides[dim] = 0;
    }
    Places starts = Places.of(new Layout(index.shape(), strides, layout.offset()));
    Places indices = Places.of(index.layout());
    Operand elements = Operand.of(index);
    return new Integers(
        poll,
        index.elements(),
        (first, count, into) -> {
          elements.load(into, indices, first, count);
          int wrong = Integers.firstOutside(into, count, 0, size);
          if (wrong < count) {
            poll.stopped(Integers.outOfBounds("index", into[wrong], first + wrong, dim, 0, size));
            Arrays.fill(into, 0, count, 0);
          }
          for (int done = 0; done < count; ) {
            long start = starts.at(first + done);
            int run = starts.run(first + done, count - done);
            turn(into, done, run, step, start, starts.step());
            done += run;
          }
        });
  }

  /**
   * Turns indices into positions, those of index 0 being {@code apart} from each other. A product
   * of longs takes several times as long as a sum, so it is skipped where possible.
   */
  private static void turn(long[] into, int from, int count, long step, long start, long apart) {
    if (step == 1 && apart == 0) {
      for (int i = 0; i < count; i++) {
        into[from + i] += start;
      }
    } else if (step == 1) {
      for (int i = 0; i < count; i++) {
        into[from + i] += start + i * apart;
      }
    } else {
      for (int i = 0; i < count; i++) {
        into[from + i] = into[from + i] * step + start + i * apart;
      }
    }
  }

  private static Gather.@Nullable Lines lines(DenseTensor self, int dim, DenseTensor index) {
    if (self.rank() != index.rank() || dim != index.rank() - 1 || self.layout().stride(dim) != 1) {
      return null;
    }
    long size = self.shape().size(dim);
    long width = index.shape().size(dim);
    if (!Gather.Lines.fit(size, width)) {
      return null;
    }
    Gather.Indices indices =
        new Gather.Indices(
            index.segment(),
            Plane.starts(index.layout(), 1)::load,
            index.layout().stride(dim),
            (wrong, number) -> Integers.outOfBounds("index", wrong, number, dim, 0, size));
    Places starts = Plane.starts(spread(self.layout(), index.shape()), 1);
    long count = index.elements() / width;
    return new Gather.Lines(count, starts::load, (int) size, indices, (int) width);
  }

  /** A layout's strides for the shape of an index. */
  private static Layout spread(Layout layout, Shape shape) {
    boolean ranks = layout.shape().rank() == shape.rank();
    return new Layout(shape, ranks ? layout.strides() : new long[shape.rank()], layout.offset());
  }

  /** The fault of a source whose dtype differs from the target's. */
  static Fault otherDType(DenseTensor target, DenseTensor source) {
    String text = "`src` must have the dtype of the tensor, %s, but it is %s";
    return Fault.dtype(Message.of(text, target.dtype(), source.dtype()))
        .withExpected(ExpectedDType.same(target.dtype()), source.dtype());
  }

  private static @Nullable Shape shape(@Nullable DenseTensor tensor) {
    return tensor == null ? null : tensor.shape();
  }

  /**
   * Makes those checks of {@link #of} that do not depend on elements; returns the dimension,
   * counted from 0, or the fault.
   */
  static Object misfit(
      String name, Shape self, long asked, TensorForm indices, @Nullable Shape source) {
    Object dim = Dimensions.wrap(asked, self.rank());
    Fault fault =
        dim instanceof Integer at
            ? misfit(name, self, at, indices.dtype(), indices.shape(), source)
            : (Fault) dim;
    return fault == null ? dim : fault;
  }

  /**
   * The size of dimension {@code d}: 1 for a single element, and the index's size for a missing
   * dimension, which is reported below.
   */
  private static long size(Shape source, int d, Shape index) {
    return source.rank() == 0 ? 1 : d < source.rank() ? source.size(d) : index.size(d);
  }

  private static @Nullable Fault misfit(
      String name, Shape self, int dim, DType dtype, Shape index, @Nullable Shape source) {
    if (index.elements() == 0) {
      return null;
    }
    if (dtype != DType.INT64) {
      return Fault.dtype("`index` of " + name + " must be int64, but it is " + dtype)
          .withExpected(ExpectedDType.of(DType.INT64).in("index"), dtype);
    }
    if (Math.max(self.rank(), 1) != Math.max(index.rank(), 1)) {
      String text = "`index` %s must have as many dimensions as the tensor %s";
      return Fault.shape(Message.of(text, index, self))
          .withExpected(self.rank() + " dimensions", index.rank() + " dimensions");
    }
    for (int d = 0; d < index.rank(); d++) {
      boolean fits = d == dim || index.size(d) <= self.size(d);
      boolean covered = source == null || index.size(d) <= size(source, d, index);
      if (!fits || !covered) {
        String text = "`index` %s must not exceed the tensor %s but in dimension %d";
        String more = source == null ? "" : ", nor `src` " + source;
        return Fault.shape(Message.of(text, index, self, dim) + more);
      }
    }
    if (source == null || Math.max(source.rank(), 1) == Math.max(index.rank(), 1)) {
      return null;
    }
    String text = "`index` %s must have as many dimensions as `src` %s";
    return Fault.shape(Message.of(text, index, source));
  }
}
