package dev.staunch.execute;

import dev.staunch.kernel.Body;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.PointwiseBody;
import dev.staunch.operation.Trait;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A compiled operation: which registers it reads and writes, what it does, and which registers are
 * not read afterwards. The {@link Frame} decides when it runs, and what happens to a fault.
 */
final class Step {
  static final int[] NONE = {};

  final String name;
  final Site site;

  /** Its position among the steps of the function, see {@link Site#number}. */
  final int number;

  final Action action;
  final boolean light;
  final int[] operands;
  final int[] results;
  final int[] lastUses;

  /** A bit for each of the first operands that is not read afterwards. */
  final int dying;

  /** A bit for each of the first results that is never read, if there are several. */
  final int unread;

  /** A step that only releases what no step reads any more. */
  static Step releasing(Site site, int[] lastUses) {
    Action nothing =
        new Action() {
          @Override
          public Object apply(Frame frame, Call call, Site at) {
            return CatalogEntry.NOTHING;
          }

          @Override
          public boolean light() {
            return true;
          }
        };
    return new Step("prim::If", site, nothing, NONE, NONE, lastUses);
  }

  /** The same step, after which {@code more} is not read any more either. */
  Step releasing(int[] more) {
    int[] all = Arrays.copyOf(lastUses, lastUses.length + more.length);
    System.arraycopy(more, 0, all, lastUses.length, more.length);
    return new Step(name, site, action, operands, results, all);
  }

  /** The same step, which releases only {@code registers} of what is not read afterwards. */
  Step releasingOnly(int... registers) {
    return new Step(name, site, action, operands, results, registers);
  }

  /** The same step with another action on the same registers. */
  Step doing(Action other) {
    return new Step(name, site, other, operands, results, lastUses);
  }

  Step(String name, Site site, Action action, int[] operands, int[] results, int[] lastUses) {
    this.name = name;
    this.site = site;
    this.number = site.number();
    this.action = action;
    this.light = action.light();
    this.operands = operands;
    this.results = results;
    this.lastUses = lastUses;
    this.dying = among(lastUses, operands);
    this.unread = results.length > 1 ? among(lastUses, results) : 0;
  }

  /** The body of the operation whose kernel it calls; null if it does something else. */
  @Nullable Body body() {
    return action instanceof KernelAction kernel ? kernel.door().definition().body() : null;
  }

  /** Its formula, if it calls a pointwise operation's kernel; else null. */
  @Nullable PointwiseBody formula() {
    return body() instanceof PointwiseBody body ? body : null;
  }

  /** Whether it calls the kernel of an operation with {@code trait}. */
  boolean has(Trait trait) {
    return action instanceof KernelAction kernel && kernel.door().definition().effects().has(trait);
  }

  /** How often {@code wanted} is among {@code registers}. */
  static int count(int[] registers, int wanted) {
    int count = 0;
    for (int each : registers) {
      count += each == wanted ? 1 : 0;
    }
    return count;
  }

  /** A bit for each of the first registers that is one of {@code some}. */
  private static int among(int[] some, int[] registers) {
    int bits = 0;
    for (int i = 0; i < registers.length && i < Integer.SIZE; i++) {
      for (int register : some) {
        bits |= register == registers[i] ? 1 << i : 0;
      }
    }
    return bits;
  }
}
