package dev.staunch.torchscript;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Program;
import dev.staunch.kernel.ClassLayout;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.EnumMember;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.Reachable;
import dev.staunch.kernel.SparseTensor;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.torchscript.lower.ArchiveCode;
import dev.staunch.torchscript.lower.AttributeTypes;
import dev.staunch.torchscript.lower.EnumMembers;
import dev.staunch.torchscript.pickle.Pickled;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes run-time values from a pickle: objects with the slots that their classes declare, each
 * attribute checked against its declared type. An object that is shared in the pickle is shared
 * here.
 */
final class ObjectLoader {
  private static final int MAX_DEPTH = 500;

  private final TensorLoader tensorLoader;
  private final ArchiveCode code;
  private final ResourceScope scope;
  private final Map<Pickled, Object> made = new IdentityHashMap<>();
  private final Map<String, ClassLayout> layouts = new HashMap<>();
  private final Set<String> classes = new LinkedHashSet<>();
  private final List<TorchScriptModule.TensorInfo> tensors = new ArrayList<>();
  private final List<PendingState> pending = new ArrayList<>();

  /** Objects whose tensors are listed, or will be. */
  private final Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Map<String, Fault> unloaded = new LinkedHashMap<>();
  private int depth;

  /** An object whose class restores it from {@code value}. */
  private record PendingState(ObjectValue object, Object value, String path) {}

  ObjectLoader(TensorLoader tensorLoader, ArchiveCode code, ResourceScope scope) {
    this.tensorLoader = tensorLoader;
    this.code = code;
    this.scope = scope;
  }

  ObjectValue root(Pickled pickled) {
    if (pickled instanceof Pickled.Instance instance) {
      return (ObjectValue) value(instance, new Type.Class(instance.className()), "");
    }
    throw damaged("", "data.pkl holds no module");
  }

  List<Object> constants(Pickled pickled) {
    if (!(pickled instanceof Pickled.Tuple tuple)) {
      throw Fault.data("constants.pkl", "constants.pkl holds no tuple").toException();
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < tuple.items().size(); i++) {
      values.add(value(tuple.items().get(i), Type.Plain.ANY, "CONSTANTS.c" + i));
    }
    return values;
  }

  /** The classes of all objects, the root's first. */
  Set<String> classes() {
    return classes;
  }

  List<TorchScriptModule.TensorInfo> tensors() {
    return tensors;
  }

  private Object value(Pickled pickled, Type declared, String path) {
    Object known = made.get(pickled);
    if (known == null) {
      if (++depth > MAX_DEPTH) {
        throw damaged(path, "objects are nested more than " + MAX_DEPTH + " deep");
      }
      known = make(pickled, declared, path);
      depth--;
      made.putIfAbsent(pickled, known);
    }
    if (!AttributeTypes.accepts(declared, known, code)) {
      throw damaged(
          path,
          "attribute " + path + " is declared as " + declared + " but holds " + describe(known));
    }
    return known;
  }

  private static String describe(Object value) {
    return ValueTypes.of(value).toString();
  }

  private Object make(Pickled pickled, Type declared, String path) {
    return switch (pickled) {
      case Pickled.None none -> None.NONE;
      case Pickled.Bool flag -> flag.value();
      case Pickled.Int number -> number.value();
      case Pickled.Real number -> number.value();
      case Pickled.Complex number -> new ComplexNumber(number.re(), number.im());
      case Pickled.Text text -> text.value();
      case Pickled.Device device -> device.name();
      case Pickled.TensorRef ref -> tensor(ref, path);
      case Pickled.SparseRef ref -> sparse(ref, path);
      case Pickled.QuantizedRef ref ->
          quantized(ref.codes(), new QuantizedTensor.PerTensor(ref.scale(), ref.zeroPoint()), path);
      case Pickled.QuantizedChannelsRef ref -> quantized(ref, path);
      case Pickled.Sequence list -> list(list, elementType(declared), path);
      case Pickled.Mapping map -> map(map, path);
      case Pickled.Tuple tuple -> tuple(tuple, declared, path);
      case Pickled.Instance instance -> object(instance, path);
      case Pickled.EnumMember member -> enumMember(member, path);
      case Pickled.StorageRef storage -> throw damaged(path, path + " is a bare storage");
      case Pickled.Unsupported other -> throw unsupported(path, other.what());
    };
  }

  private DenseTensor tensor(Pickled.TensorRef ref, String path) {
    DenseTensor tensor = tensorLoader.tensor(ref, path);
    list(path, tensor);
    return tensor;
  }

