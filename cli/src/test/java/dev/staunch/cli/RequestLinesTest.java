package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files of requests as editors, other systems and damaged disks leave them. */
class RequestLinesTest {
  private static RequestLines lines(InputStream in) {
    return new RequestLines(in, 1000);
  }

  private static RequestLines lines(String text) {
    return lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static List<String> read(String text) throws IOException {
    List<String> found = new ArrayList<>();
    RequestLines lines = lines(text);
    for (var line = lines.next(); line != null; line = lines.next()) {
      Fault fault = line.fault();
      found.add(line.number() + ":" + (fault == null ? text(line.bytes()).strip() : fault));
    }
    return found;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void lineEndsOfBothKindsAreLineEnds() throws IOException {
    assertEquals(List.of("1:a", "2:b", "3:c"), read("a\r\nb\nc"));
    assertEquals(List.of(), read(""));
  }

  @Test
  void blankLinesAreLeftOutButCounted() throws IOException {
    assertEquals(List.of("2:a", "5:b"), read("\na\n  \n\r\nb\n\n"));
  }

  @Test
  void aLineOfZeroBytesIsNotBlank() throws IOException {
    assertEquals(List.of("1:\0\0", "2:a", "4:\0"), read("\0\0\na\n \t\r\f\n\0"));
  }

  @Test
  void aLineThatIsTooLongIsAFaultAndIsNotKept() throws IOException {
    List<String> found = read("a\n" + "x".repeat(200_000) + "\nb");
    assertEquals(3, found.size());
    assertTrue(
        found.get(1).contains("a request may have 1000 bytes, but line 2 has 200000"),
        found.get(1));
    assertEquals("3:b", found.get(2));
  }

  @Test
  @Timeout(60)
  void anAnswerDoesNotWaitForTheNextRequest() throws IOException {
    PipedOutputStream out = new PipedOutputStream();
    List<Object> answers = new ArrayList<>();
    try (PipedInputStream in = new PipedInputStream(out)) {
      out.write("0\n".getBytes(StandardCharsets.UTF_8));
      out.flush();
      new AnswersInOrder(lines(in), 2, RequestLines.Line::number)
          .forEach((answer, moreReady) -> {
            answers.add(answer);
            if (answers.size() == 5) {
              out.close();
            } else {
              out.write("next\n".getBytes(StandardCharsets.UTF_8));
              out.flush();
            }
          });
    }
    assertEquals(List.<Object>of(1L, 2L, 3L, 4L, 5L), answers);
  }

  @Test
  @Timeout(60)
  void answersKeepTheOrderOfTheirLines() throws IOException {
    List<Object> answers = new ArrayList<>();
    List<Object> wanted = new ArrayList<>();
    for (long i = 1; i <= 500; i++) {
      wanted.add(i);
    }
    new AnswersInOrder(lines("x\n".repeat(500)), 4, RequestLines.Line::number)
        .forEach((answer, moreReady) -> answers.add(answer));
    assertEquals(wanted, answers);
  }

  @Test
  @Timeout(60)
  void whenNobodyTakesTheAnswersNothingMoreIsRead() {
    AnswersInOrder answers =
        new AnswersInOrder(lines("x\n".repeat(5000)), 2, RequestLines.Line::number);
    IOException closed =
        assertThrows(
            UnclosedWriter.ClosedPipe.class,
            () ->
                answers.forEach((answer, moreReady) -> {
                  throw new UnclosedWriter.ClosedPipe();
                }));
    assertNotNull(closed.getMessage());
  }

  @Test
  @Timeout(60)
  void linesThatCannotBeReadOnAreAFaultBehindTheAnswers() {
    InputStream broken =
        new InputStream() {
          private int left = 4;

          @Override
          public int read() throws IOException {
            if (left-- == 0) {
              throw new IOException("the disk is gone");
            }
            return left % 2 == 1 ? 'x' : '\n';
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            bytes[offset] = (byte) read();
            return 1;
          }
        };
    List<Object> answers = new ArrayList<>();
    StaunchException thrown =
        assertThrows(
            StaunchException.class,
            () ->
                new AnswersInOrder(lines(broken), 2, RequestLines.Line::number)
                    .forEach((answer, moreReady) -> answers.add(answer)));
    assertEquals(List.<Object>of(1L, 2L), answers);
    assertTrue(thrown.getMessage().contains("cannot be read on: the disk is gone"), thrown + "");
    assertNull(thrown.fault().source());
  }
}
