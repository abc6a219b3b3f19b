package dev.staunch.torchscript.lower;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Expression;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Lowers calls of operators, functions, methods, constructors and the language's own functions. */
final class CallLowering {
  private static final Map<String, String> BUILTINS =
      Map.of(
          "int", "aten::Int",
          "float", "aten::Float",
          "bool", "aten::Bool",
          "complex", "aten::Complex",
          "str", "aten::str",
          "sorted", "aten::sorted",
          "ord", "aten::ord",
          "chr", "aten::chr");

  /** Implicit conversions, which PyTorch prints as {@code annotate(int, tensor)} and the like. */
  private static final Map<Type.Plain, String> IMPLICIT =
      Map.of(
          Type.Plain.INT, "aten::IntImplicit",
          Type.Plain.FLOAT, "aten::FloatImplicit",
          Type.Plain.COMPLEX, "aten::ComplexImplicit",
          Type.Plain.NUMBER, "aten::ScalarImplicit");

  private final Lowering lowering;
  private final ArchiveCode.Unit unit;
  private final ExpressionLowering expressions;
  private final OperatorLowering operators;

  CallLowering(Lowering lowering, ArchiveCode.Unit unit, ExpressionLowering expressions) {
    this.lowering = lowering;
    this.unit = unit;
    this.expressions = expressions;
    this.operators = new OperatorLowering(lowering, unit);
  }

  List<Value> call(Scope scope, Expression.Call call) {
    String chain = call.callee().chain();
    if (call.callee() instanceof Expression.Name name) {
      String alias = scope.aliased(name.name());
      if (alias != null) {
        return List.of(qualified(scope, alias, call));
      }
      return builtin(scope, name.name(), call);
    }
    Expression.Attribute callee = attribute(call);
    if (chain != null && chain.startsWith("torch.")) {
      int skipped = (chain.startsWith("torch.autograd.") ? "torch.autograd." : "torch.").length();
      return operator(scope, "aten::" + chain.substring(skipped), call);
    }
    if (chain != null && chain.startsWith("ops.")) {
      String name = chain.substring("ops.".length());
      int dot = name.indexOf('.');
      if (dot < 0) {
        throw unit.fault(
            FaultType.UNKNOWN_OPERATION, call.position(), "there is no operator " + chain);
      }
      return operator(scope, name.substring(0, dot) + "::" + name.substring(dot + 1), call);
    }
    if (chain != null && chain.startsWith("__torch__.") && scope.find("__torch__") == null) {
      return List.of(qualified(scope, chain, call));
    }
    Value object = expressions.value(scope, callee.object(), null);
    return List.of(methodCall(scope, object, callee.name(), call));
  }

  private Expression.Attribute attribute(Expression.Call call) {
    if (call.callee() instanceof Expression.Attribute attribute) {
      return attribute;
    }
    throw unit.fault(
        call.position(), "only a name, a method or a function of a module can be called");
  }

