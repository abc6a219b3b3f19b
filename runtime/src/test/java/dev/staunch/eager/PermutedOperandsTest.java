package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Writes in place reveal how results are laid out: the result of permuted operands is permuted in
 * the same way, so {@code reshape}, {@code contiguous} and {@code view} share its memory, copy it
 * or refuse, as in PyTorch.
 */
class PermutedOperandsTest {
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory);
  private final Tensor x = context.tensor(new float[] {0, 1, 2, 3, 4, 5}).reshape(2, 3);

  @AfterEach
  void nothingIsHeld() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void whatIsTurnedBackIsSharedByReshape() {
    Tensor y = x.t().mul(x.t()).t();
    y.reshape(-1).select(0, 4).fill_(-1);
    assertArrayEquals(new float[] {0, 1, 4, 9, -1, 25}, y.floats());
  }

  @Test
  void contiguousCopiesWhatIsPermuted() {
    Tensor y = x.t().mul(2);
    y.contiguous().add_(1);
    assertArrayEquals(new float[] {0, 6, 2, 8, 4, 10}, y.floats());
  }

  @Test
  void viewRefusesWhatIsPermuted() {
    assertThrows(StaunchException.class, () -> x.t().abs().view(6).floats());
    assertArrayEquals(new float[] {0, 1, 2, 3, 4, 5}, x.t().abs().t().view(6).floats());
  }

  @Test
  void answersAndCastsLieAsTheirOperands() {
    Tensor y = x.t().gt(x.t().to(DType.FLOAT64)).t();
    y.view(6).select(0, 5).fill_(1);
    assertArrayEquals(new boolean[] {false, false, false, false, false, true}, y.booleans());
  }

  @Test
  void theFirstOperandThatTellsDecides() {
    Tensor row = context.ones(2);
    Tensor other = context.ones(3, 2);
    row.add(x.t()).t().view(6).floats();
    other.add(x.t()).view(6).floats();
    assertThrows(StaunchException.class, () -> x.t().add(other).view(6).floats());
  }
}
