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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds a request that a method answers, by trying: an archive says that an input is a tensor, but
 * not of which shape. Shapes are made of the sizes that the model's weights have; the better of two
 * requests is the one that more operations were done for.
 */
final class ExampleSearch {
  /** What a trial returns that went through. */
  static final long ANSWERED = Long.MAX_VALUE;

  /** More than any model takes as an example; a guess that is larger costs time and memory only. */
  private static final long MOST_ELEMENTS = 1 << 20;

  private static final int MOST_SIZES = 24;
  private static final int MOST_CHANNELS = 6;
  private static final long[] PICTURE = {224, 32, 28, 64};
  private static final int SEQUENCE = 4;

  private final List<TorchScriptModule.Parameter> parameters;
  private final ToLongFunction<InferenceRequest> trial;
  private final List<Form> forms = new ArrayList<>();

  /** What a tensor may be. */
  private record Form(DType dtype, Shape shape) {}

  /**
   * @param trial how many operations were done for a request before it failed, or {@link
   *     #ANSWERED}; negative once there is no more time
   */
  ExampleSearch(
      TorchScriptModule module,
      TorchScriptModule.Method method,
      ToLongFunction<InferenceRequest> trial) {
    this.parameters = method.parameters();
    this.trial = trial;
    forms(sizes(module));
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

  private void forms(List<Long> sizes) {
    sizes.forEach(size -> form(DType.FLOAT32, 1, size));
    form(DType.INT64, 1);
    form(DType.INT64, 1, SEQUENCE);
    form(DType.FLOAT32, 1);
    sizes.forEach(size -> form(DType.FLOAT32, 1, SEQUENCE, size));
    sizes.forEach(size -> form(DType.FLOAT32, 1, size, 16));
    List<Long> channels = new ArrayList<>(List.of(3L, 1L));
    channels.addAll(sizes.subList(0, Math.min(MOST_CHANNELS, sizes.size())));
    for (long side : PICTURE) {
      channels.forEach(size -> form(DType.FLOAT32, 1, size, side, side));
    }
    form(DType.INT64, SEQUENCE, 1);
    form(DType.BOOL, 1);
    form(DType.BOOL, 1, SEQUENCE);
    sizes.forEach(size -> form(DType.FLOAT32, size));
    differences(sizes).forEach(size -> form(DType.FLOAT32, 1, size));
  }

  /** What is joined to other things before it meets a weight has what these leave of its size. */
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

  /** The request, or a fault: the model takes what requests cannot give, or nothing was found. */
  Object find() {
    for (TorchScriptModule.Parameter parameter : parameters) {
      if (isNeeded(parameter)
          && value(InferenceRequest.of(null), parameter, forms.get(0)) == null) {
        String text = "there is no example for input '%s', which is %s; give a request that works";
        return Fault.unsupported(Message.of(text, parameter.name(), parameter.type()));
      }
    }
    Object found = alike();
    return found instanceof InferenceRequest ? found : oneByOne((List<?>) found);
  }

  /** All inputs of one form: the request, or the form for each with which most was done. */
  private Object alike() {
    long most = -1;
    List<Form> best = List.of();
    for (Form form : forms) {
      List<Form> all = parameters.stream().map(parameter -> form).toList();
      long done = trial.applyAsLong(request(all));
      if (done == ANSWERED) {
        return request(all);
      }
      if (done > most) {
        most = done;
        best = all;
      }
    }
    return best;
  }

  /** Another form for one input after the other, as long as that makes it better. */
  private Object oneByOne(List<?> start) {
    List<Form> best = new ArrayList<>();
    start.forEach(form -> best.add((Form) form));
    long most = best.isEmpty() ? -1 : trial.applyAsLong(request(best));
    boolean better = most >= 0;
    while (better) {
      better = false;
      for (int i = 0; i < best.size(); i++) {
        for (Form form : forms) {
          Form before = best.set(i, form);
          long done = trial.applyAsLong(request(best));
          if (done == ANSWERED) {
            return request(best);
          }
          better |= done > most;
          best.set(i, done > most ? form : before);
          most = Math.max(most, done);
        }
      }
    }
    return Fault.unsupported("no request was found that the model answers; give one that works");
  }

  private InferenceRequest request(List<Form> given) {
    InferenceRequest request = InferenceRequest.of("example");
    for (int i = 0; i < parameters.size(); i++) {
      TorchScriptModule.Parameter parameter = parameters.get(i);
      InferenceRequest more =
          isNeeded(parameter) ? value(request, parameter, given.get(i)) : request;
      request = more == null ? request : more;
    }
    return request;
  }

  private static boolean isNeeded(TorchScriptModule.Parameter parameter) {
    return parameter.defaultValue() == null && !(parameter.type() instanceof Type.Optional);
  }

  /** {@code request} with an input for {@code parameter}; null if requests cannot give it. */
  private static @Nullable InferenceRequest value(
      InferenceRequest request, TorchScriptModule.Parameter parameter, Form form) {
    String name = parameter.name();
    return switch (parameter.type()) {
      case Type.Plain.TENSOR -> tensor(request, name, form);
      case Type.Plain.INT -> request.input(name, Shape.of(1), 1L);
      case Type.Plain.FLOAT -> request.input(name, Shape.of(1), 1.0);
      case Type.Plain.BOOL -> request.input(name, Shape.of(1), true);
      case Type.Plain.STRING -> request.input(name, Shape.of(1), "a");
      case Type.ListOf list when list.element() == Type.Plain.TENSOR ->
          tensor(tensor(request, name + ".0", form), name + ".1", form);
      case Type.ListOf list when list.element() == Type.Plain.INT ->
          request.input(name, Shape.of(1), 1L);
      case Type.ListOf list when list.element() == Type.Plain.FLOAT ->
          request.input(name, Shape.of(1), 1.0);
      default -> null;
    };
  }

  /** Ones where these are safe, and zeros for integers, which are mostly indices. */
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
