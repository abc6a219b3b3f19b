package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.testkit.Walk;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * S7: loading a class with many methods and attributes takes work in proportion to their number.
 */
class ManyMethodsTest {
  private static final int FEW = 60;

  /**
   * Loads a class of {@code count} methods, each of which reads an attribute and calls another
   * method.
   */
  abstract static class Loading implements Supplier<Runnable> {
    private final OffHeap memory = OffHeap.withDefaultBudget();
    private final byte[] archive;

    Loading(int count) {
      StringBuilder pickle = new StringBuilder("\u0080\u0002c__torch__\nM\n)\u0081}(");
      StringBuilder code = new StringBuilder("class M(Module):\n  __parameters__ = []\n");
      for (int i = 0; i < count; i++) {
        String name = String.format(Locale.ROOT, "a%05d", i);
        pickle.append("X\u0006\0\0\0").append(name).append("K\u0001");
        code.append("  ").append(name).append(" : int\n");
      }
      for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        String method =
            """
              def m%1$05d(self: __torch__.M, x: int) -> int:
                a = self.a%1$05d
                if torch.gt(x, a):
                  b = (self).m%2$05d(torch.sub(x, a))
                else:
                  b = x
                return b
            """;
        code.append(String.format(Locale.ROOT, method, i, next));
      }
      archive = SmallArchive.of(pickle.append("ub.").toString(), 10, code.toString());
    }

    @Override
    public Runnable get() {
      return () -> {
        try (ResourceScope scope = ResourceScope.open(memory, "many")) {
          TorchScriptModule.load("many.pt", archive, scope);
        }
      };
    }
  }

  static final class Few extends Loading {
    Few() {
      super(FEW);
    }
  }

  static final class Many extends Loading {
    Many() {
      super(10 * FEW);
    }
  }

  @Test
  void tenTimesTheMethodsAreTenTimesTheCalls() {
    long few = Walk.of(Few.class).calls();
    long many = Walk.of(Many.class).calls();
    assertTrue(many <= 10.5 * few, () -> few + " calls, then " + many);
  }
}
