package dev.staunch.engine;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The engines on which the tests run; they have the same semantics (E6). */
final class Engines {
  private Engines() {}

  /** Each mode, with one and with several workers. */
  static Stream<EngineOptions> all() {
    return Stream.of(
        EngineOptions.serial(),
        EngineOptions.threaded(1),
        EngineOptions.threaded(2),
        EngineOptions.threaded(4),
        EngineOptions.seeded(1, 1),
        EngineOptions.seeded(2, 4),
        EngineOptions.seeded(3, 8));
  }

  /** One engine of each mode. */
  static Stream<EngineOptions> ofEachMode() {
    return Stream.of(EngineOptions.serial(), EngineOptions.threaded(2), EngineOptions.seeded(2, 4));
  }

  /** Engines with threads of their own. */
  static Stream<EngineOptions> threaded() {
    return IntStream.of(1, 2, 4).mapToObj(EngineOptions::threaded);
  }

  /** Engines on which no two tasks run at once. */
  static Stream<EngineOptions> withOneThread() {
    return Stream.concat(Stream.of(EngineOptions.threaded(1)), turns());
  }

  /** Engines without threads of their own. */
  static Stream<EngineOptions> turns() {
    return all().filter(options -> options.mode() != EngineOptions.Mode.THREADED);
  }

  /** {@code count} interleavings of four workers. */
  static Stream<EngineOptions> seeded(int count) {
    return LongStream.range(0, count).mapToObj(seed -> EngineOptions.seeded(seed, 4));
  }
}
