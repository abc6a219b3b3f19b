package dev.staunch.inference.recorded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DifferenceTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final Difference difference = new Difference(Path.of("."), scope);

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private String find(String recorded, double actual) {
    String json = "{\"t\": \"float\", \"v\": " + recorded + "}";
    String found = difference.find(JsonMapper.builder().build().readTree(json), actual, "x");
    return found == null ? "" : found;
  }

  @Test
  void aNumberReadFromAFloat32TensorMayDifferAsThatMay() {
    assertEquals("", find("0.49725836515426636", 0.49725839495658875));
    assertEquals("x is 0.5, not 0.49725836515426636", find("0.49725836515426636", 0.5));
  }

  @Test
  void aNumberOfAScriptIsTheSame() {
    assertEquals("", find("0.1", 0.1));
    assertEquals("x is 0.1000001, not 0.1", find("0.1", 0.1000001));
    assertEquals("x is 0.5000001, not 0.5", find("0.5", 0.5000001));
    assertNull(
        difference.find(
            JsonMapper.builder().build().readTree("{\"t\": \"int\", \"v\": 3}"), 3L, "x"));
  }

  private @Nullable String tensor(String exact, float actual) {
    String json = "{\"t\": \"Tensor\", \"dtype\": \"float%s\", \"shape\": [1], \"data\": [%s]%s}";
    String inner = exact.isEmpty() ? "" : ", \"exact\": " + json.formatted("64", exact, "");
    var recorded = JsonMapper.shared().readTree(json.formatted("32", "100.0", inner));
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, Shape.of(1));
    tensor.segment().set(ValueLayout.JAVA_FLOAT, 0, actual);
    return difference.find(recorded, tensor, "x");
  }

  @Test
  void aTensorMayBeThreeTimesAsFarFromItsExactNumbersAsTheRecordedOneIs() {
    assertEquals("x differs at element 0: 102.5, not 100.0", tensor("", 102.5f));
    assertNull(tensor("101.0", 103.5f));
    assertEquals("x differs at element 0: 104.5, not 100.0", tensor("101.0", 104.5f));
    assertNotNull(tensor("101.0", Float.NaN));
  }

  private @Nullable String narrow(DType dtype, double recorded, double actual) {
    String json = "{\"t\": \"Tensor\", \"dtype\": \"%s\", \"shape\": [1], \"data\": [%s]}";
    var wanted = JsonMapper.shared().readTree(json.formatted(dtype, recorded));
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, dtype, Shape.of(1));
    Elements.putDouble(tensor.segment(), dtype, 0, actual);
    return difference.find(wanted, tensor, "x");
  }

  @Test
  void aNarrowTensorMayDifferInItsLastBits() {
    assertNull(narrow(DType.BFLOAT16, 100, 101.5));
    assertEquals("x differs at element 0: 102.0, not 100.0", narrow(DType.BFLOAT16, 100, 102));
    assertEquals("x differs at element 0: 0.0, not 0.0078125", narrow(DType.BFLOAT16, 0x1p-7, 0));
    assertNull(narrow(DType.FLOAT16, 64, 64.0625));
    assertEquals("x differs at element 0: 64.125, not 64.0", narrow(DType.FLOAT16, 64, 64.125));
  }
}
