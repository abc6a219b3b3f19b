package dev.staunch.inference;

import dev.staunch.type.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The values of an input as written in its JSON: flat, or nested in arrays as the protocol allows.
 *
 * @param numbers numbers, bools as 0 and 1, and words for numbers that JSON cannot express
 * @param texts all strings, including those words
 * @param words how many of the strings are such words
 * @param bools how many of the values are {@code true} or {@code false}
 * @param nested the sizes of the arrays, outermost first; empty if the values are flat; null if
 *     arrays at one depth differ in size
 */
record InputData(
    NumberBuffer numbers, List<String> texts, int words, int bools, @Nullable List<Long> nested) {

  /**
   * @param parser stands at the value that should be the array
   * @throws dev.staunch.fault.StaunchException of type request
   */
  static InputData read(JsonParser parser, String whose) {
    JsonWords.expect(
        parser.currentToken(), JsonToken.START_ARRAY, "an array for 'data' of " + whose);
    NumberBuffer numbers = new NumberBuffer();
    List<String> texts = new ArrayList<>();
    int words = 0;
    int bools = 0;
    Nesting nesting = new Nesting();
    nesting.open();
    while (nesting.depth() > 0) {
      JsonToken token = parser.nextToken();
      switch (token) {
        case START_ARRAY -> nesting.open();
        case END_ARRAY -> nesting.close();
        case VALUE_NUMBER_INT -> integer(parser, numbers);
        case VALUE_NUMBER_FLOAT -> numbers.add(parser.getDoubleValue(), parser.getString());
        case VALUE_STRING -> {
          String text = JsonWords.text(parser, "a value of " + whose);
          texts.add(text);
          words += addWord(text, numbers) ? 1 : 0;
        }
        case VALUE_TRUE, VALUE_FALSE -> {
          numbers.add(token == JsonToken.VALUE_TRUE ? 1 : 0);
          bools++;
        }
        case null, default -> throw JsonWords.expected("values in 'data' of " + whose, token);
      }
      if (token != JsonToken.START_ARRAY && token != JsonToken.END_ARRAY) {
        nesting.value();
      }
    }
    return new InputData(numbers, texts, words, bools, nesting.sizes());
  }

  private static void integer(JsonParser parser, NumberBuffer numbers) {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      numbers.add(parser.getDoubleValue(), parser.getString());
    } else if (parser.getLongValue() == 0 && parser.getString().startsWith("-")) {
      numbers.addNegativeZero();
    } else {
      numbers.add(parser.getLongValue());
    }
  }

  private static boolean addWord(String text, NumberBuffer numbers) {
    if (!isWord(text)) {
      return false;
    }
    numbers.add(Double.parseDouble(text), text);
    return true;
  }

  /** Whether {@code text} stands for a number that JSON cannot express. */
  private static boolean isWord(String text) {
    return text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity");
  }

  /** How many values count for {@code datatype}. */
  int count(Datatype datatype) {
    return datatype == Datatype.BYTES ? texts.size() : numbers.size();
  }

  /** Describes a value that {@code datatype} cannot hold, for messages; null if there is none. */
  @Nullable String alien(Datatype datatype) {
    if (datatype == Datatype.BYTES) {
      return numbers.size() > words ? "numbers" : null;
    }
    if (texts.size() > words) {
      return texts.stream().filter(text -> !isWord(text)).findFirst().map(InputData::quoted).get();
    }
    return bools > 0 && datatype != Datatype.BOOL ? "true or false" : null;
  }

  private static String quoted(String text) {
    return "the text \"" + (text.length() <= 40 ? text : text.substring(0, 37) + "...") + "\"";
  }

  /** Whether the arrays are flat, or nested as {@code shape} is. */
  boolean fits(Shape shape) {
    if (nested == null) {
      return false;
    }
    boolean fits = nested.isEmpty() || nested.size() == shape.rank();
    for (int i = 0; fits && i < nested.size(); i++) {
      fits = nested.get(i) == shape.size(i);
    }
    return fits;
  }

  /** The sizes of nested arrays, and whether all arrays at one depth agree. */
  private static final class Nesting {
    private final List<Long> counts = new ArrayList<>();
    private final List<Long> known = new ArrayList<>();
    private int valueDepth = -1;
    private boolean even = true;

    int depth() {
      return counts.size();
    }

    void open() {
      count();
      counts.add(0L);
      if (known.size() < counts.size()) {
        known.add(-1L);
      }
    }

    void close() {
      int depth = counts.size() - 1;
      long size = counts.remove(depth);
      even &= known.get(depth) == -1 || known.get(depth) == size;
      known.set(depth, size);
    }

    void value() {
      count();
      even &= valueDepth == -1 || valueDepth == depth();
      valueDepth = depth();
    }

    private void count() {
      if (!counts.isEmpty()) {
        counts.set(depth() - 1, counts.getLast() + 1);
      }
    }

    @Nullable List<Long> sizes() {
      even &= valueDepth == -1 || valueDepth == known.size();
      return !even ? null : known.size() == 1 ? List.of() : List.copyOf(known);
    }
  }
}
