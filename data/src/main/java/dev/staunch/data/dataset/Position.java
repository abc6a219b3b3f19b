package dev.staunch.data.dataset;

import dev.staunch.data.row.Mark;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place between two batches, from which a dataset with the same settings continues exactly as the
 * original would have. Small and durable: {@link #toString} and {@link #parse} serve checkpoints.
 *
 * @param epoch counted from 0; each reset begins the next
 * @param batches how many batches of the epoch came before
 * @param places how many examples and faults of the epoch those batches took
 * @param settings everything that determines the order of the examples, as one number
 * @param entry where to begin to read; null for the start of the epoch
 */
public record Position(
    long epoch, long batches, long places, long settings, @Nullable Entry entry) {
  /**
   * A mark at or before the position.
   *
   * @param places how many examples and faults of the epoch come before the mark
   */
  public record Entry(long places, Mark mark) {
    public Entry {
      if (places < 0) {
        throw new IllegalArgumentException("an entry has a negative number: " + places);
      }
    }
  }

  private static final Pattern TEXT =
      Pattern.compile(
          "(\\d{1,18}):(\\d{1,18}):(\\d{1,18}):(-?\\d{1,19})"
              + "(?:@(\\d{1,18}):(\\d{1,18}):(\\d{1,18}):(\\d{1,18}))?");

  public Position {
    if (epoch < 0 || batches < 0 || places < 0) {
      throw new IllegalArgumentException("a position has a negative number: " + epoch);
    }
    if (entry != null && entry.places > places) {
      throw new IllegalArgumentException("the entry of a position lies behind it: " + entry.places);
    }
  }

  /**
   * Parses the result of {@link #toString}.
   *
   * @throws dev.staunch.fault.StaunchException.ValueException if it is not a position
   */
  public static Position parse(String text) {
    Matcher numbers = TEXT.matcher(text);
    try {
      if (numbers.matches()) {
        return new Position(
            Long.parseLong(numbers.group(1)),
            Long.parseLong(numbers.group(2)),
            Long.parseLong(numbers.group(3)),
            Long.parseLong(numbers.group(4)),
            numbers.group(5) == null ? null : entry(numbers));
      }
    } catch (IllegalArgumentException e) {
      // numbers that are too large, or of places that do not fit each other
    }
    throw Fault.value(Message.of("`%s` is not a position of a dataset", text)).toException();
  }

  private static Entry entry(Matcher numbers) {
    return new Entry(
        Long.parseLong(numbers.group(5)),
        new Mark(
            Long.parseLong(numbers.group(6)),
            Long.parseLong(numbers.group(7)),
            Long.parseLong(numbers.group(8))));
  }

  @Override
  public String toString() {
    String place = epoch + ":" + batches + ":" + places + ":" + settings;
    if (entry == null) {
      return place;
    }
    Mark mark = entry.mark;
    return place + "@" + entry.places + ":" + mark.file() + ":" + mark.at() + ":" + mark.lines();
  }
}
