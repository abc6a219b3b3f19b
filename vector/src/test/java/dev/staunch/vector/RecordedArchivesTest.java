package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Model;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Archives that PyTorch saved end as recorded on these kernels, too (S1). */
class RecordedArchivesTest {
  private static final Catalog STANDARD = StandardOperations.catalog();
  private static final Catalog VECTOR = STANDARD.with(STANDARD.kernels().warm());
  private static final Catalog PLAIN = STANDARD.with(StandardOperations.plainKernels());

  /** Maven's profile "whole" runs all archives; otherwise one in five runs. */
  private static final int STEP = Boolean.getBoolean("tests.whole") ? 1 : 5;

  @Test
  void theStandardCatalogComputesWithTheseKernels() {
    assertEquals("vector", STANDARD.kernels().name());
  }

  @TestFactory
  Stream<DynamicTest> whatEndsAsRecordedOnThePlainKernelsDoesSoOnThese() {
    List<Path> archives =
        Stream.of("archives", "families")
            .map(Conformance.torchscript()::resolve)
            .flatMap(RecordedArchivesTest::archives)
            .toList();
    return IntStream.iterate(0, i -> i < archives.size(), i -> i + STEP)
        .mapToObj(archives::get)
        .map(archive ->
            DynamicTest.dynamicTest(
                archive.getFileName().toString(),
                () -> assertEquals(differences(archive, PLAIN), differences(archive, VECTOR))));
  }

  @Test
  void nothingIsPackedOfWhatNoKernelOnVectorsReads() throws IOException {
    assertEquals(bytesAfterCalls(PLAIN), bytesAfterCalls(VECTOR));
  }

  /** Bytes of a model that maps its weights, after the recorded calls. */
  private static long bytesAfterCalls(Catalog catalog) throws IOException {
    Path archives = Conformance.torchscript().resolve("archives");
    LoadOptions options = LoadOptions.standard().withCatalog(catalog).withMappedWeights();
    try (OffHeap memory = OffHeap.withBudget(1L << 26);
        Model model = Model.load(archives.resolve("wide_deep.pt"), memory, options)) {
      RecordedCases cases = RecordedCases.read(archives.resolve("wide_deep.json"));
      assertEquals(List.of(), new Replay(model, cases, Duration.ofSeconds(60)).differences());
      return model.bytes();
    }
  }

  private static Stream<Path> archives(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".pt")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The calls that did not end as recorded, or the reason why the archive is refused. */
  private static List<String> differences(Path archive, Catalog catalog) throws IOException {
    OffHeap memory = OffHeap.withBudget(1L << 30);
    try (Model model = Model.load(archive, memory, LoadOptions.standard().withCatalog(catalog))) {
      RecordedCases recorded = RecordedCases.read(archive.resolveSibling(model.name() + ".json"));
      return new Replay(model, recorded, Duration.ofSeconds(60)).differences();
    } catch (StaunchException e) {
      return List.of(e.fault().message());
    } finally {
      memory.close();
    }
  }
}
