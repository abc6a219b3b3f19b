package dev.staunch.kernel.scalar;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * {@code hash}, with the numbers of libtorch on Linux: integers stand for themselves; texts and
 * floats are hashed by MurmurHash64A with the seed of the C++ library; tuples combine the hashes of
 * their elements. A tensor's hash would be its address there, so tensors have none.
 */
final class HashOperation {
  private static final long FACTOR = 0xc6a4a7935bd1e995L;
  private static final long SEED = 0xc70f6907L;
  private static final long GOLDEN = 0x9e3779b9L;

  private HashOperation() {}

  static void addTo(Catalog.Builder catalog) {
    catalog.one("aten::hash.generic(t value) -> int", HashOperation::hash);
  }

  private static Object hash(Call call) {
    return hash(call.value(0));
  }

  private static Object hash(Object value) {
    return switch (value) {
      case Long number -> number;
      case Boolean flag -> flag ? 1L : 0L;
      case None _ -> 0L;
      case Double real -> real == 0 ? 0L : murmur(bytes(real));
      case String text -> murmur(ByteText.open(text).getBytes(StandardCharsets.ISO_8859_1));
      case TupleValue tuple -> combined(tuple);
      default -> Fault.unsupported("hash takes numbers, texts and tuples of them");
    };
  }

  private static byte[] bytes(double real) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putDouble(real).array();
  }

  private static Object combined(TupleValue tuple) {
    long hash = 0;
    for (Object each : tuple.elements()) {
      Object own = hash(each);
      if (!(own instanceof Long number)) {
        return own;
      }
      hash ^= number + GOLDEN + (hash << 6) + (hash >>> 2);
    }
    return hash;
  }

  private static long murmur(byte[] bytes) {
    long hash = SEED ^ (bytes.length * FACTOR);
    int whole = bytes.length & -Long.BYTES;
    ByteBuffer longs = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < whole; i += Long.BYTES) {
      long mixed = mixed(longs.getLong(i) * FACTOR) * FACTOR;
      hash = (hash ^ mixed) * FACTOR;
    }
    if (whole < bytes.length) {
      long rest = 0;
      for (int i = bytes.length - 1; i >= whole; i--) {
        rest = (rest << Byte.SIZE) | (bytes[i] & 0xff);
      }
      hash = (hash ^ rest) * FACTOR;
    }
    return mixed(mixed(hash) * FACTOR);
  }

  private static long mixed(long value) {
    return value ^ (value >>> 47);
  }
}
