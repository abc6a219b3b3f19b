package dev.staunch.data.image;

import javax.imageio.stream.ImageInputStreamImpl;

/** An array as an ImageIO stream, without the copy that ImageIO's own streams make. */
final class ByteStream extends ImageInputStreamImpl {
  private final byte[] bytes;
  private final int length;

  ByteStream(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  @Override
  public int read() {
    bitOffset = 0;
    return streamPos < length ? bytes[(int) streamPos++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int count) {
    bitOffset = 0;
    if (streamPos >= length) {
      return count == 0 ? 0 : -1;
    }
    int read = (int) Math.min(count, length - streamPos);
    System.arraycopy(bytes, (int) streamPos, target, offset, read);
    streamPos += read;
    return read;
  }

  @Override
  public long length() {
    return length;
  }
}
