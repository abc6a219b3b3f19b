package dev.staunch.inference;

import dev.staunch.torchscript.TorchScriptModule;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The inputs and outputs of a model's method, as its archive declares them: {@link
 * Model#signature}.
 *
 * @param inputs in the order of the parameters, which is also the order of inputs bound by position
 * @param outputs by the names that a request can ask for; none for a result that is itself a list
 *     or dict, because the archive does not declare what it contains
 * @param result the result type as TorchScript writes it, such as {@code Tuple[Tensor, Tensor]}
 */
public record Signature(String method, List<Input> inputs, List<Output> outputs, String result) {

  /**
   * One input.
   *
   * @param type as TorchScript writes it: {@code Tensor}, {@code Dict[str, Tensor]}, {@code int}
   * @param required whether a request must give it; if not, it has a default or accepts None
   */
  public record Input(String name, String type, boolean required) {}

  /**
   * One output.
   *
   * @param type as TorchScript writes it; a list or dict is returned in parts, {@code name.0} and
   *     so on
   * @param datatype the protocol's name for a single number, bool or string, of shape [1]; null if
   *     only an answer can tell
   */
  public record Output(String name, String type, @Nullable String datatype) {}

  public Signature {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /**
   * @param fields the fields of the named tuples, by class name
   */
  static Signature of(TorchScriptModule.Method method, Map<String, Map<String, Type>> fields) {
    List<Input> inputs =
        method.parameters().stream()
            .map(parameter ->
                new Input(
                    parameter.name(),
                    parameter.type().toString(),
                    parameter.defaultValue() == null
                        && !(parameter.type() instanceof Type.Optional)))
            .toList();
    List<Output> outputs = new ArrayList<>();
    add(outputs, "", method.result(), fields);
    return new Signature(method.name(), inputs, outputs, method.result().toString());
  }

  /** Adds the outputs that {@link Outputs} makes from a result of type {@code declared}. */
  private static void add(
      List<Output> outputs, String name, Type declared, Map<String, Map<String, Type>> fields) {
    Type type = declared instanceof Type.Optional optional ? optional.element() : declared;
    switch (type) {
      case Type.Class named when fields.containsKey(named.name()) ->
          fields
              .get(named.name())
              .forEach((field, each) ->
                  add(outputs, name.isEmpty() ? field : name + "." + field, each, fields));
      case Type.Tuple tuple -> {
        String prefix = name.isEmpty() ? "output_" : name + ".";
        for (int i = 0; i < tuple.elements().size(); i++) {
          add(outputs, prefix + i, tuple.elements().get(i), fields);
        }
      }
      default -> {
        boolean spread = type instanceof Type.ListOf || type instanceof Type.Dict;
        if (type != Type.Plain.NONE && !(spread && name.isEmpty())) {
          String each = name.isEmpty() ? "output" : name;
          outputs.add(new Output(each, declared.toString(), datatype(type)));
        }
      }
    }
  }

  private static @Nullable String datatype(Type type) {
    return switch (type) {
      case Type.Plain.INT -> Datatype.INT64.name();
      case Type.Plain.FLOAT -> Datatype.FP64.name();
      case Type.Plain.BOOL -> Datatype.BOOL.name();
      case Type.Plain.STRING -> Datatype.BYTES.name();
      default -> null;
    };
  }
}
