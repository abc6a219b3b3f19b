package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One input of a request, validated: it has as many values as its shape says, all of the datatype.
 *
 * @param texts the values of a {@code BYTES} input
 */
record RequestTensor(
    String name, Datatype datatype, Shape shape, InputValues values, List<String> texts) {

  /** {@code features FP32[4, 3]}. */
  String describe() {
    return name + " " + datatype + shape;
  }

  /** Returns this input, or a fault that names it and says what does not fit. */
  static Object checked(String name, Datatype datatype, long[] sizes, InputData data) {
    if (Shape.misfit(sizes) != null) {
      String text = "the shape %s of input '%s' is impossible: sizes are 0 or more, of %s in all";
      return fault(name, Message.of(text, Arrays.toString(sizes), name, "less than 2^63 values"));
    }
    Shape shape = Shape.of(sizes);
    String alien = data.alien(datatype);
    if (alien != null) {
      return fault(name, Message.of("input '%s' is %s but holds %s", name, datatype, alien))
          .withExpected(datatype + " values", alien);
    }
    int count = data.count(datatype);
    if (count != shape.elements()) {
      return miscounted(name, shape, count);
    }
    if (!data.fits(shape)) {
      String text =
          "the data of input '%s' is nested otherwise than its shape %s; write it flat or nested as"
              + " the shape says";
      return fault(name, Message.of(text, name, shape));
    }
    Fault range = outOfRange(name, datatype, data.numbers());
    return range == null
        ? new RequestTensor(name, datatype, shape, data.numbers().values(datatype), data.texts())
        : range;
  }

  /**
   * Makes an input from values that already have the datatype.
   *
   * @throws dev.staunch.fault.StaunchException.RequestException unless the number of values is that
   *     of the shape
   */
  static RequestTensor ofJava(
      String name, Datatype datatype, Shape shape, InputValues values, List<String> texts) {
    long count = datatype == Datatype.BYTES ? texts.size() : values.size();
    if (count != shape.elements()) {
      throw miscounted(name, shape, count).toException();
    }
    return new RequestTensor(name, datatype, shape, values, texts);
  }

  private static Fault miscounted(String name, Shape shape, long count) {
    String text = "input '%s' has shape %s, which needs %s, but carries %d";
    String needed = Message.count(shape.elements(), "value");
    return fault(name, Message.of(text, name, shape, needed, count))
        .withExpected(needed, Message.count(count, "value"));
  }

  private static @Nullable Fault outOfRange(String name, Datatype datatype, NumberBuffer numbers) {
    if (datatype.isInteger()) {
      return noInteger(name, datatype, numbers);
    }
    for (int i = 0; i < numbers.size(); i++) {
      double value = Math.abs(numbers.real(i));
      boolean rounded = value >= datatype.tooLarge() && value < Double.POSITIVE_INFINITY;
      if (rounded || i == numbers.firstOverflow()) {
        String text = "input '%s' is %s, but value %d is %s, which is too large for it";
        return fault(name, Message.of(text, name, datatype, i, numbers.text(i)))
            .withExpected(datatype + " values", numbers.text(i));
      }
    }
    return null;
  }

  private static @Nullable Fault noInteger(String name, Datatype datatype, NumberBuffer numbers) {
    int inexact = numbers.firstInexact();
    for (int i = 0; i < numbers.size(); i++) {
      long value = numbers.integer(i);
      boolean outside = value < datatype.least() || value > datatype.greatest();
      if (i == inexact || outside) {
        String text = i == inexact ? numbers.text(i) : String.valueOf(value);
        boolean integer = text.chars().allMatch(c -> c == '-' || Character.isDigit(c));
        String why = integer ? "out of its range" : "no integer";
        String message = "input '%s' is %s, but value %d is %s, which is %s";
        return fault(name, Message.of(message, name, datatype, i, text, why))
            .withExpected(
                Message.of("integers from %d to %d", datatype.least(), datatype.greatest()), text);
      }
    }
    return null;
  }

  private static Fault fault(String name, String message) {
    return Fault.of(FaultType.REQUEST, message).withInput(name);
  }

  /**
   * Like {@link #toTensor}, but reads memory lent by the caller in place where possible; such
   * memory must not be accessed after the request has ended.
   */
  Object borrowed(ResourceScope scope) {
    DType dtype = values.canBeBorrowed() && lost() == null ? datatype.dtype() : null;
    if (dtype == null) {
      return toTensor(scope);
    }
    Storage storage = scope.borrow(values.segment());
    try {
      return DenseTensor.over(scope, storage, Layout.contiguous(shape), dtype);
    } finally {
      storage.release();
    }
  }

  /**
   * Like {@link #borrowed}, but copies what lies in any of {@code targets}, because outputs are
   * written there while a result may still be a view of this input.
   */
  Object apartFrom(Collection<MemorySegment> targets, ResourceScope scope) {
    return values.isIn(targets) ? toTensor(scope) : borrowed(scope);
  }

  /**
   * Returns the tensor, in {@code scope}; or a fault (out of memory, or strings where a tensor is
   * needed).
   */
  Object toTensor(ResourceScope scope) {
    DType dtype = datatype.dtype();
    if (dtype == null) {
      return fault(
          name,
          "input '"
              + name
              + "' is BYTES, where the model takes a tensor; give it numbers or bools");
    }
    Fault lost = lost();
    if (lost != null) {
      return lost;
    }
    return HostTensors.filled(DenseTensor.allocate(scope, dtype, shape), values::copyTo);
  }

  /**
   * Converts this input to the declared {@code type}: a tensor, a number, a string, or a list of
   * numbers or strings; or returns a fault that names the input.
   *
   * @param tensors converts an input to a tensor, or returns a fault
   */
  Object value(Type type, Function<RequestTensor, Object> tensors) {
    Object value = valueOf(type, tensors);
    return value instanceof Fault fault && fault.input() == null ? fault.withInput(name) : value;
  }

  private Object valueOf(Type type, Function<RequestTensor, Object> tensors) {
    if (type instanceof Type.Optional optional) {
      return valueOf(optional.element(), tensors);
    }
    if (type == Type.Plain.TENSOR) {
      return tensors.apply(this);
    }
    if (type instanceof Type.ListOf list) {
      List<Object> elements = new ArrayList<>();
      for (int i = 0; i < shape.elements(); i++) {
        Object element = scalar(list.element(), i);
        if (element instanceof Fault) {
          return element;
        }
        elements.add(element);
      }
      return elements;
    }
    return shape.elements() == 1 ? scalar(type, 0) : mismatch(type, "one value");
  }

  private Object scalar(Type type, int i) {
    boolean text = datatype == Datatype.BYTES;
    if (type == Type.Plain.STRING && text) {
      return texts.get(i);
    }
    if (text) {
      return mismatch(type, type.toString());
    }
    if (type == Type.Plain.FLOAT) {
      return values.real(i);
    }
    if (type == Type.Plain.INT && datatype.isInteger() && datatype != Datatype.BOOL) {
      return values.integer(i);
    }
    if (type == Type.Plain.BOOL && datatype == Datatype.BOOL) {
      return values.integer(i) != 0;
    }
    return mismatch(type, type.toString());
  }

  private Fault mismatch(Type type, String wanted) {
    String text = "input '%s' is %s of shape %s, where the model takes %s";
    return Fault.of(FaultType.REQUEST, Message.of(text, name, datatype, shape, type))
        .withInput(name)
        .withExpected(wanted, datatype + shape.toString());
  }

  /** The fault for lent memory that cannot be read, or null. */
  @Nullable Fault lost() {
    String lost = values.lost();
    return lost == null ? null : Fault.of(FaultType.CLOSED, Message.of(lost, name)).withInput(name);
  }

  /**
   * Returns the same name, datatype, shape and values as an output, for reading element by element.
   */
  ResponseTensor asOutput() {
    DType dtype = datatype.dtype();
    if (dtype == null) {
      return ResponseTensor.ofTexts(name, shape, texts);
    }
    return ResponseTensor.of(name, datatype, shape, values.as(dtype));
  }
}
