package dev.staunch.ir;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.type.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks a function before anything runs. Every value is defined once and before each use on every
 * path. Structure operations have the operands, blocks and results that they promise. Every other
 * operation satisfies the {@link Contract} that the caller supplies.
 */
public final class Verifier {
  /** The rule for an operation that is not part of the IR: usually that it matches its schema. */
  @FunctionalInterface
  public interface Contract {
    /** Null if {@code operation} is valid, else what is wrong with it. */
    @Nullable Fault check(Operation operation);
  }

  private final Program program;
  private final Contract contract;

  /** The values visible in the current block, which sees only what it is passed. */
  private Set<Value> visible = Set.of();

  private final Set<Value> defined = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * MLIR's types are either equal or not; TorchScript's have subtypes, which lowering takes care
   * of.
   */
  private final boolean exact;

  private Verifier(Program program, Contract contract, Function function) {
    this.program = program;
    this.contract = contract;
    this.exact = function.discipline() == Function.Discipline.DATAFLOW;
  }

  /** The first violation in {@code program}, in order of its text, or null. */
  public static @Nullable Fault verify(Program program, Contract contract) {
    for (Function function : program.functions()) {
      Fault fault = verify(function, program, contract);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** The first violation in {@code function}, one of {@code program}, or null. */
  public static @Nullable Fault verify(Function function, Program program, Contract contract) {
    Fault fault = new Verifier(program, contract, function).function(function);
    return fault == null ? null : fault.within(new Fault.Frame(function.name(), function.source()));
  }

  private @Nullable Fault function(Function function) {
    Fault fault = block(function.body());
    if (fault != null) {
      return fault;
    }
    if (exact) {
      return ExactTypes.returned(function);
    }
    if (function.body().results().size() != function.resultTypes().size()) {
      return wrong(
          Message.of(
              "function %s returns %s where it declares %d",
              function.name(),
              Message.count(function.body().results().size(), "value"),
              function.resultTypes().size()));
    }
    return null;
  }

  private @Nullable Fault block(Block block) {
    Set<Value> around = visible;
    visible = Collections.newSetFromMap(new IdentityHashMap<>());
    Fault fault = null;
    for (Value parameter : block.parameters()) {
      fault = fault == null ? define(parameter) : fault;
    }
    for (Operation operation : block.operations()) {
      if (fault != null) {
        break;
      }
      fault = operation(operation);
      if (fault != null && fault.source() == null) {
        fault = fault.withSource(operation.source());
      }
    }
    fault = fault == null ? uses(block.results(), null) : fault;
    visible = around;
    return fault;
  }

  private @Nullable Fault operation(Operation operation) {
    Fault fault = uses(operation.operands(), operation);
    if (fault == null) {
      fault =
          switch (operation.operator()) {
            case Operator.Entry entry -> contract.check(operation);
            case Structure structure -> structure(structure, operation);
          };
    }
    for (Block inner : operation.blocks()) {
      fault = fault == null ? block(inner) : fault;
    }
    for (Value result : operation.results()) {
      fault = fault == null ? define(result) : fault;
    }
    return fault;
  }

  private @Nullable Fault structure(Structure structure, Operation operation) {
    int operands = operation.operands().size();
    int results = operation.results().size();
    return switch (structure) {
      case Structure.Constant constant -> counts(operation, operands == 0 && results == 1);
      case Structure.With with -> with(with, operation);
      case Structure.CallFunction call -> call(call, operation);
      case Structure.CallMethod call -> counts(operation, operands >= 1 && results <= 1);
      case Structure.SetAttribute set -> counts(operation, operands == 2 && results == 0);
      case Structure.CreateObject create -> counts(operation, operands == 0 && results == 1);
      case Structure.GetAttribute _,
          Structure.TupleIndex _,
          Structure.IsInstance _,
          Structure.CheckedCast _ ->
          counts(operation, operands == 1 && results == 1);
      case Structure.Plain plain -> plain(plain, operation, operands, results);
    };
  }

  private @Nullable Fault plain(
      Structure.Plain structure, Operation operation, int operands, int results) {
    return switch (structure) {
      case IF -> branches(operation);
      case LOOP -> loop(operation);
      case LIST_CONSTRUCT, TUPLE_CONSTRUCT -> counts(operation, results == 1);
      case DICT_CONSTRUCT -> counts(operation, operands % 2 == 0 && results == 1);
      case TUPLE_UNPACK -> unpack(operation);
      case LIST_UNPACK -> counts(operation, operands == 1);
      case UNINITIALIZED -> counts(operation, operands == 0 && results == 1);
      case PRINT -> counts(operation, results == 0);
      case CAST -> counts(operation, operands == 1 && results == 1);
    };
  }

  private @Nullable Fault branches(Operation operation) {
    boolean shaped =
        !operation.operands().isEmpty()
            && operation.blocks().size() == 2
            && operation.blocks().stream()
                .allMatch(block ->
                    block.parameters().size() == operation.operands().size() - 1
                        && block.results().size() == operation.results().size());
    Fault fault = exact ? ExactTypes.branches(operation) : null;
    fault = fault == null ? counts(operation, shaped) : fault;
    return fault == null ? bool(operation, operation.operands().get(0)) : fault;
  }

  private @Nullable Fault loop(Operation operation) {
    int carried = operation.results().size();
    int handed = operation.handed();
    boolean shaped =
        handed >= 0
            && operation.blocks().size() == 1
            && operation.blocks().get(0).parameters().size() == carried + 1 + handed
            && operation.blocks().get(0).results().size() == carried + 1;
    Fault fault = counts(operation, shaped);
    return fault == null ? bool(operation, operation.operands().get(1)) : fault;
  }

  private @Nullable Fault with(Structure.With with, Operation operation) {
    int handed = operation.handed();
    boolean shaped =
        handed >= 0
            && operation.blocks().size() == 1
            && operation.blocks().get(0).parameters().size() >= handed
            && operation.blocks().get(0).parameters().size() <= handed + 1
            && operation.blocks().get(0).results().size() == operation.results().size();
    Fault fault = counts(operation, shaped);
    for (String name : List.of(with.enter(), with.exit())) {
      if (fault == null && program.find(name) == null) {
        fault = wrong("the program has no function " + name);
      }
    }
    return fault;
  }

  private @Nullable Fault call(Structure.CallFunction call, Operation operation) {
    String callee = call.function();
    Function function = program.find(callee);
    if (function == null) {
      String message =
          exact
              ? Message.of("'%s' does not reference a valid function", callee)
              : "the program has no function " + callee;
      return Fault.of(FaultType.UNKNOWN_OPERATION, message);
    }
    if (exact) {
      return ExactTypes.call(operation, function);
    }
    if (function.discipline() == Function.Discipline.DATAFLOW) {
      return wrong(callee + " gives values that arrive later, for which a script does not wait");
    }
    boolean fits =
        function.parameters().size() == operation.operands().size()
            && function.resultTypes().size() == operation.results().size();
    return fits
        ? null
        : wrong(
            Message.of(
                "%s takes %s and returns %s, called with %d for %d",
                callee,
                Message.count(function.parameters().size(), "argument"),
                Message.count(function.resultTypes().size(), "value"),
                operation.operands().size(),
                operation.results().size()));
  }

  private @Nullable Fault unpack(Operation operation) {
    boolean fits =
        operation.operands().size() == 1
            && operation.operands().get(0).type() instanceof Type.Tuple tuple
            && tuple.elements().size() == operation.results().size();
    return counts(operation, fits);
  }

  private @Nullable Fault bool(Operation operation, Value condition) {
    boolean fits =
        condition.type() == Type.Plain.BOOL || condition.type().equals(new Type.Named("i1"));
    return fits ? null : wrong(operation.name() + " needs a bool, got " + condition.type());
  }

  private @Nullable Fault counts(Operation operation, boolean right) {
    return right
        ? null
        : wrong(
            Message.of(
                "%s does not fit %d operands, %d results and %d blocks",
                operation.name(),
                operation.operands().size(),
                operation.results().size(),
                operation.blocks().size()));
  }

  /** {@code user} is null for the end of a block. */
  private @Nullable Fault uses(List<Value> values, @Nullable Operation user) {
    for (Value value : values) {
      if (!visible.contains(value)) {
        String where = user == null ? "the end of its block" : user.name();
        return wrong("%" + value.name() + " is not defined on every path to " + where);
      }
    }
    return null;
  }

  private @Nullable Fault define(Value value) {
    if (!defined.add(value)) {
      return wrong("%" + value.name() + " is defined twice");
    }
    visible.add(value);
    return null;
  }

  private static Fault wrong(String message) {
    return Fault.of(FaultType.DATA_FORMAT, message);
  }
}
