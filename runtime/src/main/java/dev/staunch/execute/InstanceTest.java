package dev.staunch.execute;

import dev.staunch.dispatch.ResultRule;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.type.Type;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * {@code isinstance} with the meaning it has in scripts: exact for classes, by element for
 * containers.
 */
final class InstanceTest {
  private InstanceTest() {}

  /**
   * Whether a value can be used as {@code type}; containers are checked by element. For a class,
   * any object will do: attributes and methods are found by name.
   */
  static boolean accepts(Object value, Type type) {
    return switch (type) {
      case Type.ListOf list ->
          value instanceof List<?> elements
              && elements.stream().allMatch(element -> accepts(element, list.element()));
      case Type.Dict dict ->
          value instanceof Map<?, ?> map
              && map.entrySet().stream()
                  .allMatch(entry ->
                      accepts(entry.getKey(), dict.key())
                          && accepts(entry.getValue(), dict.value()));
      case Type.Tuple tuple ->
          value instanceof TupleValue several
              && several.elements().size() == tuple.elements().size()
              && IntStream.range(0, tuple.elements().size())
                  .allMatch(i -> accepts(several.elements().get(i), tuple.elements().get(i)));
      case Type.Optional optional -> value == None.NONE || accepts(value, optional.element());
      case Type.Union union -> union.members().stream().anyMatch(member -> accepts(value, member));
      case Type.Plain plain -> ResultRule.of(plain).accepts(value);
      case Type.Class named -> ResultRule.of(named).accepts(value);
      case Type.Future future -> accepts(value, future.element());
      case Type.Variable variable -> true;
      case Type.Named named -> ResultRule.of(named).accepts(value);
      case Type.TensorOf tensor -> ResultRule.of(tensor).accepts(value);
    };
  }

  static boolean isInstance(Object value, Type type) {
    return switch (type) {
      case Type.Class named ->
          value instanceof ObjectValue object && object.layout().name().equals(named.name());
      case Type.ListOf list ->
          value instanceof List<?> elements
              && elements.stream().allMatch(element -> isInstance(element, list.element()));
      case Type.Dict dict ->
          value instanceof Map<?, ?> map
              && map.entrySet().stream()
                  .allMatch(entry ->
                      isInstance(entry.getKey(), dict.key())
                          && isInstance(entry.getValue(), dict.value()));
      case Type.Union union ->
          union.members().stream().anyMatch(member -> isInstance(value, member));
      case Type.Plain plain -> ResultRule.of(plain).accepts(value);
      case Type.Optional optional -> ResultRule.of(optional).accepts(value);
      case Type.Tuple tuple -> ResultRule.of(tuple).accepts(value);
      case Type.Future future -> ResultRule.of(future).accepts(value);
      case Type.Variable variable -> true;
      case Type.Named named -> ResultRule.of(named).accepts(value);
      case Type.TensorOf tensor -> ResultRule.of(tensor).accepts(value);
    };
  }
}
