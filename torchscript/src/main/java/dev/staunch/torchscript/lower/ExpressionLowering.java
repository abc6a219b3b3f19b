package dev.staunch.torchscript.lower;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.EnumMember;
import dev.staunch.operation.None;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Expression;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lowers expressions: literals, names, attributes, subscripts and displays. {@link CallLowering}
 * handles calls.
 */
final class ExpressionLowering {
  private static final int MAX_DEPTH = 250;

  private final Lowering lowering;
  private final ArchiveCode.Unit unit;
  private final CallLowering calls;
  private int depth;

  ExpressionLowering(Lowering lowering, ArchiveCode.Unit unit) {
    this.lowering = lowering;
    this.unit = unit;
    this.calls = new CallLowering(lowering, unit, this);
  }

  /** Returns one value: several results of an operator become a tuple, no result becomes None. */
  Value value(Scope scope, Expression expression, @Nullable Type wanted) {
    if (++depth > MAX_DEPTH) {
      throw unit.fault(
          expression.position(), "the expression is nested more than " + MAX_DEPTH + " deep");
    }
    Value value = lowered(scope, expression, wanted);
    depth--;
    return value;
  }

  private Value lowered(Scope scope, Expression expression, @Nullable Type wanted) {
    return switch (expression) {
      case Expression.ListLiteral list -> list(scope, list, wanted);
      case Expression.DictLiteral dict -> dict(scope, dict, wanted);
      case Expression.TupleLiteral tuple -> tuple(scope, tuple);
      case Expression.Name name -> name(scope, name);
      case Expression.Attribute attribute -> attribute(scope, attribute);
      case Expression.Subscript subscript -> subscript(scope, subscript, wanted);
      case Expression.Call call -> single(scope, calls.call(scope, call), call.position());
      case Expression.TypeExpression type ->
          throw unit.fault(type.position(), "a type stands where a value should");
      case Expression.IntLiteral _, Expression.FloatLiteral _, Expression.ComplexLiteral _ ->
          literal(scope, expression);
      case Expression.StringLiteral _, Expression.BoolLiteral _, Expression.NoneLiteral _ ->
          literal(scope, expression);
    };
  }

  /** Returns all values of an expression: the results of an operator, or its one value. */
  List<Value> values(Scope scope, Expression expression) {
    return expression instanceof Expression.Call call
        ? calls.call(scope, call)
        : List.of(value(scope, expression, null));
  }

  private Value single(Scope scope, List<Value> values, int position) {
    if (values.size() == 1) {
      return values.get(0);
    }
    if (values.isEmpty()) {
      return scope.constant(None.NONE, Type.Plain.NONE);
    }
    Type type = new Type.Tuple(values.stream().map(Value::type).toList());
    return scope.emit(Structure.Plain.TUPLE_CONSTRUCT, values, type, unit.location(position));
  }

  /** Returns a value of type bool; a tensor is tested for truth as in Python. */
  Value bool(Scope scope, Expression expression) {
    Value value = value(scope, expression, Type.Plain.BOOL);
    if (value.type() == Type.Plain.TENSOR) {
      return calls.operator(scope, "aten::Bool", List.of(value), expression.position());
    }
    if (value.type() != Type.Plain.BOOL) {
      throw unit.fault(expression.position(), "a condition must be a bool, got " + value.type());
    }
    return value;
  }

  private static Value literal(Scope scope, Expression literal) {
    Object value = Objects.requireNonNull(Constants.literal(literal));
    return scope.constant(value, Constants.typeOf(value, Type.Plain.ANY));
  }

  private Value name(Scope scope, Expression.Name name) {
    Value value = scope.find(name.name());
    if (value == null) {
      throw unit.fault(name.position(), "the name " + name.name() + " is not defined here");
    }
    return value;
  }

  private Value list(Scope scope, Expression.ListLiteral list, @Nullable Type wanted) {
    Type inner = wanted instanceof Type.Optional optional ? optional.element() : wanted;
    Type element = inner instanceof Type.ListOf expected ? expected.element() : null;
    List<Value> values = new ArrayList<>();
    for (Expression item : list.elements()) {
      values.add(value(scope, item, element));
    }
    Type type =
        element == null
            ? (values.isEmpty() ? TypeRelations.EMPTY_LIST : new Type.ListOf(joined(values)))
            : new Type.ListOf(element);
    checkElements(list, values, element);
    return scope.emit(Structure.Plain.LIST_CONSTRUCT, values, type, unit.location(list.position()));
  }

  private void checkElements(
      Expression.ListLiteral list, List<Value> values, @Nullable Type element) {
    for (int i = 0; element != null && i < values.size(); i++) {
      if (!fits(values.get(i).type(), element)) {
        String text = "element %d of a list of %s is %s";
        throw unit.fault(
            list.elements().get(i).position(), Message.of(text, i, element, values.get(i).type()));
      }
    }
  }

