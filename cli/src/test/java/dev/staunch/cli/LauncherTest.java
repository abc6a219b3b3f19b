package dev.staunch.cli;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.testkit.Conformance;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code staunch}, in a separate checkout that is already built. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  private static final String VERSION = version();

  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  /** What is in the folder of a module that was built. */
  private static final List<String> BUILT =
      List.of("lib", "staunch-cli-1.jar", "staunch.aot", "staunch.aot.log");

  @TempDir private static Path folder = Path.of("");
  private static Path root = Path.of("");

  private static String version() {
    try {
      return new Version().getVersion()[0] + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Outcome(int status, String out, String err) {}

  /** The outcome of the script in the checkout; {@code $MODEL} is the demo's archive. */
  private static Outcome bash(String script) throws Exception {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", script).directory(root.toFile());
    bash.environment()
        .keySet()
        .removeIf(name -> name.startsWith("LC_") || name.endsWith("OPTIONS"));
    bash.environment().put("LANG", "C");
    bash.environment().put("JAVA_HOME", System.getProperty("java.home"));
    bash.environment().put("MODEL", root.resolve("model.pt").toString());
    int status = bash.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    return new Outcome(status, Files.readString(out), Files.readString(err));
  }

  @BeforeAll
  static void aBuiltCheckoutHasACache() throws Exception {
    root = Files.createDirectory(folder.resolve("a checkout"));
    Path lib = Files.createDirectories(root.resolve("cli/target/lib"));
    Files.createDirectory(root.resolve("tools"));
    for (String script :
        List.of("staunch", "tools/find-jdk", "tools/find-jar", "tools/make-aot-cache")) {
      Files.copy(Conformance.root().resolve(script), root.resolve(script), COPY_ATTRIBUTES);
    }
    List<String> jars = new ArrayList<>();
    for (String entry : CLASS_PATH.split(File.pathSeparator, -1)) {
      if (Files.isDirectory(Path.of(entry))) {
        jars.add("classes-" + jars.size() + ".jar");
        jar(Path.of(entry), lib.resolve(jars.getLast()), new Manifest());
      } else {
        jars.add(String.valueOf(Path.of(entry).getFileName()));
        Files.copy(Path.of(entry), lib.resolve(jars.getLast()), COPY_ATTRIBUTES);
      }
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    String others = "lib/" + String.join(" lib/", jars);
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, others);
    jar(root.resolve("tools"), root.resolve("cli/target/staunch-cli-1.jar"), manifest);
    Path archive = DemoFiles.archive();
    Files.move(archive, root.resolve("model.pt"));

    assertEquals(new Outcome(0, "", ""), bash("tools/make-aot-cache"));
    assertEquals(BUILT, files(root.resolve("cli/target")));
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  private static void jar(Path classes, Path jar, Manifest manifest) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(file).toString();
        if (!name.equals("META-INF/MANIFEST.MF")) {
          out.putNextEntry(new JarEntry(name));
          Files.copy(file, out);
        }
      }
    }
  }

  @Test
  void aStartTakesItsClassesFromTheCache() throws Exception {
    String loaded = "STAUNCH_JAVA_OPTS=-Xlog:class+load=info:file=loaded.txt ./staunch --version";
    assertEquals(new Outcome(0, VERSION, ""), bash(loaded));
    List<String> main =
        Files.readAllLines(root.resolve("loaded.txt")).stream()
            .filter(line -> line.contains(" " + Main.class.getName() + " "))
            .toList();
    assertEquals(1, main.size());
    assertTrue(main.get(0).contains("source: shared objects file"), main.get(0));
  }

  /** A cache that does not fit is ignored, without a word on either stream. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "STAUNCH_JAVA_OPTS=-XX:+UseSerialGC",
        "STAUNCH_JAVA_OPTS=-XX:+UseZGC",
        "STAUNCH_JAVA_OPTS='-XX:-UseCompressedOops -ea'",
        "STAUNCH_JAVA_OPTS=-Xshare:off",
        "STAUNCH_JAVA_OPTS='--add-modules jdk.httpserver'",
        "STAUNCH_JAVA_OPTS=-XX:AOTMode=off",
      })
  void otherOptionsOfTheJvmAreTakenWithoutAWordAboutTheCache(String options) throws Exception {
    assertEquals(new Outcome(0, VERSION, ""), bash(options + " ./staunch --version"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "touch -t 200001010000 cli/target/staunch-cli-1.jar",
        "head -c 9999 cli/target/staunch.aot >cut && mv cut cli/target/staunch.aot",
        "echo no cache >cli/target/staunch.aot",
        "dd if=/dev/zero of=cli/target/staunch.aot bs=64k seek=99 count=99 conv=notrunc"
            + " status=none",
        "rm cli/target/staunch.aot",
      })
  void aCacheThatIsStaleDamagedOrGoneIsGoneWithoutAWord(String damage) throws Exception {
    String copy = "mkdir other && cp -pR cli staunch tools other && cd other && ";
    try {
      assertEquals(new Outcome(0, VERSION, ""), bash(copy + damage + " && ./staunch --version"));
    } finally {
      bash("rm -rf other");
    }
  }

  @Test
  void aBuildSaysWhichModuleItIsAtAndWhatIsWrong() throws Exception {
    String maven =
        """
        #!/bin/sh
        echo '[INFO] Building Staunch Runtime 0.1.0 [3/9]'
        echo '[INFO] --- compiler:compile'
        echo '[ERROR] Tensor.java: no such symbol'
        exit 1
        """;
    Path empty = Files.createDirectory(folder.resolve("not built"));
    Files.writeString(Files.createDirectory(empty.resolve("bin")).resolve("mvn"), maven);
    Files.createFile(empty.resolve("pom.xml"));
    Outcome outcome =
        bash(
            "cp -R staunch tools '../not built' && cd '../not built' && chmod +x bin/mvn &&"
                + " PATH=$PWD/bin:$PATH ./staunch --version");
    assertEquals(1, outcome.status());
    assertEquals("", outcome.out());
    assertEquals(
        List.of(
            "building staunch (first run: a minute, and a few more if Maven has to fetch its"
                + " plugins) ...",
            "  Staunch Runtime 0.1.0 [3/9]",
            "[ERROR] Tensor.java: no such symbol",
            "staunch: the build failed, see above."),
        outcome.err().lines().toList());
  }

  /** Instead of a JVM that records, one script each, which wait for each other. */
  @Test
  void twoBuildsThatEndAtOnceLeaveOneCacheAndNothingElse() throws Exception {
    String java =
        """
        #!/bin/sh
        for option; do
          case $option in
            -XX:AOTCacheOutput=*) cache=${option#*=} ;;
          esac
        done
        echo recorded >"$cache.config"
        echo here >>started
        until [ "$(wc -l <started)" -eq 2 ]; do
          sleep 0.01
        done
        echo cache >"$cache"
        """;
    Path pair = Files.createDirectory(root.resolve("pair"));
    Path jdk = Files.createDirectories(pair.resolve("jdk/bin"));
    Files.writeString(jdk.resolve("java"), java);
    Files.writeString(jdk.resolve("javac"), java);
    Files.writeString(pair.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    Path target = Files.createDirectories(pair.resolve("cli/target"));
    Files.createDirectory(target.resolve("lib"));
    Files.createFile(target.resolve("staunch-cli-1.jar"));
    Outcome made =
        bash(
            "cp -R tools pair && cd pair && chmod +x jdk/bin/* && export JAVA_HOME=$PWD/jdk &&"
                + " { tools/make-aot-cache & tools/make-aot-cache; status=$?; wait; exit $status; }");
    assertEquals(new Outcome(0, "", ""), made);
    assertEquals(BUILT, files(target));
    assertEquals("cache\n", Files.readString(target.resolve("staunch.aot")));
  }

  @Test
  void whatCannotBeCachedIsNoError() throws Exception {
    String copy = "mkdir bare && cp -R tools bare && bare/tools/make-aot-cache";
    assertEquals(new Outcome(0, "", ""), bash(copy));
    assertFalse(Files.exists(root.resolve("bare/cli")));
  }

  @Test
  void filesMayHaveBlanksAndLettersBeyondAsciiInTheLocaleC() throws Exception {
    Outcome outcome =
        bash("cp \"$MODEL\" $'a m\\303\\266del.pt' && ./staunch inspect $'a m\\303\\266del.pt'");
    assertEquals(0, outcome.status(), outcome.err());
    assertTrue(outcome.out().startsWith("model a m\u00f6del: class "), outcome.out());
  }

  @Test
  void aClosedStandardStreamIsEmptyOrHasNoReader() throws Exception {
    assertEquals(
        new Outcome(0, "", "0 requests: 0 answered, 0 failed\n"),
        bash("./staunch predict \"$MODEL\" - <&-"));
    assertEquals(new Outcome(141, "", ""), bash("./staunch inspect \"$MODEL\" >&-"));
    assertEquals(new Outcome(0, VERSION, ""), bash("./staunch --version 2>&-"));
  }

  @Test
  void whatDebugIsGivenMayComeThroughAPipeOrOnStandardInput() throws Exception {
    String debug = "./staunch debug \"$MODEL\" --args ";
    assertEquals(0, bash("./staunch inspect \"$MODEL\" --example >request").status());
    Outcome piped = bash(debug + "<(cat request)");
    assertEquals(0, piped.status(), piped.err());
    assertTrue(piped.out().contains("forward gives float32["), piped.out());
    assertEquals(piped, bash(debug + "- <request"));
  }

  @Test
  void aFileThatTakesNoMoreIsAnErrorAndNoReaderThatWentAway() throws Exception {
    Outcome outcome =
        bash(
            "yes 'no request' | head -n 2000 | (ulimit -f 64; ./staunch predict \"$MODEL\" -"
                + " >full)");
    assertEquals(1, outcome.status());
    assertEquals("staunch: standard output cannot be written: File too large\n", outcome.err());
  }

  @Test
  void soIsADeviceThatTakesNothing() throws Exception {
    Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")));
    Outcome outcome = bash("./staunch inspect \"$MODEL\" >/dev/full");
    assertEquals(1, outcome.status());
    assertEquals(
        "staunch: standard output cannot be written: No space left on device\n", outcome.err());
  }

  @Test
  void whenTheReaderGoesAwayNothingIsSaid() throws Exception {
    String predict = "yes 'no request' | head -n 2000 | ./staunch predict \"$MODEL\" -";
    Outcome outcome = bash(predict + " | head -n 1 >first; echo ${PIPESTATUS[2]}");
    assertEquals(new Outcome(0, "141\n", ""), outcome);
  }

  @Test
  void aFolderIsPackedFromInsideAndAFullDiskIsSaidToBeFull() throws Exception {
    Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")));
    String pack = "./staunch unpack \"$MODEL\" inside && cd inside && ../staunch pack . ";
    Outcome packed = bash(pack + "../packed.pt");
    assertEquals(0, packed.status(), packed.err());
    Outcome full = bash("cd inside && ../staunch pack . /dev/full");
    assertEquals(1, full.status());
    assertTrue(full.err().contains("/dev/full cannot be written: No space left"), full.err());
  }
}
