package dev.staunch.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Allocates, views, holds, moves, closes and drops at random in nested scopes, and compares with a
 * model that counts by hand: after each step the accounts agree to the byte (M1 to M5).
 */
class MemoryModelTest {
  private static final long BUDGET = 1 << 20;

  /** The model of a storage: who is charged, and how many open tensors and holds it has. */
  private static final class Bytes {
    final long count;
    final byte mark;
    ScopeModel charged;
    int references;

    Bytes(long count, byte mark, ScopeModel charged) {
      this.count = count;
      this.mark = mark;
      this.charged = charged;
    }

    void drop() {
      references--;
      if (references == 0) {
        charged.held -= count;
      }
    }
  }

  private static final class ScopeModel {
    final ResourceScope real;
    final int parent;
    final long budget;
    long held;
    boolean open = true;

    ScopeModel(ResourceScope real, int parent, long budget) {
      this.real = real;
      this.parent = parent;
      this.budget = budget;
    }
  }

  private static final class TensorModel {
    final DenseTensor real;
    final Bytes bytes;
    ScopeModel home;

    TensorModel(DenseTensor real, Bytes bytes, ScopeModel home) {
      this.real = real;
      this.bytes = bytes;
      this.home = home;
    }
  }

  /** One thread's world below a scope of its own. */
  private static final class World {
    private final Random random;
    private final String seed;
    private final List<ScopeModel> scopes = new ArrayList<>();
    private final List<TensorModel> tensors = new ArrayList<>();
    private final List<TensorModel> held = new ArrayList<>();
    private int refusals;

    World(ResourceScope root, long seed, long budget) {
      this.random = new Random(seed);
      this.seed = "seed " + seed;
      scopes.add(new ScopeModel(root, -1, budget));
    }

    void step() {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5 -> allocate();
        case 6, 7 -> view();
        case 8, 9, 10, 11, 12 -> close();
        case 13, 14 -> move();
        case 15 -> open();
        case 16 -> closeScope();
        case 17 -> hold();
        default -> letGo();
      }
      check();
    }

    private ScopeModel anyScope() {
      return scopes.get(random.nextInt(scopes.size()));
    }

    /** The bytes of a scope and everything below it, according to the model. */
    private long total(ScopeModel scope) {
      long sum = scope.held;
      int index = scopes.indexOf(scope);
      for (ScopeModel other : scopes) {
        sum += other.parent == index && other != scope ? total(other) : 0;
      }
      return sum;
    }

    private boolean fits(ScopeModel scope, long bytes) {
      for (ScopeModel each = scope; ; each = scopes.get(each.parent)) {
        if (total(each) + bytes > each.budget) {
          return false;
        }
        if (each.parent < 0) {
          return true;
        }
      }
    }

    private void allocate() {
      ScopeModel scope = anyScope();
      long count = 1L + random.nextInt(random.nextInt(4) == 0 ? 60_000 : 600);
      Object made = DenseTensor.allocate(scope.real, DType.UINT8, Shape.of(count));
      if (!fits(scope, count)) {
        assertInstanceOf(Fault.class, made, seed);
        refusals++;
        return;
      }
      if (!scope.open) {
        assertTrue(assertInstanceOf(Resource.class, made).isClosed(), seed);
        return;
      }
      DenseTensor tensor = assertInstanceOf(DenseTensor.class, made, seed);
      byte mark = (byte) random.nextInt();
      tensor.segment().fill(mark);
      add(tensor, new Bytes(count, mark, scope), scope);
      scope.held += count;
    }

    private void add(DenseTensor tensor, Bytes bytes, ScopeModel home) {
      bytes.references++;
      tensors.add(new TensorModel(tensor, bytes, home));
    }

    private void view() {
      if (tensors.isEmpty()) {
        return;
      }
      TensorModel of = tensors.get(random.nextInt(tensors.size()));
      ScopeModel scope = anyScope();
      if (scope.open) {
        Object view = of.real.view(scope.real, of.real.layout());
        add(assertInstanceOf(DenseTensor.class, view, seed), of.bytes, scope);
      }
    }

    private void close() {
      if (!tensors.isEmpty()) {
        TensorModel tensor = tensors.remove(random.nextInt(tensors.size()));
        tensor.real.close();
        tensor.real.close();
        assertFalse(tensor.real.retain(), seed);
        tensor.bytes.drop();
      }
    }