  private Type joined(List<Value> values) {
    Type type = values.get(0).type();
    for (Value value : values) {
      type = lowering.relations.joinOrUnion(type, value.type());
    }
    return type;
  }

  private Value dict(Scope scope, Expression.DictLiteral dict, @Nullable Type wanted) {
    List<Value> entries = new ArrayList<>();
    List<Value> keys = new ArrayList<>();
    List<Value> values = new ArrayList<>();
    Type.Dict expected = wanted instanceof Type.Dict type ? type : null;
    for (int i = 0; i < dict.keys().size(); i++) {
      keys.add(value(scope, dict.keys().get(i), expected == null ? null : expected.key()));
      values.add(value(scope, dict.values().get(i), expected == null ? null : expected.value()));
      entries.add(keys.getLast());
      entries.add(values.getLast());
    }
    Type type = expected;
    if (type == null) {
      type =
          keys.isEmpty() ? TypeRelations.DEFAULT_DICT : new Type.Dict(joined(keys), joined(values));
    }
    return scope.emit(
        Structure.Plain.DICT_CONSTRUCT, entries, type, unit.location(dict.position()));
  }

  private Value tuple(Scope scope, Expression.TupleLiteral tuple) {
    List<Value> values = new ArrayList<>();
    tuple.elements().forEach(element -> values.add(value(scope, element, null)));
    Type type = new Type.Tuple(values.stream().map(Value::type).toList());
    return scope.emit(
        Structure.Plain.TUPLE_CONSTRUCT, values, type, unit.location(tuple.position()));
  }

  private Value subscript(Scope scope, Expression.Subscript subscript, @Nullable Type wanted) {
    Value object = value(scope, subscript.object(), null);
    ArchiveCode.Found container =
        object.type() instanceof Type.Class named ? lowering.code.findClass(named.name()) : null;
    if (container != null && container.type().kind() == Definition.Kind.MODULE && wanted != null) {
      return part(scope, object, container.type(), subscript, wanted);
    }
    if (structural(object.type()) instanceof Type.Tuple tuple) {
      if (Constants.literal(subscript.index()) instanceof Long index) {
        return tupleIndex(scope, object, tuple, index, subscript.position());
      }
      if (tuple.elements().stream().distinct().count() > 1) {
        String text = "the index of a tuple of different types must be a literal";
        throw unit.fault(subscript.position(), text);
      }
    }
    Value index = value(scope, subscript.index(), null);
    return calls.operator(scope, "aten::__getitem__", List.of(object, index), subscript.position());
  }

  /**
   * The element of a module list or dict that an index or key selects, accessed through an
   * interface.
   */
  private Value part(
      Scope scope,
      Value container,
      Definition.ClassDef type,
      Expression.Subscript subscript,
      Type wanted) {
    int position = subscript.position();
    List<Value> entries = new ArrayList<>();
    for (Definition.AttributeDef part : type.attributes()) {
      if (fits(part.type(), wanted)) {
        entries.add(scope.constant(part.name(), Type.Plain.STRING));
        entries.add(attribute(scope, container, part.name(), position));
      }
    }
    Type types = new Type.Dict(Type.Plain.STRING, wanted);
    Operator construct = Structure.Plain.DICT_CONSTRUCT;
    Value parts = scope.emit(construct, entries, types, unit.location(position));
    Value index = value(scope, subscript.index(), null);
    Value name = calls.operator(scope, "aten::str", List.of(index), position);
    return calls.operator(scope, "aten::__getitem__", List.of(parts, name), position);
  }

  private Value tupleIndex(Scope scope, Value object, Type.Tuple tuple, long index, int position) {
    int size = tuple.elements().size();
    long at = index < 0 ? index + size : index;
    if (at < 0 || at >= size) {
      String text = "index %d is out of range of a tuple of %d";
      throw unit.fault(FaultType.INDEX, position, Message.of(text, index, size));
    }
    return scope.emit(
        new Structure.TupleIndex(at),
        List.of(object),
        tuple.elements().get((int) at),
        unit.location(position));
  }

  private Value attribute(Scope scope, Expression.Attribute attribute) {
    String chain = attribute.chain();
    if (chain != null && chain.startsWith("CONSTANTS.")) {
      return archiveConstant(scope, chain, attribute);
    }
    if (chain != null && chain.startsWith("__torch__.")) {
      EnumMember member = EnumMembers.named(lowering.code, chain);
      if (member != null) {
        return scope.constant(member, new Type.Class(member.type()));
      }
      throw unit.fault(
          FaultType.UNSUPPORTED,
          attribute.position(),
          "the value " + chain + " (a member of a class) is not supported yet");
    }
    Value object = value(scope, attribute.object(), null);
    return attribute(scope, object, attribute.name(), attribute.position());
  }

