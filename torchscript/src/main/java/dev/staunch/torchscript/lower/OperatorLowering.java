package dev.staunch.torchscript.lower;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.Effects;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.operation.Trait;
import dev.staunch.torchscript.schema.LibraryFunctions;
import dev.staunch.torchscript.schema.OverloadResolver;
import dev.staunch.torchscript.schema.OverloadResolver.Filling;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lowers operator calls: chooses the overload and fills every parameter of its schema. */
final class OperatorLowering {
  private final Lowering lowering;
  private final ArchiveCode.Unit unit;

  OperatorLowering(Lowering lowering, ArchiveCode.Unit unit) {
    this.lowering = lowering;
    this.unit = unit;
  }

  List<Value> emit(
      Scope scope, String name, List<Value> positional, Map<String, Value> keywords, int position) {
    Map<String, Type> keywordTypes = new LinkedHashMap<>();
    for (Map.Entry<String, Value> keyword : keywords.entrySet()) {
      keywordTypes.put(keyword.getKey(), keyword.getValue().type());
    }
    List<Type> types = new ArrayList<>();
    for (Value argument : positional) {
      types.add(argument.type());
    }
    OverloadResolver.Resolution resolution =
        lowering.resolver(unit).resolve(name, new OverloadResolver.Arguments(types, keywordTypes));
    OverloadResolver.Match match = resolution.match();
    if (match == null) {
      throw refused(name, resolution.refusals(), position);
    }
    SourceLocation source = unit.location(position);
    Schema schema = match.schema();
    if (schema.variadicResults()) {
      throw unit.fault(
          FaultType.UNSUPPORTED,
          position,
          schema.qualifiedName()
              + " is a node of a graph that libtorch optimised, and what it gives is not in the"
              + " archive; save the model before torch.jit.optimize_for_inference");
    }
    List<Schema.Parameter> parameters = schema.parameters();
    List<Filling> fillings = match.fillings();
    List<Value> operands = new ArrayList<>();
    for (int i = 0; i < fillings.size(); i++) {
      operands.add(fill(scope, parameters.get(i), fillings.get(i), positional, keywords, source));
    }
    for (int extra : match.extra()) {
      operands.add(positional.get(extra));
    }
    Autocast autocast = scope.autocast();
    if (autocast != null) {
      autocast(scope, autocast, schema, operands, position);
    }
    String function = match.function();
    if (function != null) {
      return libraryCall(scope, function, operands, match.results(), source);
    }
    OutForms.Computing computing =
        schema.mutates() ? OutForms.computing(lowering.table, lowering.catalog, schema) : null;
    if (computing != null) {
      return stored(scope, computing, operands, source);
    }
    String called = schema.qualifiedName();
    Operator.Entry operator = lowering.operator(called);
    Set<Trait> traits = operator.definition().effects().traits();
    if (traits.contains(Trait.ORDERS_OBJECTS)) {
      List<Value> sorted = ObjectSort.emit(lowering, scope, operands, source);
      if (sorted != null) {
        return sorted;
      }
    }
    if (traits.contains(Trait.HAS_DTYPE_OF_LIST)) {
      typed(scope, schema, operands);
    }
    Object number =
        traits.contains(Trait.CONSTANT_IS_NUMBER) ? lowering.numbers.get(operands.get(1)) : null;
    if (number != null) {
      operator = lowering.operator(schema.name() + ".Scalar");
      operands.set(1, scope.constant(number, Constants.typeOf(number, Type.Plain.FLOAT)));
    }
    List<Value> results = scope.emit(operator, operands, match.results(), source);
    if (traits.contains(Trait.SETS_GRADIENT_FLAG)) {
      scope.replace(operands.get(0), results.get(0));
    }
    boolean restrides = traits.contains(Trait.RESTRIDES);
    return restrides && !redirect(scope, operands.get(0), results.get(0))
        ? List.of(shared(scope, called, source))
        : results;
  }

