package dev.staunch.torchscript.lower;

import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.operation.None;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Expression;
import dev.staunch.torchscript.source.Statement;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lowers the statements of one function. */
final class FunctionLowering {
  private final Lowering lowering;
  private final ArchiveCode.Unit unit;
  private final ExpressionLowering expressions;
  private Type returnType = Type.Plain.NONE;

  /** Whether any operation has blocks. */
  private boolean nested;

  FunctionLowering(Lowering lowering, ArchiveCode.Unit unit) {
    this.lowering = lowering;
    this.unit = unit;
    this.expressions = new ExpressionLowering(lowering, unit);
  }

  /**
   * @param autocast the autocast that applies where the function is called
   */
  Function lower(String name, Definition.FunctionDef function, @Nullable Autocast autocast) {
    readable(function);
    returnType = function.returnType();
    List<Value> parameters = new ArrayList<>();
    Scope scope = new Scope(autocast);
    for (Definition.ParameterDef parameter : function.parameters()) {
      Value value = new Value(parameter.name(), parameter.type());
      parameters.add(value);
      lowering.noteParameter(name, value);
      if (scope.find(parameter.name()) != null) {
        throw unit.fault(parameter.position(), "two parameters are called " + parameter.name());
      }
      scope.assign(parameter.name(), value);
    }
    Value result = body(scope, function);
    Block body = scope.toBlock(parameters, List.of(result));
    return new Function(
        name,
        nested ? body.isolated(handed -> lowering.countHanded(handed, unit, function)) : body,
        List.of(returnType),
        Function.Discipline.SEQUENTIAL,
        unit.location(function.position()));
  }

  /** Throws the reason if the function could not be parsed. */
  static void readable(Definition.FunctionDef function) {
    if (function.body().size() == 1
        && function.body().get(0) instanceof Statement.Unreadable unreadable) {
      throw unreadable.why().toException();
    }
  }

  private Value body(Scope scope, Definition.FunctionDef function) {
    List<Statement> statements = function.body();
    for (int i = 0; i < statements.size(); i++) {
      if (statements.get(i) instanceof Statement.Return end) {
        if (i + 1 < statements.size()) {
          throw unit.fault(end.position(), "a statement follows the return");
        }
        return returned(scope, end);
      }
      statement(scope, statements.get(i));
    }
    if (returnType != Type.Plain.NONE) {
      String text = function.name() + " ends without a value where it declares " + returnType;
      throw unit.fault(function.position(), text);
    }
    return scope.constant(None.NONE, Type.Plain.NONE);
  }

  /**
   * Returns the value of a nested function's body, lowered at its call site; it sees the names
   * there.
   */
  Value inlined(Scope scope, Definition.FunctionDef function) {
    Scope inner = scope.inlined();
    for (Statement statement : function.body()) {
      if (statement instanceof Statement.Return end) {
        Expression value = end.value();
        return value == null
            ? inner.constant(None.NONE, Type.Plain.NONE)
            : expressions.value(inner, value, null);
      }
      statement(inner, statement);
    }
    return inner.constant(None.NONE, Type.Plain.NONE);
  }

  private Value returned(Scope scope, Statement.Return end) {
    Expression expression = end.value();
    Value value =
        expression == null
            ? scope.constant(None.NONE, Type.Plain.NONE)
            : expressions.value(scope, expression, returnType);
    return fitting(scope, value, returnType, end.position(), "the function returns");
  }

  /** Returns {@code value} as a value of type {@code wanted}; throws a fault if it is not one. */
  private Value fitting(Scope scope, Value value, Type wanted, int position, String subject) {
    if (value.type().equals(wanted)) {
      return value;
    }
    if (!expressions.fits(value.type(), wanted)) {
      throw unit.fault(position, subject + " " + wanted + ", but this is " + value.type());
    }
    return scope.emit(Structure.Plain.CAST, List.of(value), wanted, null);
  }

  private void statement(Scope scope, Statement statement) {
    switch (statement) {
      case Statement.Assign assign -> assign(scope, assign);
      case Statement.AnnotatedAssign assign -> {
        Value value = expressions.value(scope, assign.value(), assign.type());
        scope.assign(
            assign.name(),
            fitting(scope, value, assign.type(), assign.position(), assign.name() + " is"));
      }
      case Statement.ExpressionStatement call -> expressions.values(scope, call.expression());
      case Statement.If branch -> branch(scope, branch);
      case Statement.While loop -> whileLoop(scope, loop);
      case Statement.For loop -> forLoop(scope, loop);
      case Statement.With with -> with(scope, with);
      case Statement.Pass pass -> {}
      case Statement.Unreadable unreadable -> throw unreadable.why().toException();
      case Statement.Return end ->
          throw unit.fault(end.position(), "a return inside a block is not TorchScript");
      case Statement.Nested nested -> scope.define(nested.function());
    }
  }

