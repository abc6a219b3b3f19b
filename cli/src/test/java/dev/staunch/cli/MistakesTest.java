package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.testkit.Conformance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Typical mistakes in requests and files, and the messages about them in {@code mistakes.txt}; each
 * message says what to do.
 */
class MistakesTest {
  private static final String USER = input("user", "[2]", "INT64", "[1,2]");
  private static final String ITEM = input("item", "[2]", "INT64", "[1,2]");
  private static final String FEATURES = features(2, 8);

  @TempDir private Path folder = Path.of("");
  private final List<String> told = new ArrayList<>();

  private static String input(String name, String shape, String datatype, String data) {
    return "{\"name\":\"%s\",\"shape\":%s,\"datatype\":\"%s\",\"data\":%s}"
        .formatted(name, shape, datatype, data);
  }

  private static String features(int rows, int width) {
    String data = "0.5,".repeat(rows * width - 1) + "0.5";
    return input("features", "[" + rows + "," + width + "]", "FP32", "[" + data + "]");
  }

  private static String colours() {
    return input("x", "[1,3,28,28]", "FP32", "[" + "0,".repeat(3 * 28 * 28 - 1) + "0]");
  }

  private static String request(String... inputs) {
    return "{\"inputs\":[" + String.join(",", inputs) + "]}";
  }

  @Test
  void whoeverGetsARequestOrAFileWrongIsToldWhatToDo() throws Exception {
    Path model = Files.move(DemoFiles.archive(), folder.resolve("ranker.pt"));
    String good = request(USER, ITEM, FEATURES);
    line("good", good);
    line("datatype", request(USER.replace("INT64", "FP32"), ITEM, FEATURES));
    line("doubles", request(USER, ITEM, FEATURES.replace("FP32", "FP64")));
    line("unknown datatype", request(USER.replace("INT64", "int64"), ITEM, FEATURES));
    line("missing field", good.replace("\"datatype\":\"INT64\",", ""));
    line("missing input", request(USER, ITEM));
    line("comma too many", good.replace("[1,2]", "[1,2,]"));
    line("comma missing", good.replace("[1,2]", "[1 2]"));
    line("quote missing", good.replace("\"name\":", "\"name:"));
    line("huge number", good.replace("0.5,0.5", "1e39,0.5"));
    line("huge index", good.replace("[1,2]", "[1,99999999999999999999]"));
    line("index out of range", request(input("user", "[2]", "INT64", "[1,2000]"), ITEM, FEATURES));
    line("NaN", good.replace("0.5,0.5", "NaN,0.5"));
    line("wrong width", request(USER, ITEM, features(2, 7)));
    line("batch mismatch", request(USER, ITEM, features(3, 8)));
    line("fewer values than the shape says", good.replace("[2,8]", "[2,9]"));
    line("nothing at all", "{}");
    line("no inputs", "{\"inputs\":[]}");
    line("wrong name", good.replace("\"user\"", "\"users\""));
    line("swapped inputs", request(swapped("user", FEATURES), ITEM, swapped("features", USER)));
    line(
        "swapped in order",
        request(swapped("a", FEATURES), swapped("b", ITEM), swapped("c", USER)));
    line("pretty-printed", good.replace("{", "{\n").lines().findFirst().orElseThrow());
    line("several requests in an array", "[" + good + "," + good + "]");
    Path archives = Conformance.torchscript().resolve("archives");
    Files.copy(archives.resolve("mlp_bn_sigmoid.pt"), model, StandardCopyOption.REPLACE_EXISTING);
    line("five features of sixteen", request(input("x", "[1,5]", "FP32", "[1,2,3,4,5]")));
    Files.copy(archives.resolve("lenet.pt"), model, StandardCopyOption.REPLACE_EXISTING);
    line("colours for a grey model", request(colours()));
    file("requests by gzip", "predict", model, gzipped(good));
    Path requests = Files.writeString(folder.resolve("r.jsonl"), good);
    Path zipped = Files.write(folder.resolve("ranker.pt.gz"), gzip(model));
    file("model by gzip", "predict", zipped, requests);
    file("a text as model", "predict", requests, requests);
    file("a state_dict as model", "predict", stateDict(), requests);
    Path empty = Files.createFile(folder.resolve("empty"));
    file("an empty file as model", "predict", empty, requests);
    file("an empty file as requests", "predict", model, empty);
    file("swapped arguments", "predict", requests, model);
    file("an archive as requests", "predict", model, model);
    file("a file as command", model.toString());
    Path golden = Conformance.root().resolve("cli/src/test/resources/dev/staunch/cli/mistakes.txt");
    assertEquals(Files.readString(golden), String.join("\n", told) + "\n");
  }

  @Test
  void lineEndsOfBothKindsAndAByteOrderMarkJustWork() throws Exception {
    Path model = Files.move(DemoFiles.archive(), folder.resolve("ranker.pt"));
    String good = request(USER, ITEM, FEATURES);
    Path requests = folder.resolve("requests.jsonl");
    Files.writeString(requests, "\uFEFF" + good + "\r\n\r\n" + good + "\r\n");
    Outcome outcome = run("predict", model.toString(), requests.toString());
    assertEquals(0, outcome.status(), outcome.err());
    assertEquals(2, outcome.out().lines().count());
  }

  private static String swapped(String name, String input) {
    return input.replaceFirst("\"name\":\"[a-z]+\"", "\"name\":\"" + name + "\"");
  }

  private record Outcome(int status, String out, String err) {}

  private static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Outcome(status, out.toString(), err.toString());
  }

  /** A request on a line, and the error in its answer. */
  private void line(String mistake, String request) throws IOException {
    Path requests = Files.writeString(folder.resolve("requests.jsonl"), request + "\n");
    Outcome outcome = run("predict", folder.resolve("ranker.pt").toString(), requests.toString());
    Matcher error =
        Pattern.compile("\"error\":\"(.*?)\",\"fault\":\\{\"type\":\"([a-z_]+)\"")
            .matcher(outcome.out());
    told.add(
        mistake
            + ": "
            + (error.find()
                ? error.group(2) + ": " + error.group(1).replace("\\\"", "\"")
                : "answered"));
  }

  private void file(String mistake, String command, Object... files) {
    List<String> arguments = new ArrayList<>(List.of(command));
    for (Object file : files) {
      arguments.add(file.toString());
    }
    Outcome outcome = run(arguments.toArray(String[]::new));
    String said = outcome.err().lines().findFirst().orElse("");
    Matcher error = Pattern.compile("\"error\":\"(.*?)\",\"fault\"").matcher(outcome.out());
    String text = error.find() ? error.group(1) : said;
    told.add(mistake + ": " + text.replace(folder + "/", ""));
  }

  /** The records that torch.save writes for a state_dict. */
  private Path stateDict() throws IOException {
    Path saved = folder.resolve("weights.pt");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(saved))) {
      for (String record : List.of("data.pkl", "data/0", "version")) {
        zip.putNextEntry(new ZipEntry("weights/" + record));
        zip.write('3');
      }
    }
    return saved;
  }

  private Path gzipped(String request) throws IOException {
    Path plain = Files.writeString(folder.resolve("plain.jsonl"), request + "\n");
    return Files.write(folder.resolve("requests.jsonl.gz"), gzip(plain));
  }

  private static byte[] gzip(Path file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      Files.copy(file, zip);
    }
    return bytes.toByteArray();
  }
}