  /** The given tensors among the operands, in which the results are stored. */
  private List<Value> stored(
      Scope scope, OutForms.Computing computing, List<Value> operands, SourceLocation source) {
    Schema schema = computing.schema();
    List<Value> given = operands.subList(computing.given(), operands.size());
    if (given.stream().distinct().count() < given.size()) {
      String text = "%s is given one tensor for several results; give it one for each";
      Value none = unsupported(scope, Message.of(text, schema.name()), source);
      return Collections.nCopies(given.size(), none);
    }
    List<Value> arguments = new ArrayList<>();
    for (int i = 0; i < schema.parameters().size(); i++) {
      Schema.Parameter parameter = schema.parameters().get(i);
      int from = computing.sources().get(i);
      arguments.add(
          switch (from) {
            case OutForms.DTYPE ->
                implicit(scope, "prim::dtype", Type.Plain.INT, given.get(0), source);
            case OutForms.DEFAULT ->
                defaultValue(scope, parameter, Objects.requireNonNull(parameter.defaultValue()));
            default -> operands.get(from);
          });
    }
    List<Type> types = Collections.nCopies(given.size(), Type.Plain.TENSOR);
    Operator operator = lowering.operator(schema.qualifiedName());
    List<Value> made = scope.emit(operator, arguments, types, source);
    Operator store = lowering.operator("staunch::store");
    List<Value> results = new ArrayList<>();
    for (int i = 0; i < made.size(); i++) {
      List<Value> pair = List.of(given.get(i), made.get(i));
      results.add(scope.emit(store, pair, Type.Plain.TENSOR, source));
    }
    return results;
  }

  /**
   * Adds the dtype of a tensor that is made of a list of ints or bools: if the list is empty when
   * the program runs, only its type says what it would hold.
   */
  private static void typed(Scope scope, Schema schema, List<Value> operands) {
    Type element = operands.get(0).type();
    while (element instanceof Type.ListOf list) {
      element = list.element();
    }
    DType dtype =
        element == Type.Plain.INT ? DType.INT64 : element == Type.Plain.BOOL ? DType.BOOL : null;
    boolean list = operands.get(0).type() instanceof Type.ListOf;
    if (list && dtype != null && !hasDtype(schema, operands)) {
      operands.set(dtypePlace(schema), scope.constant((long) dtype.code(), Type.Plain.INT));
    }
  }

  /**
   * Lets the names of {@code tensor}, which an operation was to change, refer to {@code view}.
   * False if an object, a list or a caller may hold the tensor, too: only names can be redirected.
   */
  private boolean redirect(Scope scope, Value tensor, Value view) {
    boolean own =
        scope
            .operationsSoFar()
            .filter(each -> each.results().contains(tensor))
            .anyMatch(OperatorLowering::makesHandle);
    boolean kept =
        scope
            .operationsSoFar()
            .filter(each -> each.operands().contains(tensor))
            .anyMatch(each -> keeps(each, tensor));
    boolean redirected =
        (own || lowering.isOnlyArgument(tensor)) && !kept && scope.replace(tensor, view);
    if (redirected) {
      lowering.noteReshaped(tensor);
    }
    return redirected;
  }

  /** The result of an operation that fails if it is reached. */
  private Value shared(Scope scope, String called, SourceLocation source) {
    String text =
        "%s changes a tensor that others may hold, too, which is not supported; take the form"
            + " that gives a view";
    return unsupported(scope, Message.of(text, called), source);
  }

  private Value unsupported(Scope scope, String reason, SourceLocation source) {
    Operator fails = lowering.operator(MissingFunctions.STAND_IN);
    Value none = MissingFunctions.fails(scope, fails, FaultType.UNSUPPORTED, reason, source);
    return scope.emit(Structure.Plain.CAST, List.of(none), Type.Plain.TENSOR, source);
  }

  /** Whether the result is a tensor that nothing else refers to. */
  private static boolean makesHandle(Operation operation) {
    CatalogEntry entry = StandardOperations.catalog().find(operation.name());
    if (entry == null) {
      return false;
    }
    Effects effects = entry.effects();
    boolean fresh = effects.viewed(0) == Effects.NONE && effects.aliasOf(0) == Effects.NONE;
    return effects.returnsNew(0)
        && !effects.has(Trait.MAY_BE_SELF)
        && (fresh || effects.has(Trait.VIEWS) || effects.has(Trait.RESTRIDES));
  }

