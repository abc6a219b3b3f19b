package dev.staunch.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ArrayTextTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  /** What {@code record_print_goldens.py} wrote for one array. */
  private record Golden(String dtype, String shape, String source, List<String> lines) {}

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  @TestFactory
  Stream<DynamicTest> tensorsPrintAsNumPyPrintsArrays() throws IOException {
    return goldens().stream()
        .map(golden ->
            DynamicTest.dynamicTest(
                golden.dtype() + " " + golden.shape() + " " + golden.lines().getFirst(),
                () ->
                    assertEquals(String.join("\n", golden.lines()), ArrayText.of(tensor(golden)))));
  }

  private static List<Golden> goldens() throws IOException {
    List<Golden> goldens = new ArrayList<>();
    try (InputStream in = ArrayTextTest.class.getResourceAsStream("print-golden.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      String[] head = {};
      for (String line : lines.lines().toList()) {
        if (line.startsWith("case ")) {
          head = line.split(" ", -1);
        } else if (line.startsWith("|")) {
          goldens.getLast().lines().add(line.substring(1));
        } else {
          goldens.add(new Golden(head[1], head[2], line, new ArrayList<>()));
        }
      }
    }
    return goldens;
  }

  private DenseTensor tensor(Golden golden) {
    DType dtype = DType.valueOf(golden.dtype().toUpperCase(Locale.ROOT));
    long[] sizes =
        golden.shape().equals("-")
            ? new long[0]
            : Arrays.stream(golden.shape().split(",")).mapToLong(Long::parseLong).toArray();
    Shape shape = Shape.of(sizes);
    String[] words = golden.source().split(" ", -1);
    if (words[0].equals("bytes")) {
      MemorySegment raw = MemorySegment.ofArray(HexFormat.of().parseHex(words[1]));
      return (DenseTensor) HostTensors.bytes(scope, dtype, shape, raw);
    }
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, dtype, shape);
    for (int i = 0; i < made.elements(); i++) {
      double value = Double.parseDouble(words[1]) + i * Double.parseDouble(words[2]);
      Elements.putDouble(made.segment(), dtype, i, value);
    }
    return made;
  }

  @Test
  void viewsPrintInTheirOwnOrder() {
    DenseTensor grid = (DenseTensor) HostTensors.longs(scope, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    DenseTensor turned =
        (DenseTensor) grid.view(scope, new Layout(Shape.of(3, 2), new long[] {1, 3}, 0));
    assertEquals("[[1 4]\n [2 5]\n [3 6]]", ArrayText.of(turned));
  }

  @Test
  void dtypeAndShapeFollow() {
    DenseTensor row = (DenseTensor) HostTensors.floats(scope, Shape.of(2), 1, 2.5f);
    assertEquals("[1.  2.5] dtype=float32, shape=(2,)", ArrayText.described(row));
    DenseTensor grid = (DenseTensor) HostTensors.longs(scope, Shape.of(2, 1), 1, 2);
    assertEquals("[[1]\n [2]]\ndtype=int64, shape=(2, 1)", ArrayText.described(grid));
    DenseTensor one = (DenseTensor) HostTensors.doubles(scope, Shape.SCALAR, 0.1);
    assertEquals("0.1 dtype=float64, shape=()", ArrayText.described(one));
  }

  @Test
  void bfloat16PrintsItsShortestDigits() {
    DenseTensor made = (DenseTensor) DenseTensor.allocate(scope, DType.BFLOAT16, Shape.of(3));
    Elements.putDouble(made.segment(), DType.BFLOAT16, 0, 0.1);
    Elements.putDouble(made.segment(), DType.BFLOAT16, 1, 1.0);
    Elements.putDouble(made.segment(), DType.BFLOAT16, 2, 3.14159);
    assertEquals("[0.1  1.   3.14]", ArrayText.of(made));
  }
}
