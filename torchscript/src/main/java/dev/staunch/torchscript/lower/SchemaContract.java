package dev.staunch.torchscript.lower;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.type.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verifier's rule for operators: the operands of each call match its schema in number and type
 * (S2).
 */
public final class SchemaContract implements Verifier.Contract {
  private final TypeRelations relations;

  public SchemaContract(TypeRelations relations) {
    this.relations = relations;
  }

  @Override
  public @Nullable Fault check(Operation operation) {
    Schema schema = ((Operator.Entry) operation.operator()).definition().schema();
    List<Value> operands = operation.operands();
    List<Schema.Parameter> parameters = schema.parameters();
    int given = operands.size();
    int wanted = parameters.size();
    if (given < wanted || (given > wanted && !schema.variadic())) {
      return wrong(operation, Message.of("takes %d operands, got %d", wanted, given));
    }
    Map<String, Type> bound = new HashMap<>();
    for (int i = 0; i < wanted; i++) {
      Schema.Parameter parameter = parameters.get(i);
      Type type = parameter.type();
      Type actual = operands.get(i).type();
      boolean binds = relations.bind(type, actual, bound);
      Type formal = TypeRelations.substitute(type, bound);
      boolean device = formal == Type.Plain.DEVICE && actual == Type.Plain.STRING;
      if (!device && !(binds && relations.isSubtype(actual, formal))) {
        return wrong(
            operation, Message.of("needs %s for %s, got %s", formal, parameter.name(), actual));
      }
    }
    return results(operation, schema, bound);
  }

  private @Nullable Fault results(Operation operation, Schema schema, Map<String, Type> bound) {
    List<Schema.Result> declared = schema.results();
    List<Value> results = operation.results();
    if (!schema.variadicResults() && results.size() != declared.size()) {
      return wrong(
          operation, Message.of("gives %d results, not %d", declared.size(), results.size()));
    }
    for (int i = 0; i < declared.size(); i++) {
      Type promised = TypeRelations.substitute(declared.get(i).type(), bound);
      Type taken = results.get(i).type();
      if (!relations.isSubtype(promised, taken)) {
        return wrong(operation, Message.of("gives %s, not %s", promised, taken));
      }
    }
    return null;
  }

  private static Fault wrong(Operation operation, String what) {
    return Fault.of(FaultType.DATA_FORMAT, operation.name() + " " + what);
  }
}
