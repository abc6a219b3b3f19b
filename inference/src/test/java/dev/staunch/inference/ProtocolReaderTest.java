package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtocolReaderTest {
  private static final String GOOD =
      "{\"id\":\"7\",\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":[0.5,1]}]}";
  private final ProtocolReader reader = new ProtocolReader();

  private Fault fault(String json) {
    ProtocolReader.Parsed parsed = reader.read(json);
    assertNull(parsed.request());
    assertNotNull(parsed.fault());
    assertEquals(FaultType.REQUEST, parsed.fault().type());
    return parsed.fault();
  }

  @Test
  void aRequestKeepsItsIdAndInputs() {
    ProtocolReader.Parsed parsed = reader.read(GOOD);
    assertNull(parsed.fault());
    assertEquals("7", parsed.id());
    assertNotNull(parsed.request());
    assertEquals("x", parsed.request().inputs().get(0).name());
    assertEquals(0.5, parsed.request().inputs().get(0).numbers().real(0));
  }

  @Test
  void dataMayBeNestedAsTheShapeIs() {
    ProtocolReader.Parsed parsed = reader.read(GOOD.replace("[0.5,1]", "[[0.5],[1]]"));
    assertNotNull(parsed.request());
    assertEquals(2, parsed.request().inputs().get(0).numbers().size());
  }

  @Test
  void aLineThatIsNoJsonIsAFaultOfThatLine() {
    assertTrue(fault("hello").message().startsWith("the request is no JSON"));
    assertTrue(fault("").message().contains("expected a JSON object"));
  }

  @Test
  void aMissingFieldIsNamed() {
    assertEquals("the request has no field 'inputs'", fault("{\"id\":\"1\"}").message());
    Fault fault = fault(GOOD.replace("\"datatype\":\"FP32\",", ""));
    assertEquals("input 'x' has no field 'datatype'", fault.message());
    assertEquals("x", fault.input());
  }

  @Test
  void aFaultAnswersToTheIdThatWasReadBeforeIt() {
    assertEquals("7", reader.read(GOOD.replace("FP32", "FP33")).id());
  }

  @Test
  void theNumberOfValuesMustFitTheShape() {
    Fault fault = fault(GOOD.replace("[1,2]", "[2,2]"));
    assertEquals("4 values", fault.expected());
    assertEquals("2 values", fault.actual());
  }

  @Test
  void absurdShapesAreFaults() {
    fault(GOOD.replace("[1,2]", "[-1,2]"));
    fault(GOOD.replace("[1,2]", "[4611686018427387904,4611686018427387904]"));
  }

  @Test
  void integersAreExactAndInRange() {
    String big = GOOD.replace("FP32", "INT64").replace("[0.5,1]", "[9007199254740993,1]");
    ProtocolReader.Parsed parsed = reader.read(big);
    assertNotNull(parsed.request());
    assertEquals(9007199254740993L, parsed.request().inputs().get(0).numbers().integer(0));
    fault(GOOD.replace("FP32", "INT64"));
    fault(GOOD.replace("FP32", "UINT8").replace("[0.5,1]", "[256,1]"));
  }

  @Test
  void mutatedRequestsNeverThrow() {
    long seed = 20_26;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(GOOD);
      for (int j = random.nextInt(4); j >= 0; j--) {
        text.setCharAt(random.nextInt(text.length()), (char) (32 + random.nextInt(95)));
      }
      ProtocolReader.Parsed parsed = reader.read(text.toString());
      assertTrue((parsed.request() == null) != (parsed.fault() == null), text.toString());
    }
  }
}
