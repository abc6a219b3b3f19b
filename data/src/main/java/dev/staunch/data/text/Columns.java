package dev.staunch.data.text;

import dev.staunch.data.row.Field;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.List;

/**
 * The columns of a file that make up one field, in the order of its elements.
 *
 * @param names the names in the header, one for each element; empty if columns are given by
 *     position
 * @param first the position of the first column, counted from 0, if they have no names
 */
record Columns(Field field, List<String> names, int first) {
  static final int NEXT = -1;

  static Columns named(String name, DType dtype, Shape shape, List<String> names) {
    if (names.size() != shape.elements()) {
      throw new IllegalArgumentException(
          "the shape " + shape + " needs " + shape.elements() + " columns, not " + names.size());
    }
    return new Columns(new Field(name, dtype, shape, false), List.copyOf(names), NEXT);
  }

  static Columns placed(String name, DType dtype, Shape shape, int first) {
    return new Columns(new Field(name, dtype, shape, false), List.of(), first);
  }

  int count() {
    return (int) field.elements();
  }
}
