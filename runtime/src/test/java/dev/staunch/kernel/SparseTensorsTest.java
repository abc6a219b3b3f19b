package dev.staunch.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.dispatch.Door;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sparse tensors as graphs use them; what no kernel supports is refused by name. */
class SparseTensorsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "sparse");
  private final KernelBench bench = new KernelBench(scope);

  @AfterEach
  void nothingIsLeft() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private Object call(String name, Object... given) {
    CatalogEntry entry = Objects.requireNonNull(StandardOperations.catalog().find(name));
    List<Schema.Parameter> parameters = entry.schema().parameters();
    Object[] arguments = new Object[parameters.size()];
    for (int i = 0; i < arguments.length; i++) {
      Object absent = parameters.get(i).defaultValue();
      arguments[i] = i < given.length ? given[i] : absent == null ? None.NONE : absent;
    }
    return Door.to(entry).call(bench, arguments, null, null);
  }

  private Object longs(Shape shape, long... values) {
    return HostTensors.longs(scope, shape, values);
  }

  private Object floats(Shape shape, float... values) {
    return HostTensors.floats(scope, shape, values);
  }

  /** [[0, 5, 0], [3, 0, 0]], the 5 in two parts. */
  private Object sparse() {
    return call(
        "aten::sparse_coo_tensor.indices_size",
        longs(Shape.of(2, 3), 0, 1, 0, 1, 0, 1),
        floats(Shape.of(3), 2, 3, 3),
        List.of(2L, 3L));
  }

  private static float[] elements(Object tensor) {
    return HostTensors.toFloats(assertInstanceOf(DenseTensor.class, tensor));
  }

  private static Fault fault(FaultType type, Object outcome) {
    Fault fault = assertInstanceOf(Fault.class, outcome);
    assertEquals(type, fault.type(), fault.toString());
    return fault;
  }

  @Test
  void placesThatAreGivenTwiceAddUp() {
    assertArrayEquals(new float[] {0, 5, 0, 3, 0, 0}, elements(call("aten::to_dense", sparse())));
    Object coalesced = call("aten::coalesce", sparse());
    assertEquals(2L, call("aten::_nnz", coalesced));
    assertArrayEquals(new float[] {5, 3}, elements(call("aten::values", coalesced)));
  }

  @Test
  void itsProductIsThatOfTheDenseOne() {
    Object other = floats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6);
    assertArrayEquals(new float[] {15, 20, 3, 6}, elements(call("aten::mm", sparse(), other)));
    fault(FaultType.SHAPE, call("aten::mm", sparse(), floats(Shape.of(2, 2), 1, 2, 3, 4)));
    fault(FaultType.DTYPE, call("aten::mm", sparse(), longs(Shape.of(3, 1), 1, 2, 3)));
    fault(FaultType.UNSUPPORTED, call("aten::mm", other, sparse()));
  }

  @Test
  void anIndexOutOfItsSizeIsNamed() {
    Object values = floats(Shape.of(1), 1);
    Object beyond =
        call(
            "aten::sparse_coo_tensor.indices_size",
            longs(Shape.of(2, 1), 0, 3),
            values,
            List.of(2L, 3L));
    assertEquals(
        "index 3 of dimension 1 is not within its size 3",
        fault(FaultType.INDEX, beyond).message());
    fault(
        FaultType.INDEX,
        call("aten::sparse_coo_tensor.indices", longs(Shape.of(1, 1), -1), values));
    fault(
        FaultType.SHAPE,
        call(
            "aten::sparse_coo_tensor.indices_size",
            longs(Shape.of(2, 1), 0, 0),
            values,
            List.of(2L)));
  }

  @Test
  void whatNoKernelKnowsIsRefusedWithTheRemedy() {
    Fault refused = fault(FaultType.UNSUPPORTED, call("aten::relu", sparse()));
    assertTrue(refused.message().contains("`to_dense`"), refused.message());
    fault(FaultType.UNSUPPORTED, call("aten::coalesce", floats(Shape.of(1), 1)));
    fault(FaultType.VALUE, call("aten::values", sparse()));
  }
}
