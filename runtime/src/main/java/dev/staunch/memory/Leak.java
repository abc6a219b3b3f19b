package dev.staunch.memory;

import java.time.Duration;
import java.util.List;

/**
 * A resource that nobody closed: it became unreachable while its scope was open, or was open still
 * when its memory was closed.
 *
 * @param what the resource, such as {@code float32[3, 15]}
 * @param bytes what its storage holds; 0 for what holds none
 * @param scope the scope that should have freed it
 * @param age since it was made
 * @param unreachable whether nobody could have closed it any more
 * @param madeAt the stack that made it, innermost first, without frames of the memory room; empty
 *     if it was not remembered
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
