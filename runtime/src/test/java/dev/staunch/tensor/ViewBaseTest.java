package dev.staunch.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A view knows the tensor that it views. */
class ViewBaseTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");
  private final DenseTensor tensor = tensor(HostTensors.floats(scope, Shape.of(2, 2), 1, 2, 3, 4));
  private final DenseTensor turned = tensor(tensor.view(scope, layout(2, 1, 2)));

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private static DenseTensor tensor(Object made) {
    return assertInstanceOf(DenseTensor.class, made);
  }

  private static Layout layout(long rows, long... strides) {
    return new Layout(Shape.of(rows, 2), strides, 0);
  }

  @Test
  void whatIsNoViewHasNoBase() {
    assertNull(tensor.base());
    assertNull(tensor.requiringGrad(scope, true).base());
  }

  @Test
  void theBaseOfAViewIsTheTensorThatItViews() {
    assertSame(tensor, turned.base());
  }

  @Test
  void theBaseOfAViewOfAViewIsTheFirstTensor() {
    assertSame(tensor, tensor(turned.view(scope, layout(1, 2, 1))).base());
  }

  @Test
  void anotherHandleOfAViewHasTheSameBase() {
    assertSame(tensor, turned.requiringGrad(scope, true).base());
    assertSame(tensor, turned.lentTo(scope).base());
  }

  @Test
  void aViewOutlivesItsBase() {
    tensor.close();
    assertTrue(assertInstanceOf(DenseTensor.class, turned.base()).isClosed());
    assertArrayEquals(new float[] {1, 3, 2, 4}, HostTensors.toFloats(turned));
  }

  @Test
  void ofAClosedTensorThereIsNoView() {
    turned.close();
    Object view = turned.view(scope, layout(1, 2, 1));
    assertEquals(FaultType.CLOSED, assertInstanceOf(Fault.class, view).type());
  }
}
