package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.torchscript.TorchScriptModule;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Searches by trial for a request that a method answers. An archive says that an input is a tensor,
 * but not of which shape. Candidate shapes are built from the sizes of the model's weights. Of two
 * requests, the better is the one that ran more operations.
 */
final class ExampleSearch {
  /** An upper bound on the elements of an example; a larger guess only costs time and memory. */
  private static final long MOST_ELEMENTS = 1 << 20;

  private static final int MOST_SIZES = 24;
  private static final int MOST_CHANNELS = 6;
  private static final long[] PICTURE = {224, 32, 28, 64};
  private static final int SEQUENCE = 4;
  private static final int MOST_KEYS = 64;
  private static final Pattern TEXT_KEY = Pattern.compile("\\[\"([^\"\\\\]+)\"\\]");
  private static final Pattern NUMBER_KEY = Pattern.compile("\\[(-?[0-9]{1,18})\\]");

  /** The usual variant comes first; the others are for models that accept none of its requests. */
  private static final List<Variant> VARIANTS =
      List.of(
          new Variant(1, true, 2),
          new Variant(1, false, 2),
          new Variant(2, true, 2),
          new Variant(1, true, 1),
          new Variant(1, true, 3),
          new Variant(1, true, 4),
          new Variant(1, true, 6),
          new Variant(1, true, 8));

  private final List<TorchScriptModule.Parameter> parameters;
  private final Function<InferenceRequest, Trial> trial;
  private final List<Long> sizes;
  private final Map<String, Map<String, Type>> fields;
  private final Set<String> texts;
  private final Set<String> numbers;
  private final List<Form> forms = new ArrayList<>();
  private Variant variant = VARIANTS.getFirst();
  private @Nullable InferenceRequest best;
  private Trial farthest = new Trial(-1, null);
  private boolean outOfTime;

  /** A candidate dtype and shape of a tensor. */
  private record Form(DType dtype, Shape shape) {}

  /** The values that all requests of a round share. */
  private record Variant(long batch, boolean flag, int list) {}

  /**
   * How far a request got.
   *
   * @param done how many operations ran for it; negative once the time is up
   * @param fault null if it was answered
   */
  record Trial(long done, @Nullable Fault fault) {
    boolean isAnswered() {
      return fault == null && done >= 0;
    }
  }

  /**
   * @param trial runs a request and returns how far it got
   */
  ExampleSearch(
      TorchScriptModule module,
      TorchScriptModule.Method method,
      Function<InferenceRequest, Trial> trial) {
    this.parameters = method.parameters();
    this.trial = trial;
    this.sizes = sizes(module);
    this.fields = module.namedTuples();
    this.texts = keys(module, TEXT_KEY, "key");
    this.numbers = keys(module, NUMBER_KEY, "0");
  }

  /** The constant keys that the code looks up, or {@code usual} if it looks up none. */
  private static Set<String> keys(TorchScriptModule module, Pattern key, String usual) {
    Set<String> keys = new LinkedHashSet<>();
    module
        .sources()
        .values()
        .forEach(code ->
            key.matcher(code).results().limit(MOST_KEYS).forEach(it -> keys.add(it.group(1))));
    return keys.isEmpty() ? Set.of(usual) : keys;
  }

  private static List<Long> sizes(TorchScriptModule module) {
    Set<Long> sizes = new LinkedHashSet<>();
    for (TorchScriptModule.TensorInfo tensor : module.tensors()) {
      for (int i = tensor.shape().rank() - 1; i >= 0 && sizes.size() < MOST_SIZES; i--) {
        sizes.add(tensor.shape().size(i));
      }
    }
    sizes.add(1L);
    return List.copyOf(sizes);
  }

