package dev.staunch.data.decode;

import dev.staunch.data.row.Mark;
import dev.staunch.data.row.Rows.Telling;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Raw bytes of consecutive examples. Reused; belongs to one thread at a time. */
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

  /** Makes an empty part without a file. */
  public Part() {}

  /** Turns this into an empty part of {@code name} that begins at {@code at}. */
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

  /** The position of the first byte in the file, counted in decompressed bytes. */
  public long offset() {
    return offset;
  }

  /**
   * The number of the first example in the file, counted from 0; each format defines its meaning.
   */
  public long first() {
    return first;
  }

  /** Whether line counting starts anew here. */
  public boolean startsFile() {
    return startsFile;
  }

  /** Lines of the file between the previous part and this one. */
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

  /** Returns the buffer, grown to at least {@code size} bytes; its contents are kept. */
  public byte[] room(int size) {
    if (bytes.length < size) {
      bytes = Arrays.copyOf(bytes, size);
    }
    return bytes;
  }

  /** Whether the text contains a quotation mark. */
  public boolean quoted() {
    return quoted;
  }

  void setQuoted(boolean found) {
    quoted = found;
  }

  /**
   * What is wrong with the file after these examples, if anything; needs the number of lines before
   * them.
   */
  public @Nullable Telling trouble() {
    return trouble;
  }

  public void setTrouble(Telling told) {
    trouble = told;
  }

  /** A note from the format's reader to its decoder. */
  public @Nullable Object note() {
    return note;
  }

  public void setNote(Object told) {
    note = told;
  }

  /**
   * Where this part begins, if its reader can begin there; the lines before it are counted later.
   */
  public @Nullable Mark mark() {
    return mark;
  }

  public void setMark(Mark place) {
    mark = place;
  }
}
