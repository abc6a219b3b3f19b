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
 * Traces the operands of a failed call back, through the steps of the active functions, to the
 * arguments of the run. Used only on the failure path. Calls that have returned are not traced.
 */
final class InputTrace {
  private static final int MOST_STEPS = 100;

  private final Function<DenseTensor, @Nullable Given> makers;
  private final Predicate<DenseTensor> owned;
  private final List<Object> arguments;
  private int looked;

  /**
   * @param makers returns, for a tensor, what the kernel that made it was given; null if that is
   *     not known
   * @param owned whether a tensor is the model's
   * @param arguments the arguments to look for
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
   * @param others what steps made or passed on
   */
  record Given(List<Object> constants, List<Object> others) {
    /** The tensors, including those in lists, each once. */
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
   * @param place the position of the operand, or of the list that contains it
   * @param argument the number of the argument
   * @param input the argument; or the operand, if that is only a view of it
   */
  record Found(int place, int argument, DenseTensor input) {}

  /**
   * The argument whose elements an operand of {@code call} has, rearranged, joined with others or
   * computed one by one; null if there is none, or several. If no operand has, an operand in a list
   * may, provided that all others are fixed.
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

  /** As {@link #in(Call)}, for the operand or the list at {@code place} alone. */
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

  /**
   * Whether no argument is part of {@code value}: it is the model's, or made only of such tensors.
   */
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
