package dev.staunch.execute;

import dev.staunch.dispatch.ResultRule;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.type.Type;
import java.util.List;
import java.util.Map;

/**
 * {@code isinstance} with the meaning it has in scripts: exact for classes, by element for
 * containers.
 */
final class InstanceTest {
  private InstanceTest() {}

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
      case Type.Plain _, Type.Optional _, Type.Tuple _ -> ResultRule.of(type).accepts(value);
      case Type.Future _, Type.Variable _ -> true;
      case Type.Named _, Type.TensorOf _ -> ResultRule.of(type).accepts(value);
    };
  }
}
