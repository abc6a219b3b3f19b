package dev.staunch.peers;

import dev.staunch.fault.Message;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.ConstantString;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DoubleComplex;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.Operation;
import org.bytedeco.pytorch.Operator;
import org.bytedeco.pytorch.OperatorName;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** Calls libtorch's operations by their schemas. */
final class Libtorch {
  private final Map<String, Operation> operations = new HashMap<>();
  private final Map<String, CompilationUnit> lists = new HashMap<>();

  /** The operation of this schema, or null if libtorch has none. */
  @Nullable Operation find(Schema schema) {
    return operations.computeIfAbsent(
        schema.qualifiedName(),
        name -> {
          Operator found =
              torch.findOperatorFor(new OperatorName(schema.name(), schema.overload()));
          return found == null || found.isNull() || !found.hasOperation()
              ? null
              : keep(found.getOperation());
        });
  }

  /** Out of the scope that gives pointers back. */
  private static <P extends Pointer> P keep(P pointer) {
    pointer.retainReference();
    return pointer;
  }

  /** Its results, or what it throws. */
  Object call(Schema schema, List<Object> arguments) {
    Operation operation = Objects.requireNonNull(find(schema));
    IValueVector stack = new IValueVector();
    for (int i = 0; i < arguments.size(); i++) {
      stack.push_back(value(schema.parameters().get(i).type(), arguments.get(i)));
    }
    try {
      operation.apply(stack);
    } catch (RuntimeException e) {
      return e;
    }
    List<Object> results = new ArrayList<>();
    for (long i = 0; i < stack.size(); i++) {
      results.add(plain(stack.get(i)));
    }
    return results;
  }

  private IValue value(Type type, Object value) {
    if (type instanceof Type.Optional optional && value != None.NONE) {
      return value(optional.element(), value);
    }
    return switch (value) {
      case None none -> new IValue();
      case Twin twin -> new IValue(twin.theirs());
      case Long number -> new IValue(number.longValue());
      case Double number -> new IValue(number.doubleValue());
      case Boolean flag -> new IValue(flag.booleanValue());
      case String text ->
          type == Type.Plain.DEVICE ? new IValue(new Device(text)) : new IValue(text);
      case List<?> list -> list(((Type.ListOf) type).element(), list);
      default -> throw new IllegalArgumentException(value.getClass().getName());
    };
  }

  private IValue list(Type element, List<?> values) {
    Type known = element instanceof Type.Variable ? of(values) : element;
    IValueVector all = new IValueVector();
    values.forEach(each -> all.push_back(value(known, each)));
    String word = word(known);
    CompilationUnit unit =
        lists.computeIfAbsent(
            word + values.size(), key -> keep(torch.compile(maker(word, values.size()))));
    IValue made = unit.get_function(new QualifiedName("make")).apply(all);
    return new IValue(made.toList().copy()); // an empty one is a constant of the function's
  }

  private static Type of(List<?> values) {
    return values.isEmpty() || values.getFirst() instanceof Long
        ? Type.Plain.INT
        : values.getFirst() instanceof Twin ? Type.Plain.TENSOR : Type.Plain.FLOAT;
  }

  private static String word(Type type) {
    return switch (type) {
      case Type.Optional optional -> "Optional[" + word(optional.element()) + "]";
      case Type.ListOf list -> "List[" + word(list.element()) + "]";
      case Type.Plain plain -> plain.toString();
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private static String maker(String element, int count) {
    String names =
        IntStream.range(0, count).mapToObj(i -> "a" + i).collect(Collectors.joining(", "));
    String parameters =
        IntStream.range(0, count)
            .mapToObj(i -> "a" + i + ": " + element)
            .collect(Collectors.joining(", "));
    return Message.of(
        "def make(%s) -> List[%s]:\n  x: List[%s] = [%s]\n  return x\n",
        parameters, element, element, names);
  }

  private Object plain(IValue value) {
    if (value.isTensor()) {
      return new Tensor(value.toTensor());
    } else if (value.isInt()) {
      return value.toInt();
    } else if (value.isDouble()) {
      return value.toDouble();
    } else if (value.isBool()) {
      return value.toBool();
    } else if (value.isString()) {
      return text(value.toConstantString());
    } else if (value.isComplexDouble()) {
      DoubleComplex number = value.toComplexDouble();
      return new ComplexNumber(number.real(), number.imag());
    } else if (value.isNone()) {
      return None.NONE;
    } else if (value.isList()) {
      List<Object> list = new ArrayList<>();
      GenericList found = value.toList();
      for (long i = 0; i < found.size(); i++) {
        list.add(plain(found.get(i)));
      }
      return list;
    }
    return "?" + value.tagKind().getString();
  }

  private static String text(ConstantString value) {
    BytePointer text = value.string();
    return text == null || text.isNull() ? "" : text.getString(StandardCharsets.UTF_8);
  }

  static Tensor tensor(TwinSpec spec) {
    long count = Math.max(1, spec.elements().length);
    Tensor flat = empty(spec.dtype(), count);
    spec.fill(bytes(flat, count * spec.dtype().bytes()));
    return flat.as_strided(
        spec.layout().shape().toArray(),
        spec.layout().strides(),
        new org.bytedeco.pytorch.LongOptional(spec.layout().offset()));
  }

  static Tensor empty(DType dtype, long... sizes) {
    return torch.empty(sizes, new TensorOptions(type(dtype)), null);
  }

  /** The first {@code size} bytes from where the tensor's data begins. */
  @SuppressWarnings("restricted") // only the peer knows how long its memory is
  static MemorySegment bytes(Tensor tensor, long size) {
    return MemorySegment.ofAddress(tensor.data_ptr().address()).reinterpret(size);
  }

  static long[] longs(org.bytedeco.pytorch.LongArrayRef array) {
    long[] values = new long[(int) array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i);
    }
    return values;
  }

  /** The dtype, or null if it is none of ours. */
  static @Nullable DType dtype(Tensor tensor) {
    return DType.ofCode(tensor.scalar_type().value);
  }

  static torch.ScalarType type(DType dtype) {
    for (torch.ScalarType each : torch.ScalarType.values()) {
      if (each.value == dtype.code()) {
        return each;
      }
    }
    throw new IllegalArgumentException(dtype.toString());
  }
}
