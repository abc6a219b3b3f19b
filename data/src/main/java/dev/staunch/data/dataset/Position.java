package dev.staunch.data.dataset;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place between two batches, from which a dataset of the same settings goes on exactly as it
 * would have (D6). Small and lasting: {@link #toString} and {@link #parse} are for a checkpoint.
 *
 * @param epoch counted from 0; each reset begins the next
 * @param batches how many of the epoch came before
 * @param places how many examples and faults of the epoch they took
 * @param settings what the order of the examples depends on, as one number
 */
public record Position(long epoch, long batches, long places, long settings) {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,18}):(\\d{1,18}):(\\d{1,18}):(-?\\d{1,19})");

  public Position {
    if (epoch < 0 || batches < 0 || places < 0) {
      throw new IllegalArgumentException("a position has a negative number: " + epoch);
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
      throw Fault.value(Message.of("`%s` is no position of a dataset", text)).toException();
    }
    return new Position(
        Long.parseLong(numbers.group(1)),
        Long.parseLong(numbers.group(2)),
        Long.parseLong(numbers.group(3)),
        Long.parseLong(numbers.group(4)));
  }

  @Override
  public String toString() {
    return epoch + ":" + batches + ":" + places + ":" + settings;
  }
}
