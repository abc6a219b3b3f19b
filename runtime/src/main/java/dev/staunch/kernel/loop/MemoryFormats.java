package dev.staunch.kernel.loop;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;

/** PyTorch's memory formats, by their numbers. */
public final class MemoryFormats {
  public static final long CONTIGUOUS = 0;
  public static final long PRESERVE = 1;
  private static final long CHANNELS_LAST = 2;
  private static final long CHANNELS_LAST_3D = 3;

  private MemoryFormats() {}

  /** Whether {@code layout} is in {@code format}; the format to preserve accepts any layout. */
  public static boolean holds(Layout layout, long format) {
    if (format == PRESERVE) {
      return true;
    }
    if (format == CONTIGUOUS) {
      return layout.isContiguous();
    }
    return takes(format, layout.shape()) && layout.isChannelsLast();
  }

  /**
   * Whether libtorch's {@code to} accepts {@code layout} for {@code format} and leaves it
   * unchanged.
   */
  public static boolean suggests(Layout layout, long format) {
    boolean last = layout.suggestsChannelsLast();
    return format == PRESERVE
        || (format == CONTIGUOUS ? !last : last && takes(format, layout.shape()));
  }

  /** The layout of a new tensor with the shape of {@code source}; or a fault. */
  public static Object laid(Layout source, long format) {
    if (format == PRESERVE) {
      return DenseStrides.like(source);
    }
    if (format == CONTIGUOUS) {
      return Layout.contiguous(source.shape());
    }
    if (!takes(format, source.shape())) {
      return Fault.value(
          Message.of(
              "memory format %s does not fit a tensor of shape %s; give 0 (contiguous)",
              format, source.shape()));
    }
    return Layout.channelsLast(source.shape());
  }

  /** The form of a new image with the dtype of the first operand and a layout that follows its. */
  public static TensorForm image(Operands operands, Shape shape) {
    boolean last = shape.rank() >= 4 && operands.layout(0).suggestsChannelsLast();
    Layout strided = last ? Layout.channelsLast(shape) : null;
    return new TensorForm(operands.dtype(0), shape, strided, /* name= */ null);
  }

  /** Images have four dimensions, volumes five. */
  private static boolean takes(long format, Shape shape) {
    boolean known = format == CHANNELS_LAST || format == CHANNELS_LAST_3D;
    return known && shape.rank() == format + 2;
  }
}
