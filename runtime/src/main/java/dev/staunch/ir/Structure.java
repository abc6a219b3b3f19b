package dev.staunch.ir;

import dev.staunch.type.Type;
import java.util.List;

/**
 * Operations that are part of the IR itself: control flow, construction and access. They have no
 * schema; each one documents its operands, attributes and blocks.
 */
public sealed interface Structure extends Operator {
  @Override
  default String word() {
    return switch (this) {
      case Constant constant -> "prim::Constant";
      case With with -> "prim::With";
      case CallFunction call -> "prim::CallFunction";
      case CallMethod call -> "prim::CallMethod";
      case GetAttribute get -> "prim::GetAttr";
      case SetAttribute set -> "prim::SetAttr";
      case CreateObject create -> "prim::CreateObject";
      case TupleIndex index -> "prim::TupleIndex";
      case IsInstance test -> "prim::isinstance";
      case CheckedCast cast -> "prim::CheckedCast";
      case Plain plain -> plain.word;
    };
  }

  /** No operands. */
  record Constant(Attribute value) implements Structure {}

  /**
   * Operands: an object, and the values passed to the block. The attributes name the functions to
   * call with the object before and after the single block. If the block has one parameter more
   * than it is passed values, its first parameter is the result of {@code enter}.
   */
  record With(String enter, String exit) implements Structure {}

  /** Operands: the arguments. */
  record CallFunction(String function) implements Structure {}

  /** Operands: an object and arguments. The object's class determines the method at run time. */
  record CallMethod(String method) implements Structure {}

  /** Operand: an object. */
  record GetAttribute(String attribute) implements Structure {}

  /** Operands: an object and the new value; no result. */
  record SetAttribute(String attribute) implements Structure {}

  /** No operands. */
  record CreateObject(String type, List<String> slots) implements Structure {
    public CreateObject {
      slots = List.copyOf(slots);
    }
  }

  /** Operand: a tuple; a negative index counts from its end. */
  record TupleIndex(long index) implements Structure {}

  /** Operand: any value. Result: bool, whether it is of one of the types. */
  record IsInstance(List<Type> types) implements Structure {
    public IsInstance {
      types = List.copyOf(types);
    }
  }

  /** Operand: a value, which must be of a type that its static type does not imply. */
  record CheckedCast(Type wanted) implements Structure {}

  /** Operations without attributes. */
  enum Plain implements Structure {
    /**
     * Operands: a bool, and what both blocks are passed; two blocks, whose results are the
     * operation's.
     */
    IF("prim::If"),
    /**
     * Operands: the maximum number of iterations (int), the first condition (bool), the carried
     * values, and the values passed to the block in each iteration. The single block has the
     * parameters iteration number, carried values and passed values, and the results next condition
     * and carried values. Results: the carried values.
     */
    LOOP("prim::Loop"),
    LIST_CONSTRUCT("prim::ListConstruct"),
    TUPLE_CONSTRUCT("prim::TupleConstruct"),
    /** Operands: alternating keys and values. */
    DICT_CONSTRUCT("prim::DictConstruct"),
    TUPLE_UNPACK("prim::TupleUnpack"),
    /** Operand: a list with exactly as many elements as there are results. */
    LIST_UNPACK("prim::ListUnpack"),
    /** A value that must not be read; stands where a path never ends. */
    UNINITIALIZED("prim::Uninitialized"),
    /** Operands: any values, printed on one line; no result. */
    PRINT("prim::Print"),
    /**
     * Operand: a value whose static type is narrower from here on: {@code unchecked_cast}, {@code
     * annotate}.
     */
    CAST("prim::Cast");

    private final String word;

    Plain(String word) {
      this.word = word;
    }
  }
}
