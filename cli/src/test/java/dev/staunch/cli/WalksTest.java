package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.inference.InferenceRequest;
import dev.staunch.inference.Model;
import dev.staunch.memory.MemoryOptions;
import dev.staunch.memory.OffHeap;
import dev.staunch.testkit.Walk;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * How far a reader has to go along the paths of docs/walks; the numbers here may only fall. Each
 * walk is written to {@code target/walks}.
 */
class WalksTest {
  /** Never guarded, even where other tests are: guarded memory takes another path. */
  private static OffHeap usual() {
    return OffHeap.of(MemoryOptions.defaults().withGuard(false));
  }

  private static void assertWithin(
      String name, Class<? extends Supplier<Runnable>> work, int files, int rooms, long calls)
      throws IOException {
    Walk walk = Walk.of(work);
    Path folder = Files.createDirectories(Path.of("target", "walks"));
    Files.writeString(folder.resolve(name + ".txt"), walk.toString());
    boolean within =
        walk.files().size() <= files && walk.rooms().size() <= rooms && walk.calls() <= calls;
    assertTrue(within, () -> name + ": " + walk.summary());
  }

  /** {@code a.add(b)} of four numbers each. */
  abstract static class Sum implements Supplier<Runnable> {
    final Context context = Context.open(usual());

    abstract Tensor operand();

    @Override
    public Runnable get() {
      Tensor a = operand();
      Tensor b = operand();
      return () -> a.add(b);
    }
  }

  static final class Floats extends Sum {
    @Override
    Tensor operand() {
      return context.of(Shape.of(4), 1f, 2f, 3f, 4f);
    }
  }

  @Test
  void anEagerOperation() throws IOException {
    assertWithin("eager", Floats.class, 37, 11, 161);
  }

  /** Integers take no shortcut. */
  static final class Integers extends Sum {
    @Override
    Tensor operand() {
      return context.of(Shape.of(4), 1, 2, 3, 4);
    }
  }

  @Test
  void anEagerOperationOnIntegers() throws IOException {
    assertWithin("eager-integers", Integers.class, 49, 13, 301);
  }

  /** The demo's model answers a request. */
  static final class Request implements Supplier<Runnable> {
    @Override
    public Runnable get() {
      try {
        DemoModel demo = new DemoModel(usual());
        InferenceRequest request = demo.request(0);
        return () -> assertTrue(!demo.model.predict(request, "forward").failed());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void aRequest() throws IOException {
    assertWithin("request", Request.class, 92, 19, 2_138);
  }

  /** The demo's model is loaded. */
  static final class Loading implements Supplier<Runnable> {
    private final OffHeap memory = usual();

    @Override
    public Runnable get() {
      try {
        Path archive = DemoFiles.archive();
        return () -> Model.load(archive, memory).close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void loading() throws IOException {
    assertWithin("loading", Loading.class, 107, 17, 29_915);
  }
}
