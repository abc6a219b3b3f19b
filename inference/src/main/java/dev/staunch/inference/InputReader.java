package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads one input of a request: its fields in any order, then checks the whole. */
final class InputReader {
  private static final int MAX_RANK = 64;
  private final JsonParser parser;
  private final int position;
  private @Nullable String name;
  private @Nullable String datatype;
  private long @Nullable [] shape;
  private @Nullable InputData data;

  /**
   * @param parser stands at the value that should be the input
   * @param position one-based; identifies an input whose name is not known
   */
  InputReader(JsonParser parser, int position) {
    this.parser = parser;
    this.position = position;
  }

  /**
   * @throws StaunchException of type request; its fault names the input if the name was read by
   *     then
   */
  RequestTensor read() {
    try {
      fields();
      return checked();
    } catch (StaunchException e) {
      String known = name;
      throw known == null ? e : e.fault().withInput(known).toException();
    }
  }

  private void fields() {
    JsonWords.expect(
        parser.currentToken(), JsonToken.START_OBJECT, "an object for input " + position);
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (field) {
        case "name" -> name = text(value, "name");
        case "datatype" -> datatype = text(value, "datatype");
        case "shape" -> shape = shape(value);
        case "data" -> data = InputData.read(parser, whose());
        default -> parser.skipChildren();
      }
    }
  }

  private String whose() {
    return name == null ? "input " + position : "input '" + name + "'";
  }

  private RequestTensor checked() {
    String known = present(name, "name");
    Datatype type = known(present(datatype, "datatype"));
    long[] sizes = present(shape, "shape");
    InputData values = present(data, "data");
    return Fault.orThrow(RequestTensor.checked(known, type, sizes, values), RequestTensor.class);
  }

  private Datatype known(String word) {
    Datatype known = Datatype.named(word);
    if (known == null) {
      String text = "%s has the unknown datatype %s; give one of %s";
      throw JsonWords.wrong(Message.of(text, whose(), word, List.of(Datatype.values())))
          .withExpected("one of " + List.of(Datatype.values()), word)
          .toException();
    }
    return known;
  }

  private <T> T present(@Nullable T value, String field) {
    if (value == null) {
      throw JsonWords.wrong(whose() + " has no field '" + field + "'").toException();
    }
    return value;
  }

  private String text(JsonToken value, String field) {
    JsonWords.expect(value, JsonToken.VALUE_STRING, "a string for '" + field + "' of " + whose());
    return JsonWords.text(parser, "'" + field + "' of " + whose());
  }

  private long[] shape(JsonToken value) {
    JsonWords.expect(value, JsonToken.START_ARRAY, "an array for 'shape' of " + whose());
    List<Long> sizes = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      JsonWords.expect(
          parser.currentToken(), JsonToken.VALUE_NUMBER_INT, "integers in 'shape' of " + whose());
      if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
        throw JsonWords.wrong(
                "the shape of " + whose() + " has a size beyond 64 bits: " + parser.getString())
            .toException();
      }
      sizes.add(parser.getLongValue());
      if (sizes.size() > MAX_RANK) {
        throw JsonWords.wrong(
                "the shape of " + whose() + " has more than " + MAX_RANK + " dimensions")
            .toException();
      }
    }
    return sizes.stream().mapToLong(Long::longValue).toArray();
  }
}
