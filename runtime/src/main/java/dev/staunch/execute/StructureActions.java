package dev.staunch.execute;

import dev.staunch.dispatch.ResultRule;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.ir.Structure;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.kernel.text.ValuePrinter;
import dev.staunch.operation.None;
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

  /**
   * @param results the number of results
   */
  static Action of(Structure structure, int results) {
    return switch (structure) {
      case Structure.Constant constant -> throw new IllegalStateException("constants are no steps");
      case Structure.With _, Structure.CallFunction _, Structure.CallMethod _ ->
          throw compiled(structure);
      case Structure.GetAttribute get -> new GetAttribute(get.attribute());
      case Structure.SetAttribute set -> setAttribute(set.attribute());
      case Structure.CreateObject create -> createObject(create);
      case Structure.TupleIndex tuple -> tupleIndex(tuple.index());
      case Structure.IsInstance test -> isInstance(test.types());
      case Structure.CheckedCast cast -> cast(cast.wanted());
      case Structure.Plain plain -> of(plain, results);
    };
  }

  private static IllegalStateException compiled(Structure control) {
    return new IllegalStateException(control.word() + " needs its functions or blocks");
  }

  private static Action of(Structure.Plain structure, int results) {
    return switch (structure) {
      case IF, LOOP -> throw compiled(structure);
      case LIST_CONSTRUCT -> (Light) StructureActions::list;
      case TUPLE_CONSTRUCT -> (frame, call, at) -> new TupleValue(Arrays.asList(call.arguments()));
      case DICT_CONSTRUCT -> (Light) call -> dict(call.arguments());
      case TUPLE_UNPACK -> (Light) call -> parts(((TupleValue) call.value(0)).elements());
      case LIST_UNPACK -> new ListUnpack(results);
      case UNINITIALIZED -> (Light) call -> None.NONE;
      case PRINT -> (frame, call, at) -> print(frame, call);
      case CAST -> (Light) call -> call.value(0);
    };
  }

  /** An action that only moves values about. */
  @FunctionalInterface
  private interface Light extends Action {
    Object apply(Call call);

    @Override
    default Object apply(Frame frame, Call call, Site site) {
      return apply(call);
    }

    @Override
    default boolean light() {
      return true;
    }
  }

  /** Looks the slot up once per class: nearly always there is only one class. */
  private static final class GetAttribute implements Action {
    private record Place(ClassLayout layout, int slot) {}

    private final String name;
    private Place last = new Place(new ClassLayout("", List.of()), -1); // races do no harm

    GetAttribute(String name) {
      this.name = name;
    }

    @Override
    public boolean light() {
      return true;
    }

    @Override
    public Object apply(Frame frame, Call call, Site site) {
      ObjectValue object = (ObjectValue) call.value(0);
      int slot = slot(object.layout());
      Object value = slot < 0 ? null : object.get(slot);
      return value == null ? missing(object, name) : value;
    }

    @SuppressWarnings("ReferenceEquality") // there is one layout for a class
    private int slot(ClassLayout layout) {
      Place seen = last;
      if (seen.layout != layout) {
        seen = new Place(layout, layout.indexOf(name));
        last = seen;
      }
      return seen.slot;
    }
  }

  private static List<Object> list(Call call) {
    int count = call.size();
    List<Object> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(call.value(i));
    }
    return list;
  }

  private static Action setAttribute(String name) {
    return (frame, call, at) -> {
      ObjectValue object = (ObjectValue) call.value(0);
      int slot = object.layout().indexOf(name);
      if (slot < 0) {
        return missing(object, name);
      }
      StateGuard guard = frame.run.options().stateGuard();
      Fault forbidden = StoredTensors.store(object, slot, call.value(1), guard, frame.run.scope());
      return forbidden == null ? CatalogEntry.NOTHING : forbidden;
    };
  }

  private static Fault missing(ObjectValue object, String name) {
    return Fault.of(FaultType.VALUE, object.layout().name() + " has no value for " + name);
  }

  private static Action createObject(Structure.CreateObject create) {
    ClassLayout layout = new ClassLayout(create.type(), create.slots());
    return (frame, call, at) -> new ObjectValue(layout);
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

  /** Returns the elements of a list one by one; the list must have exactly this many. */
  record ListUnpack(int wanted) implements Action {
    @Override
    public Object apply(Frame frame, Call call, Site site) {
      List<?> list = (List<?>) call.value(0);
      return list.size() == wanted
          ? parts(list)
          : Fault.value(
              Message.of(
                  "a list of %s is not unpacked to %s",
                  Message.count(list.size(), "element"), Message.count(wanted, "value")));
    }
  }

  private static Action tupleIndex(long index) {
    return (Light)
        call -> {
          List<Object> elements = ((TupleValue) call.value(0)).elements();
          long at = index < 0 ? index + elements.size() : index;
          return at < 0 || at >= elements.size()
              ? Fault.index(
                  Message.of(
                      "index %s is out of range for a tuple of %s elements",
                      index, elements.size()))
              : elements.get((int) at);
        };
  }

  private static Action isInstance(List<Type> types) {
    return (frame, call, at) -> {
      for (Type type : types) {
        if (InstanceTest.isInstance(call.value(0), type)) {
          return true;
        }
      }
      return false;
    };
  }

  private static Action cast(Type type) {
    ResultRule rule = ResultRule.whole(type);
    return (Light)
        call -> {
          Object value = call.value(0);
          return rule.isExactly(value) || rule.accepts(value) ? value : notOf(type, value);
        };
  }

  private static Fault notOf(Type type, Object value) {
    String found = ResultRule.nameOf(value);
    String text = "the code takes a value for %s, but it is %s";
    return Fault.of(FaultType.DATA_FORMAT, Message.of(text, type, found))
        .withExpected(type.toString(), found);
  }

  private static Object print(Frame frame, Call call) {
    CancellationPoll poll = new CancellationPoll(call);
    String line =
        Arrays.stream(call.arguments())
            .map(value -> ValuePrinter.print(poll, value))
            .collect(Collectors.joining(" "));
    Fault stop = poll.fault();
    if (stop != null) {
      return stop;
    }
    frame.run.print(line);
    return CatalogEntry.NOTHING;
  }
}
