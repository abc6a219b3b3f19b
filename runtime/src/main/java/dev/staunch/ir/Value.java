package dev.staunch.ir;

import dev.staunch.type.Type;

/**
 * A value of a function: a parameter or a result of one operation, defined once. Compared by
 * identity; {@code name} is for people and need not be unique.
 */
public final class Value {
  private final String name;
  private final Type type;

  public Value(String name, Type type) {
    this.name = name;
    this.type = type;
  }

  /** A new value with the same name and type. */
  Value(Value like) {
    this.name = like.name;
    this.type = like.type;
  }

  public String name() {
    return name;
  }

  public Type type() {
    return type;
  }

  @Override
  public String toString() {
    return "%" + name + " : " + type;
  }
}
