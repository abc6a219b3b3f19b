package dev.staunch.ir;

import dev.staunch.type.Type;
import java.util.List;

/**
 * Operations that are part of the IR itself: control flow, construction and access. They have no
 * schema; their operands, attributes and blocks are as said at each.
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

  /** No operand. */
  record Constant(Attribute value) implements Structure {}

  /**
   * An object, and what the block is handed; the functions to call with the object before and after
   * the one block, whose first parameter, if it has one more than it is handed, is what the first
   * of them gives.
   */
  record With(String enter, String exit) implements Structure {}

  /** Arguments. */
  record CallFunction(String function) implements Structure {}

  /** An object and arguments; the method is found by the object's class when it runs. */
  record CallMethod(String method) implements Structure {}

  /** An object. */
  record GetAttribute(String attribute) implements Structure {}

  /** An object and the new value; no result. */
  record SetAttribute(String attribute) implements Structure {}

  /** No operand. */
  record CreateObject(String type, List<String> slots) implements Structure {
    public CreateObject {
      slots = List.copyOf(slots);
    }
  }

  /** A tuple; an index below nothing counts from its end. */
  record TupleIndex(long index) implements Structure {}

  /** Any value. Result: bool, whether it is of one of the types. */
  record IsInstance(List<Type> types) implements Structure {
    public IsInstance {
      types = List.copyOf(types);
    }
  }

  /** A value, which must be of a type that does not follow from the one it has. */
  record CheckedCast(Type wanted) implements Structure {}

  /** Those without attributes. */
  enum Plain implements Structure {
    /** A bool, and what both blocks are handed; two blocks, whose results are the operation's. */
    IF("prim::If"),
    /**
     * Most trips (int), first condition (bool), carried values, and what the block is handed in
     * each iteration; one block with parameters trip number, carried values and what it is handed,
     * and results next condition and carried values. Results: carried values.
     */
    LOOP("prim::Loop"),
    LIST_CONSTRUCT("prim::ListConstruct"),
    TUPLE_CONSTRUCT("prim::TupleConstruct"),
    /** Keys and values in turn. */
    DICT_CONSTRUCT("prim::DictConstruct"),
    TUPLE_UNPACK("prim::TupleUnpack"),
    /** A list of exactly as many elements as there are results. */
    LIST_UNPACK("prim::ListUnpack"),
    /** A value that nothing may read; stands where a path never ends. */
    UNINITIALIZED("prim::Uninitialized"),
    /** Any values; prints them on one line; no result. */
    PRINT("prim::Print"),
    /**
     * A value whose static type is narrower from here on: {@code unchecked_cast}, {@code annotate}.
     */
    CAST("prim::Cast");

    private final String word;

    Plain(String word) {
      this.word = word;
    }
  }
}
