package dev.staunch.torchscript.pickle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Finds the original line of each byte of emitted code, in time linear in the debug information
 * (S7).
 */
class DebugInfoTest {
  private final ByteArrayOutputStream pickle = new ByteArrayOutputStream();

  private DebugInfoTest() {
    pickle.writeBytes(new byte[] {(byte) 0x80, 2});
  }

  private DebugInfoTest sign(char... signs) {
    for (char sign : signs) {
      pickle.write(sign);
    }
    return this;
  }

  private DebugInfoTest number(int value) {
    return sign('J').raw(value);
  }

  private DebugInfoTest raw(int value) {
    pickle.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array());
    return this;
  }

  private DebugInfoTest text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    sign('X').raw(utf8.length);
    pickle.writeBytes(utf8);
    return this;
  }

  /**
   * One row for each offset; the offset is also its position in the source, which all rows share.
   */
  private DebugInfoTest rows(int count, Runnable source) {
    sign('(');
    for (int i = 0; i < count; i++) {
      sign('(').number(i).sign('(');
      if (i == 0) {
        source.run();
      }
      sign(i == 0 ? 'q' : 'h', (char) 0).number(i).number(i + 1).sign('t', 't');
    }
    return sign('t');
  }

  private DebugInfo read() {
    sign('.');
    return new DebugInfo(pickle.toByteArray());
  }

  private static String place(DebugInfo info, int position) {
    return Objects.requireNonNull(info.original(position)).toString();
  }

  @Test
  void aSourceThatIsPutTogetherFromATableIsFoundByLineAndColumn() {
    sign('(').text("FORMAT_WITH_STRING_TABLE");
    sign('(').text("def f(x):\n").text("  return x\n").text("m.py").sign('t');
    Runnable parts =
        () -> sign('(', '(').number(0).number(1).sign('t').number(2).number(7).sign('t');
    DebugInfo info = rows(30, parts).sign('t').read();
    assertEquals("m.py:7:1: def f(x):", place(info, 0));
    assertEquals("m.py:7:10: def f(x):", place(info, 9));
    assertEquals("m.py:8:3: return x", place(info, 12));
    assertEquals("m.py:9:1", place(info, 21));
    assertNull(info.original(22), "behind the end of the source");
  }

  /**
   * Each further position looks only at its own line; whole-source scans would read 10^12
   * characters.
   */
  @Test
  void aMillionPlacesInASourceOfAMillionCharactersAreAMillionSteps() {
    int count = 1_000_000;
    String source = "x = 1\n".repeat(count / 6 + 1);
    Runnable whole = () -> sign('(').text(source).text("m.py").number(1).sign('t');
    DebugInfo info = rows(count, whole).read();
    for (int i = 0; i < count; i++) {
      assertEquals(1 + i / 6, Objects.requireNonNull(info.original(i)).line());
    }
  }

  /** A text of one megabyte, which each of twenty sources names ten thousand times. */
  @Test
  void aSourceThatIsPutTogetherOfTooMuchIsUnknown() {
    sign('(').text("FORMAT_WITH_STRING_TABLE");
    sign('(').text("y".repeat(1 << 20)).text("m.py").sign('t', '(');
    for (int i = 0; i < 20; i++) {
      sign('(').number(i).sign('(', '(', '(');
      for (int part = 0; part < 10_000; part++) {
        number(0);
      }
      sign('t').number(1).number(1).sign('t').number(0).number(1).sign('t', 't');
    }
    DebugInfo info = sign('t', 't').read();
    for (int i = 0; i < 20; i++) {
      assertNull(info.original(i));
    }
  }
}
