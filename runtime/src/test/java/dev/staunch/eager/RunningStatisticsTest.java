package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.StaunchException;
import dev.staunch.operation.None;
import dev.staunch.type.Shape;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The statistics that training updates in place are written memory like any other (E1). */
@Timeout(60)
class RunningStatisticsTest {
  private final CountDownLatch done = new CountDownLatch(1);
  private final EagerTrial trial = EagerTrial.withLater(EngineOptions.threaded(2), done);
  private final Context context = trial.context;
  private final Tensor mean = context.zeros(2);
  private final Tensor variance = context.ones(2);
  private final Tensor batch = context.apply("test::later", context.full(4.0, 3, 2));

  @AfterEach
  void everyByteWentBack() {
    done.countDown();
    trial.close();
  }

  private Tensor normalised(boolean training) {
    return batch.batchNorm(mean, variance, null, null, training, 0.5, 1e-5);
  }

  @Test
  void whatIsCalledAfterTrainingSeesWhatItMoved() {
    normalised(true);
    Tensor seen = mean.add(variance);
    done.countDown();
    assertEquals(2 * 2.5, seen.sum().item());
  }

  @Test
  void instanceNormalisationMovesThemByTheMeanOfTheImages() {
    Tensor images = context.of(Shape.of(2, 2, 2), 0f, 2f, 4f, 6f, 4f, 6f, 3f, 3f);
    Tensor result = instancesNormalised(images, mean);
    assertArrayEquals(new float[] {1.5f, 2}, mean.floats());
    assertArrayEquals(new float[] {1.5f, 1}, variance.floats());
    assertArrayEquals(new float[] {-1, 1, -1, 1, -1, 1, 0, 0}, result.floats(), 1e-4f);
  }

  @Test
  void instanceNormalisationThatFailsLeavesThemAsTheyWere() {
    Tensor failed = instancesNormalised(context.ones(2, 2, 2), context.zeros(3));
    assertThrows(StaunchException.ShapeException.class, failed::floats);
    assertArrayEquals(new float[] {1, 1}, variance.floats());
  }

  private Tensor instancesNormalised(Tensor images, Tensor means) {
    return context.apply(
        "aten::instance_norm",
        images,
        None.NONE,
        None.NONE,
        means,
        variance,
        true,
        0.5,
        1e-5,
        false);
  }

  @Test
  void evaluationKeepsNobodyFromReadingThem() {
    Tensor result = normalised(false);
    assertEquals(2.0, mean.add(variance).sum().item());
    done.countDown();
    assertEquals(6 * 4, result.sum().item(), 1e-3);
  }

  @Test
  void trainingThatFailsLeavesThemAsTheyWere() {
    Tensor failed = batch.batchNorm(mean, variance, context.ones(7), null, true, 0.5, 1e-5);
    done.countDown();
    assertThrows(StaunchException.ShapeException.class, failed::floats);
    assertEquals(2.0, mean.add(variance).sum().item());
  }

  @Test
  void aFaultOfThemIsTheFaultOfTheResult() {
    mean.add_(context.ones(7));
    Tensor failed = normalised(true);
    done.countDown();
    assertThrows(StaunchException.ShapeException.class, failed::floats);
    assertEquals(2.0, variance.sum().item());
  }
}