  private SparseTensor sparse(Pickled.SparseRef ref, String path) {
    DenseTensor indices = tensor(ref.indices(), path + ".indices");
    DenseTensor values = tensor(ref.values(), path + ".values");
    SparseTensor sparse = new SparseTensor(indices, values, ref.shape(), /* coalesced= */ false);
    Fault misfit = SparseTensor.misfit(indices, values);
    if (misfit == null) {
      long[] least = new long[sparse.kept() == 0 ? 0 : sparse.sparseDims()];
      long[] greatest = least.clone();
      Arrays.fill(least, Long.MAX_VALUE);
      long[] indexed = HostTensors.toLongs(indices);
      for (int i = 0; i < indexed.length; i++) {
        int d = (int) (i / sparse.kept());
        least[d] = Math.min(least[d], indexed[i]);
        greatest[d] = Math.max(greatest[d], indexed[i]);
      }
      misfit = sparse.misfit(least, greatest);
    }
    if (misfit != null) {
      throw damaged(path, "attribute " + path + " is not a sparse tensor: " + misfit.message());
    }
    return sparse;
  }

  private QuantizedTensor quantized(Pickled.QuantizedChannelsRef ref, String path) {
    DenseTensor scales = tensorLoader.tensor(ref.scales(), path + ".scales");
    DenseTensor zeroPoints = tensorLoader.tensor(ref.zeroPoints(), path + ".zero_points");
    int axis = Math.clamp(ref.axis(), -1, Integer.MAX_VALUE);
    return quantized(ref.codes(), new QuantizedTensor.PerChannel(scales, zeroPoints, axis), path);
  }

  private QuantizedTensor quantized(
      Pickled.TensorRef codes, QuantizedTensor.Quantizer quantizer, String path) {
    QuantizedTensor tensor = QuantizedTensor.of(tensor(codes, path), quantizer);
    Fault misfit = tensor.misfit();
    if (misfit != null) {
      throw damaged(path, "attribute " + path + " is not a quantised tensor: " + misfit.message());
    }
    return tensor;
  }

  private void list(String path, DenseTensor tensor) {
    long bytes = tensor.elements() * tensor.dtype().bytes();
    tensors.add(new TorchScriptModule.TensorInfo(path, tensor.dtype(), tensor.shape(), bytes));
  }

  private Object enumMember(Pickled.EnumMember member, String path) {
    Object value = value(member.value(), Type.Plain.ANY, path);
    EnumMember found = EnumMembers.byValue(code, member.className(), value);
    if (found == null) {
      throw damaged(path, path + " is not a member of the enum " + member.className());
    }
    return found;
  }

  private static Type elementType(Type declared) {
    Type inner = declared instanceof Type.Optional optional ? optional.element() : declared;
    return inner instanceof Type.ListOf list ? list.element() : Type.Plain.ANY;
  }

  private Object list(Pickled.Sequence list, Type element, String path) {
    List<Object> values = new ArrayList<>();
    made.put(list, values);
    for (int i = 0; i < list.items.size(); i++) {
      values.add(value(list.items.get(i), element, path + "." + i));
    }
    return values;
  }

  private Object map(Pickled.Mapping map, String path) {
    Map<Object, Object> values = new LinkedHashMap<>();
    made.put(map, values);
    for (int i = 0; i < map.keys.size(); i++) {
      Object key = value(map.keys.get(i), Type.Plain.ANY, path + " key " + i);
      if (!(key instanceof String || key instanceof Number || key instanceof Boolean)) {
        throw unsupported(path, "a dict with keys of type " + describe(key));
      }
      values.put(key, value(map.values.get(i), Type.Plain.ANY, path + "." + key));
    }
    return values;
  }

