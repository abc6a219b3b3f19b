package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.recorded.RecordedCases;
import dev.staunch.inference.recorded.Replay;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.Recurrence;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Operands;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.testkit.Conformance;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A second set of kernels replaces the plain one, and no computation bypasses it. */
class SecondKernelSetTest {
  private static final Path ARCHIVES = Conformance.torchscript().resolve("archives");

  /** Counts the multiply-adds of what is computed. */
  private static final class Counting extends LayeredKernelSet {
    final LongAdder multiplyAdds = new LongAdder();

    Counting() {
      super("counting", StandardOperations.plainKernels());
    }

    @Override
    public MatrixProduct matrixProduct(MatrixProduct.Request request) {
      MatrixProduct prepared = super.matrixProduct(request);
      return (context, a, b, addend, c, epilogue) -> {
        multiplyAdds.add(request.c().shape().elements() * request.depth());
        return prepared.run(context, a, b, addend, c, epilogue);
      };
    }

    @Override
    public Convolution convolution(Convolution.Request request) {
      Convolution prepared = super.convolution(request);
      Shape weight = request.weight().shape();
      return (context, input, given, bias, result, epilogue) -> {
        multiplyAdds.add(
            request.result().shape().elements() * (weight.elements() / weight.size(0)));
        return prepared.run(context, input, given, bias, result, epilogue);
      };
    }

    @Override
    public Recurrence recurrence(Recurrence.Request request) {
      Recurrence prepared = super.recurrence(request);
      return (context, parameters, gates, steps, states, cells, output, column) -> {
        multiplyAdds.add(IntStream.of(steps.sizes()).sum() * request.hidden().shape().elements());
        return prepared.run(context, parameters, gates, steps, states, cells, output, column);
      };
    }
  }

  /** Adds up the multiply-adds of calls, as their costs say. */
  private static final class Costs implements Interceptor {
    final LongAdder multiplyAdds = new LongAdder();

    @Override
    public @Nullable Object before(
        String operation, Object[] arguments, @Nullable SourceLocation source) {
      OperationDefinition called =
          Objects.requireNonNull(StandardOperations.catalog().find(operation)).definition();
      if (called.inference() != null) {
        Operands operands = Operands.of((Object[]) form(arguments));
        Object results = called.inference().infer(operands);
        if (results instanceof TensorForm || results instanceof Object[]) {
          multiplyAdds.add(called.cost(operands, results).multiplyAdds());
        }
      }
      return null;
    }

    private static Object form(Object value) {
      return switch (value) {
        case DenseTensor tensor -> new TensorForm(tensor.dtype(), tensor.layout());
        case List<?> list -> list.stream().map(Costs::form).toList();
        case Object[] several -> Arrays.stream(several).map(Costs::form).toArray();
        default -> value;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bert_like",
        "nn_transformer_encoder",
        "resnet18_like",
        "resnet50_like",
        "lstm_classifier"
      })
  void everyMultiplyAddGoesThroughTheSet(String name) throws IOException {
    Counting kernels = new Counting();
    Costs costs = new Costs();
    LoadOptions options =
        LoadOptions.standard().withCatalog(StandardOperations.catalog().with(kernels));
    try (OffHeapClosed memory = new OffHeapClosed();
        Model model = Model.load(ARCHIVES.resolve(name + ".pt"), memory.memory(), options);
        ResourceScope scope = ResourceScope.open(memory.memory(), "calls")) {
      RecordedCases recorded = RecordedCases.read(ARCHIVES.resolve(name + ".json"));
      Replay replay = new Replay(model, recorded, Duration.ofSeconds(60));
      RunOptions run = RunOptions.in(scope).withGradEnabled(false).withInterceptor(costs);
      assertFalse(model.call("forward", replay.arguments(0, scope), run) instanceof Fault);
    }
    assertTrue(costs.multiplyAdds.sum() > 40_000, costs.multiplyAdds::toString);
    assertEquals(costs.multiplyAdds.sum(), kernels.multiplyAdds.sum());
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
