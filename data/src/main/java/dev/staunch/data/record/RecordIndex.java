package dev.staunch.data.record;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The offsets of a file's records, from the {@code .idx} file that accompanies it. */
public final class RecordIndex {
  private static final Pattern LINE = Pattern.compile("(-?\\d{1,19})\\t(\\d{1,18})");

  private final long[] offsets;

  private RecordIndex(long[] offsets) {
    this.offsets = offsets;
  }

  /**
   * Reads an index.
   *
   * @throws dev.staunch.fault.StaunchException.DataFormatException if a line is not a key and an
   *     offset
   */
  public static RecordIndex read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    List<Long> places = new ArrayList<>();
    for (String line : lines) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw new Place(ByteInput.name(file), "row", places.size() + 1, 0, -1, line)
            .fault("the line is not a key and place of a record", "a key, a tab, a byte", line)
            .toException();
      }
      places.add(Long.parseLong(parts.group(2)));
    }
    return new RecordIndex(places.stream().mapToLong(Long::longValue).toArray());
  }

  public int count() {
    return offsets.length;
  }

  /** The offset of record {@code number}, counted from 0. */
  public long offset(int number) {
    return offsets[number];
  }
}
