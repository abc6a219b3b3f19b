package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.operation.None;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tensor may be written from views of itself: everything is read before anything is written. */
class OverlappingWritesTest {
  private final EagerTrial trial = new EagerTrial(EngineOptions.serial());
  private final Context context = trial.context;

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  private Tensor square() {
    return context.arange(9).reshape(3, 3);
  }

  @Test
  void aMatrixPlusItsTransposeIsSymmetric() {
    Tensor x = square();
    assertArrayEquals(new long[] {0, 4, 8, 4, 8, 12, 8, 12, 16}, x.add_(x.t()).longs());
  }

  @Test
  void aMatrixTakesItsOwnTranspose() {
    Tensor x = square();
    assertArrayEquals(new long[] {0, 3, 6, 1, 4, 7, 2, 5, 8}, x.copy_(x.t()).longs());
  }

  @Test
  void aPartMovesByOne() {
    Tensor x = context.arange(5);
    x.get(Slice.from(1)).copy_(x.get(Slice.to(-1)));
    assertArrayEquals(new long[] {0, 0, 1, 2, 3}, x.longs());
  }

  @Test
  void rowsAreSwappedByIndices() {
    Tensor x = square();
    x.set(x.get(Slice.of(0, 2)), context.tensor(new long[] {1, 0}));
    assertArrayEquals(new long[] {3, 4, 5, 0, 1, 2, 6, 7, 8}, x.longs());
  }

  @Test
  void anExpandedTensorIsRefusedWithTheStepThatMendsIt() {
    Tensor wide = context.zeros(3, 1).expand(3, 4);
    Fault fault = Objects.requireNonNull(wide.add_(1.0).fault());
    assertEquals(FaultType.VALUE, fault.type());
    assertEquals(
        "an expanded or overlapping tensor cannot be written, because several of its elements are"
            + " one place in memory; `copy()` it before",
        fault.message());
  }

  private static FaultType refused(Tensor written) {
    Fault fault = Objects.requireNonNull(written.fault());
    fault.markRead();
    return fault.type();
  }

  @Test
  void anExpandedTensorIsFilledButNotCopiedTo() {
    Tensor wide = context.zeros(1, 3).expand(2, 3);
    assertArrayEquals(new float[] {2, 2, 2, 2, 2, 2}, wide.fill_(2.0).floats());
    assertEquals(FaultType.VALUE, refused(wide.copy_(context.zeros())));
  }

  @Test
  void aSumAlongADimensionIsNotWrittenToPiecesThatShareElements() {
    Tensor pieces = context.apply("aten::unfold", context.ones(5), 0L, 3L, 1L);
    Tensor apart = context.apply("aten::unfold", context.ones(6), 0L, 3L, 3L);
    assertEquals(FaultType.VALUE, refused(context.apply("aten::cumsum_", pieces, 0L, None.NONE)));
    context.apply("aten::cumsum_", apart, 0L, None.NONE);
    assertArrayEquals(new float[] {1, 1, 1, 2, 2, 2}, apart.floats());
  }

  @Test
  void anExpandedTensorWithoutElementsMayBeWritten() {
    Tensor none = context.zeros(0).expand(2, 0);
    assertArrayEquals(new long[0], none.copy_(context.zeros(0)).longs());
    assertArrayEquals(new long[0], none.mul_(context.ones(2, 1)).longs());
  }

  /** What a program does with a target and a source that is a view of the same memory. */
  enum Write {
    COPY {
      @Override
      void run(Tensor target, Tensor source) {
        target.copy_(source);
      }
    },
    ADD {
      @Override
      void run(Tensor target, Tensor source) {
        target.add_(source);
      }
    },
    MULTIPLY {
      @Override
      void run(Tensor target, Tensor source) {
        target.mul_(source);
      }
    },
    ADD_PRODUCT {
      @Override
      void run(Tensor target, Tensor source) {
        target.addcmul_(source, source, 1);
      }
    },
    LERP {
      @Override
      void run(Tensor target, Tensor source) {
        target.lerp_(source, 0.5);
      }
    },
    PUT {
      @Override
      void run(Tensor target, Tensor source) {
        target.set(source, target.context().tensor(new long[] {1, 0}));
      }
    },
    SCATTER {
      @Override
      void run(Tensor target, Tensor source) {
        Tensor index = target.context().zeros(DType.INT64, 2, 2, 2);
        target.scatterAdd_(1, index, source);
      }
    },
    ADD_SLICES {
      @Override
      void run(Tensor target, Tensor source) {
        Tensor index = target.context().tensor(new long[] {1, 0});
        target.applyInPlace("aten::index_add_", target, 0L, index, source, 1L);
      }
    };

    abstract void run(Tensor target, Tensor source);
  }

  @ParameterizedTest
  @EnumSource(Write.class)
  void aRandomViewIsWrittenFromAnotherAsFromACopyOfIt(Write write) {
    for (int seed = 0; seed < 200; seed++) {
      String program = write + ", seed " + seed;
      Random random = new Random(seed);
      UnaryOperator<Tensor> target = view(random);
      UnaryOperator<Tensor> source = view(random);
      context.using(
          program,
          () -> {
            Tensor shared = cube();
            write.run(target.apply(shared), source.apply(shared));
            Tensor apart = cube();
            write.run(target.apply(apart), source.apply(apart).copy());
            assertNull(apart.fault(), program);
            assertArrayEquals(apart.floats(), shared.floats(), program);
            return program;
          });
    }
  }

  private Tensor cube() {
    return context.arange(0.0, 27.0, 1.0).reshape(3, 3, 3);
  }

  /** A part of a cube: two from each dimension, in any order of dimensions. */
  private static UnaryOperator<Tensor> view(Random random) {
    List<UnaryOperator<Tensor>> steps = new ArrayList<>();
    for (int dim = 0; dim < 3; dim++) {
      int at = dim;
      int start = random.nextInt(2);
      int step = start == 0 ? 1 + random.nextInt(2) : 1;
      int end = step == 1 ? start + 2 : 3;
      steps.add(tensor -> tensor.slice(at, start, end, step));
    }
    for (int turns = random.nextInt(3); turns > 0; turns--) {
      int first = random.nextInt(3);
      int second = random.nextInt(3);
      steps.add(tensor -> tensor.transpose(first, second));
    }
    return tensor -> {
      Tensor view = tensor;
      for (UnaryOperator<Tensor> step : steps) {
        view = step.apply(view);
      }
      return view;
    };
  }
}
