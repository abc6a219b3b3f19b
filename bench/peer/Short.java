package bench;

import java.lang.foreign.MemorySegment;

/**
 * The peer's timings of small operations, with fewer repetitions than in the peer's own program,
 * for a quick look. If the peer's programs are there, this is compiled with them, outside the
 * project.
 */
public final class Short {
  private static final int OPERATIONS = 30_000;
  private static final int WAITS = 4_000;

  private Short() {}

  /** Prints the same lines as the peer's own program. */
  public static void main(String[] arguments) throws Exception {
    Mx.Op increment = new Mx.Op("_plus_scalar", 1, 1, "scalar", "1");
    MemorySegment x = Mx.create(0, 4);
    Mx.fill(x, new float[4]);
    line("chained x += 1 on float[4], 1e5 ops", () -> increment.into(x, x), x);
    line("engine only: empty native task, chained", () -> Mx.pushNoop(x), x);
    Mx.bulk(16);
    line("chained x += 1, bulk size 16", () -> increment.into(x, x), x);
    Mx.bulk(0);
    double seconds =
        Bench.best(
            2,
            3,
            () -> {
              for (int i = 0; i < WAITS; i++) {
                increment.into(x, x);
                Mx.waitRead(x);
              }
            });
    Bench.line("x += 1 then wait, each time (round trip)", seconds / WAITS * 1e6, "us");
  }

  private static void line(String name, Runnable operation, MemorySegment x) throws Exception {
    double seconds =
        Bench.best(
            3,
            3,
            () -> {
              for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
              }
              Mx.waitRead(x);
            });
    Bench.line(name, OPERATIONS / seconds / 1e6, "M/s");
  }
}
