package bench;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The peer's service in a process that has been at it for a while: its own program twice, and only
 * what it says the second time. Compiled beside the peer's programs, outside the project, when they
 * are there.
 */
public final class Warm {
  private Warm() {}

  /** Takes the rounds to warm up with, and those to measure. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    Service.main(new String[] {arguments[0]});
    System.setOut(out);
    Service.main(new String[] {arguments[1]});
  }
}
