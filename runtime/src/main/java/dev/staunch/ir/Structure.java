package dev.staunch.ir;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operations that are part of the IR itself: control flow, construction and access. They have no
 * schema; their operands, attributes and blocks are as said at each.
 */
public enum Structure {
  /** No operand; attribute {@code value}. */
  CONSTANT("prim::Constant"),
  /**
   * A bool; two blocks without parameters, whose results are the operation's. In programs of MLIR
   * text, attribute {@code arguments} (long): how many values their blocks were given.
   */
  IF("prim::If"),
  /**
   * Most trips (int), first condition (bool), carried values; one block with parameters trip number
   * and carried values, and results next condition and carried values. Results: carried values.
   */
  LOOP("prim::Loop"),
  /** An object; attributes {@code enter} and {@code exit} (function names); one block. */
  WITH("prim::With"),
  /** Arguments; attribute {@code function}. */
  CALL_FUNCTION("prim::CallFunction"),
  /**
   * An object and arguments; attribute {@code method}, found by the object's class when it runs.
   */
  CALL_METHOD("prim::CallMethod"),
  /** An object; attribute {@code name}. */
  GET_ATTRIBUTE("prim::GetAttr"),
  /** An object and the new value; attribute {@code name}; no result. */
  SET_ATTRIBUTE("prim::SetAttr"),
  /** No operand; attribute {@code class} (name) and {@code slots} (list of attribute names). */
  CREATE_OBJECT("prim::CreateObject"),
  LIST_CONSTRUCT("prim::ListConstruct"),
  TUPLE_CONSTRUCT("prim::TupleConstruct"),
  /** Keys and values in turn. */
  DICT_CONSTRUCT("prim::DictConstruct"),
  TUPLE_UNPACK("prim::TupleUnpack"),
  /** A list of exactly as many elements as there are results. */
  LIST_UNPACK("prim::ListUnpack"),
  /** A tuple; attribute {@code index} (long, may be negative). */
  TUPLE_INDEX("prim::TupleIndex"),
  /** Any value; attribute {@code types} (list of types). Result: bool. */
  IS_INSTANCE("prim::isinstance"),
  /** A value that nothing may read; stands where a path never ends. */
  UNINITIALIZED("prim::Uninitialized"),
  /** Any values; prints them on one line; no result. */
  PRINT("prim::Print"),
  /**
   * A value whose static type is narrower from here on: {@code unchecked_cast}, {@code annotate}.
   */
  CAST("prim::Cast");

  private static final Map<String, Structure> BY_WORD =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(s -> s.word, Function.identity()));

  private final String word;

  Structure(String word) {
    this.word = word;
  }

  /** The operation's name in the IR. */
  public String word() {
    return word;
  }

  /** The structure operation called {@code name}, or null if it is one of the catalog's. */
  public static @Nullable Structure of(String name) {
    return BY_WORD.get(name);
  }
}
