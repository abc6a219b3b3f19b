package dev.staunch.torchscript.pickle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Data that PyTorch writes after a tensor is not ignored (S2). */
class UnpicklerTest {
  /** A tensor of one number, with {@code bits} as its last argument. */
  private static Pickled tensor(String bits) {
    String pickle =
        "\u0080\u0002ctorch._utils\n_rebuild_tensor_v2\n(("
            + text("storage")
            + "ctorch\nFloatStorage\n"
            + text("0")
            + text("cpu")
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
  void s2BitsThatAreNotSetChangeNothing() {
    assertInstanceOf(Pickled.TensorRef.class, tensor(""));
    assertInstanceOf(Pickled.TensorRef.class, tensor("}(" + text("neg") + "\u0089u"));
  }
}
