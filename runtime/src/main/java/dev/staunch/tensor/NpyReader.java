package dev.staunch.tensor;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads one .npy file from start to end. */
final class NpyReader {
  /** More than NumPy writes for any dtype without fields. */
  private static final int LONGEST_HEADER = 1 << 16;

  private static final long LARGEST_READ = 1 << 30;
  private final String name;
  private final ReadableByteChannel channel;
  private final long size;
  private long at;

  /** {@code size} is the number of bytes available; {@code Long.MAX_VALUE} if unknown. */
  NpyReader(String name, ReadableByteChannel channel, long size) {
    this.name = name;
    this.channel = channel;
    this.size = size;
  }

  Object read(ResourceScope scope) throws IOException {
    Object header = header();
    return header instanceof NpyHeader known ? data(scope, known) : header;
  }

  /** The header; reads nothing behind it. Or a fault. */
  Object header() throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(NpyHeader.MAGIC.length + 2);
    if (!fill(prefix) || !startsWithMagic(prefix.array())) {
      return NpyHeader.damaged(name, 0, "this is no .npy file: it does not start with \\x93NUMPY");
    }
    int version = prefix.get(NpyHeader.MAGIC.length);
    if (version < 1 || version > 3) {
      String text = "version " + version + " of the .npy format is not supported";
      return Fault.unsupported(text).withInput(name);
    }
    ByteBuffer length = ByteBuffer.allocate(version == 1 ? 2 : 4);
    if (!fill(length)) {
      return NpyHeader.damaged(name, at, "the file ends in its header");
    }
    long bytes = littleEndian(length.array());
    if (bytes > LONGEST_HEADER) {
      String text = "the header says that it has %d bytes, and %d is the limit";
      return NpyHeader.damaged(name, at, Message.of(text, bytes, LONGEST_HEADER));
    }
    long start = at;
    ByteBuffer text = ByteBuffer.allocate((int) bytes);
    if (!fill(text)) {
      return NpyHeader.damaged(name, at, "the file ends in its header");
    }
    var charset = version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    return NpyHeader.parse(name, new String(text.array(), charset), start, at);
  }

  private static boolean startsWithMagic(byte[] prefix) {
    byte[] front = Arrays.copyOf(prefix, NpyHeader.MAGIC.length);
    return Arrays.equals(front, NpyHeader.MAGIC);
  }

  private static long littleEndian(byte[] bytes) {
    long value = 0;
    for (int i = bytes.length - 1; i >= 0; i--) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }

  private Object data(ResourceScope scope, NpyHeader header) throws IOException {
    long elements = header.shape().elements();
    int width = header.dtype().bytes();
    if (elements > (size - at) / width) {
      String text = "the file ends here, %d bytes before the end of its %d %s elements";
      long missing = elements > Long.MAX_VALUE / width ? -1 : elements * width - (size - at);
      return NpyHeader.damaged(name, size, Message.of(text, missing, elements, header.dtype()));
    }
    long[] sizes = header.shape().toArray();
    Shape stored = header.columnMajor() ? Shape.of(reversed(sizes)) : header.shape();
    Object made = DenseTensor.allocate(scope, header.dtype(), stored);
    if (!(made instanceof DenseTensor tensor)) {
      return made;
    }
    Fault hindrance = read(tensor, header.bigEndian());
    if (hindrance != null) {
      return hindrance;
    }
    return header.columnMajor() ? turned(scope, tensor, header.shape()) : tensor;
  }

  /** Reads the elements, or closes {@code tensor}. */
  private @Nullable Fault read(DenseTensor tensor, boolean bigEndian) throws IOException {
    if (!tensor.storage().retain()) {
      return tensor.closedFault();
    }
    boolean whole = false;
    try {
      Fault cut = filled(tensor);
      whole = cut == null;
      if (whole && bigEndian) {
        swap(tensor);
      }
      return cut;
    } finally {
      tensor.release();
      if (!whole) {
        tensor.close();
      }
    }
  }

  private @Nullable Fault filled(DenseTensor tensor) throws IOException {
    long bytes = tensor.elements() * tensor.dtype().bytes();
    long start = at;
    boolean whole = true;
    while (whole && at - start < bytes) {
      long count = Math.min(LARGEST_READ, bytes - (at - start));
      whole = fill(tensor.segment().asSlice(at - start, count).asByteBuffer());
    }
    String text = "the file ends here, %d bytes before the end of its elements";
    return whole ? null : NpyHeader.damaged(name, at, Message.of(text, bytes - (at - start)));
  }

  private boolean fill(ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      int count = channel.read(target);
      if (count < 0) {
        return false;
      }
      at += count;
    }
    return true;
  }

  /** Reverses the bytes of each number; a complex element is two numbers. */
  private static void swap(DenseTensor tensor) {
    int parts = tensor.dtype().kind() == DType.Kind.COMPLEX ? 2 : 1;
    int width = tensor.dtype().bytes() / parts;
    byte[] number = new byte[width];
    MemorySegment heap = MemorySegment.ofArray(number);
    for (long i = 0; i < tensor.elements() * parts; i++) {
      MemorySegment.copy(tensor.segment(), i * width, heap, 0, width);
      for (int k = 0; k < width / 2; k++) {
        byte low = number[k];
        number[k] = number[width - 1 - k];
        number[width - 1 - k] = low;
      }
      MemorySegment.copy(heap, 0, tensor.segment(), i * width, width);
    }
  }

  private static Object turned(ResourceScope scope, DenseTensor stored, Shape shape) {
    long[] strides = reversed(stored.layout().strides());
    Object view = stored.view(scope, new Layout(shape, strides, 0));
    stored.close();
    return view;
  }

  private static long[] reversed(long[] values) {
    long[] turned = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      turned[i] = values[values.length - 1 - i];
    }
    return turned;
  }
}
