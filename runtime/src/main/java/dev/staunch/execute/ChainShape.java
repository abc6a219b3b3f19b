package dev.staunch.execute;

import dev.staunch.kernel.PointwiseBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which values the steps of a {@link PointwiseChain} pass on. Values are numbered: first the
 * inputs, then the outputs, then the slots for intermediate values.
 *
 * @param inputs the registers that the chain reads, each once
 * @param outputs the registers that are read after the chain
 * @param places the number of slots for intermediate values that fit into no output
 * @param operands for each step, the numbers of the values
 * @param results for each step, the number of the value
 * @param ending all registers that the steps release, except those of intermediate values
 */
record ChainShape(
    List<Step> steps,
    int[] inputs,
    int[] outputs,
    int places,
    List<int[]> operands,
    int[] results,
    int[] ending) {

  /** The formula of a step that can be part of a chain; null for all others. */
  static @Nullable PointwiseBody body(Step step) {
    PointwiseBody body = step.formula();
    return body == null || body.inPlace() || step.results.length != 1 ? null : body;
  }

  /** The shape of a chain of steps which all have a {@link #body}. */
  static ChainShape of(List<Step> steps) {
    Set<Integer> made = new LinkedHashSet<>();
    Set<Integer> read = new LinkedHashSet<>();
    Map<Integer, Integer> ends = new LinkedHashMap<>();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      int now = i;
      IntStream.of(step.operands).filter(each -> !made.contains(each)).forEach(read::add);
      IntStream.of(step.lastUses).forEach(each -> ends.put(each, now));
      made.add(step.results[0]);
    }
    int[] inputs = without(read, Set.of());
    int[] outputs = without(made, ends.keySet());
    Map<Integer, Integer> numbers = new HashMap<>();
    IntStream.of(inputs).forEach(register -> numbers.put(register, numbers.size()));
    IntStream.of(outputs).forEach(register -> numbers.put(register, numbers.size()));
    Places places = new Places(inputs.length, outputs, steps);
    List<int[]> operands = new ArrayList<>();
    int[] results = new int[steps.size()];
    for (int i = 0; i < results.length; i++) {
      int result = steps.get(i).results[0];
      Integer end = ends.get(result);
      operands.add(Arrays.stream(steps.get(i).operands).map(numbers::get).toArray());
      if (end != null) {
        numbers.put(result, places.take(i, end));
      }
      results[i] = Objects.requireNonNull(numbers.get(result));
    }
    int between = places.until.size() - outputs.length;
    return new ChainShape(
        steps, inputs, outputs, between, operands, results, without(ends.keySet(), made));
  }

  private static int[] without(Set<Integer> registers, Set<Integer> others) {
    return registers.stream().filter(each -> !others.contains(each)).mapToInt(i -> i).toArray();
  }

  /**
   * Assigns slots to intermediate values: an output until that is written, otherwise a separate
   * slot.
   */
  private static final class Places {
    private final int first;

    /** For each output, the step that writes it. */
    private final int[] written;

    /** For each output and slot, the last step that reads its value. */
    private final List<Integer> until = new ArrayList<>();

    Places(int first, int[] outputs, List<Step> steps) {
      this.first = first;
      this.written = new int[outputs.length];
      for (int i = 0; i < outputs.length; i++) {
        until.add(0);
        while (steps.get(written[i]).results[0] != outputs[i]) {
          written[i]++;
        }
      }
    }

    /** The number for the value that step {@code from} makes and {@code to} is the last to read. */
    int take(int from, int to) {
      int place = 0;
      while (place < until.size()
          && (until.get(place) > from || (place < written.length && written[place] < to))) {
        place++;
      }
      if (place == until.size()) {
        until.add(to);
      } else {
        until.set(place, to);
      }
      return first + place;
    }
  }

  /**
   * A stand-in for {@code step} of the chain, for tracing what its result was made of.
   *
   * @param pieces the whole that some of the inputs are parts of, or null
   */
  Step traced(Step step, Action chain, @Nullable Pieces pieces, Draft draft) {
    int[] from = step.operands;
    for (int i = steps.indexOf(step) - 1; i >= 0; i--) {
      int before = steps.get(i).results[0];
      int[] varying = IntStream.of(from).filter(each -> !draft.isConstant(each)).toArray();
      from = varying.length == 1 && varying[0] == before ? steps.get(i).operands : from;
    }
    int[] there = pieces == null ? from : IntStream.of(from).map(pieces::place).toArray();
    return new Step(step.name, step.site, chain, there, step.results, step.lastUses);
  }
}
