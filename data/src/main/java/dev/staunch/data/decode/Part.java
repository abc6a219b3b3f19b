package dev.staunch.data.decode;

import dev.staunch.data.row.Mark;
import dev.staunch.data.row.Rows.Telling;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Raw bytes of some consecutive examples. Reused; belongs to one thread at a time. */
public final class Part {
  private String file = "";
  private byte[] bytes = {};
  private int length;
  private long offset;
  private long first;
  private long linesSkipped;
  private boolean startsFile;
  private boolean quoted;
  private @Nullable Telling trouble;
  private @Nullable Object note;
  private @Nullable Mark mark;

  /** An empty part of nothing. */
  public Part() {}

  /** Makes this the empty part of {@code name} at {@code at}. */
  public void begin(String name, long at, long firstExample, boolean atStart) {
    file = name;
    offset = at;
    first = firstExample;
    startsFile = atStart;
    length = 0;
    linesSkipped = 0;
    quoted = false;
    trouble = null;
    note = null;
    mark = null;
  }

  /** The file's name, for messages. */
  public String file() {
    return file;
  }

  /** Where the first byte stands in the file, unpacked. */
  public long offset() {
    return offset;
  }

  /**
   * The number of the first example in the file, counted from 0; what that means is the format's.
   */
  public long first() {
    return first;
  }

  /** Whether the count of lines begins anew here. */
  public boolean startsFile() {
    return startsFile;
  }

  /** Lines of the file between the part before and this. */
  public long linesSkipped() {
    return linesSkipped;
  }

  void skipLines(long number) {
    linesSkipped += number;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public void setLength(int valid) {
    length = valid;
  }

  /** The buffer, at least {@code size} long, what was in it kept. */
  public byte[] room(int size) {
    if (bytes.length < size) {
      bytes = Arrays.copyOf(bytes, size);
    }
    return bytes;
  }

  /** Whether there is a quotation mark in text. */
  public boolean quoted() {
    return quoted;
  }

  void setQuoted(boolean found) {
    quoted = found;
  }

  /**
   * What is wrong with the file behind these examples, if anything; told with the number of lines
   * that came before.
   */
  public @Nullable Telling trouble() {
    return trouble;
  }

  public void setTrouble(Telling told) {
    trouble = told;
  }

  /** What the format's reader tells its decoder. */
  public @Nullable Object note() {
    return note;
  }

  public void setNote(Object told) {
    note = told;
  }

  /** Where this begins, if its reader can begin there; the lines before are counted later. */
  public @Nullable Mark mark() {
    return mark;
  }

  public void setMark(Mark place) {
    mark = place;
  }
}
