package dev.staunch.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes TorchScript archives for tests: one object of class {@code __torch__.M} and one file of
 * code.
 */
public final class SmallArchive {
  private static final String OBJECT = "\u0080\u0002c__torch__\nM\n)\u0081}b.";
  private static final String NO_CONSTANTS = "\u0080\u0002).";

  /** One tensor of four numbers, stored in a record of its own. */
  private static final String ONE_CONSTANT =
      "\u0080\u0002ctorch._utils\n_rebuild_tensor_v2\n((X\u0007\0\0\0storage"
          + "ctorch\nFloatStorage\nX\u0001\0\0\0000X\u0003\0\0\0cpuK\u0004tQK\0"
          + "K\u0004\u0085K\u0001\u0085\u0089ccollections\nOrderedDict\n)RtR\u0085.";

  /** A float64 tensor without dimensions, stored in a record of its own. */
  private static final String ONE_NUMBER =
      ONE_CONSTANT
          .replace("FloatStorage", "DoubleStorage")
          .replace("K\u0004tQ", "K\u0001tQ")
          .replace("K\u0004\u0085K\u0001\u0085", "))");

  private SmallArchive() {}

  /** An archive whose module has no attributes. */
  public static byte[] of(String code) {
    return of(OBJECT, 10, code);
  }

  /** An archive of format version {@code version}, which decides what old operators mean. */
  public static byte[] ofVersion(int version, String code) {
    return of(OBJECT, version, code);
  }

  /**
   * An archive with a second file of code.
   *
   * @param path the path of that file below {@code __torch__}, without its extension
   */
  public static byte[] with(String path, String more, String code) {
    return of(OBJECT, 10, Map.of("code/__torch__/" + path + ".py", more), code);
  }

  /**
   * An archive in PyTorch's zip format, without tensors.
   *
   * @param pickle the bytes of {@code data.pkl}, one per character
   */
  public static byte[] of(String pickle, int version, String code) {
    return of(pickle, version, Map.of(), code);
  }

  /** Like {@link #of(String, int, String)}, with {@code CONSTANTS.c0}: four zeros of float32. */
  public static byte[] withConstant(String pickle, String code) {
    return of(pickle, 10, Map.of("constants/0", "\0".repeat(16)), ONE_CONSTANT, code);
  }

  /** Like {@link #of(String)}, with {@code CONSTANTS.c0}: a 2 of float64, without dimensions. */
  public static byte[] withNumber(String code) {
    return of(OBJECT, 10, Map.of("constants/0", "\0".repeat(7) + "@"), ONE_NUMBER, code);
  }

  /** With {@code constants.pkl} as given, one character for each byte. */
  public static byte[] withConstants(String constants, String code) {
    return of(OBJECT, 10, Map.of(), constants, code);
  }

  private static byte[] of(String pickle, int version, Map<String, String> more, String code) {
    return of(pickle, version, more, NO_CONSTANTS, code);
  }

  private static byte[] of(
      String pickle, int version, Map<String, String> more, String constants, String code) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      entry(zip, "data.pkl", pickle.getBytes(StandardCharsets.ISO_8859_1));
      entry(zip, "code/__torch__.py", code.getBytes(StandardCharsets.UTF_8));
      for (Map.Entry<String, String> file : more.entrySet()) {
        entry(zip, file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
      }
      entry(zip, "constants.pkl", constants.getBytes(StandardCharsets.ISO_8859_1));
      entry(zip, "version", (version + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void entry(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry("small/" + name));
    zip.write(content);
    zip.closeEntry();
  }
}