  /** Whether the operation's result, or anything it writes, may hold the operand {@code tensor}. */
  private boolean keeps(Operation operation, Value tensor) {
    Schema schema = lowering.table.find(operation.name());
    if (schema == null) {
      return operation.operator() instanceof Structure;
    }
    int place = operation.operands().indexOf(tensor);
    return place < schema.parameters().size()
        && TypeRelations.isFree(schema.parameters().get(place).type());
  }

  private List<Value> libraryCall(
      Scope scope,
      String function,
      List<Value> operands,
      List<Type> results,
      SourceLocation source) {
    Autocast autocast = scope.autocast();
    boolean heeded = autocast != null && LibraryFunctions.heedsAutocast(function);
    String name = lowering.requestLibrary(function, heeded ? autocast : null);
    Operator call = new Structure.CallFunction(name);
    if (results.size() == 1) {
      return scope.emit(call, operands, results, source);
    }
    List<Type> tuple = List.of(new Type.Tuple(results));
    return scope.emit(
        Structure.Plain.TUPLE_UNPACK, scope.emit(call, operands, tuple, source), results, source);
  }

  /** Casts the operands for which the policy of {@code schema} requires another dtype. */
  private void autocast(
      Scope scope, Autocast autocast, Schema schema, List<Value> operands, int position) {
    CatalogEntry entry = StandardOperations.catalog().find(schema.qualifiedName());
    boolean writes = schema.parameters().stream().anyMatch(Schema.Parameter::mutated);
    if (entry == null || writes) {
      return;
    }
    Effects effects = entry.effects();
    if (effects.has(Trait.AUTOCAST_REFUSES)) {
      String text = "%s must not be called within autocast; take the one with logits";
      throw unit.fault(FaultType.VALUE, position, Message.of(text, schema.qualifiedName()));
    }
    boolean reduces = effects.has(Trait.AUTOCAST_REDUCES);
    if (!reduces && (!effects.has(Trait.AUTOCAST_WIDENS) || hasDtype(schema, operands))) {
      return;
    }
    for (int i = 0; i < operands.size(); i++) {
      if (operands.get(i).type() == Type.Plain.TENSOR) {
        operands.set(i, cast(scope, operands.get(i), reduces ? autocast.dtype() : null, position));
      }
    }
  }

  private static boolean hasDtype(Schema schema, List<Value> operands) {
    int place = dtypePlace(schema);
    return place >= 0 && operands.get(place).type() != Type.Plain.NONE;
  }

  /** The position of the parameter {@code dtype}; -1 if there is none. */
  private static int dtypePlace(Schema schema) {
    for (int i = 0; i < schema.parameters().size(); i++) {
      if (schema.parameters().get(i).name().equals("dtype")) {
        return i;
      }
    }
    return -1;
  }

  /** Returns {@code tensor} in the reduced {@code dtype}, or in full precision if that is null. */
  private Value cast(Scope scope, Value tensor, @Nullable DType dtype, int position) {
    List<Value> operands = new ArrayList<>(List.of(tensor));
    operands.add(scope.constant(false, Type.Plain.BOOL));
    operands.add(scope.constant(true, Type.Plain.BOOL));
    if (dtype != null) {
      operands.add(scope.constant((long) DType.FLOAT16.code(), Type.Plain.INT));
      operands.add(scope.constant((long) dtype.code(), Type.Plain.INT));
    }
    String name = dtype == null ? "full" : "reduced";
    List<Type> type = List.of(Type.Plain.TENSOR);
    SourceLocation source = unit.location(position);
    Operator cast = lowering.operator("aten::_autocast_to_" + name + "_precision");
    return scope.emit(cast, operands, type, source).get(0);
  }

  private StaunchException refused(String name, List<String> refusals, int position) {
    if (refusals.isEmpty()) {
      List<String> similar = lowering.table.similar(name);
      String hint = similar.isEmpty() ? "" : "; similar ones are " + String.join(", ", similar);
      return unit.fault(
          FaultType.UNKNOWN_OPERATION, position, "there is no operator " + name + hint);
    }
    String listed = String.join("; ", refusals.subList(0, Math.min(4, refusals.size())));
    return unit.fault(position, "no overload of " + name + " fits this call: " + listed);
  }

