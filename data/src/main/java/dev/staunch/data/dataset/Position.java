package dev.staunch.data.dataset;

import dev.staunch.data.row.Mark;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place between two batches, from which a dataset of the same settings goes on exactly as it
 * would have. Small and lasting: {@link #toString} and {@link #parse} are for a checkpoint.
 *
 * @param epoch counted from 0; each reset begins the next
 * @param batches how many of the epoch came before
 * @param places how many examples and faults of the epoch they took
 * @param settings what the order of the examples depends on, as one number
 * @param entry where to begin to read; null if that is the start of the epoch
 */
public record Position(
    long epoch, long batches, long places, long settings, @Nullable Entry entry) {
  /**
   * A mark of the examples before the position.
   *
   * @param places how many of the epoch come before it
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
   * The position that {@link #toString} wrote.
   *
   * @throws dev.staunch.fault.StaunchException.ValueException if it is none
   */
  public static Position parse(String text) {
    Matcher numbers = TEXT.matcher(text);
    if (!numbers.matches()) {
      throw Fault.value(Message.of("`%s` is not a position of a dataset", text)).toException();
    }
    return new Position(
        Long.parseLong(numbers.group(1)),
        Long.parseLong(numbers.group(2)),
        Long.parseLong(numbers.group(3)),
        Long.parseLong(numbers.group(4)),
        numbers.group(5) == null ? null : entry(numbers));
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
