package dev.staunch.inference;

import dev.staunch.dispatch.ResultRule;
import dev.staunch.execute.Plan;
import dev.staunch.execute.StateUse;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Reachable;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.torchscript.TorchScriptModule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a request needs to know about the method it calls; computed once per model.
 *
 * @param function the method's name in the program
 * @param names the names of its parameters, without the module itself
 * @param rules the type that each argument must have
 * @param hooks the hooks that run before and after it
 * @param use what a call may write of the model's state and of its arguments; hooks may pass on
 *     state as an argument, and a default may be a constant of the code
 */
record ModelMethod(
    TorchScriptModule.Method declared,
    String function,
    Binding binding,
    List<String> names,
    List<ResultRule> rules,
    TorchScriptModule.Hooks hooks,
    StateUse use) {

  static ModelMethod of(TorchScriptModule module, Plan plan, String method) {
    TorchScriptModule.Method declared = module.method(method);
    List<String> names = new ArrayList<>();
    List<ResultRule> rules = new ArrayList<>();
    for (TorchScriptModule.Parameter parameter : declared.parameters()) {
      names.add(parameter.name());
      rules.add(ResultRule.of(parameter.type()));
    }
    TorchScriptModule.Hooks hooks = module.hooks(method);
    List<String> functions = new ArrayList<>(List.of(module.functionName(method)));
    for (String hook : hooks.before()) {
      functions.add(module.functionName(hook));
    }
    for (String hook : hooks.after()) {
      functions.add(module.functionName(hook));
    }
    StateUse use = plan.stateUse(functions);
    boolean handsOn = use.arguments() && (functions.size() > 1 || defaultsHold(declared));
    return new ModelMethod(
        declared,
        functions.getFirst(),
        Binding.of(declared, new ArgumentParts(module.namedTuples())),
        Collections.unmodifiableList(names),
        Collections.unmodifiableList(rules),
        hooks,
        handsOn ? use.withState(use.line()) : use);
  }

  /** Whether the default of a parameter holds tensors. */
  private static boolean defaultsHold(TorchScriptModule.Method declared) {
    List<Object> defaults = new ArrayList<>();
    for (TorchScriptModule.Parameter parameter : declared.parameters()) {
      defaults.add(Objects.requireNonNullElse(parameter.defaultValue(), None.NONE));
    }
    return !Reachable.of(defaults).tensors().isEmpty();
  }

  /**
   * Returns the arguments that {@code request} gives, with tensors in {@code scope}, or a fault. If
   * the call may write the model's state, inputs are copied rather than borrowed, because the model
   * may keep them.
   */
  Object bound(InferenceRequest request, ResourceScope scope) {
    Function<RequestTensor, Object> tensors =
        use.state()
            ? input -> input.toTensor(scope)
            : request.targets().isEmpty()
                ? input -> input.borrowed(scope)
                : input -> input.apartFrom(request.targets().values(), scope);
    return binding.bind(request.inputs(), tensors);
  }

  /**
   * Returns {@code arguments}, followed by the defaults of the parameters that they leave out; or
   * the fault that they do not match the parameters.
   */
  Object completed(List<Object> arguments) {
    List<Object> all = new ArrayList<>(arguments);
    for (int i = all.size(); i < rules.size(); i++) {
      Object standard = declared.parameters().get(i).defaultValue();
      if (standard == null) {
        return Objects.requireNonNull(misfit(arguments));
      }
      all.add(standard);
    }
    Fault misfit = misfit(all);
    return misfit == null ? all : misfit;
  }

  /**
   * Returns a fault unless {@code arguments} match the method's parameters in number and type, else
   * null.
   */
  @Nullable Fault misfit(List<?> arguments) {
    if (arguments.size() != rules.size()) {
      String text = "%s takes %s, got %d";
      return Fault.of(
              FaultType.REQUEST,
              Message.of(
                  text, declared.name(), Message.count(rules.size(), "argument"), arguments.size()))
          .withExpected(declared.toString(), Message.count(arguments.size(), "argument"));
    }
    for (int i = 0; i < rules.size(); i++) {
      Object argument = arguments.get(i);
      if (!rules.get(i).isExactly(argument) && !rules.get(i).accepts(argument)) {
        return misfit(declared.parameters().get(i), argument);
      }
    }
    return null;
  }

  private Fault misfit(TorchScriptModule.Parameter parameter, Object argument) {
    String found = ResultRule.describe(argument);
    String text = "the argument '%s' of %s is %s, where the model takes %s";
    return Fault.of(
            FaultType.REQUEST,
            Message.of(text, parameter.name(), declared.name(), found, parameter.type()))
        .withInput(parameter.name())
        .withExpected(parameter.type().toString(), found);
  }
}
