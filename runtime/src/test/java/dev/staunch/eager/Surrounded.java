package dev.staunch.eager;

import dev.staunch.fault.CancelReason;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The blocks around the steps that an oracle follows, and what may happen because of them. */
final class Surrounded {
  private record Around(Step.Block block, @Nullable Fault cancelled, Set<Integer> before) {}

  private final List<Around> around = new ArrayList<>();
  private int events;

  void begin(Step.Block block, Set<Integer> places) {
    boolean cancelled = block.trouble() == Step.Trouble.CANCELLED;
    Fault why = cancelled ? Fault.cancelled(CancelReason.USER, "the program wants it") : null;
    around.add(new Around(block, why, Set.copyOf(places)));
  }

  /** Ends the innermost block; returns the places that were in use when it began. */
  Set<Integer> end() {
    return around.removeLast().before();
  }

  /** Whether timing decides what happens to the steps that follow. */
  boolean isTroubled() {
    return around.stream().anyMatch(each -> each.block().trouble().races());
  }

  boolean isCancelled() {
    return around.stream().anyMatch(each -> each.cancelled() != null);
  }

  /** Whether a tensor made now belongs to a block. */
  boolean owns() {
    return around.stream().anyMatch(each -> each.block().owns());
  }

  int nextEvent() {
    return events++;
  }

  /** Why a block may not have handed on its results: it ended otherwise. */
  Causes.Open lost(Step.Block block) {
    Set<FaultType> types = EnumSet.of(FaultType.CLOSED);
    types.addAll(block.trouble().ends());
    return new Causes.Open(nextEvent(), types);
  }

  /** Why a tensor that is made now, without an operation, may be closed at once. */
  Causes closing() {
    boolean closes = around.stream().anyMatch(each -> each.block().trouble() == Step.Trouble.CLOSE);
    return closes
        ? Causes.open(new Causes.Open(nextEvent(), Step.Trouble.CLOSE.ends()))
        : Causes.NONE;
  }

  /** Why an operation that is called now might not happen. */
  Causes troubles(int event) {
    Causes causes = Causes.NONE;
    for (Around each : around) {
      Set<FaultType> types = ends(each.block());
      if (each.cancelled() != null) {
        causes = causes.and(Causes.of(each.cancelled()));
      } else if (!types.isEmpty()) {
        causes = causes.and(Causes.open(new Causes.Open(event, types)));
      }
    }
    return causes;
  }

  /** An interrupt ends only waits; the scope that then closes ends what is left in it. */
  private static Set<FaultType> ends(Step.Block block) {
    Set<FaultType> types = EnumSet.noneOf(FaultType.class);
    if (block.trouble().races()) {
      if (block.trouble() != Step.Trouble.INTERRUPT) {
        types.addAll(block.trouble().ends());
      }
      if (block.owns()) {
        types.add(FaultType.CLOSED);
      }
    }
    return types;
  }
}
