package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.QuantizedTensor;
import dev.staunch.kernel.SparseTensor;
import dev.staunch.kernel.TupleValue;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The named parts of a method's result. They are copied out once it is known which are wanted. */
final class Outputs {
  private static final int MOST_DEEP = 64;

  private final Map<String, Object> parts = new LinkedHashMap<>();

  /**
   * The names of tuples, lists and dicts among the parts; each stands for everything it contains.
   */
  private final Set<String> groups = new HashSet<>();

  private final Map<String, Map<String, Type>> fields;

  /** A name that several parts have, because the keys of dicts hold dots or nothing; or null. */
  private @Nullable String shared;

  private Outputs(Map<String, Map<String, Type>> fields) {
    this.fields = fields;
  }

  /**
   * Returns the answer's outputs, either all or those that {@code request} asks for; or a fault.
   *
   * @param fields the fields of the named tuples, by class name
   */
  static Object of(
      Object result,
      Type declared,
      Map<String, Map<String, Type>> fields,
      InferenceRequest request) {
    Outputs outputs = new Outputs(fields);
    if (isTooDeep(result, 0)) {
      return Fault.value(
          "the model's result has containers that lie more than "
              + MOST_DEEP
              + " deep in each other, or in themselves, which no answer can hold");
    }
    outputs.add("", result, declared);
    return outputs.shared == null
        ? outputs.chosen(request)
        : Fault.value(
            Message.of(
                "the model's result has several parts of the name '%s'; give its dicts other keys",
                outputs.shared));
  }

  /** Whether containers nest deeper than {@link #MOST_DEEP}, as one that contains itself does. */
  private static boolean isTooDeep(Object value, int depth) {
    Collection<?> parts =
        switch (value) {
          case TupleValue tuple -> tuple.elements();
          case List<?> list -> list;
          case Map<?, ?> map -> map.values();
          default -> List.of();
        };
    return !parts.isEmpty()
        && (depth == MOST_DEEP || parts.stream().anyMatch(part -> isTooDeep(part, depth + 1)));
  }

  /**
   * Flattens tuples, lists and dicts. A part is named by its path; a numbered part at the top level
   * has the prefix {@code output_}.
   */
  private void add(String name, Object value, Type declared) {
    Type type = declared instanceof Type.Optional optional ? optional.element() : declared;
    String prefix = name.isEmpty() ? "output_" : name + ".";
    if (value instanceof TupleValue || value instanceof List || value instanceof Map) {
      groups.add(name);
    }
    switch (value) {
      case TupleValue tuple -> addAll(name, tuple.elements(), type);
      case List<?> list -> {
        Type element = type instanceof Type.ListOf known ? known.element() : Type.Plain.ANY;
        for (int i = 0; i < list.size(); i++) {
          add(prefix + i, list.get(i), element);
        }
      }
      case Map<?, ?> map -> {
        Type element = type instanceof Type.Dict known ? known.value() : Type.Plain.ANY;
        map.forEach((key, part) -> add(name.isEmpty() ? "" + key : prefix + key, part, element));
      }
      case None none -> {}
      default -> {
        String part = name.isEmpty() ? "output" : name;
        if (parts.putIfAbsent(part, value) != null) {
          shared = part;
        }
      }
    }
  }

  private void addAll(String name, List<?> elements, Type type) {
    Map<String, Type> named = type instanceof Type.Class it ? fields.get(it.name()) : null;
    List<Type> types =
        named != null
            ? List.copyOf(named.values())
            : type instanceof Type.Tuple tuple ? tuple.elements() : List.of();
    List<String> names = named == null ? List.of() : List.copyOf(named.keySet());
    String prefix = name.isEmpty() ? named == null ? "output_" : "" : name + ".";
    for (int i = 0; i < elements.size(); i++) {
      String part = i < names.size() ? names.get(i) : String.valueOf(i);
      add(prefix + part, elements.get(i), i < types.size() ? types.get(i) : Type.Plain.ANY);
    }
  }

