package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Conformance;
import dev.staunch.torchscript.LoadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A second set of kernels replaces the plain one, and no computation bypasses it. */
class SecondKernelSetTest {
  private static final Path ARCHIVES = Conformance.torchscript().resolve("archives");

  /** The operations that consist of a single product or a single convolution. */
  private static final List<String> PRODUCTS =
      List.of("linear", "matmul", "mm", "bmm", "addmm", "baddbmm");

  private static final List<String> CONVOLUTIONS = List.of("conv1d", "conv2d", "_convolution");

  /** Counts the products and convolutions that run. */
  private static final class Counting extends LayeredKernelSet {
    final AtomicInteger products = new AtomicInteger();
    final AtomicInteger convolutions = new AtomicInteger();

    Counting() {
      super("counting", StandardOperations.plainKernels());
    }

    @Override
    public MatrixProduct matrixProduct(MatrixProduct.Request request) {
      MatrixProduct prepared = super.matrixProduct(request);
      return (context, a, b, addend, c, epilogue) -> {
        products.incrementAndGet();
        return prepared.run(context, a, b, addend, c, epilogue);
      };
    }

    @Override
    public Convolution convolution(Convolution.Request request) {
      Convolution prepared = super.convolution(request);
      return (context, input, weight, bias, result, epilogue) -> {
        convolutions.incrementAndGet();
        return prepared.run(context, input, weight, bias, result, epilogue);
      };
    }
  }

  /** The calls that do not end as recorded with the operations of {@code catalog}, as sentences. */
  private static List<String> differences(Path archive, Catalog catalog) throws IOException {
    try (OffHeapClosed memory = new OffHeapClosed();
        Model model =
            Model.load(archive, memory.memory(), LoadOptions.standard().withCatalog(catalog))) {
      RecordedCases recorded = RecordedCases.read(ARCHIVES.resolve(model.name() + ".json"));
      return new Replay(model, recorded, Duration.ofSeconds(60)).differences();
    }
  }

  /** Off-heap memory that checks on close that nothing is left. */
  private record OffHeapClosed(OffHeap memory) implements AutoCloseable {
    OffHeapClosed() {
      this(OffHeap.withBudget(1L << 30));
    }

    @Override
    public void close() {
      assertEquals(0, memory.account().bytes());
    }
  }

  /**
   * Prefers channels last for all images; counts the results with channels last, and the others.
   */
  private static final class Turning extends LayeredKernelSet {
    final AtomicInteger turned = new AtomicInteger();
    final AtomicInteger others = new AtomicInteger();

    Turning() {
      super("turning", StandardOperations.plainKernels());
    }

    @Override
    public boolean prefersChannelsLast(Convolution.Request request) {
      return true;
    }

    @Override
    public Convolution convolution(Convolution.Request request) {
      (request.result().isContiguous() ? others : turned).incrementAndGet();
      return super.convolution(request);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyRecordedArchiveEndsAsWithRowMajorImages() throws IOException {
    return archives().stream()
        .map(archive ->
            DynamicTest.dynamicTest(
                archive.getFileName().toString(),
                () ->
                    assertEquals(
                        outcome(archive, StandardOperations.catalog()),
                        outcome(archive, StandardOperations.catalog().with(new Turning())))));
  }

  @Test
  void mostConvolutionsOfAResNetGiveTheirChannelsLast() throws IOException {
    Turning kernels = new Turning();
    Catalog catalog = StandardOperations.catalog().with(kernels);
    assertEquals(List.of(), differences(ARCHIVES.resolve("resnet18_like.pt"), catalog));
    assertTrue(kernels.turned.get() > 2 * kernels.others.get(), kernels.turned::toString);
  }

  private static List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(ARCHIVES)) {
      return files.filter(file -> file.toString().endsWith(".pt")).sorted().toList();
    }
  }

  @TestFactory
  Stream<DynamicTest> everyRecordedArchiveEndsAsWithThePlainSet() throws IOException {
    assertTrue(archives().size() > 30);
    return archives().stream()
        .map(archive ->
            DynamicTest.dynamicTest(
                archive.getFileName().toString(),
                () ->
                    assertEquals(
                        outcome(archive, StandardOperations.catalog()),
                        outcome(archive, StandardOperations.catalog().with(new Counting())))));
  }

  /** The differences from the recording, or the reason why the archive does not load. */
  private static Object outcome(Path archive, Catalog catalog) throws IOException {
    try {
      return differences(archive, catalog);
    } catch (StaunchException e) {
      return e.fault().message();
    }
  }

  @Test
  void everyProductOfATransformerGoesThroughTheSet() throws IOException {
    goesThroughTheSet("bert_like", false);
  }

  @Test
  void everyConvolutionOfAResNetGoesThroughTheSet() throws IOException {
    goesThroughTheSet("resnet18_like", true);
  }

  private static void goesThroughTheSet(String name, boolean convolves) throws IOException {
    Counting kernels = new Counting();
    AtomicInteger products = new AtomicInteger();
    AtomicInteger convolutions = new AtomicInteger();
    Catalog.Builder catalog = StandardOperations.catalog().toBuilder().closesOnFailure();
    PRODUCTS.forEach(operation -> counted(catalog, operation, products));
    CONVOLUTIONS.forEach(operation -> counted(catalog, operation, convolutions));
    Path archive = ARCHIVES.resolve(name + ".pt");
    assertEquals(List.of(), differences(archive, catalog.build().with(kernels)));
    assertTrue(products.get() > 0);
    assertEquals(products.get(), kernels.products.get());
    assertEquals(convolves, convolutions.get() > 0);
    assertEquals(convolutions.get(), kernels.convolutions.get());
  }

  /** Counts the calls of an operation. */
  private static void counted(Catalog.Builder catalog, String name, AtomicInteger calls) {
    CatalogEntry known =
        Objects.requireNonNull(StandardOperations.catalog().find("aten::" + name), name);
    Kernel.One kernel = (Kernel.One) Objects.requireNonNull(known.kernel());
    catalog.define(
        known.schema(),
        (Kernel.One)
            call -> {
              calls.incrementAndGet();
              return kernel.run(call);
            });
  }

  /** Shows that the set named in a catalog is the one that computes. */
  @Test
  void aFaultOfTheSetIsTheFaultOfTheOperation() throws IOException {
    KernelSet refusing =
        new LayeredKernelSet("refusing", StandardOperations.plainKernels()) {
          @Override
          public Convolution convolution(Convolution.Request request) {
            return (context, input, weight, bias, result, epilogue) ->
                Fault.value("no convolution today");
          }
        };
    List<String> found =
        differences(
            ARCHIVES.resolve("resnet18_like.pt"), StandardOperations.catalog().with(refusing));
    assertTrue(found.get(0).contains("no convolution today"), found.get(0));
  }
}
