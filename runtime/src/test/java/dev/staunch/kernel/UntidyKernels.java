package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A user's kernels that fail in every possible way and leave behind what they made: a tensor and a
 * view of it, one that they have closed, and one that they have handed over elsewhere. All take one
 * tensor. Names are without the namespace, {@code test}.
 */
public final class UntidyKernels {
  private volatile @Nullable ResourceScope elsewhere;

  /** What was made and not closed by the kernel that made it. */
  private final Queue<DenseTensor> left = new ConcurrentLinkedQueue<>();

  private final Queue<DenseTensor> handedOver = new ConcurrentLinkedQueue<>();

  /** Kernels that have nowhere to hand tensors over to yet. */
  public UntidyKernels() {}

  /** From now on tensors are handed over to {@code scope}. */
  public void handOverTo(ResourceScope scope) {
    elsewhere = scope;
  }

  /**
   * Asserts that the kernels left tensors, which are now closed, and handed over others, which are
   * not.
   */
  public void assertAllGivenBack() {
    assertFalse(left.isEmpty());
    left.forEach(each -> assertTrue(each.isClosed(), "what was left"));
    handedOver.forEach(each -> assertFalse(each.isClosed(), "what was handed over"));
  }

  /** Asserts that of the tensors that the kernels left only {@code results} are still open. */
  public void assertNothingButResultsIsLeft(int results) {
    assertFalse(left.isEmpty());
    assertEquals(results, left.stream().filter(each -> !each.isClosed()).count(), "what was left");
  }

  /** Closes what was handed over, and forgets everything. */
  public void clear() {
    handedOver.forEach(DenseTensor::close);
    handedOver.clear();
    left.clear();
  }

  /** The kernels of one result that fail. */
  public static Stream<String> failingOnes() {
    return Stream.of(
        "throws",
        "overflows",
        "returns_fault",
        "returns_number",
        "returns_null",
        "works_later",
        "nested",
        "two_threads");
  }

  /** The kernels of two results that both fail. */
  public static Stream<String> failingPairs() {
    return Stream.of("too_few", "fault_for_all", "two_faults", "two_later", "later_and_fault");
  }

  /** {@code catalog} with all of them. */
  public Catalog.Builder addTo(Catalog.Builder catalog) {
    one(
        catalog,
        "throws",
        call -> {
          make(call);
          throw new IllegalStateException("thrown");
        });
    one(catalog, "overflows", this::overflow);
    one(catalog, "returns_fault", call -> failed(make(call)));
    one(catalog, "returns_number", call -> (long) make(call).rank());
    one(catalog, "returns_null", call -> isNull(make(call)));
    one(
        catalog,
        "works_later",
        call -> {
          make(call);
          return call.environment().defer(() -> failed(make(call)));
        });
    one(catalog, "nested", this::nested);
    one(catalog, "two_threads", this::onTwoThreads);
    one(catalog, "succeeds", this::make);
    one(
        catalog,
        "succeeds_later",
        call -> {
          make(call);
          return call.environment().defer(() -> make(call));
        });
    catalog.none("test::without_result(Tensor x) -> ()", call -> failed(make(call)));
    pairs(catalog);
    return catalog;
  }

  private void pairs(Catalog.Builder catalog) {
    pair(catalog, "too_few", call -> new Object[] {make(call)});
    pair(catalog, "fault_for_all", call -> failed(make(call)));
    pair(catalog, "two_faults", call -> new Object[] {failed(make(call)), failed(make(call))});
    pair(
        catalog,
        "two_later",
        call -> {
          Object first = call.environment().defer(() -> failed(make(call)));
          return new Object[] {first, call.environment().defer(() -> failed(make(call)))};
        });
    pair(
        catalog,
        "later_and_fault",
        call ->
            new Object[] {call.environment().defer(() -> failed(make(call))), failed(make(call))});
    pair(catalog, "half", call -> new Object[] {make(call), failed(make(call))});
    pair(
        catalog,
        "half_later",
        call -> {
          Object bad = call.environment().defer(() -> failed(make(call)));
          return new Object[] {bad, call.environment().defer(() -> make(call))};
        });
  }

  private static void one(Catalog.Builder catalog, String name, Kernel.One kernel) {
    catalog.one("test::" + name + "(Tensor x) -> Tensor", kernel);
  }

  private static void pair(Catalog.Builder catalog, String name, Kernel.Many kernel) {
    catalog.many("test::" + name + "(Tensor x) -> (Tensor, Tensor)", kernel);
  }

  /** Makes four tensors in the call's scope, two of which are left there; returns one of these. */
  private DenseTensor make(Call call) {
    DenseTensor made = (DenseTensor) call.allocate(DType.FLOAT32, Shape.of(16));
    left.add((DenseTensor) made.view(call.scope(), made.layout()));
    left.add(made);
    ((DenseTensor) call.allocate(DType.FLOAT32, Shape.of(100))).close();
    DenseTensor given =
        (DenseTensor) DenseTensor.allocate(call.environment().scope(), DType.FLOAT32, Shape.of(4));
    ResourceScope.moveTo(Objects.requireNonNull(elsewhere), given);
    handedOver.add(given);
    return made;
  }

  private static Fault failed(DenseTensor made) {
    return Fault.value("made " + made + " in vain");
  }

  @SuppressWarnings("NullAway") // the fault under test
  private static Object isNull(DenseTensor made) {
    return made.isClosed() ? made : null;
  }

  private Object overflow(Call call) {
    make(call);
    return deeper(0);
  }

  private static long deeper(long depth) {
    return depth < 0 ? 0 : deeper(depth + 1) + 1;
  }

  /**
   * Runs operations of the standard catalog, one of them composed of steps, in this kernel's
   * environment.
   */
  private Object nested(Call call) {
    for (String name : List.of("aten::neg", "aten::ravel", "aten::zero")) {
      Kernel.One inner =
          (Kernel.One) Objects.requireNonNull(call.environment().catalog().find(name)).kernel();
      Object result =
          Objects.requireNonNull(inner).run(new Call(call.environment(), call.arguments()));
      left.add((DenseTensor) result);
    }
    return failed(make(call));
  }

  private Object onTwoThreads(Call call) {
    List<Thread> threads =
        IntStream.range(0, 2)
            .mapToObj(i ->
                Thread.ofPlatform()
                    .start(() -> {
                      for (int n = 0; n < 20; n++) {
                        make(call);
                      }
                    }))
            .toList();
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException("thrown after two threads");
  }
}