  private List<Value> operator(Scope scope, String name, Expression.Call call) {
    if (call.arguments().size() == 1
        && call.arguments().get(0) instanceof Expression.StringLiteral device
        && maps(name, type -> type == Type.Plain.STRING, type -> type == Type.Plain.DEVICE)) {
      return List.of(scope.constant(device.value(), Type.Plain.DEVICE));
    }
    List<Value> positional = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      positional.add(expressions.value(scope, argument, null));
    }
    Map<String, Value> keywords = keywords(scope, call);
    if (positional.size() == 1
        && keywords.isEmpty()
        && positional.get(0).type() instanceof Type.Future future
        && maps(name, Type.Future.class::isInstance, Type.Variable.class::isInstance)) {
      return List.of(cast(scope, positional.get(0), future.element(), call, false));
    }
    return operators.emit(scope, name, positional, keywords, call.position());
  }

  /**
   * Whether some overload of the operator maps one value of type {@code from} to one of type {@code
   * to}.
   */
  private boolean maps(String name, Predicate<Type> from, Predicate<Type> to) {
    return lowering.table.overloads(name).stream()
        .filter(schema -> schema.parameters().size() == 1 && schema.results().size() == 1)
        .anyMatch(schema ->
            from.test(schema.parameters().get(0).type())
                && to.test(schema.results().get(0).type()));
  }

  private Map<String, Value> keywords(Scope scope, Expression.Call call) {
    Map<String, Value> keywords = new LinkedHashMap<>();
    for (Expression.Keyword keyword : call.keywords()) {
      if (keywords.put(keyword.name(), expressions.value(scope, keyword.value(), null)) != null) {
        throw unit.fault(call.position(), "the argument " + keyword.name() + " is given twice");
      }
    }
    return keywords;
  }

  /** Calls an operator that has one result on the given values. */
  Value operator(Scope scope, String name, List<Value> arguments, int position) {
    return operators.emit(scope, name, arguments, Map.of(), position).get(0);
  }

  @SuppressWarnings("RefactorSwitch") // each case declares what it needs; arrows would nest deeper
  private List<Value> builtin(Scope scope, String name, Expression.Call call) {
    SourceLocation source = unit.location(call.position());
    switch (name) {
      case "annotate" -> {
        Type type = typeArgument(call);
        Value list = nestedList(scope, argument(call, 1), type);
        Value value = list == null ? expressions.value(scope, argument(call, 1), type) : list;
        String conversion =
            value.type() == Type.Plain.TENSOR && type instanceof Type.Plain plain
                ? IMPLICIT.get(plain)
                : null;
        return conversion == null
            ? List.of(cast(scope, value, type, call, true))
            : List.of(operator(scope, conversion, List.of(value), call.position()));
      }
      case "unchecked_cast" -> {
        Value value = expressions.value(scope, argument(call, 1), null);
        return List.of(claimed(scope, value, typeArgument(call), call));
      }
      case "uninitialized" -> {
        Type type = typeArgument(call);
        return List.of(scope.emit(Structure.Plain.UNINITIALIZED, List.of(), type, source));
      }
      case "isinstance" -> {
        Value value = expressions.value(scope, argument(call, 0), null);
        Operator test = new Structure.IsInstance(isInstanceTypes(argument(call, 1)));
        return List.of(scope.emit(test, List.of(value), Type.Plain.BOOL, source));
      }
      case "getattr" -> {
        Value object = expressions.value(scope, argument(call, 0), null);
        if (!(argument(call, 1) instanceof Expression.StringLiteral attribute)) {
          throw unit.fault(call.position(), "getattr needs the attribute's name as a literal");
        }
        return List.of(expressions.attribute(scope, object, attribute.value(), call.position()));
      }
      case "print" -> {
        List<Value> values = new ArrayList<>();
        call.arguments().forEach(item -> values.add(expressions.value(scope, item, null)));
        return scope.emit(Structure.Plain.PRINT, values, List.of(), source);
      }
      case "fork" -> {
        return List.of(fork(scope, call));
      }
      default -> {
        String operator = BUILTINS.get(name);
        if (operator == null
            && lowering.isLibrary(unit)
            && unit.definitions.get(name) instanceof Definition.FunctionDef function) {
          String requested = lowering.requestLibrary(name, scope.autocast());
          return List.of(userCall(scope, requested, function, List.of(), call));
        }
        if (operator == null) {
          throw unit.fault(
              FaultType.UNKNOWN_OPERATION, call.position(), "there is no function " + name);
        }
        return operator(scope, operator, call);
      }
    }
  }

  /**
   * Lowers {@code tensor.tolist()} to a list of the declared type; returns null for other
   * expressions.
   */
  private @Nullable Value nestedList(Scope scope, Expression expression, Type declared) {
    if (!(expression instanceof Expression.Call call)
        || !(call.callee() instanceof Expression.Attribute callee)
        || !callee.name().equals("tolist")
        || !call.arguments().isEmpty()) {
      return null;
    }
    Value tensor = expressions.value(scope, callee.object(), null);
    if (tensor.type() != Type.Plain.TENSOR) {
      return methodCall(scope, tensor, callee.name(), call);
    }
    long depth = 0;
    Type element = declared;
    for (; element instanceof Type.ListOf list; element = list.element()) {
      depth++;
    }
    SourceLocation source = unit.location(call.position());
    List<Value> operands =
        List.of(
            tensor,
            scope.constant(depth, Type.Plain.INT),
            scope.constant(element.toString(), Type.Plain.STRING));
    List<Type> any = List.of(Type.Plain.ANY);
    Value made = scope.emit(lowering.operator("staunch::tolist"), operands, any, source).get(0);
    return scope.emit(Structure.Plain.CAST, List.of(made), declared, source);
  }

  /**
   * Lowers {@code fork(f)} of a nested function. Its body runs immediately, on the caller's thread,
   * and its value represents the future. A fault in it is raised at the fork, not at the wait.
   */
  private Value fork(Scope scope, Expression.Call call) {
    Definition.FunctionDef function =
        argument(call, 0) instanceof Expression.Name name ? scope.closure(name.name()) : null;
    if (function == null || !function.parameters().isEmpty() || call.arguments().size() > 1) {
      throw unit.fault(
          FaultType.UNSUPPORTED,
          call.position(),
          "fork takes a nested function without parameters; wrap what it should run in one");
    }
    lowering.countInlined(unit, function);
    Value value = new FunctionLowering(lowering, unit).inlined(scope, function);
    Type type = new Type.Future(value.type());
    SourceLocation source = unit.location(call.position());
    return scope.emit(Structure.Plain.CAST, List.of(value), type, source);
  }

  private Expression argument(Expression.Call call, int index) {
    if (index >= call.arguments().size()) {
      throw unit.fault(
          call.position(), "the call needs at least " + Message.count(index + 1, "argument"));
    }
    return call.arguments().get(index);
  }

  private Type typeArgument(Expression.Call call) {
    if (argument(call, 0) instanceof Expression.TypeExpression type) {
      return type.type();
    }
    throw unit.fault(call.position(), "argument 1 of the call must be a type");
  }

  private List<Type> isInstanceTypes(Expression expression) {
    return switch (expression) {
      case Expression.TypeExpression type -> List.of(type.type());
      case Expression.TupleLiteral tuple ->
          tuple.elements().stream()
              .map(element -> ((Expression.TypeExpression) element).type())
              .toList();
      default ->
          throw unit.fault(expression.position(), "isinstance takes a type or a tuple of types");
    };
  }

  private Value cast(Scope scope, Value value, Type type, Expression.Call call, boolean checked) {
    if (value.type().equals(type)) {
      return value;
    }
    if (checked && !expressions.fits(value.type(), type)) {
      throw unit.fault(call.position(), "a value of type " + value.type() + " is no " + type);
    }
    return scope.emit(Structure.Plain.CAST, List.of(value), type, unit.location(call.position()));
  }

  /**
   * Returns {@code value} as a value of the type that the source claims; the claim is checked at
   * run time where necessary.
   */
  private Value claimed(Scope scope, Value value, Type type, Expression.Call call) {
    Type actual = value.type();
    if (actual.equals(type)) {
      return value;
    }
    Operator cast =
        expressions.fits(actual, type)
            ? Structure.Plain.CAST
            : new Structure.CheckedCast(expressions.structural(type));
    return scope.emit(cast, List.of(value), type, unit.location(call.position()));
  }

  /**
   * Lowers a call of something that the archive defines: a function, a class, or {@code
   * Class.__new__}.
   */
  private Value qualified(Scope scope, String chain, Expression.Call call) {
    if (chain.endsWith(".__new__")) {
      return create(scope, chain.substring(0, chain.length() - ".__new__".length()), call);
    }
    refuseNative(chain, call);
    ArchiveCode.Found found = lowering.code.find(chain);
    if (found == null) {
      throw unit.fault(
          FaultType.UNKNOWN_OPERATION, call.position(), "the archive does not define " + chain);
    }
    return switch (found.definition()) {
      case Definition.FunctionDef function -> {
        String name = lowering.request(chain, found.unit(), function, scope.autocast());
        yield userCall(scope, name, function, List.of(), call);
      }
      case Definition.ClassDef type -> construct(scope, chain, type, call);
    };
  }

  private Value construct(
      Scope scope, String name, Definition.ClassDef type, Expression.Call call) {
    if (type.kind() != Definition.Kind.NAMED_TUPLE) {
      throw unit.fault(
          FaultType.UNSUPPORTED,
          call.position(),
          "class " + name + " is not called to make an object; only named tuples are");
    }
    List<Value> values = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      values.add(expressions.value(scope, argument, null));
    }
    if (values.size() != type.attributes().size()) {
      String text = "%s has %d fields, got %d";
      throw unit.fault(
          call.position(), Message.of(text, name, type.attributes().size(), values.size()));
    }
    return scope.emit(
        Structure.Plain.TUPLE_CONSTRUCT,
        values,
        new Type.Class(name),
        unit.location(call.position()));
  }

  private void refuseNative(String className, Expression.Call call) {
    String missing = lowering.code.missingNative(className);
    if (missing != null) {
      throw unit.fault(FaultType.UNSUPPORTED, call.position(), missing);
    }
  }

  private Value create(Scope scope, String name, Expression.Call call) {
    refuseNative(name, call);
    ArchiveCode.Found found = lowering.code.findClass(name);
    if (found == null) {
      throw unit.fault(
          FaultType.UNKNOWN_OPERATION, call.position(), "the archive does not define " + name);
    }
    lowering.requestMethods(name, found);
    List<String> slots =
        found.type().attributes().stream().map(Definition.AttributeDef::name).toList();
    return scope.emit(
        new Structure.CreateObject(name, slots),
        List.of(),
        new Type.Class(name),
        unit.location(call.position()));
  }

  private Value methodCall(Scope scope, Value object, String method, Expression.Call call) {
    ArchiveCode.Found found =
        object.type() instanceof Type.Class named ? lowering.code.findClass(named.name()) : null;
    if (found == null) {
      refuseNative(object.type().toString(), call);
      throw unit.fault(
          call.position(), "a value of type " + object.type() + " has no method " + method);
    }
    Definition.FunctionDef function = methodOf(found, method, call.position());
    if (method.equals("__init__") && Autocast.isScope(object.type().toString())) {
      lowering.noteAutocast(object, Autocast.setting(function, call));
    }
    if (lowering.code.isInterface(object.type().toString())) {
      if (scope.autocast() != null) {
        String text = "a call through an interface within autocast is not supported";
        throw unit.fault(FaultType.UNSUPPORTED, call.position(), text);
      }
      List<Value> operands = arguments(scope, method, function, List.of(object), call);
      return scope.emit(
          new Structure.CallMethod(method),
          operands,
          function.returnType(),
          unit.location(call.position()));
    }
    String type = object.type().toString();
    String name =
        lowering.requestCall(type + "." + method, found.unit(), function, scope.autocast());
    return userCall(scope, name, function, List.of(object), call);
  }

  /** Requests lowering of a method and returns its name in the program. */
  String method(ArchiveCode.Found found, Value object, String method, int position) {
    Definition.FunctionDef function = methodOf(found, method, position);
    String type = object.type().toString();
    return lowering.requestCall(type + "." + method, found.unit(), function, null);
  }

  private Definition.FunctionDef methodOf(ArchiveCode.Found found, String method, int position) {
    Definition.FunctionDef function = found.method(method);
    if (function != null) {
      return function;
    }
    throw unit.fault(
        FaultType.UNKNOWN_OPERATION,
        position,
        "class " + found.type().name() + " has no method " + method);
  }

  private Value userCall(
      Scope scope,
      String name,
      Definition.FunctionDef function,
      List<Value> first,
      Expression.Call call) {
    List<Value> operands = arguments(scope, name, function, first, call);
    return scope.emit(
        new Structure.CallFunction(name),
        operands,
        function.returnType(),
        unit.location(call.position()));
  }

  private List<Value> arguments(
      Scope scope,
      String name,
      Definition.FunctionDef function,
      List<Value> first,
      Expression.Call call) {
    FunctionLowering.readable(function);
    List<Value> given = new ArrayList<>(first);
    List<Definition.ParameterDef> parameters = function.parameters();
    for (Expression argument : call.arguments()) {
      Type wanted = given.size() < parameters.size() ? parameters.get(given.size()).type() : null;
      given.add(expressions.value(scope, argument, wanted));
    }
    if (given.size() > parameters.size()) {
      String text = "%s takes %s, got %d";
      throw unit.fault(
          call.position(),
          Message.of(text, name, Message.count(parameters.size(), "argument"), given.size()));
    }
    Map<String, Value> keywords = keywords(scope, call);
    for (int i = given.size(); i < parameters.size(); i++) {
      given.add(
          absent(scope, name, parameters.get(i), keywords.remove(parameters.get(i).name()), call));
    }
    if (!keywords.isEmpty()) {
      throw unit.fault(
          call.position(), name + " has no parameter " + keywords.keySet().iterator().next());
    }
    for (int i = first.size(); i < given.size(); i++) {
      check(name, parameters.get(i), given.get(i), call);
    }
    return given;
  }

  private Value absent(
      Scope scope,
      String name,
      Definition.ParameterDef parameter,
      @Nullable Value keyword,
      Expression.Call call) {
    if (keyword != null) {
      return keyword;
    }
    Expression defaultValue = parameter.defaultValue();
    if (defaultValue == null) {
      throw unit.fault(call.position(), name + " needs a value for " + parameter.name());
    }
    return expressions.value(scope, defaultValue, parameter.type());
  }

  private void check(
      String name, Definition.ParameterDef parameter, Value value, Expression.Call call) {
    if (!expressions.fits(value.type(), parameter.type())) {
      String text = "%s of %s is %s, got %s";
      throw unit.fault(
          call.position(),
          Message.of(text, parameter.name(), name, parameter.type(), value.type()));
    }
  }
}
