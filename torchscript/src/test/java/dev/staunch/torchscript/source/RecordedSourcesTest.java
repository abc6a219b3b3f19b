package dev.staunch.torchscript.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordedSourcesTest {
  @Test
  void everyRecordedFileIsRead() throws IOException {
    List<String> refused = new ArrayList<>();
    Map<String, byte[]> sources = Recordings.sources();
    sources.forEach((name, text) -> {
      try {
        Parser.definitions(new SourceFile(name, text));
      } catch (StaunchException e) {
        refused.add(e.fault().source() + ": " + e.getMessage());
      }
    });
    assertFalse(sources.isEmpty());
    assertEquals(List.of(), refused);
  }

  @Test
  void aPrintedTreeReadsAsTheSameTree() throws IOException {
    Recordings.sources()
        .forEach((name, text) -> {
          SourceFile file = new SourceFile(name, text);
          SourceFile again = TreeText.parse(SourcePrinter.print(file));
          assertEquals(
              TreeText.of(Parser.definitions(file)), TreeText.of(Parser.definitions(again)), name);
        });
  }

  @Test
  void windowsLineEndsAndBlankLinesChangeNothing() throws IOException {
    Recordings.sources()
        .forEach((name, text) -> {
          SourceFile file = new SourceFile(name, text);
          SourceFile other = TreeText.parse(file.text().replace("\n", " # why\r\n \t\r\n"));
          assertEquals(
              TreeText.of(Parser.definitions(file)), TreeText.of(Parser.definitions(other)), name);
        });
  }
}
