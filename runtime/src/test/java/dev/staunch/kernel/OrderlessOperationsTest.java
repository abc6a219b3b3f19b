package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.RecordedCalls.Recorded;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Operations whose results are declared not to depend on the memory order of their operands:
 * channels-last images give what row-major ones do.
 */
@Timeout(300)
class OrderlessOperationsTest {
  private final Catalog catalog =
      StandardOperations.catalog().with(StandardOperations.plainKernels());
  private final OffHeap memory = OffHeap.withBudget(64L << 20);
  private final Set<String> seen = new HashSet<>();

  @Test
  void imagesInAnyOrderGiveTheSame() throws IOException {
    Set<String> wrong = new TreeSet<>();
    for (Recorded call : RecordedCalls.ofTensors()) {
      CatalogEntry operation = Objects.requireNonNull(catalog.find(call.operation()));
      if (isOrderless(operation)) {
        check(call, operation, wrong);
      }
    }
    for (CatalogEntry operation : catalog.operations()) {
      if (isOrderless(operation)
          && !seen.contains(operation.name())
          && InventedCall.isPossible(operation.schema())) {
        check(ofImages(InventedCall.of(operation.schema())), operation, wrong);
        check(ofImages(InventedCall.ofIntegers(operation.schema())), operation, wrong);
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertEquals(0, memory.account().bytes());
    Set<String> missing = new TreeSet<>();
    for (CatalogEntry operation : catalog.operations()) {
      if (isOrderless(operation) && !seen.contains(operation.name())) {
        missing.add(operation.name());
      }
    }
    assertEquals(Set.of(), missing);
  }

  private static boolean isOrderless(CatalogEntry operation) {
    return operation.definition().has(Trait.LAYOUT_AGNOSTIC)
        || operation.body() instanceof PointwiseBody;
  }

  /** The call with its matrices turned into images that have the same rows. */
  private static Recorded ofImages(Recorded call) {
    return new Recorded(
        call.place(),
        call.operation(),
        scope -> call.arguments().apply(scope).stream().map(each -> image(scope, each)).toList());
  }

  private static Object image(ResourceScope scope, Object value) {
    if (!(value instanceof DenseTensor matrix && matrix.rank() == 2)) {
      return value;
    }
    Shape shape = Shape.of(2, 3, matrix.shape().size(0), matrix.shape().size(1));
    DenseTensor image = (DenseTensor) DenseTensor.allocate(scope, matrix.dtype(), shape);
    for (long at = 0; at < 6; at++) {
      long bytes = matrix.elements() * matrix.dtype().bytes();
      image.segment().asSlice(at * bytes, bytes).copyFrom(matrix.segment().asSlice(0, bytes));
    }
    for (long at = 0; at < image.elements() && image.dtype() == DType.FLOAT32; at++) {
      float element = image.segment().getAtIndex(ValueLayout.JAVA_FLOAT, at) + at / 64f;
      image.segment().setAtIndex(ValueLayout.JAVA_FLOAT, at, element);
    }
    return image;
  }

  private void check(Recorded call, CatalogEntry operation, Set<String> wrong) {
    try (ResourceScope scope = ResourceScope.open(memory, "call")) {
      List<Object> arguments = call.arguments().apply(scope);
      List<Object> turned = new ArrayList<>();
      for (Object argument : call.arguments().apply(scope)) {
        turned.add(turned(scope, argument));
      }
      if (arguments.stream().noneMatch(OrderlessOperationsTest::isImage)) {
        return;
      }
      seen.add(operation.name());
      boolean shares = operation.definition().has(Trait.SHARES);
      List<Object> expected = shown(run(operation, scope, arguments), arguments, shares);
      List<Object> given = shown(run(operation, scope, turned), turned, shares);
      if (!expected.equals(given)) {
        wrong.add(call.operation() + " gives " + given + ", not " + expected + ": " + call.place());
      }
      checkOrdered(call, operation, scope, wrong);
    }
  }

  /**
   * A result requested as channels last has the same elements, and is in that order or as before.
   */
  private static void checkOrdered(
      Recorded call, CatalogEntry operation, ResourceScope scope, Set<String> wrong) {
    boolean combines = operation.body() instanceof PointwiseBody body && !body.inPlace();
    if (!combines && !operation.definition().has(Trait.CHOOSES_LAYOUT)) {
      return;
    }
    for (boolean turns : new boolean[] {false, true}) {
      List<Object> arguments = call.arguments().apply(scope);
      if (!(run(operation, scope, arguments) instanceof DenseTensor expected)) {
        return;
      }
      Object[] given = arguments.toArray();
      Arrays.setAll(given, i -> turns ? turned(scope, arguments.get(i)) : arguments.get(i));
      Call asked = new Call(new RecordingEnvironment(scope), given);
      asked.orderResult(Call.Order.CHANNELS_LAST);
      DenseTensor ordered = (DenseTensor) Kernels.run(operation, asked);
      boolean lies = ordered.isContiguous() || ordered.layout().isChannelsLast();
      if (!lies || !elements(expected).equals(elements(ordered))) {
        wrong.add(call.operation() + " asked for channels last: " + call.place());
      }
    }
  }

  private static Object run(CatalogEntry operation, ResourceScope scope, List<Object> arguments) {
    return Kernels.run(operation, new Call(new RecordingEnvironment(scope), arguments.toArray()));
  }

  private static boolean isImage(Object value) {
    return value instanceof DenseTensor tensor && tensor.rank() == 4;
  }

  /** A row-major image in channels-last order. */
  private static Object turned(ResourceScope scope, Object value) {
    if (!isImage(value)) {
      return value;
    }
    DenseTensor image = (DenseTensor) value;
    if (!image.isContiguous() || image.layout().suggestsChannelsLast()) {
      return value;
    }
    Layout layout = Layout.turned(image.shape());
    DenseTensor turned = (DenseTensor) DenseTensor.allocate(scope, image.dtype(), layout);
    List<Long> from = places(image.layout());
    List<Long> to = places(layout);
    long bytes = image.dtype().bytes();
    for (int i = 0; i < from.size(); i++) {
      turned
          .segment()
          .asSlice(to.get(i) * bytes, bytes)
          .copyFrom(image.segment().asSlice(from.get(i) * bytes, bytes));
    }
    return turned;
  }

  /** The storage positions of the elements, in row-major order. */
  private static List<Long> places(Layout layout) {
    List<Long> places = new ArrayList<>();
    Shape shape = layout.shape();
    for (long i = 0; i < shape.elements(); i++) {
      long place = layout.offset();
      long rest = i;
      for (int d = shape.rank() - 1; d >= 0; d--) {
        place += rest % shape.size(d) * layout.stride(d);
        rest /= shape.size(d);
      }
      places.add(place);
    }
    return places;
  }

  /** Elements, and the layouts of new tensors unless {@code shares}. */
  private static List<Object> shown(Object given, List<Object> arguments, boolean shares) {
    List<Object> shown = new ArrayList<>();
    for (Object value : given instanceof Object[] several ? several : new Object[] {given}) {
      if (value instanceof DenseTensor tensor) {
        shown.add(tensor.dtype());
        shown.add(shares || arguments.contains(tensor) ? tensor.shape() : tensor.layout());
        shown.addAll(elements(tensor));
      } else {
        shown.add(value instanceof Fault fault ? fault.type() + fault.message() : value);
      }
    }
    return shown;
  }

  /** The elements of a tensor of reals. */
  private static List<Double> elements(DenseTensor tensor) {
    DType dtype = tensor.dtype();
    return dtype.kind() == DType.Kind.COMPLEX
        ? List.of()
        : places(tensor.layout()).stream()
            .map(place -> Elements.asDouble(tensor.segment(), dtype, place))
            .toList();
  }
}
