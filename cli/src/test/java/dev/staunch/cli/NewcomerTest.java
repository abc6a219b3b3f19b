package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user sees who runs the commands for the first time and gets them wrong. */
class NewcomerTest {
  @TempDir private Path folder = Path.of("");
  private String out = "";
  private String err = "";

  private int run(String... arguments) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    int status = Main.run(new PrintWriter(output, true), new PrintWriter(errors, true), arguments);
    out = output.toString();
    err = errors.toString();
    assertFalse((out + err).contains("Exception:"), out + err);
    return status;
  }

  private void prepare() throws IOException {
    Files.createDirectory(folder.resolve("folder"));
    Files.write(folder.resolve("empty"), new byte[0]);
    Files.writeString(folder.resolve("text"), "hello\n");
    Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
  }

  /**
   * Exit status, command line, and a part of the output; {@code @} stands for the folder with the
   * files.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          2 | predict                                    | staunch: missing required parameters: 'MODEL', 'REQUESTS'
          2 | predict @/MODEL                            | staunch: missing required parameter: 'REQUESTS'
          2 | predict @/MODEL @/empty --threads x        | staunch: invalid value for option '--threads': 'x' is not a whole number, or too large a one
          1 | predict @/MODEL @/absent                   | there is no file
          1 | predict @/MODEL @/folder                   | is a folder, not a file
          2 | predict @/MODEL @/empty --threads 0        | --threads must be at least 1, but was 0
          2 | predict @/MODEL @/empty --deadline -1      | --deadline must be 0 or more, but was -1
          1 | predict @/MODEL @/empty --out @/absent/out | cannot be written: there is no folder
          1 | predict @/MODEL @/empty --out @/folder     | cannot be written: it is a folder
          2 | predict @/MODEL @/text --out @/text        | cannot be written: it is to be read; name another file
          2 | predict @/MODEL @/text --out @/MODEL       | cannot be written: it is to be read; name another file
          0 | predict @/MODEL @/empty                    | 0 requests: 0 answered, 0 failed
          0 | predict @/MODEL @/empty --deadline 9223372036854775807 | 0 requests
          3 | predict @/MODEL @/text                     | 1 request: 0 answered, 1 failed
          3 | predict @/MODEL @/binary                   | 1 request: 0 answered, 1 failed
          1 | predict @/absent @/empty                   | there is no such file
          1 | predict @/folder @/empty                   | it is a folder, not an archive
          1 | predict @/empty @/empty                    | is not a readable archive: the file is empty
          1 | predict @/text @/empty                     | so it is cut off or was never an archive
          1 | inspect @/folder                           | it is a folder, not an archive
          2 | inspect                                    | missing required parameter: 'MODEL'
          2 | inspect @/MODEL --method forward           | --method says what --example or --metadata is for
          1 | diff @/MODEL @/binary                      | binary holds no recorded calls: it is not text in UTF-8
          1 | diff @/MODEL @/absent                      | there is no file
          1 | diff @/MODEL @/folder                      | is a folder, not a file
          1 | debug @/MODEL --args @/absent              | there is no file
          1 | debug @/MODEL --args @/empty --trace @/absent/out | cannot be written: there is no folder
          1 | pack @/folder @/absent/out                 | cannot be written: there is no folder
          1 | debug @/MODEL --args @/binary              | the request is no
          1 | unpack @/MODEL @/text                      | text is a file
          1 | verify @/absent                            | 0 passed, 1 failed
          1 | verify @/text @/MODEL                      | 1 passed, 1 failed
          0 | verify @/MODEL                             | 1 archive has no recorded calls: loaded and checked, but not run
          2 | verify @/folder                            | there is no archive (*.pt) in folder
          1 | verify @/MODEL --cases @/absent            | there is no folder
          1 | run @/absent                               | there is no such file
          1 | run @/folder                               | is a folder, not a program
          1 | run @/binary                               | is not text in UTF-8, so not a program
          1 | run @/text                                 | expected 'func' but found 'hello'
          2 | run @/text --workers 0                     | --workers must be at least 1, but was 0
          2 | inspect @/MODEL extra                      | there is one argument too many: 'extra'
          2 | nonsense                                   | there is no command 'nonsense'
          2 | pridict                                    | Did you mean: staunch predict
          2 | pridict                                    | staunch: there is no command 'pridict'
          2 | --versoin                                  | Possible solutions: --version
          """)
  void whatIsWrongIsSaidInASentence(int status, String command, String words) throws Exception {
    prepare();
    try (DemoModel demo = new DemoModel()) {
      Files.copy(demo.archive, folder.resolve("model.pt"));
      String[] arguments =
          command.replace("MODEL", "model.pt").replace("@", folder.toString()).split(" +", -1);
      assertEquals(status, run(arguments), out + err);
      assertTrue((out + err).contains(words), out + err);
      if (status == 2) {
        assertTrue(err.startsWith("staunch: ") && err.contains(" --help'."), err);
        assertTrue(err.lines().count() <= 6, err);
      }
    }
  }

  @Test
  void whatTorchSaveWritesIsToldFromAModelWithCode() throws Exception {
    Path saved = folder.resolve("saved.pt");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(saved))) {
      for (String record : List.of("data.pkl", "data/0", "version")) {
        zip.putNextEntry(new ZipEntry("saved/" + record));
        zip.write('3');
      }
    }
    assertEquals(1, run("inspect", saved.toString()));
    assertTrue(err.contains("saved.pt holds values but no code"), err);
    assertTrue(err.contains("save the model by torch.jit.script(model.eval()).save(file)"), err);
  }

  @Test
  void answersThatAreThereStayIfTheModelLacksTheMethod() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String requests = Files.write(folder.resolve("requests"), demo.requests).toString();
      Path answers = Files.writeString(folder.resolve("answers"), "of yesterday");
      String model = demo.archive.toString();
      assertEquals(
          1, run("predict", model, requests, "--out", answers.toString(), "--method", "score"));
      assertEquals("of yesterday", Files.readString(answers));
    }
  }

  @Test
  void aLineThatIsNoRequestIsFoundAgainAndTheOthersAreAnswered() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      byte[] good = (demo.requests.get(0) + "\r\n").getBytes(StandardCharsets.UTF_8);
      Path requests = folder.resolve("requests.jsonl");
      try (var file = Files.newOutputStream(requests)) {
        file.write(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf});
        file.write(good);
        file.write("\r\n{\"id\":\"\u00e4\"}\n".getBytes(StandardCharsets.ISO_8859_1));
        file.write("{\"id\":\"x\",\"inputs\":[]}\n".getBytes(StandardCharsets.UTF_8));
        file.write(good);
      }
      assertEquals(3, run("predict", demo.archive.toString(), requests.toString()));
      List<String> lines = out.lines().toList();
      assertEquals(4, lines.size(), out);
      assertTrue(lines.get(0).contains("\"outputs\""), out);
      assertTrue(lines.get(1).contains("\"error\":\"the request is not UTF-8 text\""), out);
      assertTrue(lines.get(1).contains("requests.jsonl:3\""), out);
      assertTrue(lines.get(2).contains("the request lacks the input 'user'"), out);
      assertTrue(lines.get(2).contains("requests.jsonl:4\""), out);
      assertTrue(lines.get(3).contains("\"outputs\""), out);
    }
  }

  /** A reader that disappears after the first line. */
  private static final class Gone extends Writer {
    private int written;

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
      written += length;
      if (written > 200) {
        throw new IOException("Broken pipe");
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void whenTheReaderGoesAwayTheCommandEndsWithoutAWord() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      Path requests = Files.write(folder.resolve("requests.jsonl"), demo.requests);
      String model = demo.archive.toString();
      for (String[] command :
          List.of(
              new String[] {"predict", model, requests.toString()},
              new String[] {"inspect", model},
              new String[] {"--help"})) {
        StringWriter errors = new StringWriter();
        int status =
            Main.run(new PrintWriter(new Gone(), true), new PrintWriter(errors, true), command);
        assertEquals(141, status, command[0]);
        assertEquals("", errors.toString());
      }
    }
  }

  @Test
  void everyHelpNamesItsExitStatuses() {
    for (String command : List.of("predict", "inspect", "verify", "run", "demo")) {
      assertEquals(0, run(command, "--help"));
      assertTrue(out.contains("Exit status:") && out.contains("Example"), out);
    }
    assertEquals(0, run("--help"));
    assertTrue(out.contains("130   stopped by Ctrl-C"), out);
  }
}
