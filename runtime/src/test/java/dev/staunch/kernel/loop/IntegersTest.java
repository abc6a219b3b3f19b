package dev.staunch.kernel.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.CountdownEnvironment;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Integers are read in place, a tile at a time. */
class IntegersTest {
  private static final int MANY = 2 * Integers.TILE + 3;

  private final OffHeap memory = OffHeap.withBudget(1L << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "test");

  @AfterEach
  void everyByteGoesBack() {
    scope.close();
    assertEquals(0, memory.account().bytes());
  }

  private CancellationPoll poll(long looks) {
    return new CancellationPoll(new Call(new CountdownEnvironment(scope, looks), new Object[0]));
  }

  private DenseTensor longs(long... values) {
    return (DenseTensor) HostTensors.longs(scope, Shape.of(values.length), values);
  }

  @Test
  void aTransposedTensorIsReadRowByRow() {
    DenseTensor plain = longs(LongStream.range(0, 6).toArray());
    Layout turned = new Layout(Shape.of(3, 2), new long[] {1, 3}, 0);
    Integers read = Integers.of(poll(9), plain, turned);
    long[] all = LongStream.range(0, read.size()).map(read::at).toArray();
    assertArrayEquals(new long[] {0, 3, 1, 4, 2, 5}, all);
  }

  @Test
  void elementsOfSeveralTilesAreReadInAnyOrder() {
    DenseTensor numbers = longs(LongStream.range(0, MANY).map(i -> 7 * i).toArray());
    Integers read = Integers.of(poll(9), numbers);
    for (long i : new long[] {MANY - 1, 0, Integers.TILE, Integers.TILE - 1, 5}) {
      assertEquals(7 * i, read.at(i));
    }
    long[] some = new long[MANY];
    read.copy(3, MANY - 3, some, 1);
    assertEquals(0, some[0]);
    assertEquals(21, some[1]);
    assertEquals(7L * (MANY - 1), some[MANY - 3]);
  }

  @Test
  void whatIsReadAfterACancellationIsStillTrue() {
    CancellationPoll poll = poll(0);
    poll.mayContinue(CancellationPoll.STRIDE);
    assertSame(CountdownEnvironment.STOP, poll.fault());
    DenseTensor numbers = longs(LongStream.range(0, MANY).toArray());
    assertEquals(MANY - 1L, Integers.of(poll, numbers).at(MANY - 1));
  }

  @Test
  void anIndexThatIsWrittenMeanwhileKeepsItsFirstMeaning() {
    DenseTensor numbers = longs(1, 2, 0);
    Object result =
        ((Kernel.One) StandardOperations.catalog().find("aten::index_put_").kernel())
            .run(
                new Call(
                    new CountdownEnvironment(scope, 9),
                    new Object[] {numbers, List.of(numbers), longs(2, 2, 2), false}));
    DenseTensor written = assertInstanceOf(DenseTensor.class, result);
    assertArrayEquals(new long[] {2, 2, 2}, HostTensors.toLongs(written));
  }

  @Test
  void anIndexOutOfBoundsIsAFaultThoughItStandsInTheLastTile() {
    long[] values = new long[MANY];
    values[MANY - 1] = 3;
    Object result =
        ((Kernel.One) StandardOperations.catalog().find("aten::gather").kernel())
            .run(
                new Call(
                    new CountdownEnvironment(scope, 9),
                    new Object[] {longs(1, 2, 3), 0L, longs(values), false}));
    assertEquals(
        "index 3 at position 8194 is out of bounds for dimension 0 with size 3",
        assertInstanceOf(Fault.class, result).message());
  }
}
