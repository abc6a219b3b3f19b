package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.Conformance;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Archives that PyTorch saved are lowered to the operators that libtorch itself finds in them (S1).
 */
class RecordedLoweringTest {
  /** {@code wait} becomes a cast; libtorch drops a sigmoid whose result nothing uses. */
  private static final Map<String, String> DIFFERENT =
      Map.of(
          "archives/fork_wait.pt", "aten::wait",
          "archives/edited_raise_rezipped.pt", "aten::sigmoid");

  private record Recorded(String function, String operators) {}

  @TestFactory
  Stream<DynamicTest> everyFunctionCallsTheOverloadsThatLibtorchFinds() throws IOException {
    Path folder = Conformance.torchscript();
    return recorded().entrySet().stream()
        .filter(entry -> Files.exists(folder.resolve(entry.getKey())))
        .map(entry ->
            DynamicTest.dynamicTest(
                entry.getKey(), () -> compare(folder, entry.getKey(), entry.getValue())));
  }

  private static Map<String, List<Recorded>> recorded() throws IOException {
    try (InputStream stream = RecordedLoweringTest.class.getResourceAsStream("lowered.tsv")) {
      assertNotNull(stream);
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .collect(
              Collectors.groupingBy(
                  fields -> fields[0],
                  LinkedHashMap::new,
                  Collectors.mapping(
                      fields -> new Recorded(fields[1], fields[2]), Collectors.toList())));
    }
  }

  private static void compare(Path folder, String archive, List<Recorded> functions) {
    String ignored = DIFFERENT.getOrDefault(archive, "nothing");
    try (ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1L << 30), archive)) {
      Program program = load(folder.resolve(archive), scope).program();
      for (Recorded expected : functions) {
        Function function = program.find(expected.function());
        assertNotNull(function, expected.function());
        assertEquals(
            without(ignored, expected.operators()),
            without(ignored, operators(function)),
            expected.function());
      }
    }
  }

  private static String without(String operator, String listed) {
    return Stream.of(listed.split(" "))
        .filter(one -> !one.startsWith(operator + "="))
        .collect(Collectors.joining(" "));
  }

  private static String operators(Function function) {
    Map<String, Integer> counts = new TreeMap<>();
    count(function.body(), counts);
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private static void count(Block block, Map<String, Integer> counts) {
    for (Operation operation : block.operations()) {
      if (!operation.name().startsWith("prim::")) {
        counts.merge(operation.name(), 1, Integer::sum);
      }
      operation.blocks().forEach(inner -> count(inner, counts));
    }
  }

  @TestFactory
  Stream<DynamicTest> noOverloadThatAnArchiveUsesIsMissed() throws IOException {
    Path folder = Conformance.torchscript();
    return Stream.of("archives", "resaved")
        .flatMap(producer -> archives(folder.resolve(producer)))
        .filter(archive -> !archive.toString().contains("torchvision_nms"))
        .map(archive ->
            DynamicTest.dynamicTest(
                folder.relativize(archive).toString(), () -> includesRecorded(archive, folder)));
  }

  private static Stream<Path> archives(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".pt")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void includesRecorded(Path archive, Path folder) {
    String name = archive.getFileName().toString().replace(".pt", ".json");
    JsonNode json = new ObjectMapper().readTree(folder.resolve("archives").resolve(name).toFile());
    TreeSet<String> missed = new TreeSet<>();
    for (String schema : json.get("ops").propertyNames()) {
      String operator = schema.substring(0, schema.indexOf('('));
      if (!operator.startsWith("prim::") && !operator.equals("aten::wait")) {
        missed.add(operator);
      }
    }
    try (ResourceScope scope = ResourceScope.open(OffHeap.withBudget(1L << 30), name)) {
      load(archive, scope)
          .operations(StandardOperations.catalog())
          .forEach(use -> missed.remove(use.name()));
    }
    assertEquals(List.of(), List.copyOf(missed));
  }

  static TorchScriptModule load(Path archive, ResourceScope scope) {
    return TorchScriptModule.load(
        archive,
        scope,
        (program, function, object, state) -> restore(program, function, object, state, scope));
  }

  private static void restore(
      Program program, String function, ObjectValue object, Object state, ResourceScope scope) {
    Plan plan = Plan.prepare(program, StandardOperations.catalog());
    Object outcome = plan.run(function, List.of(object, state), RunOptions.in(scope)).get(0);
    if (outcome instanceof Fault fault) {
      throw fault.toException();
    }
  }
}
