import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The inputs of a request as {@code ModelInputs} has written them: a file for each, in order, with
 * its dtype and shape in its name, such as {@code 0-float32-1x3x224x224}.
 */
final class Inputs {
  /**
   * @param elements a {@code float[]} or a {@code long[]}
   */
  record Input(Object elements, long[] shape) {}

  private Inputs() {}

  static List<Input> read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted().toList();
    }
    List<Input> inputs = new ArrayList<>();
    for (Path file : files) {
      String[] parts = file.getFileName().toString().split("-");
      long[] shape = Arrays.stream(parts[2].split("x")).mapToLong(Long::parseLong).toArray();
      inputs.add(new Input(elements(file, parts[1]), shape));
    }
    return inputs;
  }

  private static Object elements(Path file, String dtype) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (dtype.equals("float32")) {
      float[] floats = new float[bytes.remaining() / Float.BYTES];
      bytes.asFloatBuffer().get(floats);
      return floats;
    }
    long[] longs = new long[bytes.remaining() / Long.BYTES];
    bytes.asLongBuffer().get(longs);
    return longs;
  }

  /** Prints the sum of the result's elements, weighted as {@code ModelTimes} does. */
  static void print(float[] result) {
    double sum = 0;
    for (int i = 0; i < result.length; i++) {
      sum += result[i] * (1 + i % 7);
    }
    System.out.println("sum=" + sum);
  }
}
