package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertEquals(0.5, parsed.request().inputs().get(0).values().real(0));
  }

  @Test
  void halfACharacterIsNoText() {
    String half = "\"\\ud800\"";
    String text = GOOD.replace("FP32", "BYTES").replace("[0.5,1]", "[\"\\ud83d\\ude00\",VALUE]");
    String words = "has half a character, \\ud800, at AT; write both halves of it";
    Fault value = fault(text.replace("VALUE", "\"a\\ud800\""));
    assertEquals("a value of input 'x' " + words.replace("AT", "1"), value.message());
    assertEquals("x", value.input());
    assertNotNull(reader.read(text.replace("VALUE", "\"b\"")).request());
    assertEquals("'id' " + words.replace("AT", "0"), fault(GOOD.replace("\"7\"", half)).message());
    assertEquals(
        "'name' of input 1 " + words.replace("AT", "0"),
        fault(GOOD.replace("\"x\"", half)).message());
  }

  @Test
  void dataMayBeNestedAsTheShapeIs() {
    ProtocolReader.Parsed parsed = reader.read(GOOD.replace("[0.5,1]", "[[0.5,1]]"));
    assertNotNull(parsed.request());
    assertEquals(2, parsed.request().inputs().get(0).values().size());
    for (String nested :
        List.of("[[0.5],[1]]", "[[0.5],1]", "[0.5,[1]]", "[[[0.5,1]]]", "[[0.5,1],[]]")) {
      Fault fault = fault(GOOD.replace("[0.5,1]", nested));
      assertTrue(fault.message().contains("nested otherwise than its shape [1, 2]"), nested);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          FP32  | [1e39,1]   | input 'x' is FP32, but value 0 is 1e39, which is too large for it
          FP32  | [1,-3.41e38] | input 'x' is FP32, but value 1 is -3.41e38, which is too large for it
          FP64  | [1,1e400]  | input 'x' is FP64, but value 1 is 1e400, which is too large for it
          FP16  | [65520,1]  | input 'x' is FP16, but value 0 is 65520.0, which is too large for it
          INT64 | [9223372036854775808,1] | input 'x' is INT64, but value 0 is 9223372036854775808, which is out of its range
          INT8  | [1,128]    | input 'x' is INT8, but value 1 is 128, which is out of its range
          BOOL  | [true,2]   | input 'x' is BOOL, but value 1 is 2, which is out of its range
          INT64 | [1,"NaN"]  | input 'x' is INT64, but value 1 is NaN, which is no integer
          INT64 | [1,2.0]    | input 'x' is INT64, but value 1 is 2.0, which is no integer
          INT64 | [true,2]   | input 'x' is INT64 but holds true or false
          FP32  | [1,"one"]  | input 'x' is FP32 but holds the text "one"
          BYTES | [1,"one"]  | input 'x' is BYTES but holds numbers
          FP32  | [1,null]   | expected values in 'data' of input 'x' but found null
          FP32  | [1,{}]     | expected values in 'data' of input 'x' but found an object
          FP32  | 1          | expected an array for 'data' of input 'x' but found an integer
          FP32  | [1]        | input 'x' has shape [1, 2], which needs 2 values, but carries 1
          """)
  void valuesThatDoNotFitTheDatatypeAreNamed(String datatype, String data, String message) {
    Fault fault = fault(GOOD.replace("FP32", datatype).replace("[0.5,1]", data));
    assertEquals(message, fault.message());
    assertEquals("x", fault.input());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[4294967296,4294967296]", "[9223372036854775807,2]", "[0,-1]", "[2,-1]"})
  void aShapeThatCannotBeIsTheInputsFault(String shape) {
    Fault fault = fault(GOOD.replace("[1,2]", shape));
    assertEquals(FaultType.REQUEST, fault.type());
    assertTrue(fault.message().contains("is impossible: sizes are 0 or more"), fault::message);
    assertEquals("x", fault.input());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          FP32  | [3.4028235e38,-3.4028235e38]
          FP64  | [1e308,100000000000000000000]
          FP16  | [65504,-65519]
          FP32  | ["NaN","-Infinity"]
          BOOL  | [true,0]
          BYTES | ["NaN",""]
          INT64 | [9223372036854775807,-9223372036854775808]
          """)
  void theLargestAndTheWordsForWhatJsonLacksAreTaken(String datatype, String data) {
    assertNull(reader.read(GOOD.replace("FP32", datatype).replace("[0.5,1]", data)).fault());
  }

  @Test
  void whyItIsNoJsonIsSaidWithoutTheParsersOwnAdvice() {
    assertEquals(
        "the request is not JSON: non-standard token 'NaN' (write NaN, Infinity and -Infinity as"
            + " strings) at column 76",
        fault(GOOD.replace("0.5", "NaN")).message());
    assertTrue(
        fault(GOOD.replace("[0.5,1]", "[".repeat(200))).message().contains("exceeds the maximum"));
    assertTrue(fault(GOOD.replace("0.5", "9".repeat(2000))).message().contains("1000"));
    String twice = fault("{\"id\":\"1\",\"id\":\"2\",\"inputs\":[]}").message();
    assertTrue(twice.contains("uplicate") && twice.contains("\"id\""), twice);
    assertEquals("expected a JSON object but found an array", fault("[1]").message());
    assertEquals(
        "expected an object for input 2 but found an integer",
        fault(GOOD.replace("]}]}", "]},7]}")).message());
    for (String json :
        List.of(
            GOOD.replace("0.5", "NaN"),
            "[".repeat(200),
            GOOD.replace("0.5", "0x10"),
            "{/**/}",
            "{'a':1}",
            "tru",
            "{\"inputs\":[")) {
      String message = fault(json).message();
      assertTrue(!message.contains("Feature") && !message.contains("StreamRead"), message);
      assertTrue(!message.contains("Source") && !message.contains("UNKNOWN"), message);
    }
  }

  @Test
  void aLineThatIsNoJsonIsAFaultOfThatLine() {
    assertTrue(fault("hello").message().startsWith("the request is not JSON"));
    assertTrue(fault("").message().contains("expected a JSON object"));
  }

  @Test
  void bytesAndStreamsAndSegmentsAreReadWithOrWithoutAByteOrderMark() throws IOException {
    byte[] marked = ("\uFEFF" + GOOD + "\r\n").getBytes(StandardCharsets.UTF_8);
    assertEquals("7", reader.read(marked).orThrow().id());
    assertEquals("7", reader.read(new ByteArrayInputStream(marked)).orThrow().id());
    assertEquals("7", reader.read(MemorySegment.ofArray(marked)).orThrow().id());
    assertEquals("7", reader.read("\uFEFF" + GOOD).orThrow().id());
  }

  @Test
  void whatIsNoTextIsSaidToBeWhatItIs() {
    assertEquals(
        "the request is compressed by gzip; unpack it before it is read",
        message(new byte[] {0x1f, (byte) 0x8b, 8, 0}));
    assertEquals(
        "the request is an archive (zip, as models are), where JSON is expected",
        message(new byte[] {'P', 'K', 3, 4}));
    assertEquals("the request is not UTF-8 text", message(new byte[] {'{', (byte) 0xe4, '}'}));
  }

  private String message(byte[] request) {
    Fault fault = reader.read(request).fault();
    assertNotNull(fault);
    assertEquals(FaultType.REQUEST, fault.type());
    return fault.message();
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
    assertEquals(9007199254740993L, parsed.request().inputs().get(0).values().integer(0));
    fault(GOOD.replace("FP32", "INT64"));
    fault(GOOD.replace("FP32", "UINT8").replace("[0.5,1]", "[256,1]"));
  }

  @Test
  void zeroKeepsItsSignAsARealOnly() {
    for (String zero : List.of("-0", "-0.0", "-0e5")) {
      InferenceRequest real = reader.read(GOOD.replace("0.5", zero)).orThrow();
      assertEquals(-0.0, real.inputs().get(0).values().real(0), zero);
    }
    String integer = GOOD.replace("FP32", "INT64").replace("0.5", "-0");
    assertEquals(0, reader.read(integer).orThrow().inputs().get(0).values().integer(0));
    assertEquals(
        0.0, reader.read(GOOD.replace("0.5", "0")).orThrow().inputs().get(0).values().real(0));
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
