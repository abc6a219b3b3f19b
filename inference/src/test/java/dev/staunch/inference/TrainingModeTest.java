package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Loading warns of a model that was saved without {@code eval()}, or refuses it. */
class TrainingModeTest {
  private static final String DROPPING =
      """
      class M(Module):
        __parameters__ = []
        training : bool
        def forward(self: __torch__.M, x: Tensor) -> Tensor:
          return torch.dropout(x, 0.5, self.training)
      """;
  private static final String DOUBLING =
      """
      class M(Module):
        __parameters__ = []
        training : bool
        def forward(self: __torch__.M, x: Tensor) -> Tensor:
          return torch.mul(x, 2)
      """;

  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final List<String> warnings = new ArrayList<>();
  private final LoadOptions listening = LoadOptions.standard().withWarnings(warnings::add);

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, memory.account().bytes());
  }

  private static byte[] archive(String code, boolean training) {
    char flag = training ? '\u0088' : '\u0089';
    String pickle =
        "\u0080\u0002c__torch__\nM\n)\u0081}X\u0008\u0000\u0000\u0000training" + flag + "sb.";
    return SmallArchive.of(pickle, 10, code);
  }

  @Test
  void aModelThatDependsOnItsModeIsSaidToBeInTraining() {
    Model.load("drop.pt", archive(DROPPING, true), memory, listening).close();
    assertEquals(
        List.of(
            "drop.pt was saved in training mode (the whole model), so its answers may be random or"
                + " depend on other requests; call eval() on the model before saving it"),
        warnings);
  }

  @Test
  void withoutAListenerItIsAWarningInTheLog() {
    List<LogRecord> logged = new ArrayList<>();
    Logger logger = Logger.getLogger("dev.staunch.inference");
    logger.setFilter(line -> !logged.add(line));
    try {
      Model.load("drop.pt", archive(DROPPING, true), memory, LoadOptions.standard()).close();
    } finally {
      logger.setFilter(null);
    }
    assertEquals(1, logged.size());
    assertEquals(Level.WARNING, logged.getFirst().getLevel());
    assertTrue(logged.getFirst().getMessage().contains("call eval()"));
  }

  @Test
  void afterEvalThereIsNothingToSay() {
    Model.load("drop.pt", archive(DROPPING, false), memory, listening).close();
    assertEquals(List.of(), warnings);
  }

  @Test
  void aModeThatChangesNoAnswerIsNotWorthAWord() {
    Model.load("twice.pt", archive(DOUBLING, true), memory, listening).close();
    assertEquals(List.of(), warnings);
  }

  @Test
  void aServiceMayRefuseIt() {
    StaunchException refused =
        assertThrows(
            StaunchException.class,
            () ->
                Model.load(
                    "drop.pt", archive(DROPPING, true), memory, listening.withTrainingRefused()));
    assertEquals(FaultType.VALUE, refused.fault().type());
    assertTrue(refused.getMessage().contains("call eval()"), refused.getMessage());
    Model.load("drop.pt", archive(DROPPING, false), memory, listening.withTrainingRefused())
        .close();
  }
}
