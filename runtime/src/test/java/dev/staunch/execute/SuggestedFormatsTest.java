package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.ir.Value;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Images for which the program itself requests channels last, along with others that the plan
 * reorders: every layout that a program can see is the same as when operations run as written.
 */
class SuggestedFormatsTest {
  private static final UnaryOperator<RunOptions> USUAL = UnaryOperator.identity();
  private static final List<UnaryOperator<RunOptions>> HOW =
      List.of(USUAL, USUAL, SuggestedFormatsTest::written);

  private static RunOptions written(RunOptions options) {
    return options.withOperationsAsWritten(true);
  }

  private static List<Object> run(ImageProgram program, Plan plan, UnaryOperator<RunOptions> how) {
    return program.run(plan, how, 9, 2, ImageProgram.CHANNELS, 5, 6);
  }

  private static Value last(ImageProgram program, Value image) {
    return program.call("contiguous", image, program.integer(2));
  }

  private static Layout layout(List<Object> results, int i) {
    return (Layout) ((List<?>) results.get(i)).getFirst();
  }

  private static List<Layout> layouts(List<Object> results) {
    return IntStream.range(0, results.size()).mapToObj(i -> layout(results, i)).toList();
  }

  @Test
  void whatIsMadeOfImagesWithTheirChannelsLastLiesSo() {
    try (ImageProgram program = new ImageProgram(3, request -> true)) {
      Value image = last(program, program.x);
      Value convolved = program.convolved(image);
      Value pooled = program.pooled(program.normalized(program.call("relu", convolved)));
      Plan plan = program.plan(convolved, pooled);
      for (UnaryOperator<RunOptions> how : HOW) {
        List<Object> results = run(program, plan, how);
        Layout expected = Layout.channelsLast(Shape.of(2, ImageProgram.CHANNELS, 5, 6));
        assertEquals(List.of(expected, expected), layouts(results));
      }
    }
  }

  @Test
  void whatIsMadeOfTurnedImagesIsRowMajor() {
    try (ImageProgram program = new ImageProgram(3, request -> true)) {
      Value between = program.call("relu", program.convolved(program.x));
      Value convolved = program.convolved(between);
      Value pooled = program.pooled(program.normalized(program.convolved(program.x)));
      Plan plan = program.plan(convolved, pooled);
      for (UnaryOperator<RunOptions> how : HOW) {
        for (Layout each : layouts(run(program, plan, how))) {
          assertEquals(Layout.contiguous(each.shape()), each);
        }
      }
    }
  }

  @Test
  void whatIsNormalizedImageByImageIsRowMajor() {
    for (boolean byItsOwn : new boolean[] {false, true}) {
      try (ImageProgram program = new ImageProgram(3, request -> true)) {
        Value normalized = program.eachNormalized(last(program, program.x), byItsOwn);
        Plan plan = program.plan(normalized, program.convolved(normalized));
        for (UnaryOperator<RunOptions> how : HOW) {
          for (Layout each : layouts(run(program, plan, how))) {
            assertEquals(Layout.contiguous(each.shape()), each);
          }
        }
      }
    }
  }

  /**
   * An image of one channel is in both orders, and its strides may suggest one of them. The strides
   * of a convolution's result do; the strides of a tensor computed from it are those of a new
   * tensor.
   */
  @Test
  void whatIsMadeOfOneChannelSuggestsNothing() {
    List<BiFunction<ImageProgram, Value, Value>> between =
        List.of(
            (program, image) -> program.call("relu", image),
            (program, image) -> program.call("sigmoid", program.call("neg", image)),
            ImageProgram::normalizedAlone,
            (program, image) -> program.call("relu", program.normalizedAlone(image)));
    for (BiFunction<ImageProgram, Value, Value> make : between) {
      for (boolean isRead : new boolean[] {false, true}) {
        try (ImageProgram program = new ImageProgram(3, request -> true)) {
          Value channel = program.narrowed(last(program, program.x));
          Value made = make.apply(program, channel);
          Value widened = program.widened(made);
          Plan plan = program.plan(isRead ? new Value[] {widened, channel} : new Value[] {widened});
          for (UnaryOperator<RunOptions> how : HOW) {
            List<Object> results = run(program, plan, how);
            Layout all = layout(results, 0);
            assertEquals(Layout.contiguous(all.shape()), all);
            if (isRead) {
              Layout one = layout(results, 1);
              assertEquals(Layout.channelsLast(one.shape()), one);
            }
          }
        }
      }
    }
  }

  @Test
  void programsOfBothShowWhatTheyDoAsWritten() {
    for (int seed = 0; seed < 400; seed++) {
      boolean[] likes = new boolean[1];
      try (ImageProgram program = new ImageProgram(3, request -> likes[0])) {
        Plan plan = random(program, new Random(seed));
        List<Object> expected = run(program, plan, USUAL);
        assertEquals(
            layouts(run(program, plan, SuggestedFormatsTest::written)),
            layouts(expected),
            "seed " + seed);
        likes[0] = true;
        for (int i = 0; i < 2; i++) {
          assertEquals(expected, run(program, plan, USUAL), "seed " + seed + ", turned");
        }
      }
    }
  }

  private static Plan random(ImageProgram program, Random random) {
    List<Value> images = new ArrayList<>(List.of(program.x));
    for (int i = 0; i < 12; i++) {
      Value one = images.get(random.nextInt(images.size()));
      Value other = images.get(Math.max(0, images.size() - 1 - random.nextInt(3)));
      images.add(
          switch (random.nextInt(9)) {
            case 0 -> last(program, other);
            case 1, 2, 3 -> program.convolved(other);
            case 4 -> program.normalized(other);
            case 5 -> program.pooled(other);
            case 6 -> program.added(one, other);
            case 7 -> program.call("relu_", program.added(other, one));
            default -> program.call(random.nextBoolean() ? "relu" : "log_sigmoid", other);
          });
    }
    List<Value> seen = new ArrayList<>();
    for (Value image : images) {
      if (random.nextInt(7) == 0) {
        seen.add(image);
      }
    }
    seen.add(program.flattened(images.getLast()));
    return program.plan(seen.toArray(Value[]::new));
  }
}
