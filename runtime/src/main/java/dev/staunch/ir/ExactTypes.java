package dev.staunch.ir;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the types in programs in MLIR text where values pass from one block to another: returns,
 * branches and calls have the declared number and types of values. The messages are worded as those
 * of MLIR's own verifier, so that its test files pass.
 */
final class ExactTypes {
  private ExactTypes() {}

  /** The fault of the first value that {@code function} does not return as declared, or null. */
  static @Nullable Fault returned(Function function) {
    List<Value> given = function.body().results();
    List<Type> declared = function.resultTypes();
    if (given.size() != declared.size()) {
      return at(
          function.body(),
          Message.of(
              "'tfrt.return' op has %d operands, but enclosing function returns %d",
              given.size(), declared.size()));
    }
    for (int i = 0; i < given.size(); i++) {
      if (!given.get(i).type().equals(declared.get(i))) {
        return at(
            function.body(),
            Message.of(
                "type of return operand %d ('%s') doesn't match function result type ('%s')",
                i, given.get(i).type(), declared.get(i)));
      }
    }
    return null;
  }

  /** Types are written where a value is defined and again where it is used; null if both agree. */
  static @Nullable Fault written(List<Value> values, List<Type> types, String user) {
    if (values.size() != types.size()) {
      return wrong(
          Message.of("%s has %d operands but %d types", user, values.size(), types.size()));
    }
    for (int i = 0; i < values.size(); i++) {
      Value value = values.get(i);
      if (!value.type().equals(types.get(i))) {
        return wrong(
            Message.of(
                "%%%s is of type %s where %s says %s",
                value.name(), value.type(), user, types.get(i)));
      }
    }
    return null;
  }

  /** The fault of the first branch whose results are not the operation's, or null. */
  static @Nullable Fault branches(Operation operation) {
    List<Type> declared = types(operation.results());
    List<Type> handed = types(operation.operands()).stream().skip(1).toList();
    for (Block block : operation.blocks()) {
      if (!types(block.parameters()).equals(handed)) {
        return at(
            block,
            Message.of(
                "'tfrt.if' op block takes %s, not %s",
                Message.listed(types(block.parameters())), Message.listed(handed)));
      }
      List<Type> given = types(block.results());
      if (!given.equals(declared)) {
        return at(
            block,
            Message.of(
                "'tfrt.return' op operand types don't match 'tfrt.if' result types: %s, not %s",
                Message.listed(given), Message.listed(declared)));
      }
    }
    return null;
  }

  /** The fault of a call that differs from the signature of the function it calls, or null. */
  static @Nullable Fault call(Operation call, Function callee) {
    Fault fault =
        differing("operand", types(call.operands()), types(callee.parameters()), callee.name());
    return fault == null
        ? differing("result", types(call.results()), callee.resultTypes(), callee.name())
        : fault;
  }

  private static @Nullable Fault differing(
      String what, List<Type> given, List<Type> declared, String callee) {
    if (given.size() != declared.size()) {
      return wrong(
          Message.of(
              "incorrect number of %ss for callee: %s has %d, not %d",
              what, callee, declared.size(), given.size()));
    }
    for (int i = 0; i < given.size(); i++) {
      if (!given.get(i).equals(declared.get(i))) {
        return wrong(
            Message.of(
                "%s type mismatch: expected %s type '%s', but provided '%s' for %s number %d of %s",
                what, what, declared.get(i), given.get(i), what, i, callee));
      }
    }
    return null;
  }

  private static List<Type> types(List<Value> values) {
    return values.stream().map(Value::type).toList();
  }

  private static Fault at(Block block, String message) {
    Fault fault = wrong(message);
    return block.end() == null ? fault : fault.withSource(block.end());
  }

  private static Fault wrong(String message) {
    return Fault.of(FaultType.DATA_FORMAT, message);
  }
}
