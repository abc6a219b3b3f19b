package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs are matched to parameters by name, and none is bound to a wrong one by mistake (P1). */
class InputNamesTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, n: int, k: int=3) -> int:
          return torch.add(torch.mul(n, 10), k)
      """;

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  private static String input(String name, String datatype, String value) {
    return """
    {"name":"%s","shape":[1],"datatype":"%s","data":[%s]}\
    """
        .formatted(name, datatype, value);
  }

  private Answer answer(String... inputs) throws IOException {
    Path archive = Files.write(folder.resolve("names.pt"), SmallArchive.of(CODE));
    String json = "{\"id\":\"1\",\"inputs\":[%s]}".formatted(String.join(",", inputs));
    try (Model model = Model.load(archive, memory)) {
      return model.predict(new ProtocolReader().read(json).orThrow(), "forward");
    }
  }

  private static long number(Answer answer) {
    assertEquals(null, answer.fault());
    return answer.outputs().get(0).longs()[0];
  }

  @Test
  void inputsGoByNameInAnyOrderOrElseByPosition() throws IOException {
    assertEquals(24, number(answer(input("k", "INT64", "4"), input("n", "INT64", "2"))));
    assertEquals(24, number(answer(input("a", "INT64", "2"), input("b", "INT64", "4"))));
    assertEquals(23, number(answer(input("n", "INT64", "2"))));
  }

  @Test
  void aNameThatNoParameterHasIsRefusedBesideOneThatHas() throws IOException {
    Fault fault = answer(input("n", "INT64", "2"), input("kk", "INT64", "4")).fault();
    assertNotNull(fault);
    assertEquals(FaultType.REQUEST, fault.type());
    assertEquals("kk", fault.input());
    assertTrue(fault.message().contains("forward has no input 'kk'"), fault.message());
  }

  @Test
  void aBoolIsNoInt() throws IOException {
    Fault fault = answer(input("n", "BOOL", "true")).fault();
    assertNotNull(fault);
    assertEquals("n", fault.input());
  }

  @Test
  void aTextThatIsNoRequestThrowsItsFault() {
    StaunchException e =
        assertThrows(StaunchException.class, () -> new ProtocolReader().read("{nope").orThrow());
    assertEquals(FaultType.REQUEST, e.fault().type());
  }
}
