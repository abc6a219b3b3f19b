package bench;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The peer's service in a process that has run for a while: runs the peer's own program twice and
 * prints only the second output. If the peer's programs are there, this is compiled with them,
 * outside the project.
 */
public final class Warm {
  private Warm() {}

  /** Takes the number of rounds to warm up with, and the number of rounds to measure. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    Service.main(new String[] {arguments[0]});
    System.setOut(out);
    Service.main(new String[] {arguments[1]});
  }
}
