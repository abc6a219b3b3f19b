package dev.staunch.torchscript.pickle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a pickle says is taken as it is, or refused (S2). */
class UnpicklerTest {
  /** A tensor of one number, with {@code bits} as its last argument. */
  private static Pickled tensor(String bits) {
    return tensor("cpu", bits);
  }

  private static Pickled tensor(String device, String bits) {
    String pickle =
        "\u0080\u0002ctorch._utils\n_rebuild_tensor_v2\n(("
            + text("storage")
            + "ctorch\nFloatStorage\n"
            + text("0")
            + text(device)
            + "K\u0001tQK\u0000(K\u0001t(K\u0001t\u0089ccollections\nOrderedDict\n)R"
            + bits
            + "tR.";
    return Unpickler.read("data.pkl", pickle.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String text(String value) {
    return "X" + (char) value.length() + "\0\0\0" + value;
  }

  @Test
  void s2AConjugateThatIsNotComputedYetIsRefusedByName() {
    Pickled.Unsupported refused =
        assertInstanceOf(Pickled.Unsupported.class, tensor("}(" + text("conj") + "\u0088u"));
    assertEquals("a tensor whose conjugate or negation was not computed yet", refused.what());
  }

  @Test
  void s2ATensorOfTheMetaDeviceIsRefusedByName() {
    Pickled.Unsupported refused = assertInstanceOf(Pickled.Unsupported.class, tensor("meta", ""));
    assertEquals("a tensor of the device `meta`, without elements", refused.what());
  }

  @Test
  void s2BitsThatAreNotSetChangeNothing() {
    assertInstanceOf(Pickled.TensorRef.class, tensor(""));
    assertInstanceOf(Pickled.TensorRef.class, tensor("}(" + text("neg") + "\u0089u"));
  }

  @Test
  void s2TextThatIsNotUtf8IsRefused() {
    StaunchException refused = assertThrows(StaunchException.class, () -> read("a\u00ff"));
    assertEquals(FaultType.DATA_FORMAT, refused.fault().type());
    assertEquals("record data.pkl is damaged at byte 9: a text is not UTF-8", refused.getMessage());
  }

  @Test
  void s2TheReplacementCharacterIsTextLikeAnyOther() {
    assertEquals(new Pickled.Text("\ufffd"), read("\u00ef\u00bf\u00bd"));
  }

  /** The text whose bytes are {@code bytes}. */
  private static Pickled read(String bytes) {
    String pickle = "\u0080\u0002" + text(bytes) + ".";
    return Unpickler.read("data.pkl", pickle.getBytes(StandardCharsets.ISO_8859_1));
  }
}
