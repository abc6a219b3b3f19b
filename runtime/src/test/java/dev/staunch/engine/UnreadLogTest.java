package dev.staunch.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the default handler of unread faults writes to the log (F10). */
class UnreadLogTest {
  private static final SourceLocation PLACE = SourceLocation.of("Shop.java", 17, 0);

  private static final class Lines extends Handler {
    private final List<LogRecord> records = new ArrayList<>();

    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    List<String> texts() {
      return records.stream().map(LogRecord::getMessage).toList();
    }
  }

  private static Lines logged(Runnable work) {
    Lines lines = new Lines();
    Logger logger = Logger.getLogger("dev.staunch.engine");
    boolean parents = logger.getUseParentHandlers();
    logger.setUseParentHandlers(false);
    logger.addHandler(lines);
    try {
      work.run();
    } finally {
      logger.removeHandler(lines);
      logger.setUseParentHandlers(parents);
    }
    return lines;
  }

  @Test
  void aFaultIsOneWarningWithItsOperationAndItsPlace() {
    Fault fault = Fault.value("7 is too much").withOperation("aten::add", List.of());
    Lines lines = logged(() -> new UnreadLog().accept(fault.withSource(PLACE)));
    assertEquals(
        List.of(
            "a fault was never read: %s in aten::add at Shop.java:17 (0 more since the last line)"
                .formatted(fault)),
        lines.texts());
    assertEquals(Level.WARNING, lines.records.getFirst().getLevel());
  }

  @Test
  void aFaultWithoutOperationAndPlaceSaysNeither() {
    Fault fault = Fault.value("7 is too much");
    Lines lines = logged(() -> new UnreadLog().accept(fault));
    assertEquals(
        List.of("a fault was never read: " + fault + " (0 more since the last line)"),
        lines.texts());
  }

  @Test
  void inOneSecondThereIsOneLineAndTheNextCountsTheRest() {
    AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5); // as System.nanoTime may be
    UnreadLog log = new UnreadLog(clock::get, UnreadLog::log);
    Lines lines =
        logged(() -> {
          log.accept(Fault.value("first"));
          log.accept(Fault.value("second"));
          clock.addAndGet(999_999_999);
          log.accept(Fault.value("third"));
          clock.incrementAndGet();
          log.accept(Fault.value("fourth"));
          clock.addAndGet(1_000_000_000);
          log.accept(Fault.value("fifth"));
        });
    String line = "a fault was never read: %s (%s more since the last line)";
    assertEquals(
        List.of(
            line.formatted(Fault.value("first"), 0),
            line.formatted(Fault.value("fourth"), 2),
            line.formatted(Fault.value("fifth"), 0)),
        lines.texts());
  }

  /** F10: an engine without a handler of its own, in every mode. */
  @ParameterizedTest
  @MethodSource("dev.staunch.engine.Engines#all")
  void anEngineLogsWhatNobodyReadsUnlessItIsToldOtherwise(EngineOptions options) {
    Lines lines =
        logged(() -> {
          try (Engine engine = Engine.start(options)) {
            Task failing = Step.failing(Uses.NONE, Fault.value("7 is too much"));
            engine.open("program").push(failing);
          }
        });
    assertEquals(1, lines.records.size(), () -> lines.texts().toString());
    assertTrue(lines.texts().getFirst().contains("7 is too much"), lines.texts()::getFirst);
  }
}