  private Object chosen(InferenceRequest request) {
    Map<String, MemorySegment> targets = request.targets();
    List<ResponseTensor> chosen = new ArrayList<>();
    Iterable<String> names = request.outputs().isEmpty() ? parts.keySet() : request.outputs();
    for (String name : names) {
      Object part = parts.get(name);
      Map<String, Object> wanted = part == null ? inside(name) : Map.of(name, part);
      if (wanted == null) {
        return unknown(name);
      }
      if (part == null && targets.containsKey(name)) {
        return JsonWords.wrong("output '" + name + "' has parts; give memory for each of them");
      }
      for (Map.Entry<String, Object> each : wanted.entrySet()) {
        Object output = copied(each.getKey(), each.getValue(), targets.get(each.getKey()));
        if (output instanceof Fault fault) {
          return fault;
        }
        chosen.add((ResponseTensor) output);
      }
    }
    Fault overlap = targets.size() < 2 ? null : overlap(chosen, targets.keySet());
    return overlap == null ? chosen : overlap;
  }

  /** The fault of an output in the caller's memory that was written over by another, or null. */
  private static @Nullable Fault overlap(List<ResponseTensor> outputs, Set<String> targets) {
    List<ResponseTensor> written =
        outputs.stream().filter(output -> targets.contains(output.name())).toList();
    for (ResponseTensor output : written) {
      for (ResponseTensor other : written) {
        if (!output.name().equals(other.name()) && output.overlaps(other)) {
          String text = "the memory for output '%s' overlaps that for output '%s'";
          return JsonWords.wrong(Message.of(text, output.name(), other.name()));
        }
      }
    }
    return null;
  }

  /** All parts of the tuple, list or dict with that name; null if there is none. */
  private @Nullable Map<String, Object> inside(String name) {
    if (!groups.contains(name)) {
      return null;
    }
    Map<String, Object> inside = new LinkedHashMap<>(parts);
    inside.keySet().removeIf(part -> !part.startsWith(name + "."));
    return inside;
  }

  private Fault unknown(String name) {
    String known = String.join(", ", parts.keySet());
    return JsonWords.wrong(Message.of("the model has no output '%s'; it has %s", name, known))
        .withExpected("outputs (" + known + ")", name);
  }

  private static Object copied(String name, Object part, @Nullable MemorySegment target) {
    Object output =
        switch (part) {
          case DenseTensor tensor -> tensor(name, tensor, target);
          case Long number -> one(name, Datatype.INT64, MemorySegment.ofArray(new long[] {number}));
          case Double number ->
              one(name, Datatype.FP64, MemorySegment.ofArray(new double[] {number}));
          case Boolean flag ->
              one(name, Datatype.BOOL, MemorySegment.ofArray(new byte[] {(byte) (flag ? 1 : 0)}));
          case String text -> ResponseTensor.ofText(name, text);
          case ComplexNumber _ ->
              alien(name, "a complex number", "return its real and imaginary parts");
          case SparseTensor _ -> alien(name, "a sparse tensor", "return its `to_dense()`");
          case QuantizedTensor _ -> alien(name, "a quantised tensor", "return its `dequantize()`");
          default ->
              alien(name, "neither a tensor nor a number nor a string", "return what it holds");
        };
    return target == null || part instanceof DenseTensor || output instanceof Fault
        ? output
        : Fault.of(
            FaultType.REQUEST,
            Message.of("output '%s' is not a tensor, so it is not written to memory", name));
  }

  private static Fault alien(String name, String what, String step) {
    String text = "output '%s' is %s, which the protocol cannot carry; %s";
    return Fault.unsupported(Message.of(text, name, what, step));
  }

  private static ResponseTensor one(String name, Datatype datatype, MemorySegment element) {
    return ResponseTensor.of(name, datatype, Shape.of(1), element);
  }

  private static Object tensor(String name, DenseTensor tensor, @Nullable MemorySegment target) {
    Datatype datatype = Datatype.of(tensor.dtype());
    if (datatype == null) {
      return alien(name, tensor.dtype().toString(), "return its `view_as_real`");
    }
    long bytes = tensor.elements() * tensor.dtype().bytes();
    MemorySegment elements =
        target == null ? MemorySegment.ofArray(new long[Shape.asInt((bytes + 7) / 8)]) : target;
    Fault uncopied = HostTensors.copyTo(tensor, elements);
    if (uncopied != null) {
      return uncopied.type() == FaultType.CLOSED ? uncopied : tooSmall(name, uncopied);
    }
    return ResponseTensor.of(name, datatype, tensor.shape(), elements.asSlice(0, bytes));
  }

  private static Fault tooSmall(String name, Fault fault) {
    return fault.withMessage("output '" + name + "' cannot be written: " + fault.message());
  }
}