  private void forms() {
    long batch = variant.batch();
    forms.clear();
    sizes.forEach(size -> form(DType.FLOAT32, batch, size));
    form(DType.INT64, batch);
    form(DType.INT64, batch, SEQUENCE);
    form(DType.INT64, batch + 1); // offsets of bags: where each begins, and where the last one ends
    form(DType.FLOAT32, batch);
    sizes.forEach(size -> form(DType.FLOAT32, batch, SEQUENCE, size));
    sizes.forEach(size -> form(DType.FLOAT32, batch, size, 16));
    List<Long> channels = new ArrayList<>(List.of(3L, 1L));
    channels.addAll(sizes.subList(0, Math.min(MOST_CHANNELS, sizes.size())));
    for (long side : PICTURE) {
      channels.forEach(size -> form(DType.FLOAT32, batch, size, side, side));
    }
    form(DType.INT64, SEQUENCE, batch);
    form(DType.BOOL, batch);
    form(DType.BOOL, batch, SEQUENCE);
    sizes.forEach(size -> form(DType.FLOAT32, size));
    differences(sizes).forEach(size -> form(DType.FLOAT32, batch, size));
    quotients(sizes).forEach(size -> form(DType.INT64, batch * size));
  }

  /** How many rows of one size, looked up in a table, make up one row of another size. */
  private static Set<Long> quotients(List<Long> sizes) {
    Set<Long> quotients = new TreeSet<>();
    for (long whole : sizes) {
      for (long part : sizes) {
        if (part > 1 && whole > part && whole % part == 0) {
          quotients.add(whole / part);
        }
      }
    }
    return quotients;
  }

  /**
   * An input that is concatenated with others before it meets a weight has the remainder of that
   * weight's size.
   */
  private static Set<Long> differences(List<Long> sizes) {
    Set<Long> differences = new TreeSet<>();
    for (long whole : sizes) {
      for (long other : sizes) {
        if (whole > other && !sizes.contains(whole - other)) {
          differences.add(whole - other);
        }
      }
    }
    return differences;
  }

  private void form(DType dtype, long... sizes) {
    Shape shape = Shape.of(sizes);
    if (shape.elements() <= MOST_ELEMENTS) {
      forms.add(new Form(dtype, shape));
    }
  }

  /**
   * Returns the request, or a fault: a parameter's type that no request can supply, or nothing
   * found.
   */
  Object find() {
    for (Variant each : VARIANTS) {
      if (!isNew(each)) {
        continue;
      }
      variant = each;
      forms();
      Fault impossible = impossible();
      if (impossible != null) {
        return impossible;
      }
      InferenceRequest found = alike();
      if (found != null) {
        return found;
      }
    }
    return notFound();
  }

  /** Whether {@code other} gives any parameter a different value than the usual variant does. */
  private boolean isNew(Variant other) {
    Variant usual = VARIANTS.getFirst();
    return parameters.stream()
            .anyMatch(parameter ->
                (parameter.type() == Type.Plain.BOOL && other.flag() != usual.flag())
                    || (ArgumentParts.isTensorList(parameter.type())
                        && other.list() != usual.list()))
        || other.batch() != usual.batch()
        || other.equals(usual);
  }

  private @Nullable Fault impossible() {
    for (TorchScriptModule.Parameter parameter : parameters) {
      if (isNeeded(parameter)
          && value(InferenceRequest.of(null), parameter.name(), parameter.type(), forms.get(0))
              == null) {
        String text = "there is no example for input '%s', which is %s; give a request that works";
        return Fault.unsupported(Message.of(text, parameter.name(), parameter.type()));
      }
    }
    return null;
  }

  private Fault notFound() {
    Fault fault = farthest.fault();
    String text =
        outOfTime
            ? "no request that the model answers was found in time; give one that works"
            : "no request was found that the model answers; give one that works";
    return best == null || fault == null
        ? Fault.unsupported(text)
        : Fault.unsupported(
            Message.of(
                "%s; the one that came farthest, %s, failed: %s", text, best, fault.message()));
  }

  /**
   * Tries one form for all inputs, then other forms for one input at a time. Returns null if none
   * works.
   */
  private @Nullable InferenceRequest alike() {
    Trial most = new Trial(-1, null);
    List<Form> chosen = new ArrayList<>();
    for (Form form : forms) {
      List<Form> all = Collections.nCopies(parameters.size(), form);
      InferenceRequest request = request(all);
      Trial outcome = tried(request);
      if (outcome.isAnswered()) {
        return request;
      }
      if (outcome.done() > most.done()) {
        most = outcome;
        chosen = new ArrayList<>(all);
      }
    }
    return oneByOne(chosen, most.done());
  }

