package dev.staunch.torchscript.pickle;

import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps byte offsets in an archive's emitted code to lines of the original Python source. Damaged
 * debug information is not an error: it then has no original lines. Thread-safe.
 */
public final class DebugInfo {
  /** Maps nothing. */
  public static final DebugInfo NONE = new DebugInfo(new byte[0]);

  private static final String WITH_TABLE = "FORMAT_WITH_STRING_TABLE";

  /** The original text, and the position in it, that a run of emitted bytes comes from. */
  private record Row(Pickled source, long start) {}

  /**
   * The most characters of all texts together; otherwise a few strings, joined repeatedly, would
   * grow large.
   */
  private static final int MAX_JOINED = 1 << 26;

  /** Keyed by the first byte of the run. */
  private final TreeMap<Long, Row> rows = new TreeMap<>();

  private List<Pickled> strings = List.of();
  private int left = MAX_JOINED;

  /** Each source is assembled once, however many rows refer to it. */
  private final Map<Pickled, OriginalSource> sources = new IdentityHashMap<>();

  /** Null once it has been read. */
  private byte @Nullable [] pickle;

  /**
   * @param pickle the contents of the record {@code NAME.py.debug_pkl}, read when a line is first
   *     requested
   */
  public DebugInfo(byte[] pickle) {
    this.pickle = pickle;
  }

  private void read(byte[] bytes) {
    try {
      if (Unpickler.read("debug_pkl", bytes) instanceof Pickled.Tuple tuple) {
        read(tuple.items());
      }
    } catch (StaunchException damaged) {
      return; // leaves the map empty
    }
  }

  private void read(List<Pickled> items) {
    boolean table =
        items.size() == 3
            && items.get(0) instanceof Pickled.Text marker
            && marker.value().equals(WITH_TABLE);
    (table ? elements(items.get(2)) : items).forEach(item -> add(elements(item)));
    strings = table ? elements(items.get(1)) : List.of();
  }

  private void add(List<Pickled> fields) {
    if (fields.size() >= 2 && fields.get(0) instanceof Pickled.Int offset) {
      List<Pickled> range = elements(fields.get(1));
      if (range.size() >= 3 && range.get(1) instanceof Pickled.Int start) {
        rows.put(offset.value(), new Row(range.get(0), start.value()));
      }
    }
  }

  private static List<Pickled> elements(Pickled value) {
    return switch (value) {
      case Pickled.Tuple tuple -> tuple.items();
      case Pickled.Sequence list -> list.items;
      default -> List.of();
    };
  }

  /** The original line for the emitted byte at {@code position}, or null if it is unknown. */
  public synchronized @Nullable SourceLocation original(int position) {
    byte[] unread = pickle;
    if (unread != null) {
      pickle = null;
      read(unread);
    }
    var run = rows.floorEntry((long) position);
    return run == null ? null : location(run.getValue());
  }

  private @Nullable SourceLocation location(Row row) {
    OriginalSource source = sources.get(row.source());
    if (source == null) {
      source = source(elements(row.source()));
      sources.put(row.source(), source);
    }
    return source.location(row.start());
  }

  private OriginalSource source(List<Pickled> fields) {
    if (fields.size() < 3 || !(fields.get(2) instanceof Pickled.Int first)) {
      return OriginalSource.UNKNOWN;
    }
    String file = text(fields.get(1));
    String text = text(fields.get(0));
    return file == null || text == null
        ? OriginalSource.UNKNOWN
        : new OriginalSource(file, text, first.value());
  }

  /**
   * Returns a text, or the concatenation of the strings that a list of indices selects from the
   * string table.
   */
  private @Nullable String text(Pickled value) {
    return switch (value) {
      case Pickled.Text text -> text.value();
      case Pickled.Int index -> string(index.value());
      case Pickled.Tuple tuple -> joined(tuple.items());
      case Pickled.Sequence list -> joined(list.items);
      default -> null;
    };
  }

  private @Nullable String joined(List<Pickled> indices) {
    StringBuilder text = new StringBuilder();
    for (Pickled index : indices) {
      String part = index instanceof Pickled.Int number ? string(number.value()) : "";
      text.append(part == null ? "" : part);
      if (text.length() > left) {
        return null;
      }
    }
    left -= text.length();
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
