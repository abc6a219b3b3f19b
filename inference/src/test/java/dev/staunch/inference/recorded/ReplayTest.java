package dev.staunch.inference.recorded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Model;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.NpyFormat;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReplayTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, n: int) -> int:
          if torch.lt(n, 0):
            ops.prim.RaiseException("n is below 0", "builtins.ValueError")
          else:
            pass
          return n
      """;

  @TempDir private Path folder;

  private List<String> differences(String error) throws IOException {
    String call =
        """
        {"args": [{"t": "int", "v": -1}], "error": {"message": "%s"}}
        """;
    return ofCall(call.formatted(error));
  }

  private List<String> ofCall(String call) throws IOException {
    Path recording = folder.resolve("m.json");
    Files.writeString(recording, "{\"calls\": [" + call + "]}");
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        Model model = Model.load("m.pt", SmallArchive.of(CODE), memory, LoadOptions.standard())) {
      RecordedCases recorded = RecordedCases.read(recording);
      return new Replay(model, recorded, Duration.ofSeconds(30)).differences();
    }
  }

  @Test
  void anErrorIsRecordedWithItsTracebackOrAsTheLastLineOfIt() throws IOException {
    String line = "builtins.ValueError: n is below 0";
    assertEquals(List.of(), differences("Traceback, as libtorch writes it:\\n" + line + "\\n"));
    assertEquals(List.of(), differences(line));
  }

  @Test
  void anErrorOfAnotherTextOrNameDiffers() throws IOException {
    String raised = "call 0 of forward: it raised builtins.ValueError: n is below 0, not ";
    assertEquals(List.of(raised + "n is below 0"), differences("n is below 0"));
    assertEquals(List.of(raised + "my.ValueError: n"), differences("my.ValueError: n"));
  }

  @Test
  void aKeywordThatTheMethodDoesNotTakeIsNotIgnored() throws IOException {
    String two = "{\"t\": \"int\", \"v\": 2}";
    String call = "{\"args\": [%s], \"kwargs\": {\"%s\": %s}, \"%s\": %s}";
    String error = "{\"message\": \"Unknown keyword argument\"}";
    String refused = "call 0 of forward: it failed: request: forward takes no keyword argument ";
    assertEquals(
        List.of(refused + "[m] here"), ofCall(call.formatted(two, "m", two, "expect", two)));
    assertEquals(
        List.of(refused + "[n] here"), ofCall(call.formatted(two, "n", two, "expect", two)));
    assertEquals(List.of(), ofCall(call.formatted(two, "m", two, "error", error)));
    assertEquals(List.of(), ofCall(call.formatted("", "n", two, "expect", two)));
  }

  @Test
  void elementsOfComplexTensorsAreCompared() throws IOException {
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "test")) {
      RecordedValues values = new RecordedValues(folder, scope);
      JsonNode one = complex("\"data\": [[1, 2], [3, \"NaN\"]]");
      Object tensor = values.value(one);
      assertNull(new Difference(folder, scope).find(one, tensor, "it"));
      JsonNode other = complex("\"data\": [[1, 2], [3.1, \"NaN\"]]");
      String difference = new Difference(folder, scope).find(other, tensor, "it");
      assertEquals("it differs at element 2: 3.0, not 3.0999999046325684", difference);

      Path npy = Files.createDirectory(folder.resolve("npy")).resolve("x.npy");
      assertNull(NpyFormat.write((DenseTensor) tensor, npy));
      JsonNode file = complex("\"npy\": \"x.npy\"");
      assertNull(new Difference(folder, scope).find(one, values.value(file), "it"));
    }
  }

  @Test
  void aFileOfAnotherTensorIsRefused() throws IOException {
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "test")) {
      RecordedValues values = new RecordedValues(folder, scope);
      JsonNode file = complex("\"npy\": \"x.npy\"");
      Fault missing = assertThrows(StaunchException.class, () -> values.value(file)).fault();
      assertTrue(missing.message().contains("x.npy"), missing::message);

      Object three = DenseTensor.allocate(scope, DType.COMPLEX64, Shape.of(3));
      Path npy = Files.createDirectory(folder.resolve("npy")).resolve("x.npy");
      assertNull(NpyFormat.write((DenseTensor) three, npy));
      Fault other = assertThrows(StaunchException.class, () -> values.value(file)).fault();
      assertTrue(other.message().endsWith("holds complex64[3], not complex64[2]"), other::message);
    }
  }

  private static JsonNode complex(String elements) {
    String text = "{\"t\": \"Tensor\", \"dtype\": \"complex64\", \"shape\": [2], %s}";
    return JsonMapper.shared().readTree(Message.of(text, elements));
  }
}
