package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads inference requests of the Open Inference Protocol V2 from JSON. Fields that it does not
 * know are skipped. Nothing is thrown for a bad request: it is a {@link Fault} with the request's
 * id as far as that was read. Thread-safe.
 */
public final class ProtocolReader {
  private static final int MAX_RANK = 64;
  private final JsonFactory factory =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100).build())
          .build();

  public ProtocolReader() {}

  /** What became of a text: a request, or a fault and the id it answers to. */
  public record Parsed(
      @Nullable String id, @Nullable InferenceRequest request, @Nullable Fault fault) {}

  /** Collects a request while it is read. */
  private static final class Draft {
    @Nullable String id;
    @Nullable List<RequestTensor> inputs;
  }

  public Parsed read(String json) {
    Draft draft = new Draft();
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
      request(parser, draft);
      if (draft.inputs == null) {
        throw wrong("the request has no field 'inputs'").toException();
      }
      return new Parsed(draft.id, new InferenceRequest(draft.id, draft.inputs), null);
    } catch (StaunchException e) {
      return new Parsed(draft.id, null, e.fault());
    } catch (JacksonException e) {
      int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
      String text = "the request is no JSON: " + e.getOriginalMessage() + " at column " + column;
      return new Parsed(draft.id, null, wrong(text));
    }
  }

  private static void request(JsonParser parser, Draft draft) {
    expect(parser.nextToken(), JsonToken.START_OBJECT, "a JSON object");
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (field) {
        case "id" -> draft.id = id(parser, value);
        case "inputs" -> draft.inputs = inputs(parser, value);
        default -> parser.skipChildren();
      }
    }
    if (parser.nextToken() != null) {
      throw wrong("something follows the request on its line").toException();
    }
  }

  private static @Nullable String id(JsonParser parser, JsonToken value) {
    if (value == JsonToken.VALUE_NULL) {
      return null;
    }
    if (value != JsonToken.VALUE_STRING && value != JsonToken.VALUE_NUMBER_INT) {
      throw wrong("the field 'id' must be a string").toException();
    }
    return parser.getString();
  }

  private static List<RequestTensor> inputs(JsonParser parser, JsonToken value) {
    expect(value, JsonToken.START_ARRAY, "an array for 'inputs'");
    List<RequestTensor> inputs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      inputs.add(input(parser));
    }
    return inputs;
  }

  private static RequestTensor input(JsonParser parser) {
    expect(parser.currentToken(), JsonToken.START_OBJECT, "an object for each input");
    String name = null;
    String datatype = null;
    long[] shape = null;
    Data data = null;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (field) {
        case "name" -> name = text(parser, value, "name");
        case "datatype" -> datatype = text(parser, value, "datatype");
        case "shape" -> shape = shape(parser, value);
        case "data" -> data = data(parser, value);
        default -> parser.skipChildren();
      }
    }
    String known = present(name, "name", null);
    Datatype type = datatype(known, present(datatype, "datatype", known));
    long[] sizes = present(shape, "shape", known);
    Data values = present(data, "data", known);
    if (type != Datatype.BYTES && values.texts.size() > 0) {
      throw wrong("the data of input '" + known + "' holds text, but its datatype is " + type)
          .withInput(known)
          .toException();
    }
    Object checked = RequestTensor.checked(known, type, sizes, values.numbers, values.texts);
    if (checked instanceof Fault fault) {
      throw fault.toException();
    }
    return (RequestTensor) checked;
  }

  private static Datatype datatype(String input, String word) {
    Datatype datatype = Datatype.named(word);
    if (datatype == null) {
      throw wrong("input '" + input + "' has the unknown datatype " + word)
          .withInput(input)
          .withExpected("one of " + List.of(Datatype.values()), word)
          .toException();
    }
    return datatype;
  }

  private static <T> T present(@Nullable T value, String field, @Nullable String input) {
    if (value != null) {
      return value;
    }
    String whose = input == null ? "an input" : "input '" + input + "'";
    Fault fault = wrong(whose + " has no field '" + field + "'");
    throw (input == null ? fault : fault.withInput(input)).toException();
  }

  private static String text(JsonParser parser, JsonToken value, String field) {
    expect(value, JsonToken.VALUE_STRING, "a string for '" + field + "'");
    return parser.getString();
  }

  private static long[] shape(JsonParser parser, JsonToken value) {
    expect(value, JsonToken.START_ARRAY, "an array for 'shape'");
    List<Long> sizes = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser.currentToken(), JsonToken.VALUE_NUMBER_INT, "integers in 'shape'");
      sizes.add(parser.getLongValue());
      if (sizes.size() > MAX_RANK) {
        throw wrong("a shape has more than " + MAX_RANK + " dimensions").toException();
      }
    }
    return sizes.stream().mapToLong(Long::longValue).toArray();
  }

  private static final class Data {
    final NumberBuffer numbers = new NumberBuffer();
    final List<String> texts = new ArrayList<>();
  }

  /** Values, flat or nested in arrays as the protocol allows. */
  private static Data data(JsonParser parser, JsonToken value) {
    expect(value, JsonToken.START_ARRAY, "an array for 'data'");
    Data data = new Data();
    int depth = 1;
    while (depth > 0) {
      JsonToken token = parser.nextToken();
      switch (token) {
        case START_ARRAY -> depth++;
        case END_ARRAY -> depth--;
        case VALUE_NUMBER_INT -> data.numbers.add(parser.getLongValue());
        case VALUE_NUMBER_FLOAT -> data.numbers.add(parser.getDoubleValue());
        case VALUE_TRUE -> data.numbers.add(1);
        case VALUE_FALSE -> data.numbers.add(0);
        case VALUE_STRING -> addText(data, parser.getString());
        case null, default -> throw wrong("'data' holds " + token + ", not values").toException();
      }
    }
    return data;
  }

  /** JSON has no number for what is not finite; the usual words stand for it. */
  private static void addText(Data data, String text) {
    switch (text) {
      case "NaN" -> data.numbers.add(Double.NaN);
      case "Infinity" -> data.numbers.add(Double.POSITIVE_INFINITY);
      case "-Infinity" -> data.numbers.add(Double.NEGATIVE_INFINITY);
      default -> data.texts.add(text);
    }
  }

  private static void expect(@Nullable JsonToken found, JsonToken wanted, String words) {
    if (found != wanted) {
      throw wrong("expected " + words + " but found " + describe(found)).toException();
    }
  }

  private static String describe(@Nullable JsonToken token) {
    return token == null ? "the end of the line" : token.name().toLowerCase(java.util.Locale.ROOT);
  }

  private static Fault wrong(String message) {
    return Fault.of(FaultType.REQUEST, message);
  }
}
