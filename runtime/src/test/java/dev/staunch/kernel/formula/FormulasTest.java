package dev.staunch.kernel.formula;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.kernel.loop.Rule;
import dev.staunch.type.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All loops of a formula return the bits of the loop over reals, rounded once to float32. */
class FormulasTest {
  private static final int COUNT = 20_011;
  private static final long SEED = 7;

  static Stream<Named<Rule>> rulesOfReals() throws ReflectiveOperationException {
    return rules().stream().filter(named -> named.getPayload().takesReals());
  }

  static List<Named<Rule>> rules() throws ReflectiveOperationException {
    List<Named<Rule>> rules = new ArrayList<>();
    for (Method method : Formulas.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers())) {
        Object[] constants =
            Stream.of(method.getParameterTypes()).map(FormulasTest::some).toArray();
        rules.add(Named.of(method.getName(), (Rule) method.invoke(null, constants)));
      }
    }
    return rules;
  }

  private static Object some(Class<?> type) {
    return type == double.class
        ? (Object) 0.3
        : type == long.class
            ? (Object) 3L
            : type == int.class ? 32 : type == boolean.class ? true : DType.FLOAT32;
  }

  @Test
  void theTableOfFormulasIsRead() throws ReflectiveOperationException {
    assertTrue(rules().size() > 100, () -> "only some rules");
  }

  /**
   * Each formula is a class: a process that needs a few should not load them all when it starts.
   */
  @Test
  void noFormulaIsThereBeforeItIsAskedFor() {
    assertEquals(0, Formulas.class.getDeclaredFields().length);
  }

  @ParameterizedTest
  @MethodSource("rulesOfReals")
  void aLoopOverFloatsGivesTheBitsOfRealsRoundedOnce(Rule rule) {
    float[][] singles = operands(rule.operands());
    double[][] doubles = new double[singles.length][COUNT];
    for (int k = 0; k < singles.length; k++) {
      for (int i = 0; i < COUNT; i++) {
        doubles[k][i] = singles[k][i];
      }
    }
    switch (rule) {
      case Rule.Numbers numbers -> {
        double[] exact = new double[COUNT];
        numbers.run(doubles, exact, COUNT);
        float[] rounded = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
          rounded[i] = (float) exact[i];
        }
        float[] found = new float[COUNT];
        numbers.run(singles, found, COUNT);
        assertArrayEquals(bits(rounded), bits(found), "seed " + SEED);
      }
      case Rule.Truths truths -> {
        byte[] exact = new byte[COUNT];
        truths.run(doubles, exact, COUNT);
        byte[] found = new byte[COUNT];
        truths.run(singles, found, COUNT);
        assertArrayEquals(exact, found, "seed " + SEED);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("rulesOfReals")
  void elementsAreCombinedWhereTheyLieAsInArrays(Rule rule) {
    if (!(rule instanceof Rule.Numbers numbers) || rule.operands() > 2) {
      return;
    }
    float[][] operands = operands(2);
    float[] expected = new float[COUNT];
    numbers.run(operands, expected, COUNT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocateFrom(ValueLayout.JAVA_FLOAT, operands[0]);
      MemorySegment b = arena.allocateFrom(ValueLayout.JAVA_FLOAT, operands[1]);
      MemorySegment out = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
      numbers.run(a, 0, b, 0, out, 0, COUNT);
      assertArrayEquals(bits(expected), bits(out.toArray(ValueLayout.JAVA_FLOAT)), "seed " + SEED);
      for (int i = 0; i < COUNT; i += 97) {
        numbers.run(a, i, operands[1][i], out, i, 1);
      }
      assertArrayEquals(bits(expected), bits(out.toArray(ValueLayout.JAVA_FLOAT)), "seed " + SEED);
    }
  }

  static Stream<Named<Rule>> rulesOfPackedBools() throws ReflectiveOperationException {
    return rules().stream().filter(named -> named.getPayload().takesPackedBools());
  }

  @ParameterizedTest
  @MethodSource("rulesOfPackedBools")
  void packedBoolsGiveTheTruthsOfIntegers(Rule rule) {
    Random random = new Random(SEED);
    int words = COUNT / Long.BYTES;
    long[][] integers = new long[rule.operands()][words * Long.BYTES];
    long[][] packed = new long[rule.operands()][words];
    for (int k = 0; k < packed.length; k++) {
      for (int i = 0; i < integers[k].length; i++) {
        integers[k][i] = random.nextInt(2);
        packed[k][i / Long.BYTES] |= integers[k][i] << (i % Long.BYTES * Byte.SIZE);
      }
    }
    long[] found = new long[words];
    rule.runPacked(packed, found, words);
    long[] expected = new long[integers[0].length];
    byte[] answers = new byte[expected.length];
    switch (rule) {
      case Rule.Numbers numbers -> numbers.run(integers, expected, expected.length);
      case Rule.Truths truths -> truths.run(integers, answers, expected.length);
    }
    for (int i = 0; i < expected.length; i++) {
      long each = (expected[i] | answers[i]) != 0 ? 1 : 0;
      assertEquals(each, found[i / Long.BYTES] >>> (i % Long.BYTES * Byte.SIZE) & 0xff);
    }
  }

  /** Floats of all magnitudes, special ones, and some that many rules distinguish. */
  private static float[][] operands(int count) {
    Random random = new Random(SEED);
    float[] special = {
      0,
      -0f,
      1,
      -1,
      Float.NaN,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      Float.MIN_VALUE,
      Float.MAX_VALUE,
      0.5f
    };
    float[][] operands = new float[count][COUNT];
    for (float[] operand : operands) {
      for (int i = 0; i < COUNT; i++) {
        int kind = random.nextInt(8);
        operand[i] =
            kind == 0
                ? special[random.nextInt(special.length)]
                : kind < 4 ? Float.intBitsToFloat(random.nextInt()) : (float) random.nextGaussian();
      }
    }
    return operands;
  }

  /** The same bits for all NaNs, because their payload is left to the processor. */
  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = Float.floatToIntBits(values[i]);
    }
    return bits;
  }
}