  private Object tuple(Pickled.Tuple tuple, Type declared, String path) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < tuple.items().size(); i++) {
      Type element =
          declared instanceof Type.Tuple types && i < types.elements().size()
              ? types.elements().get(i)
              : Type.Plain.ANY;
      values.add(value(tuple.items().get(i), element, path + "." + i));
    }
    return new TupleValue(values);
  }

  private Object object(Pickled.Instance instance, String path) {
    String name = instance.className();
    String missing = code.missingNative(name);
    if (missing != null) {
      String subject = path.isEmpty() ? "the module" : path;
      throw Fault.unsupported(subject + " cannot be restored: " + missing)
          .withInput(path.isEmpty() ? "data.pkl" : path)
          .toException();
    }
    Map<String, Type> attributes = AttributeTypes.of(code, name);
    if (attributes == null) {
      throw damaged(path, "the archive's code does not define class " + name);
    }
    classes.add(name);
    ClassLayout layout =
        layouts.computeIfAbsent(
            name, absent -> new ClassLayout(name, List.copyOf(attributes.keySet())));
    ObjectValue object = new ObjectValue(layout, scope);
    found.add(object);
    made.put(instance, object);
    Type stateType = AttributeTypes.stateOf(code, name);
    if (stateType == null) {
      fill(object, instance.state(), attributes, path);
    } else {
      restoreLater(object, instance.state(), stateType, path);
    }
    return object;
  }

  private void restoreLater(
      ObjectValue object, @Nullable Pickled state, Type stateType, String path) {
    if (state == null) {
      throw damaged(path, "the object at '" + path + "' has no state to restore");
    }
    int listed = tensors.size();
    Object value = value(state, stateType, path + ".__getstate__");
    tensors.subList(listed, tensors.size()).clear();
    pending.add(new PendingState(object, value, path));
  }

  /**
   * Restores the objects that restore themselves, and checks what they then hold. Tensors of their
   * states that {@code kept} does not reach then are released.
   */
  void restore(Program program, @Nullable StateRestorer restorer, List<Object> kept) {
    for (PendingState state : pending) {
      String name = state.object().layout().name();
      if (restorer == null) {
        throw unsupported(
            state.path(), "an object of class " + name + ", which restores itself by __setstate__");
      }
      restorer.restore(program, name + ".__setstate__", state.object(), state.value());
      checkRestored(state.object(), state.path());
    }
    if (!pending.isEmpty()) {
      releaseStates(kept);
    }
  }

  private void releaseStates(List<Object> kept) {
    Set<DenseTensor> tensors = Reachable.of(kept).tensors();
    for (PendingState state : pending) {
      for (DenseTensor tensor : Reachable.of(state.value()).tensors()) {
        if (!tensors.contains(tensor)) {
          tensor.close();
        }
      }
    }
    pending.clear();
  }

  private void checkRestored(ObjectValue object, String path) {
    Map<String, Type> attributes =
        Objects.requireNonNull(AttributeTypes.of(code, object.layout().name()));
    attributes.forEach((slot, type) -> {
      String attribute = path.isEmpty() ? slot : path + "." + slot;
      Object value = object.get(object.layout().indexOf(slot));
      boolean none = AttributeTypes.accepts(type, None.NONE, code);
      if (value == null && none) {
        object.set(object.layout().indexOf(slot), None.NONE);
      } else if (value == null || !AttributeTypes.accepts(type, value, code)) {
        String held = value == null ? "nothing" : describe(value);
        String text = "after __setstate__ attribute %s, declared as %s, holds %s";
        throw damaged(attribute, Message.of(text, attribute, type, held));
      } else {
        listRestored(attribute, value);
      }
    });
  }

  /** Lists the tensors of a value that came with a state, also those of objects made for it. */
  private void listRestored(String path, Object value) {
    switch (value) {
      case DenseTensor tensor -> list(path, tensor);
      case QuantizedTensor tensor -> list(path, tensor.elements());
      case ObjectValue object when found.add(object) -> {
        for (int i = 0; i < object.layout().slots().size(); i++) {
          Object part = object.get(i);
          if (part != null) {
            listRestored(path + "." + object.layout().slots().get(i), part);
          }
        }
      }
      default -> {}
    }
  }

  private void fill(
      ObjectValue object, @Nullable Pickled state, Map<String, Type> attributes, String path) {
    if (!(state instanceof Pickled.Mapping map)) {
      throw damaged(path, "the object at '" + path + "' has no attributes");
    }
    ClassLayout layout = object.layout();
    for (int i = 0; i < map.keys.size(); i++) {
      if (!(map.keys.get(i) instanceof Pickled.Text key)) {
        throw damaged(path, "the object at '" + path + "' has an attribute without a name");
      }
      String attribute = path.isEmpty() ? key.value() : path + "." + key.value();
      Type type = attributes.get(key.value());
      if (type == null) {
        throw damaged(
            attribute, Message.of("class %s declares no attribute %s", object, key.value()));
      }
      Object value = loadedValue(object, key.value(), map.values.get(i), type, attribute);
      object.set(layout.indexOf(key.value()), value);
    }
    for (String attribute : attributes.keySet()) {
      if (object.get(layout.indexOf(attribute)) == null) {
        throw damaged(
            attribute,
            Message.of(
                "class %s declares attribute %s, which data.pkl does not set at '%s'",
                object, attribute, path));
      }
    }
  }

  /**
   * The attribute's value. What cannot be loaded is recorded and becomes None; only code that reads
   * it fails.
   */
  private Object loadedValue(
      ObjectValue object, String name, Pickled pickled, Type type, String path) {
    int outer = depth;
    try {
      return value(pickled, type, path);
    } catch (StaunchException e) {
      if (e.fault().type() != FaultType.UNSUPPORTED) {
        throw e;
      }
      depth = outer;
      unloaded.putIfAbsent(object.layout().name() + "." + name, e.fault());
      return None.NONE;
    }
  }

  /** Attributes whose values cannot be loaded, as {@code CLASS.ATTRIBUTE}, and why. */
  Map<String, Fault> unloaded() {
    return unloaded;
  }

  private static StaunchException damaged(String path, String message) {
    return Fault.data(path.isEmpty() ? "data.pkl" : path, message).toException();
  }

  private static StaunchException unsupported(String path, String what) {
    String subject = path.isEmpty() ? "the module" : path;
    return Fault.of(FaultType.UNSUPPORTED, subject + " is " + what + ", which is not supported yet")
        .withInput(path.isEmpty() ? "data.pkl" : path)
        .toException();
  }
}