  private void assign(Scope scope, Statement.Assign assign) {
    List<Expression> targets = assign.targets();
    String alias = functionName(assign.value());
    if (targets.size() == 1 && alias != null && targets.get(0) instanceof Expression.Name name) {
      scope.alias(name.name(), alias);
      return;
    }
    if (!assign.unpacks()) {
      store(scope, targets.get(0), expressions.value(scope, assign.value(), null));
      return;
    }
    List<Value> values = new ArrayList<>();
    if (assign.value() instanceof Expression.TupleLiteral tuple) {
      tuple.elements().forEach(element -> values.add(expressions.value(scope, element, null)));
    } else {
      values.addAll(unpacked(scope, assign));
    }
    if (values.size() != targets.size()) {
      String text = "%d values are assigned to %d targets";
      throw unit.fault(assign.position(), Message.of(text, values.size(), targets.size()));
    }
    for (int i = 0; i < targets.size(); i++) {
      store(scope, targets.get(i), values.get(i));
    }
  }

  /** The full name of the function that an expression names, or null if it does not name one. */
  private @Nullable String functionName(Expression expression) {
    String chain = expression instanceof Expression.Attribute ? expression.chain() : null;
    return chain != null && lowering.code.find(chain) != null ? chain : null;
  }

  private List<Value> unpacked(Scope scope, Statement.Assign assign) {
    List<Value> values = expressions.values(scope, assign.value());
    if (values.size() != 1) {
      return values;
    }
    Value value = values.get(0);
    Type type = expressions.structural(value.type());
    if (type instanceof Type.Tuple tuple) {
      Value plain =
          type.equals(value.type())
              ? value
              : scope.emit(Structure.Plain.CAST, List.of(value), type, null);
      return scope.emit(Structure.Plain.TUPLE_UNPACK, List.of(plain), tuple.elements(), null);
    }
    if (type instanceof Type.ListOf list) {
      List<Type> types = Collections.nCopies(assign.targets().size(), list.element());
      SourceLocation source = unit.location(assign.value().position());
      return scope.emit(Structure.Plain.LIST_UNPACK, List.of(value), types, source);
    }
    throw unit.fault(assign.position(), "a value of type " + type + " cannot be unpacked");
  }

  private void store(Scope scope, Expression target, Value value) {
    if (target instanceof Expression.Name name) {
      scope.assign(name.name(), value);
    } else if (target instanceof Expression.Attribute attribute) {
      expressions.setAttribute(scope, attribute, value);
    } else {
      throw unit.fault(target.position(), "only a name or an attribute can be assigned");
    }
  }

  private void branch(Scope scope, Statement.If branch) {
    Value condition = expressions.bool(scope, branch.condition());
    Scope thenScope = scope.inner();
    Scope elseScope = scope.inner();
    branch.thenBody().forEach(statement -> statement(thenScope, statement));
    branch.elseBody().forEach(statement -> statement(elseScope, statement));
    List<String> joined = new ArrayList<>();
    List<Value> results = new ArrayList<>();
    Map<String, Value> same = new LinkedHashMap<>(); // values that are the same in both branches
    Set<String> names = new LinkedHashSet<>(thenScope.assigned());
    names.addAll(elseScope.assigned());
    for (String name : names) {
      Value left = thenScope.find(name);
      Value right = elseScope.find(name);
      if (left == right && left != null) {
        same.put(name, left);
      } else if (left != null && right != null) {
        joined.add(name);
        results.add(new Value(name, lowering.relations.joinOrUnion(left.type(), right.type())));
      }
    }
    Block thenBlock = thenScope.toBlock(List.of(), values(thenScope, joined));
    Block elseBlock = elseScope.toBlock(List.of(), values(elseScope, joined));
    addOwner(
        scope,
        new Operation(
            Structure.Plain.IF,
            List.of(condition),
            results,
            List.of(thenBlock, elseBlock),
            unit.location(branch.position())));
    same.forEach(scope::assign);
    for (int i = 0; i < joined.size(); i++) {
      scope.assign(joined.get(i), results.get(i));
    }
  }

  private void addOwner(Scope scope, Operation operation) {
    scope.add(operation);
    nested = true;
  }

  private static List<Value> values(Scope scope, List<String> names) {
    return names.stream().map(scope::find).map(Value.class::cast).toList();
  }

  private void whileLoop(Scope scope, Statement.While loop) {
    Value condition = expressions.bool(scope, loop.condition());
    Value most = scope.constant(Long.MAX_VALUE, Type.Plain.INT);
    loop(scope, loop.position(), most, condition, loop.body(), null, loop.condition());
  }

