package dev.staunch.inference;

import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * Two versions of an archive that differ only in the weights of one layer, and the answers of each
 * version to some requests, recorded while no other request ran.
 */
record ArchiveVersions(List<byte[]> versions, List<InferenceRequest> requests, float[][][] right) {
  private static final String NAME = "mlp_bn_sigmoid";
  private static final String WEIGHTS = NAME + "/data/0";
  private static final int COLUMNS = 16;
  private static final int MOST_ROWS = 40;
  private static final int REQUESTS = 24;
  private static final int CENTRAL_HEADER = 0x02014b50;
  private static final int END = 0x06054b50;
  private static final int DESCRIPTOR = 0x08074b50;

  /** Reads the archive, makes the second version, and runs the requests on both. */
  static ArchiveVersions read(Path folder) throws IOException {
    byte[] first =
        Files.readAllBytes(Conformance.torchscript().resolve("archives").resolve(NAME + ".pt"));
    List<byte[]> versions = List.of(first, negated(first));
    List<InferenceRequest> requests = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < REQUESTS; i++) {
      int rows = 1 + random.nextInt(MOST_ROWS);
      float[] values = new float[rows * COLUMNS];
      for (int k = 0; k < values.length; k++) {
        values[k] = random.nextFloat(-2, 2);
      }
      requests.add(InferenceRequest.of("r" + i).input("x", Shape.of(rows, COLUMNS), values));
    }
    float[][][] right = new float[versions.size()][][];
    for (int i = 0; i < right.length; i++) {
      right[i] = answers(Files.write(folder.resolve("calm.pt"), versions.get(i)), requests);
    }
    return new ArchiveVersions(versions, requests, right);
  }

  private static float[][] answers(Path archive, List<InferenceRequest> requests) {
    try (Model model = Model.load(archive, OffHeap.withBudget(1L << 24))) {
      return requests.stream()
          .map(request -> values(model.predict(request, "forward")))
          .toArray(float[][]::new);
    }
  }

  static float[] values(Answer answer) {
    if (answer.failed()) {
      throw answer.fault().toException();
    }
    return answer.outputs().getFirst().floats();
  }

  /** The version that gives this answer to the request, or -1. */
  int versionOf(int request, float... values) {
    for (int i = 0; i < right.length; i++) {
      if (Arrays.equals(values, right[i][request])) {
        return i;
      }
    }
    return -1;
  }

  /** The same archive with the weights negated, and with matching checksums. */
  private static byte[] negated(byte... archive) {
    byte[] other = archive.clone();
    ByteBuffer zip = ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN);
    int end = other.length - 22;
    while (zip.getInt(end) != END) {
      end--;
    }
    int at = zip.getInt(end + 16);
    while (zip.getInt(at) == CENTRAL_HEADER) {
      int name = zip.getShort(at + 28);
      if (new String(other, at + 46, name, StandardCharsets.US_ASCII).equals(WEIGHTS)) {
        negate(other, zip, at);
      }
      at += 46 + name + zip.getShort(at + 30) + zip.getShort(at + 32);
    }
    return other;
  }

  private static void negate(byte[] archive, ByteBuffer zip, int central) {
    int size = zip.getInt(central + 24);
    int local = zip.getInt(central + 42);
    int start = local + 30 + zip.getShort(local + 26) + zip.getShort(local + 28);
    for (int i = start + 3; i < start + size; i += Float.BYTES) {
      zip.put(i, (byte) (zip.get(i) ^ 0x80));
    }
    CRC32 sum = new CRC32();
    sum.update(archive, start, size);
    zip.putInt(central + 16, (int) sum.getValue());
    if (zip.getInt(local + 14) != 0) {
      zip.putInt(local + 14, (int) sum.getValue());
    }
    if (zip.getInt(start + size) == DESCRIPTOR) {
      zip.putInt(start + size + 4, (int) sum.getValue());
    }
  }
}
