package dev.staunch.torchscript.archive;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Kinds of files that are mistaken for archives, recognised by their first bytes. */
enum FileKind {
  GZIP("a file compressed by gzip; unpack it"),
  WEB_PAGE("a web page, perhaps an error that was saved in the model's place"),
  LFS_POINTER("a Git LFS pointer; fetch the file that it stands for with git lfs pull"),
  ONNX("an ONNX model; save the PyTorch model by torch.jit.script(model).save(file)"),
  SAFETENSORS("a safetensors file, which holds weights but no program"),
  OLD_SAVE(
      "what torch.save wrote before PyTorch 1.6; load it there and save it again by"
          + " torch.jit.script(model).save(file)"),
  PICKLE("a Python pickle, which is never run here"),
  HDF5("an HDF5 file, as Keras writes it"),
  TAR("a tar file; unpack it first"),
  FLATBUFFER("a flatbuffer, as TensorFlow Lite and PyTorch Mobile write it");

  private static final int HEAD = 512;
  private static final int TAR_MARK = 257;

  /** The first bytes of the magic number of the old {@code torch.save} format. */
  private static final String OLD_MAGIC = "\u0080\u0002\u008a\nl\u00fc\u009c";

  private final String words;

  FileKind(String words) {
    this.words = words;
  }

  /** Says what such a file is and what to do, for a message. */
  String words() {
    return words;
  }

  /** The kind of a file, or null if it is none of these. */
  static @Nullable FileKind of(FileBytes file) {
    int count = (int) Math.min(HEAD, file.size());
    String head = new String(file.array(0, count), StandardCharsets.ISO_8859_1);
    String text = head.stripLeading().toLowerCase(Locale.ROOT);
    if (head.startsWith("\u001f\u008b")) {
      return GZIP;
    }
    if (text.startsWith("<!doctype html") || text.startsWith("<html")) {
      return WEB_PAGE;
    }
    if (head.startsWith("version https://git-lfs")) {
      return LFS_POINTER;
    }
    if (head.startsWith("\u0089HDF")) {
      return HDF5;
    }
    if (head.startsWith(OLD_MAGIC)) {
      return OLD_SAVE;
    }
    if (head.startsWith("ustar", TAR_MARK)) {
      return TAR;
    }
    if (head.startsWith("TFL3", 4) || head.startsWith("PTMF", 4)) {
      return FLATBUFFER;
    }
    return binary(file, head);
  }

  private static @Nullable FileKind binary(FileBytes file, String head) {
    if (head.startsWith("{\"", 8) && file.getLong(0) > 0 && file.getLong(0) < file.size()) {
      return SAFETENSORS;
    }
    if (head.length() > 2 && head.charAt(0) == 0x80 && head.charAt(1) >= 2 && head.charAt(1) <= 5) {
      return PICKLE;
    }
    boolean versioned = head.length() > 2 && head.charAt(0) == 8 && head.charAt(1) < 32;
    return versioned && head.charAt(2) == 0x12 ? ONNX : null;
  }
}