  private void forLoop(Scope scope, Statement.For loop) {
    boolean range =
        loop.iterable() instanceof Expression.Call call
            && call.callee() instanceof Expression.Name name
            && name.name().equals("range")
            && call.arguments().size() == 1;
    if (!range) {
      throw unit.fault(loop.position(), "a for loop must run over range(n)");
    }
    Expression count = ((Expression.Call) loop.iterable()).arguments().get(0);
    Value most = expressions.value(scope, count, Type.Plain.INT);
    if (most.type() != Type.Plain.INT) {
      throw unit.fault(loop.position(), "range needs an int, got " + most.type());
    }
    Value always = scope.constant(true, Type.Plain.BOOL);
    loop(scope, loop.position(), most, always, loop.body(), loop.variable(), null);
  }

  private void loop(
      Scope scope,
      int position,
      Value most,
      Value condition,
      List<Statement> body,
      @Nullable String variable,
      @Nullable Expression next) {
    List<String> carried = new ArrayList<>(AssignedNames.in(body));
    carried.removeIf(name -> name.equals(variable) || scope.find(name) == null);
    Scope inner = scope.innerLoop();
    Map<String, Value> parameters = new LinkedHashMap<>();
    Value trip = new Value(variable == null ? "trip" : variable, Type.Plain.INT);
    List<Value> blockParameters = new ArrayList<>(List.of(trip));
    List<Value> operands = new ArrayList<>(List.of(most, condition));
    List<Value> results = new ArrayList<>();
    for (String name : carried) {
      Value before = Objects.requireNonNull(scope.find(name));
      Type type = before.type().equals(TypeRelations.EMPTY_LIST) ? Type.Plain.ANY : before.type();
      Value parameter = new Value(name, type);
      operands.add(before);
      parameters.put(name, parameter);
      blockParameters.add(parameter);
      results.add(new Value(name, type));
    }
    parameters.forEach(inner::assign);
    if (variable != null) {
      inner.assign(variable, trip);
    }
    body.forEach(statement -> statement(inner, statement));
    List<Value> blockResults = new ArrayList<>();
    blockResults.add(
        next == null ? inner.constant(true, Type.Plain.BOOL) : expressions.bool(inner, next));
    for (int i = 0; i < carried.size(); i++) {
      Value after = Objects.requireNonNull(inner.find(carried.get(i)));
      String subject = carried.get(i) + " is";
      blockResults.add(fitting(inner, after, results.get(i).type(), position, subject));
    }
    addOwner(
        scope,
        new Operation(
            Structure.Plain.LOOP,
            operands,
            results,
            List.of(inner.toBlock(blockParameters, blockResults)),
            unit.location(position)));
    for (int i = 0; i < carried.size(); i++) {
      scope.assign(carried.get(i), results.get(i));
    }
  }

  /** The autocast that applies in the body of a {@code with} statement on {@code object}. */
  private @Nullable Autocast autocast(Scope scope, Value object, int position) {
    if (!Autocast.isScope(object.type().toString())) {
      return scope.autocast();
    }
    Autocast.Setting setting = lowering.autocastOf(object);
    if (setting == null) {
      String text =
          "autocast takes a device, `enabled` and a dtype that the code says as constants";
      throw unit.fault(FaultType.UNSUPPORTED, position, text);
    }
    return setting.within(scope.autocast());
  }

  private void with(Scope scope, Statement.With with) {
    Value object = expressions.value(scope, with.object(), null);
    String enter = expressions.methodName(object, "__enter__", with.position());
    String exit = expressions.methodName(object, "__exit__", with.position());
    Scope inner = scope.inner(autocast(scope, object, with.position()));
    List<Value> entered = new ArrayList<>();
    if (with.name() != null) {
      entered.add(new Value(with.name(), expressions.resultType(object, "__enter__")));
      inner.assign(with.name(), entered.get(0));
    }
    with.body().forEach(statement -> statement(inner, statement));
    List<String> changed = new ArrayList<>();
    for (String name : inner.assigned()) {
      if (scope.find(name) != inner.find(name)) {
        changed.add(name);
      }
    }
    List<Value> results = new ArrayList<>();
    for (Value value : values(inner, changed)) {
      results.add(new Value(value.name(), value.type()));
    }
    addOwner(
        scope,
        new Operation(
            new Structure.With(enter, exit),
            List.of(object),
            results,
            List.of(inner.toBlock(entered, values(inner, changed))),
            unit.location(with.position())));
    for (int i = 0; i < changed.size(); i++) {
      scope.assign(changed.get(i), results.get(i));
    }
  }
}
