package dev.staunch.torchscript.lower;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.schema.OverloadResolver;
import dev.staunch.torchscript.schema.OverloadResolver.Filling;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Lowers calls of operators: chooses the overload and fills every parameter of its schema. */
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
    keywords.forEach((keyword, value) -> keywordTypes.put(keyword, value.type()));
    OverloadResolver.Resolution resolution =
        lowering.resolver.resolve(
            name,
            new OverloadResolver.Arguments(
                positional.stream().map(Value::type).toList(), keywordTypes));
    OverloadResolver.Match match = resolution.match();
    if (match == null) {
      throw refused(name, resolution.refusals(), position);
    }
    SourceLocation source = unit.location(position);
    List<Value> operands = new ArrayList<>();
    for (int i = 0; i < match.fillings().size(); i++) {
      Schema.Parameter parameter = match.schema().parameters().get(i);
      operands.add(fill(scope, parameter, match.fillings().get(i), positional, keywords, source));
    }
    match.extra().forEach(index -> operands.add(positional.get(index)));
    String function = match.function();
    return function == null
        ? scope.emit(
            new Operator.Entry(match.schema().qualifiedName()), operands, match.results(), source)
        : libraryCall(scope, function, operands, match.results(), source);
  }

  private List<Value> libraryCall(
      Scope scope,
      String function,
      List<Value> operands,
      List<Type> results,
      SourceLocation source) {
    Operator call = new Structure.CallFunction(lowering.requestLibrary(function));
    return scope.emit(call, operands, results, source);
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

  /** What a tuple's elements are as a list for {@code parameter}. */
  private static Type elementType(Schema.Parameter parameter, List<Value> parts) {
    Type type = parameter.type();
    Type inner = type instanceof Type.Optional optional ? optional.element() : type;
    boolean known = inner instanceof Type.ListOf && !TypeRelations.isFree(inner);
    return known ? ((Type.ListOf) inner).element() : parts.get(0).type();
  }

  private static Value implicit(
      Scope scope, String operation, Type type, Value value, SourceLocation source) {
    return scope.emit(new Operator.Entry(operation), List.of(value), type, source);
  }
}
