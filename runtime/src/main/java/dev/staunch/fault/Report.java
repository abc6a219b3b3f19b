package dev.staunch.fault;

import java.util.List;

/**
 * Prints a fault in full, for people: first the message, then the line and the part of the model to
 * look at, what was found there, and the frames that led there.
 */
public final class Report {
  private Report() {}

  public static String of(Fault fault) {
    StringBuilder text = new StringBuilder();
    if (fault.raised() != null) {
      text.append(fault.raised()).append(": ");
    }
    text.append(fault.message()).append('\n');
    SourceLocation source = fault.source();
    if (source != null) {
      line(text, "source", source.toString());
      if (source.emitted() != null) {
        line(text, "archive", source.emitted().place());
      }
    }
    line(text, "module", fault.module());
    line(text, "type", fault.type().word());
    line(text, "operation", fault.operation());
    for (String operand : fault.operands()) {
      line(text, "operand", operand);
    }
    line(text, "input", fault.input());
    line(text, "expected", fault.expected());
    line(text, "actual", fault.actual());
    frames(text, fault.path());
    CancelReason reason = fault.reason();
    line(text, "reason", reason == null ? null : reason.word());
    long skipped = fault.reach().skipped();
    line(text, "skipped", skipped == 0 ? null : skipped + " operations that needed its result");
    if (fault.cause() != null) {
      line(text, "cause", fault.cause().toString());
    }
    for (Fault other : fault.suppressed()) {
      line(text, "also", other.toString());
    }
    return text.toString();
  }

  private static void frames(StringBuilder text, List<Fault.Frame> path) {
    for (Fault.Frame frame : path) {
      SourceLocation at = frame.source();
      line(text, "in", at == null ? frame.function() : frame.function() + " at " + at);
    }
  }

  private static void line(
      StringBuilder text, String label, @org.jspecify.annotations.Nullable String value) {
    if (value != null) {
      text.append("  ").append(label).append(": ").append(value).append('\n');
    }
  }
}