  private Value archiveConstant(Scope scope, String chain, Expression.Attribute attribute) {
    int index = Constants.place(chain);
    if (index < 0 || index >= lowering.constants.size()) {
      String name = chain.substring("CONSTANTS.".length());
      throw unit.fault(attribute.position(), "the archive has no constant " + name);
    }
    Object constant = lowering.constants.get(index);
    Value value = scope.constant(constant, lowering.constantTypes.get(index));
    Object scalar = Constants.number(constant);
    if (scalar != null) {
      lowering.numbers.put(value, scalar);
    }
    return value;
  }

  Value attribute(Scope scope, Value object, String name, int position) {
    ArchiveCode.Found found = classOf(object, position);
    Definition.ClassDef type = found.type();
    if (type.kind() == Definition.Kind.ENUM) {
      return enumPart(scope, object, type, name, position);
    }
    int place = found.attribute(name);
    if (place >= 0) {
      Fault unloaded = lowering.unloaded(object.type().toString(), name);
      if (unloaded != null) {
        throw unloaded.withSource(unit.location(position)).toException();
      }
      return structural(object.type()) instanceof Type.Tuple tuple
          ? tupleIndex(scope, object, tuple, place, position)
          : scope.emit(
              new Structure.GetAttribute(name),
              List.of(object),
              type.attributes().get(place).type(),
              unit.location(position));
    }
    Expression constant = type.constants().get(name);
    if (constant != null) {
      return value(scope, constant, null);
    }
    throw unit.fault(position, object.type() + " has no attribute " + name);
  }

  private Value enumPart(
      Scope scope, Value member, Definition.ClassDef type, String part, int position) {
    if (part.equals("name")) {
      return calls.operator(scope, "prim::EnumName", List.of(member), position);
    }
    Object first =
        type.constants().values().stream().findFirst().map(Constants::literal).orElse(null);
    if (!part.equals("value") || first == null) {
      throw unit.fault(position, "a member of an enum has a name and a value, but no " + part);
    }
    Type valueType = Constants.typeOf(first, Type.Plain.ANY);
    String name = "prim::EnumValue." + valueType;
    if (lowering.table.find(name) == null) {
      throw unit.fault(FaultType.UNKNOWN_OPERATION, position, "there is no operator " + name);
    }
    Operator value = lowering.operator(name);
    return scope.emit(value, List.of(member), valueType, unit.location(position));
  }

  void setAttribute(Scope scope, Expression.Attribute target, Value value) {
    Value object = value(scope, target.object(), null);
    ArchiveCode.Found found = classOf(object, target.position());
    int place = found.attribute(target.name());
    if (place < 0) {
      throw unit.fault(target.position(), object.type() + " has no attribute " + target.name());
    }
    Type wanted = found.type().attributes().get(place).type();
    if (!fits(value.type(), wanted)) {
      String text = "%s of %s is %s, not %s";
      throw unit.fault(
          target.position(), Message.of(text, target.name(), object.type(), value.type(), wanted));
    }
    scope.emit(
        new Structure.SetAttribute(target.name()),
        List.of(object, value),
        List.of(),
        unit.location(target.position()));
  }

  private ArchiveCode.Found classOf(Value object, int position) {
    ArchiveCode.Found found =
        object.type() instanceof Type.Class named ? lowering.code.findClass(named.name()) : null;
    if (found == null) {
      throw unit.fault(position, "a value of type " + object.type() + " has no attributes");
    }
    return found;
  }

  /** The result type of method {@code name} of the object's class. */
  Type resultType(Value object, String name) {
    ArchiveCode.Found found = lowering.code.findClass(object.type().toString());
    return Objects.requireNonNull(Objects.requireNonNull(found).method(name)).returnType();
  }

  /** The function for method {@code name} of the object's class. */
  String methodName(Value object, String name, int position) {
    return calls.method(classOf(object, position), object, name, position);
  }

  /** The tuple type of a named tuple; any other type unchanged. */
  Type structural(Type type) {
    if (type instanceof Type.Class named) {
      ArchiveCode.Found found = lowering.code.findClass(named.name());
      if (found != null && found.type().kind() == Definition.Kind.NAMED_TUPLE) {
        return new Type.Tuple(
            found.type().attributes().stream().map(Definition.AttributeDef::type).toList());
      }
    }
    return type;
  }

  boolean fits(Type actual, Type wanted) {
    return lowering.relations.isSubtype(actual, wanted)
        || lowering.relations.isSubtype(structural(actual), wanted);
  }
}
