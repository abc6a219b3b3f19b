package dev.staunch.execute;

import dev.staunch.kernel.Call;
import dev.staunch.tensor.DenseTensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the operands of a call that failed came from: back through the steps of the functions that
 * are being called, to the arguments of the run. Only for the way of a fault. What a call gave that
 * has returned is not looked into.
 */
final class InputTrace {
  private static final int MOST_STEPS = 100;

  private final Function<DenseTensor, @Nullable Given> makers;
  private final Predicate<DenseTensor> owned;
  private final List<Object> arguments;
  private int looked;

  /**
   * @param makers tells of a tensor what the kernel was given that made it; null if that is not
   *     known
   * @param owned whether a tensor is the model's
   * @param arguments to look for
   */
  InputTrace(
      Function<DenseTensor, @Nullable Given> makers,
      Predicate<DenseTensor> owned,
      List<Object> arguments) {
    this.makers = makers;
    this.owned = owned;
    this.arguments = arguments;
  }

  /**
   * What a kernel was given.
   *
   * @param constants what it is given at each call
   * @param others what was made, or handed on, by steps
   */
  record Given(List<Object> constants, List<Object> others) {
    /** The tensors, those in lists too, each once. */
    Set<DenseTensor> tensors() {
      Set<DenseTensor> tensors = Collections.newSetFromMap(new IdentityHashMap<>());
      Stream.concat(constants.stream(), others.stream())
          .flatMap(value -> parts(value).stream())
          .forEach(part -> {
            if (part instanceof DenseTensor tensor) {
              tensors.add(tensor);
            }
          });
      return tensors;
    }
  }

  /**
   * What an operand of a call is made of.
   *
   * @param place of the operand, or of the list that it is in
   * @param argument its number
   * @param input the argument; or the operand, if that is no more than a view of it
   */
  record Found(int place, int argument, DenseTensor input) {}

  /**
   * The argument whose elements an operand of {@code call} has, rearranged, joined with others or
   * computed one by one; null if there is none, or several. If no operand has, one in a list may,
   * where all others are fixed.
   */
  @Nullable Found in(Call call) {
    List<Found> found = new ArrayList<>();
    for (int place = 0; place < call.size(); place++) {
      if (call.value(place) instanceof DenseTensor operand) {
        found.addAll(at(place, operand));
      }
    }
    return found.isEmpty() ? inLists(call, 0, call.size()) : only(found);
  }

  /** As {@link #in(Call)}, of the operand at {@code place}, or of those in that list, alone. */
  @Nullable Found in(Call call, int place) {
    return call.value(place) instanceof DenseTensor operand
        ? only(at(place, operand))
        : inLists(call, place, place + 1);
  }

  private @Nullable Found inLists(Call call, int first, int end) {
    Map<Integer, Found> found = new HashMap<>();
    for (int place = first; place < end; place++) {
      for (Object part : parts(call.value(place))) {
        if (part instanceof DenseTensor operand) {
          List<Found> passed = at(place, operand);
          if (passed.isEmpty() && !isFixed(operand)) {
            return null;
          }
          passed.forEach(each -> found.put(each.argument(), each));
        }
      }
    }
    return only(found.values());
  }

  private static @Nullable Found only(Collection<Found> found) {
    return found.size() == 1 ? found.iterator().next() : null;
  }

  private List<Found> at(int place, DenseTensor operand) {
    Set<Integer> passed = new HashSet<>();
    passedTo(operand, passed);
    List<Found> found = new ArrayList<>();
    for (int number : passed) {
      DenseTensor argument = (DenseTensor) arguments.get(number);
      boolean view = argument.storage() == operand.storage();
      found.add(new Found(place, number, view ? operand : argument));
    }
    return found;
  }

  private void passedTo(DenseTensor value, Set<Integer> passed) {
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i) instanceof DenseTensor argument
          && argument.storage() == value.storage()) {
        passed.add(i);
        return;
      }
    }
    Given given = given(value);
    Set<DenseTensor> operands = given == null ? Set.of() : given.tensors();
    long elements = 0;
    for (DenseTensor operand : operands) {
      elements += operand.elements();
    }
    if (elements == value.elements()) {
      for (DenseTensor operand : operands) {
        if (operand.dtype() == value.dtype()) {
          passedTo(operand, passed);
        }
      }
    }
  }

  /** Whether no argument has a part in {@code value}: it is the model's, or made of such alone. */
  boolean isFixed(DenseTensor value) {
    if (owned.test(value)) {
      return true;
    }
    Given given = given(value);
    return given != null
        && given.others().stream()
            .flatMap(other -> parts(other).stream())
            .allMatch(part -> part instanceof DenseTensor tensor && isFixed(tensor));
  }

  private @Nullable Given given(DenseTensor value) {
    return ++looked > MOST_STEPS ? null : makers.apply(value);
  }

  private static List<?> parts(Object value) {
    return value instanceof List<?> list ? list : List.of(value);
  }
}
