package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.torchscript.TorchScriptModule;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Binds the inputs of a request to the arguments of a method (P1). If any input names a parameter,
 * every input must; otherwise inputs are bound by position. {@link ArgumentParts} defines the names
 * of the parts of a tuple, list or dict.
 *
 * @param parameters without the module itself
 */
record Binding(String method, List<Parameter> parameters, ArgumentParts parts) {

  /**
   * @param hasParts whether inputs with longer names than the parameter's may make it up
   * @param defaultValue a run-time value, or null if the parameter is required
   */
  record Parameter(String name, Type type, boolean hasParts, @Nullable Object defaultValue) {}

  Binding {
    parameters = List.copyOf(parameters);
  }

  static Binding of(TorchScriptModule.Method method, ArgumentParts parts) {
    List<Parameter> parameters = new ArrayList<>();
    for (TorchScriptModule.Parameter each : method.parameters()) {
      boolean hasParts = parts.hasParts(each.type());
      parameters.add(new Parameter(each.name(), each.type(), hasParts, each.defaultValue()));
    }
    return new Binding(method.name(), parameters, parts);
  }

  /**
   * Returns the arguments, or a fault that names the offending input.
   *
   * @param tensors converts an input to a tensor, or returns a fault
   */
  Object bind(List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    return isOneToOne(inputs) ? inOrder(inputs, tensors) : sorted(inputs, tensors);
  }

  /** Whether each parameter gets the input of its name, in order, as in most requests. */
  private boolean isOneToOne(List<RequestTensor> inputs) {
    if (inputs.size() != parameters.size()) {
      return false;
    }
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      if (!parameter.name().equals(inputs.get(i).name()) || parameter.hasParts()) {
        return false;
      }
    }
    return true;
  }

  private Object inOrder(List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    List<Object> arguments = new ArrayList<>(parameters.size());
    for (int i = 0; i < parameters.size(); i++) {
      Object value = inputs.get(i).value(parameters.get(i).type(), tensors);
      if (value instanceof Fault) {
        return value;
      }
      arguments.add(value);
    }
    return arguments;
  }

  /**
   * Returns the warning for inputs that were taken by position because none has the name of a
   * parameter; otherwise null.
   */
  @Nullable String warning(List<RequestTensor> inputs) {
    if (inputs.isEmpty() || isByName(inputs)) {
      return null;
    }
    StringJoiner taken = new StringJoiner(", ");
    for (int i = 0; i < inputs.size(); i++) {
      taken.add("'" + inputs.get(i).name() + "' as '" + parameters.get(i).name() + "'");
    }
    return "no input has the name of a parameter, so they were taken in order: " + taken;
  }

  private boolean isByName(List<RequestTensor> inputs) {
    for (RequestTensor input : inputs) {
      if (indexOf(input.name()) >= 0) {
        return true;
      }
    }
    return false;
  }

  private Object sorted(List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    boolean byName = isByName(inputs);
    List<List<RequestTensor>> given = new ArrayList<>();
    parameters.forEach(parameter -> given.add(new ArrayList<>()));
    for (int i = 0; i < inputs.size(); i++) {
      int target = byName ? indexOf(inputs.get(i).name()) : i;
      if (target < 0) {
        return unknown(inputs.get(i));
      }
      if (target >= parameters.size()) {
        return unexpected(inputs.get(i), inputs.size());
      }
      given.get(target).add(inputs.get(i));
    }
    List<Object> arguments = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      Object value = value(parameters.get(i), given.get(i), tensors);
      if (value instanceof Fault) {
        return value;
      }
      arguments.add(value);
    }
    return arguments;
  }

  private Object value(
      Parameter parameter, List<RequestTensor> inputs, Function<RequestTensor, Object> tensors) {
    Object standard = parameter.defaultValue();
    return inputs.isEmpty() && standard != null
        ? standard
        : parts.value(parameter.type(), parameter.name(), inputs, tensors);
  }

  private Fault unknown(RequestTensor input) {
    String known = parameters.stream().map(Parameter::name).collect(Collectors.joining(", "));
    return JsonWords.wrong(
            Message.of("%s has no input '%s'; it has %s", method, input.name(), known))
        .withInput(input.name())
        .withExpected(names(), input.name());
  }

  private Fault unexpected(RequestTensor input, int count) {
    String text = "input '%s' is one too many: %s takes %d, the request has %d";
    return JsonWords.wrong(Message.of(text, input.name(), method, parameters.size(), count))
        .withInput(input.name())
        .withExpected(names(), input.name());
  }

  private String names() {
    return parameters.stream()
        .map(parameter -> parameter.name() + ": " + parameter.type())
        .collect(Collectors.joining(", ", "inputs (", ")"));
  }

  private int indexOf(String input) {
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      boolean apart = parameter.hasParts() || ArgumentParts.isPlainList(parameter.type());
      boolean element = apart && input.startsWith(parameter.name() + ".");
      if (parameter.name().equals(input) || element) {
        return i;
      }
    }
    return -1;
  }
}
