package dev.staunch.torchscript.lower;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Schema;
import dev.staunch.torchscript.schema.OverloadResolver;
import dev.staunch.torchscript.schema.OverloadResolver.Filling;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lowers calls of operators: chooses the overload and fills every parameter of its schema. */
final class OperatorLowering {
  /** Operators whose meaning changed; archives older than the version mean the old one. */
  private static final Map<Integer, Set<String>> CHANGED =
      Map.of(
          4, Set.of("aten::div", "aten::div_"),
          5, Set.of("aten::full"));

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
    checkVersion(name, match.schema(), position);
    SourceLocation source = unit.location(position);
    List<Value> operands = new ArrayList<>();
    for (int i = 0; i < match.fillings().size(); i++) {
      Schema.Parameter parameter = match.schema().parameters().get(i);
      operands.add(fill(scope, parameter, match.fillings().get(i), positional, keywords, source));
    }
    match.extra().forEach(index -> operands.add(positional.get(index)));
    return scope.emit(
        match.schema().qualifiedName(), operands, match.results(), Map.of(), List.of(), source);
  }

  private void checkVersion(String name, Schema schema, int position) {
    boolean tensors = schema.results().stream().anyMatch(r -> r.type() == Type.Plain.TENSOR);
    CHANGED.forEach((version, names) -> {
      if (tensors && lowering.version < version && names.contains(name)) {
        throw unit.fault(
            FaultType.UNSUPPORTED,
            position,
            "%s meant something else before format version %d; this archive has version %d"
                .formatted(name, version, lowering.version));
      }
    });
  }

  private StaunchException refused(String name, List<String> refusals, int position) {
    if (refusals.isEmpty()) {
      List<String> similar = lowering.table.similar(name);
      String hint = similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?";
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
      case Filling.Trailing trailing ->
          list(scope, positional.subList(trailing.from(), positional.size()), source);
      case Filling.Argument argument -> {
        String keyword = argument.keyword();
        Value value =
            keyword == null
                ? positional.get(argument.index())
                : java.util.Objects.requireNonNull(keywords.get(keyword));
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
    Type type =
        constant == dev.staunch.kernel.Kernel.None.NONE ? Type.Plain.NONE : parameter.type();
    return scope.constant(constant, type);
  }

  private static Value list(Scope scope, List<Value> values, SourceLocation source) {
    Type type = new Type.ListOf(values.get(0).type());
    return scope.emit(Structure.LIST_CONSTRUCT, values, type, Map.of(), source);
  }

  private Value converted(
      Scope scope,
      Schema.Parameter parameter,
      OverloadResolver.Conversion conversion,
      Value value,
      SourceLocation source) {
    return switch (conversion) {
      case NONE -> value;
      case REPEAT -> list(scope, Collections.nCopies(parameter.broadcastSize(), value), source);
      case TUPLE_TO_LIST -> {
        List<Type> types = ((Type.Tuple) value.type()).elements();
        List<Value> parts =
            scope.emit(
                Structure.TUPLE_UNPACK.word(), List.of(value), types, Map.of(), List.of(), source);
        yield list(scope, parts, source);
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
    };
  }

  private static Value implicit(
      Scope scope, String operation, Type type, Value value, SourceLocation source) {
    return scope.emit(operation, List.of(value), List.of(type), Map.of(), List.of(), source).get(0);
  }
}