  /** Tries other forms for one input at a time, as long as the result improves. */
  private @Nullable InferenceRequest oneByOne(List<Form> chosen, long start) {
    long most = start;
    boolean better = parameters.size() > 1 && most >= 0;
    while (better) {
      better = false;
      for (int i = 0; i < chosen.size(); i++) {
        for (Form form : forms) {
          Form before = chosen.set(i, form);
          InferenceRequest request = request(chosen);
          Trial outcome = tried(request);
          if (outcome.isAnswered()) {
            return request;
          }
          better |= outcome.done() > most;
          chosen.set(i, outcome.done() > most ? form : before);
          most = Math.max(most, outcome.done());
        }
      }
    }
    return null;
  }

  private Trial tried(InferenceRequest request) {
    Trial outcome = trial.apply(request);
    outOfTime |= outcome.done() < 0;
    if (outcome.done() > farthest.done()) {
      farthest = outcome;
      best = request;
    }
    return outcome;
  }

  private InferenceRequest request(List<Form> given) {
    InferenceRequest request = InferenceRequest.of("example");
    for (int i = 0; i < parameters.size(); i++) {
      TorchScriptModule.Parameter parameter = parameters.get(i);
      InferenceRequest more =
          isNeeded(parameter)
              ? value(request, parameter.name(), parameter.type(), given.get(i))
              : request;
      request = more == null ? request : more;
    }
    return request;
  }

  private static boolean isNeeded(TorchScriptModule.Parameter parameter) {
    return parameter.defaultValue() == null && !(parameter.type() instanceof Type.Optional);
  }

  /**
   * Returns {@code request} with the inputs that make up {@code name} added; null if a request
   * cannot carry them.
   */
  private @Nullable InferenceRequest value(
      InferenceRequest request, String name, Type type, Form form) {
    return switch (type) {
      case Type.Plain.TENSOR -> tensor(request, name, form);
      case Type.Plain.INT -> request.input(name, Shape.of(1), 1L);
      case Type.Plain.FLOAT -> request.input(name, Shape.of(1), 1.0);
      case Type.Plain.BOOL -> request.input(name, Shape.of(1), variant.flag());
      case Type.Plain.STRING -> request.input(name, Shape.of(1), "a");
      case Type.Optional optional -> value(request, name, optional.element(), form);
      case Type.ListOf list when ArgumentParts.isPlainList(list) ->
          value(request, name, list.element(), form);
      case Type.ListOf list ->
          parts(request, name, Collections.nCopies(variant.list(), list.element()), form);
      case Type.Tuple tuple -> parts(request, name, tuple.elements(), form);
      case Type.Dict dict -> {
        Map<String, Type> entries = new LinkedHashMap<>();
        Set<String> keys = dict.key() == Type.Plain.STRING ? texts : numbers;
        keys.forEach(key -> entries.put(key, dict.value()));
        yield parts(request, name, entries, form);
      }
      case Type.Class named when fields.containsKey(named.name()) ->
          parts(request, name, fields.get(named.name()), form);
      default -> null;
    };
  }

  private @Nullable InferenceRequest parts(
      InferenceRequest request, String name, List<Type> parts, Form form) {
    return parts(request, name, ArgumentParts.numbered(parts), form);
  }

  private @Nullable InferenceRequest parts(
      InferenceRequest request, String name, Map<String, Type> parts, Form form) {
    InferenceRequest longer = request;
    for (Map.Entry<String, Type> part : parts.entrySet()) {
      InferenceRequest more = value(longer, name + "." + part.getKey(), part.getValue(), form);
      if (more == null) {
        return null;
      }
      longer = more;
    }
    return longer;
  }

  /** Ones for float32, zeros for all other dtypes: integers are mostly indices. */
  private static InferenceRequest tensor(InferenceRequest request, String name, Form form) {
    byte[] zeros = new byte[Shape.asInt(form.shape().elements() * form.dtype().bytes())];
    MemorySegment elements = MemorySegment.ofArray(zeros);
    if (form.dtype() == DType.FLOAT32) {
      for (long i = 0; i < form.shape().elements(); i++) {
        elements.set(ValueLayout.JAVA_FLOAT_UNALIGNED, i * Float.BYTES, 1f);
      }
    }
    return request.input(name, form.dtype(), form.shape(), elements);
  }
}
