package dev.staunch.type;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Types of values in the IR and in operation schemas. {@code toString()} prints the type as
 * TorchScript annotates it ({@code Optional[List[int]]}); MLIR's types print as {@link Named}.
 */
public sealed interface Type {
  /** Types without parameters. */
  enum Plain implements Type {
    TENSOR("Tensor"),
    INT("int"),
    FLOAT("float"),
    BOOL("bool"),
    STRING("str"),
    COMPLEX("complex"),
    /** A Scalar in a schema: int, float, bool or complex. */
    NUMBER("number"),
    NONE("NoneType"),
    ANY("Any"),
    DEVICE("Device"),
    GENERATOR("Generator"),
    STORAGE("Storage"),
    STREAM("Stream"),
    QUANTIZER("Quantizer"),
    ANY_LIST("list"),
    ANY_TUPLE("tuple"),
    ANY_ENUM("AnyEnumType"),
    ANY_CLASS("AnyClassType");

    private final String word;

    Plain(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  record ListOf(Type element) implements Type {
    @Override
    public String toString() {
      return "List[" + element + "]";
    }
  }

  record Optional(Type element) implements Type {
    /**
     * Written by hand: the JVM's generated method for a record takes milliseconds on its first
     * call.
     */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Optional optional && element.equals(optional.element);
    }

    @Override
    public int hashCode() {
      return 31 + element.hashCode();
    }

    @Override
    public String toString() {
      return "Optional[" + element + "]";
    }
  }

  record Future(Type element) implements Type {
    @Override
    public String toString() {
      return "Future[" + element + "]";
    }
  }

  record Dict(Type key, Type value) implements Type {
    @Override
    public String toString() {
      return "Dict[" + key + ", " + value + "]";
    }
  }

  record Tuple(List<Type> elements) implements Type {
    public Tuple {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return elements.isEmpty() ? "Tuple[()]" : "Tuple[" + join(elements) + "]";
    }
  }

  record Union(List<Type> members) implements Type {
    public Union {
      members = List.copyOf(members);
    }

    @Override
    public String toString() {
      return "Union[" + join(members) + "]";
    }
  }

  /**
   * A tensor type with a known dtype and perhaps known sizes; printed as in MLIR: {@code
   * tensor<2x?xf32>}.
   *
   * @param sizes {@link #UNKNOWN} for each unknown size; null if even the rank is unknown
   */
  record TensorOf(DType dtype, @Nullable List<Long> sizes) implements Type {
    public static final long UNKNOWN = -1;

    public TensorOf {
      sizes = sizes == null ? null : List.copyOf(sizes);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("tensor<").append(sizes == null ? "*x" : "");
      for (long size : sizes == null ? List.<Long>of() : sizes) {
        text.append(size == UNKNOWN ? "?" : Long.toString(size)).append('x');
      }
      return text.append(dtype.mlirName()).append('>').toString();
    }
  }

  /** A class, named tuple, enum or interface of a program, or a built-in one, by its full name. */
  record Class(String name) implements Type {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A free type of a schema, such as {@code t} in {@code t[]}. */
  record Variable(String name) implements Type {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A type of a program in MLIR text, such as {@code i32} or {@code !tfrt.chain}. */
  record Named(String name) implements Type {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String join(List<Type> types) {
    return types.stream().map(Type::toString).collect(Collectors.joining(", "));
  }
}
