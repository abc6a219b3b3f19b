package dev.staunch.torchscript.pickle;

import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * From a byte offset in an archive's emitted code to the line of the original Python source that it
 * came from. Damaged debug information is no error: it knows no original line.
 */
public final class DebugInfo {
  /** Knows nothing. */
  public static final DebugInfo NONE = new DebugInfo(List.of());

  private static final String WITH_TABLE = "FORMAT_WITH_STRING_TABLE";

  /** A run of emitted bytes from {@code offset} and the original text it came from. */
  private record Row(long offset, Pickled source, long start) {}

  private final List<Row> rows;
  private List<Pickled> strings = List.of();

  private DebugInfo(List<Row> rows) {
    this.rows = rows;
  }

  /** Reads the record {@code NAME.py.debug_pkl}. */
  public static DebugInfo read(String record, byte[] bytes) {
    try {
      if (Unpickler.read(record, bytes) instanceof Pickled.Tuple tuple) {
        return of(tuple.items());
      }
    } catch (StaunchException damaged) {
      return NONE;
    }
    return NONE;
  }

  private static DebugInfo of(List<Pickled> items) {
    boolean table =
        items.size() == 3
            && items.get(0) instanceof Pickled.Text marker
            && marker.value().equals(WITH_TABLE);
    List<Pickled> listed = table ? elements(items.get(2)) : items;
    List<Row> rows = new ArrayList<>();
    for (Pickled item : listed) {
      Row row = row(elements(item));
      if (row != null) {
        rows.add(row);
      }
    }
    rows.sort(Comparator.comparingLong(Row::offset));
    DebugInfo info = new DebugInfo(rows);
    info.strings = table ? elements(items.get(1)) : List.of();
    return info;
  }

  private static @Nullable Row row(List<Pickled> fields) {
    if (fields.size() >= 2 && fields.get(0) instanceof Pickled.Int offset) {
      List<Pickled> range = elements(fields.get(1));
      if (range.size() >= 3 && range.get(1) instanceof Pickled.Int start) {
        return new Row(offset.value(), range.get(0), start.value());
      }
    }
    return null;
  }

  private static List<Pickled> elements(Pickled value) {
    return switch (value) {
      case Pickled.Tuple tuple -> tuple.items();
      case Pickled.Sequence list -> list.items;
      default -> List.of();
    };
  }

  /** The original line behind the emitted byte at {@code position}, or null if it is unknown. */
  public @Nullable SourceLocation original(int position) {
    int low = 0;
    int high = rows.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rows.get(middle).offset() <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? null : location(rows.get(low - 1));
  }

  private @Nullable SourceLocation location(Row row) {
    List<Pickled> source = elements(row.source());
    if (source.size() < 3 || !(source.get(2) instanceof Pickled.Int first)) {
      return null;
    }
    String file = text(source.get(1));
    String text = text(source.get(0));
    if (file == null || file.isEmpty() || text == null || row.start() > text.length()) {
      return null;
    }
    int start = (int) Math.max(0, row.start());
    int lineStart = text.lastIndexOf('\n', start - 1) + 1;
    int lineEnd = text.indexOf('\n', start);
    long line = first.value() + text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
    String shown = text.substring(lineStart, lineEnd < 0 ? text.length() : lineEnd).strip();
    boolean sane = line > 0 && line < Integer.MAX_VALUE;
    return sane ? new SourceLocation(file, (int) line, start - lineStart + 1, shown, null) : null;
  }

  /** A text, or the concatenation of those that a list of indices names in the string table. */
  private @Nullable String text(Pickled value) {
    return switch (value) {
      case Pickled.Text text -> text.value();
      case Pickled.Int index -> string(index.value());
      case Pickled.Tuple tuple -> joined(tuple.items());
      case Pickled.Sequence list -> joined(list.items);
      default -> null;
    };
  }

  private String joined(List<Pickled> indices) {
    StringBuilder text = new StringBuilder();
    for (Pickled index : indices) {
      String part = index instanceof Pickled.Int number ? string(number.value()) : null;
      text.append(part == null ? "" : part);
    }
    return text.toString();
  }

  private @Nullable String string(long index) {
    return index >= 0
            && index < strings.size()
            && strings.get((int) index) instanceof Pickled.Text text
        ? text.value()
        : null;
  }
}
