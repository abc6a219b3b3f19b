package dev.staunch.data.record;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What im2rec stores in a record: labels, an id, and the encoded image (MXNet's {@code IRHeader}).
 */
@SuppressWarnings("ArrayRecordComponent") // large, and nobody modifies them
public record ImageRecord(float[] labels, long id, byte[] image) {
  private static final int HEADER = 24;
  private static final int ID = 8;

  /** Returns the image in a record; null if its header is invalid. */
  public static @Nullable ImageRecord of(byte[] record) {
    if (record.length < HEADER) {
      return null;
    }
    ByteBuffer header = Framing.over(record);
    int count = header.getInt(0);
    if (count < 0 || count > (record.length - HEADER) / Float.BYTES) {
      return null;
    }
    float[] labels = new float[Math.max(1, count)];
    labels[0] = header.getFloat(Integer.BYTES);
    for (int i = 0; i < count; i++) {
      labels[i] = header.getFloat(HEADER + i * Float.BYTES);
    }
    int from = HEADER + count * Float.BYTES;
    byte[] image = new byte[record.length - from];
    System.arraycopy(record, from, image, 0, image.length);
    return new ImageRecord(labels, header.getLong(ID), image);
  }

  /** Returns the record. A single label is in the header, several follow it. */
  public byte[] toBytes() {
    int count = labels.length == 1 ? 0 : labels.length;
    byte[] record = new byte[HEADER + count * Float.BYTES + image.length];
    ByteBuffer header = Framing.over(record);
    header.putInt(0, count);
    header.putFloat(Integer.BYTES, count == 0 ? labels[0] : 0);
    header.putLong(ID, id);
    for (int i = 0; i < count; i++) {
      header.putFloat(HEADER + i * Float.BYTES, labels[i]);
    }
    System.arraycopy(image, 0, record, HEADER + count * Float.BYTES, image.length);
    return record;
  }
}