  private Value fill(
      Scope scope,
      Schema.Parameter parameter,
      Filling filling,
      List<Value> positional,
      Map<String, Value> keywords,
      SourceLocation source) {
    return switch (filling) {
      case Filling.Default constant -> defaultValue(scope, parameter, constant.value());
      case Filling.Trailing trailing -> {
        List<Value> parts = new ArrayList<>();
        for (int i = 0; i < trailing.conversions().size(); i++) {
          Value part = positional.get(trailing.from() + i);
          parts.add(converted(scope, parameter, trailing.conversions().get(i), part, source));
        }
        yield list(scope, parts, ((Type.ListOf) parameter.type()).element(), source);
      }
      case Filling.Argument argument -> {
        String keyword = argument.keyword();
        Value value =
            keyword == null
                ? positional.get(argument.index())
                : Objects.requireNonNull(keywords.get(keyword));
        yield converted(scope, parameter, argument.conversion(), value, source);
      }
    };
  }

  private static Value defaultValue(Scope scope, Schema.Parameter parameter, Object value) {
    Object constant = value;
    boolean repeats = parameter.broadcastSize() > 0 && value instanceof Number;
    if (repeats) {
      constant = List.copyOf(Collections.nCopies(parameter.broadcastSize(), value));
    }
    Type type = constant == None.NONE ? Type.Plain.NONE : parameter.type();
    return scope.constant(constant, type);
  }

  private static Value list(Scope scope, List<Value> values, Type element, SourceLocation source) {
    Type type = new Type.ListOf(element);
    return scope.emit(Structure.Plain.LIST_CONSTRUCT, values, type, source);
  }

  private Value converted(
      Scope scope,
      Schema.Parameter parameter,
      OverloadResolver.Conversion conversion,
      Value value,
      SourceLocation source) {
    return switch (conversion) {
      case NONE -> value;
      case REPEAT -> {
        List<Value> copies = Collections.nCopies(parameter.broadcastSize(), value);
        yield list(scope, copies, value.type(), source);
      }
      case TUPLE_TO_LIST -> {
        List<Type> types = ((Type.Tuple) value.type()).elements();
        List<Value> parts = scope.emit(Structure.Plain.TUPLE_UNPACK, List.of(value), types, source);
        yield list(scope, parts, elementType(parameter, parts), source);
      }
      case TENSOR_TO_INT -> implicit(scope, "aten::IntImplicit", Type.Plain.INT, value, source);
      case TENSOR_TO_FLOAT ->
          implicit(scope, "aten::FloatImplicit", Type.Plain.FLOAT, value, source);
      case TENSOR_TO_COMPLEX ->
          implicit(scope, "aten::ComplexImplicit", Type.Plain.COMPLEX, value, source);
      case TENSOR_TO_NUMBER ->
          implicit(scope, "aten::ScalarImplicit", Type.Plain.NUMBER, value, source);
      case NUMBER_TO_INT -> implicit(scope, "aten::Int.Scalar", Type.Plain.INT, value, source);
      case NUMBER_TO_FLOAT ->
          implicit(scope, "aten::Float.Scalar", Type.Plain.FLOAT, value, source);
      case NUMBER_TO_COMPLEX ->
          implicit(scope, "aten::Complex.Scalar", Type.Plain.COMPLEX, value, source);
      case BOOL_TO_INT -> implicit(scope, "aten::Int.bool", Type.Plain.INT, value, source);
      case BOOL_TO_FLOAT -> implicit(scope, "aten::Float.bool", Type.Plain.FLOAT, value, source);
    };
  }

  /** The element type of the list that a tuple becomes for {@code parameter}. */
  private static Type elementType(Schema.Parameter parameter, List<Value> parts) {
    Type type = parameter.type();
    Type inner = type instanceof Type.Optional optional ? optional.element() : type;
    boolean known = inner instanceof Type.ListOf && !TypeRelations.isFree(inner);
    return known ? ((Type.ListOf) inner).element() : parts.get(0).type();
  }

  private Value implicit(
      Scope scope, String operation, Type type, Value value, SourceLocation source) {
    return scope.emit(lowering.operator(operation), List.of(value), type, source);
  }
}
