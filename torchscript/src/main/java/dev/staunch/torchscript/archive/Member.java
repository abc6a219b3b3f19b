package dev.staunch.torchscript.archive;

/** The central directory's entry for a member; sizes and offsets in bytes. */
record Member(
    String name, int method, int flags, long crc, long packed, long unpacked, long headerOffset) {
  static final int STORED = 0;
  static final int DEFLATED = 8;
}