    private void move() {
      if (tensors.isEmpty()) {
        return;
      }
      TensorModel tensor = tensors.get(random.nextInt(tensors.size()));
      ScopeModel target = anyScope();
      ResourceScope.moveTo(target.real, tensor.real);
      if (target == tensor.home) {
        return;
      }
      Bytes bytes = tensor.bytes;
      if (bytes.charged == tensor.home) {
        bytes.charged.held -= bytes.count;
        bytes.charged = target;
        target.held += bytes.count;
      }
      tensor.home = target;
      if (!target.open) {
        assertTrue(tensor.real.isClosed(), seed);
        tensors.remove(tensor);
        bytes.drop();
      }
    }

    private void open() {
      int parent = random.nextInt(scopes.size());
      if (scopes.size() < 12 && scopes.get(parent).open) {
        ResourceScope above = scopes.get(parent).real;
        boolean bounded = random.nextBoolean();
        long budget = bounded ? 1000L + random.nextInt(100_000) : Long.MAX_VALUE;
        ResourceScope made = bounded ? above.child("bounded", budget) : above.child("free");
        scopes.add(new ScopeModel(made, parent, budget));
      }
    }

    private void closeScope() {
      int which = random.nextInt(scopes.size());
      if (which > 0) {
        end(scopes.get(which));
      }
    }

    void end(ScopeModel scope) {
      scope.real.close();
      scope.open = false;
      for (TensorModel tensor : List.copyOf(tensors)) {
        if (tensor.home == scope) {
          assertTrue(tensor.real.isClosed(), seed);
          tensors.remove(tensor);
          tensor.bytes.drop();
        }
      }
    }

    private void hold() {
      if (!tensors.isEmpty()) {
        TensorModel tensor = tensors.get(random.nextInt(tensors.size()));
        assertTrue(tensor.real.retain(), seed);
        tensor.bytes.references++;
        held.add(tensor);
      }
    }

    private void letGo() {
      if (!held.isEmpty()) {
        TensorModel tensor = held.remove(random.nextInt(held.size()));
        Bytes bytes = tensor.bytes;
        byte last = tensor.real.segment().get(ValueLayout.JAVA_BYTE, bytes.count - 1);
        assertEquals(bytes.mark, last, seed);
        tensor.real.release();
        bytes.drop();
      }
    }

    private void check() {
      for (ScopeModel scope : scopes) {
        assertEquals(total(scope), scope.real.account().bytes(), seed);
      }
    }

    void finish() {
      while (!held.isEmpty()) {
        letGo();
      }
      scopes.forEach(this::end);
      check();
      assertEquals(0, tensors.size(), seed);
    }
  }

  @Test
  void oneThreadAgreesWithTheModelAfterEachStep() {
    for (long seed = 1; seed <= 20; seed++) {
      OffHeap memory = OffHeap.withBudget(BUDGET);
      World world = new World(ResourceScope.open(memory, "world"), seed, BUDGET);
      for (int i = 0; i < 1500; i++) {
        world.step();
      }
      assertTrue(world.refusals > 0 || seed > 1, "some budget is met");
      world.finish();
      assertEquals(0, memory.account().bytes(), "seed " + seed);
      memory.close();
      assertEquals(0, memory.reservedBytes(), "seed " + seed);
      assertEquals(0, memory.metrics().leaks(), "seed " + seed);
    }
  }

  @Test
  void severalThreadsEachAgreeWithTheirModelWhileOthersDropAndCollect() throws Exception {
    long seed = 100;
    OffHeap memory = OffHeap.withBudget(8 * BUDGET);
    LifeTest.atOnce(
        4,
        thread -> {
          ResourceScope root = ResourceScope.open(memory, "world " + thread, BUDGET);
          if (thread == 0) {
            for (int i = 0; i < 4000; i++) {
              assertInstanceOf(
                  DenseTensor.class,
                  DenseTensor.allocate(root, DType.UINT8, Shape.of(10 + i % 90)));
              if (i % 1000 == 999) {
                System.gc();
              }
            }
            root.close();
            return;
          }
          World world = new World(root, seed + thread, BUDGET);
          for (int i = 0; i < 3000; i++) {
            world.step();
          }
          world.finish();
        });
    assertTrue(Dropped.collectUntil(() -> memory.account().bytes() == 0), "seed " + seed);
    assertTrue(Dropped.collectUntil(() -> memory.account().children().isEmpty()), "seed " + seed);
    memory.close();
    assertEquals(0, memory.reservedBytes());
  }
}
