package dev.staunch.ir;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.Type;
import java.util.List;

/** A value that an operation knows before it runs: a constant, a name or a type. */
public sealed interface Attribute {
  /** The type of the value that this becomes when the operation runs. */
  default Type type() {
    return switch (this) {
      case Int number -> number.type;
      case Real number -> number.type;
      case None none -> Type.Plain.NONE;
      case Bool flag -> new Type.Named("i1");
      case Complex number -> Type.Plain.COMPLEX;
      case Text text -> Type.Plain.STRING;
      case Symbol symbol -> new Type.Named("symbol");
      case OfType type -> new Type.Named("type");
      case Array array -> Type.Plain.ANY_LIST;
      case Tuple tuple -> Type.Plain.ANY_TUPLE;
      case Member member -> new Type.Class(member.owner);
      case Dense dense -> Type.Plain.TENSOR;
      case Loaded loaded -> Type.Plain.ANY;
    };
  }

  /** Python's None. */
  record None() implements Attribute {
    @Override
    public String toString() {
      return "None";
    }
  }

  record Bool(boolean value) implements Attribute {
    @Override
    public String toString() {
      return String.valueOf(value);
    }
  }

  /**
   * A signed integer.
   *
   * @param type the script type, or an MLIR type, which gives the number of bits
   */
  record Int(long value, Type type) implements Attribute {
    @Override
    public String toString() {
      return String.valueOf(value);
    }
  }

  /**
   * A floating-point number.
   *
   * @param type the script type, or an MLIR type, which gives the number of bits
   */
  record Real(double value, Type type) implements Attribute {
    @Override
    public String toString() {
      return String.valueOf(value);
    }
  }

  record Complex(double re, double im) implements Attribute {
    @Override
    public String toString() {
      return "(" + re + ", " + im + ")";
    }
  }

  record Text(String value) implements Attribute {
    @Override
    public String toString() {
      return value;
    }
  }

  /** The name of a function of the program. */
  record Symbol(String name) implements Attribute {
    @Override
    public String toString() {
      return "@" + name;
    }
  }

  record OfType(Type value) implements Attribute {
    @Override
    public String toString() {
      return value.toString();
    }
  }

  record Array(List<Attribute> elements) implements Attribute {
    public Array {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return elements.toString();
    }
  }

  /** A tuple of a script. */
  record Tuple(List<Attribute> elements) implements Attribute {
    public Tuple {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return elements.toString();
    }
  }

  /** A member of a script's enum. */
  record Member(String owner, String name, Attribute value) implements Attribute {
    @Override
    public String toString() {
      return owner.substring(owner.lastIndexOf('.') + 1) + "." + name;
    }
  }

  /** The elements of a tensor, which is owned by the creator of the program. */
  record Dense(DenseTensor tensor) implements Attribute {
    @Override
    public String toString() {
      return tensor.describe();
    }
  }

  /** A value created when the program was loaded that has no text form: an object of a script. */
  record Loaded(Object value) implements Attribute {
    @Override
    public String toString() {
      return value.toString();
    }
  }
}
