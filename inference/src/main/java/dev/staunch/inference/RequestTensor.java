package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One input of a request, checked: as many values as the shape says, each of the datatype.
 *
 * @param texts the values of a {@code BYTES} input; empty for the others
 */
record RequestTensor(
    String name, Datatype datatype, Shape shape, NumberBuffer numbers, List<String> texts) {

  /** This input, or a fault that names it and says what does not fit. */
  static Object checked(
      String name, Datatype datatype, long[] sizes, NumberBuffer numbers, List<String> texts) {
    Shape shape;
    try {
      shape = Shape.of(sizes);
    } catch (ArithmeticException | IllegalArgumentException e) {
      return fault(name, "the shape of input '" + name + "' is impossible").withCause(e);
    }
    int count = datatype == Datatype.BYTES ? texts.size() : numbers.size();
    if (count != shape.elements()) {
      String text = "input '%s' has shape %s, which needs %d values, but carries %d";
      return fault(name, text.formatted(name, shape, shape.elements(), count))
          .withExpected(shape.elements() + " values", count + " values");
    }
    Fault range = outOfRange(name, datatype, numbers);
    return range == null ? new RequestTensor(name, datatype, shape, numbers, texts) : range;
  }

  private static @org.jspecify.annotations.Nullable Fault outOfRange(
      String name, Datatype datatype, NumberBuffer numbers) {
    if (!datatype.isInteger()) {
      return null;
    }
    int fraction = numbers.firstFraction();
    if (fraction >= 0) {
      String text = "input '%s' is %s, but value %d is %s, which is no integer";
      return fault(name, text.formatted(name, datatype, fraction, numbers.real(fraction)))
          .withExpected(datatype + " values", String.valueOf(numbers.real(fraction)));
    }
    for (int i = 0; i < numbers.size(); i++) {
      long value = numbers.integer(i);
      if (value < datatype.least() || value > datatype.greatest()) {
        String text = "input '%s' is %s, but value %d is %d, which is out of its range";
        return fault(name, text.formatted(name, datatype, i, value))
            .withExpected(
                "values from %d to %d".formatted(datatype.least(), datatype.greatest()),
                String.valueOf(value));
      }
    }
    return null;
  }

  private static Fault fault(String name, String message) {
    return Fault.of(FaultType.REQUEST, message).withInput(name);
  }

  /** The tensor, in {@code scope}; or a fault (out of memory, or text for a tensor). */
  Object toTensor(ResourceScope scope) {
    DType dtype = datatype.dtype();
    if (dtype == null) {
      return fault(name, "input '" + name + "' is BYTES, where the model takes a tensor");
    }
    Object made = DenseTensor.allocate(scope, dtype, shape);
    if (made instanceof DenseTensor tensor) {
      MemorySegment into = tensor.segment();
      boolean floating = dtype.isFloating();
      for (int i = 0; i < numbers.size(); i++) {
        if (floating) {
          Elements.putDouble(into, dtype, i, numbers.real(i));
        } else {
          Elements.putLong(into, dtype, i, numbers.integer(i));
        }
      }
    }
    return made;
  }
}
