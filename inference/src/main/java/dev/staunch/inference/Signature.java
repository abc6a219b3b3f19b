package dev.staunch.inference;

import dev.staunch.torchscript.TorchScriptModule;
import dev.staunch.type.Type;
import java.util.List;

/**
 * What a method of a model takes and gives, as its archive declares it: {@link Model#signature}.
 *
 * @param inputs in the order of the parameters, which inputs without a parameter's name follow
 * @param result as TorchScript writes the type, such as {@code Tuple[Tensor, Tensor]}
 */
public record Signature(String method, List<Input> inputs, String result) {

  /**
   * One input.
   *
   * @param type as TorchScript writes it: {@code Tensor}, {@code Dict[str, Tensor]}, {@code int}
   * @param required whether a request must give it; otherwise there is a default, or None is taken
   */
  public record Input(String name, String type, boolean required) {}

  public Signature {
    inputs = List.copyOf(inputs);
  }

  static Signature of(TorchScriptModule.Method method) {
    List<Input> inputs =
        method.parameters().stream()
            .map(parameter ->
                new Input(
                    parameter.name(),
                    parameter.type().toString(),
                    parameter.defaultValue() == null
                        && !(parameter.type() instanceof Type.Optional)))
            .toList();
    return new Signature(method.name(), inputs, method.result().toString());
  }
}
