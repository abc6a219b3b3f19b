package dev.staunch.memory;

import java.time.Duration;
import java.util.List;

/**
 * A resource that was never closed: it became unreachable while its scope was open, or it was still
 * open when its memory was closed.
 *
 * @param what the resource, such as {@code float32[3, 15]}
 * @param bytes the size of its storage; 0 if it has none
 * @param scope the scope that should have freed it
 * @param age the time since it was created
 * @param unreachable whether it could no longer be closed
 * @param madeAt the stack that created it, innermost first, without frames of the memory package;
 *     empty if it was not recorded
 */
public record Leak(
    String what,
    long bytes,
    String scope,
    Duration age,
    boolean unreachable,
    List<StackTraceElement> madeAt) {

  public Leak {
    madeAt = List.copyOf(madeAt);
  }

  /** A sentence, then the stack, one frame a line. */
  public String report() {
    StringBuilder text = new StringBuilder();
    text.append(what)
        .append(" of ")
        .append(ByteCount.text(bytes))
        .append(unreachable ? " became unreachable" : " was still open")
        .append(" after ")
        .append(age.toMillis())
        .append(" ms and was never closed; scope ")
        .append(scope)
        .append(" should have freed it");
    for (StackTraceElement frame : madeAt) {
      text.append("\n    at ").append(frame);
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return report();
  }
}
