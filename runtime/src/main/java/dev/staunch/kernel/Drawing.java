package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Layout;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/** Fills tensors with random numbers: the element at row-major place i with the stream's i-th. */
final class Drawing {
  private static final int TILE = 1024;
  private static final int POLL = 1 << 16;

  private Drawing() {}

  /** The next stream of the generator at argument {@code i}, or of the environment's. */
  static RandomStream stream(Call call, int i) {
    boolean own = i >= 0 && call.value(i) instanceof Generator;
    return own ? ((Generator) call.value(i)).next() : call.environment().random();
  }

  /** Fills {@code made}, or hands its fault on; the stream is taken when nothing is wrong. */
  static Object filled(Call call, Object made, int generatorAt, Distribution distribution) {
    if (!(made instanceof DenseTensor target)) {
      return made;
    }
    Object draw = distribution.draw(target.dtype());
    Fault fault = draw instanceof Fault wrong ? wrong : null;
    fault = fault == null ? fill(call, target, stream(call, generatorAt), (Draw) draw) : fault;
    if (fault != null) {
      target.close();
      return fault;
    }
    return target;
  }

  /** Overwrites the call's first argument; the result is a view of it, or a fault. */
  static Object written(Call call, int generatorAt, Distribution distribution) {
    DenseTensor self = call.tensor(0);
    Object draw = distribution.draw(self.dtype());
    Fault fault = draw instanceof Fault wrong ? wrong : Overlap.within(self);
    fault = fault == null ? fill(call, self, stream(call, generatorAt), (Draw) draw) : fault;
    return fault == null ? Views.same(call, self) : fault;
  }

  /** The fault of a cancellation, or null. */
  private static @Nullable Fault fill(
      Call call, DenseTensor target, RandomStream stream, Draw draw) {
    Layout layout = target.layout();
    boolean single = target.isContiguous() || layout.shape().rank() == 0;
    int last = layout.shape().rank() - 1;
    long width = single ? target.elements() : layout.shape().size(last);
    long step = single ? 1 : layout.stride(last);
    long[] rows = single ? new long[] {layout.offset()} : Filling.rowStarts(layout);
    Operand into = Operand.of(target);
    long first = 0;
    for (int row = 0; row < rows.length && width > 0; row++) {
      for (long done = 0; done < width; done += TILE) {
        int count = (int) Math.min(TILE, width - done);
        draw.store(stream, first, into, rows[row] + done * step, step, count);
        Fault stop = first / POLL == (first + count) / POLL ? null : call.environment().cancelled();
        if (stop != null) {
          return stop;
        }
        first += count;
      }
    }
    return null;
  }

  /** Whether all elements of a real tensor are as {@code demand} says. */
  static boolean all(DenseTensor tensor, DoublePredicate demand) {
    if (tensor.elements() == 0) {
      return true;
    }
    Layout layout = tensor.layout();
    int last = layout.shape().rank() - 1;
    long width = last < 0 ? 1 : layout.shape().size(last);
    long step = last < 0 ? 1 : layout.stride(last);
    Operand from = Operand.of(tensor);
    double[] tile = new double[TILE];
    for (long start : Filling.rowStarts(layout)) {
      for (long done = 0; done < width; done += TILE) {
        int count = (int) Math.min(TILE, width - done);
        from.load(tile, start + done * step, step, count);
        for (int i = 0; i < count; i++) {
          if (!demand.test(tile[i])) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
