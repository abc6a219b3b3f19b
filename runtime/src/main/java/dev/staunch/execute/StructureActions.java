package dev.staunch.execute;

import dev.staunch.dispatch.Door;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.ValuePrinter;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Actions of the operations that construct, take apart and access values. */
final class StructureActions {
  private StructureActions() {}

  static Action of(Structure structure, Operation operation, Compiler compiler, Liveness liveness) {
    return switch (structure) {
      case CONSTANT -> throw new IllegalStateException("constants are no steps");
      case IF -> ControlActions.branch(operation, compiler, liveness);
      case LOOP -> ControlActions.loop(operation, compiler, liveness);
      case WITH -> ControlActions.with(operation, compiler, liveness);
      case CALL_FUNCTION -> ControlActions.call((String) operation.attribute("function"));
      case CALL_METHOD -> ControlActions.method((String) operation.attribute("method"));
      case GET_ATTRIBUTE -> getAttribute((String) operation.attribute("name"));
      case SET_ATTRIBUTE -> setAttribute((String) operation.attribute("name"));
      case CREATE_OBJECT -> createObject(operation);
      case LIST_CONSTRUCT -> (frame, operands, visit) -> new ArrayList<>(Arrays.asList(operands));
      case TUPLE_CONSTRUCT -> (frame, operands, visit) -> new TupleValue(Arrays.asList(operands));
      case DICT_CONSTRUCT -> (frame, operands, visit) -> dict(operands);
      case TUPLE_UNPACK -> (frame, operands, visit) -> parts(((TupleValue) operands[0]).elements());
      case LIST_UNPACK -> listUnpack(operation.results().size());
      case TUPLE_INDEX -> tupleIndex((Long) operation.attribute("index"));
      case IS_INSTANCE -> isInstance((List<?>) operation.attribute("types"));
      case UNINITIALIZED -> (frame, operands, visit) -> Kernel.None.NONE;
      case PRINT -> (frame, operands, visit) -> print(frame, operands);
      case CAST -> (frame, operands, visit) -> operands[0];
    };
  }

  private static Action getAttribute(String name) {
    return (frame, operands, visit) -> {
      ObjectValue object = (ObjectValue) operands[0];
      int slot = object.layout().indexOf(name);
      Object value = slot < 0 ? null : object.get(slot);
      return value == null ? missing(object, name) : value;
    };
  }

  private static Action setAttribute(String name) {
    return (frame, operands, visit) -> {
      ObjectValue object = (ObjectValue) operands[0];
      int slot = object.layout().indexOf(name);
      if (slot < 0) {
        return missing(object, name);
      }
      object.set(
          slot, StoredTensors.keep(object, operands[1], object.get(slot), frame.run.scope()));
      return Door.NOTHING;
    };
  }

  private static Fault missing(ObjectValue object, String name) {
    return Fault.of(FaultType.VALUE, object.layout().name() + " has no value for " + name);
  }

  private static Action createObject(Operation operation) {
    List<String> slots =
        ((List<?>) operation.attribute("slots"))
            .stream().map(String.class::cast).collect(Collectors.toList());
    ClassLayout layout = new ClassLayout((String) operation.attribute("class"), slots);
    return (frame, operands, visit) -> new ObjectValue(layout);
  }

  private static Object dict(Object[] operands) {
    Map<Object, Object> dict = new LinkedHashMap<>();
    for (int i = 0; i < operands.length; i += 2) {
      dict.put(operands[i], operands[i + 1]);
    }
    return dict;
  }

  private static Object parts(List<?> values) {
    return values.size() == 1 ? values.get(0) : values.toArray();
  }

  private static Action listUnpack(int wanted) {
    return (frame, operands, visit) -> {
      List<?> list = (List<?>) operands[0];
      return list.size() == wanted
          ? parts(list)
          : Fault.value("expected " + wanted + " elements in a list but found " + list.size());
    };
  }

  private static Action tupleIndex(long index) {
    return (frame, operands, visit) -> {
      List<Object> elements = ((TupleValue) operands[0]).elements();
      long at = index < 0 ? index + elements.size() : index;
      return at < 0 || at >= elements.size()
          ? Fault.index("tuple index " + index + " is out of range of " + elements.size())
          : elements.get((int) at);
    };
  }

  private static Action isInstance(List<?> types) {
    List<Type> wanted = types.stream().map(Type.class::cast).toList();
    return (frame, operands, visit) ->
        wanted.stream().anyMatch(type -> InstanceTest.isInstance(operands[0], type));
  }

  private static Object print(Frame frame, Object[] operands) {
    frame.run.print(
        Arrays.stream(operands).map(ValuePrinter::print).collect(Collectors.joining(" ")));
    return Door.NOTHING;
  }
}
