package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads inference requests of the Open Inference Protocol V2 from JSON. Fields that it does not
 * know are skipped, those given twice are not allowed. Nothing is thrown for a bad request: it is a
 * {@link Fault} with the request's id as far as that was read. Thread-safe.
 */
public final class ProtocolReader {
  private final JsonFactory factory =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  public ProtocolReader() {}

  /** What became of a text: a request, or a fault and the id it answers to. */
  public record Parsed(
      @Nullable String id, @Nullable InferenceRequest request, @Nullable Fault fault) {

    /**
     * The request.
     *
     * @throws StaunchException if there is a fault instead, which names the field to blame
     */
    public InferenceRequest orThrow() {
      if (request == null) {
        throw Objects.requireNonNull(fault).toException();
      }
      return request;
    }
  }

  /** Collects a request while it is read. */
  private static final class Draft {
    @Nullable String id;
    @Nullable List<RequestTensor> inputs;
    List<String> outputs = List.of();
  }

  /** Reads UTF-8, with a byte order mark or without. */
  public Parsed read(byte[] json) {
    return read(ByteBuffer.wrap(json));
  }

  /** As {@link #read(byte[])}. */
  public Parsed read(MemorySegment json) {
    return read(json.asByteBuffer());
  }

  /**
   * As {@link #read(byte[])}; reads {@code json} to its end and does not close it.
   *
   * @throws IOException from {@code json}
   */
  public Parsed read(InputStream json) throws IOException {
    return read(json.readAllBytes());
  }

  private Parsed read(ByteBuffer json) {
    String other = JsonWords.otherFormat(json);
    if (other != null) {
      return new Parsed(null, null, JsonWords.wrong(other));
    }
    try {
      return read(StandardCharsets.UTF_8.newDecoder().decode(json).toString());
    } catch (CharacterCodingException e) {
      return new Parsed(null, null, JsonWords.wrong("the request is not UTF-8 text"));
    }
  }

  /** Reads a request, after a byte order mark if there is one. */
  public Parsed read(String text) {
    String json = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    Draft draft = new Draft();
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
      request(parser, draft);
      if (draft.inputs == null) {
        throw JsonWords.wrong("the request has no field 'inputs'").toException();
      }
      return new Parsed(
          draft.id, new InferenceRequest(draft.id, draft.inputs, draft.outputs), null);
    } catch (StaunchException e) {
      return new Parsed(draft.id, null, e.fault());
    } catch (JacksonException e) {
      return new Parsed(draft.id, null, JsonWords.refused(e));
    }
  }

  private static void request(JsonParser parser, Draft draft) {
    JsonWords.expect(parser.nextToken(), JsonToken.START_OBJECT, "a JSON object");
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (field) {
        case "id" -> draft.id = id(parser, value);
        case "inputs" -> draft.inputs = inputs(parser, value);
        case "outputs" -> draft.outputs = outputs(parser, value);
        default -> parser.skipChildren();
      }
    }
    if (parser.nextToken() != null) {
      throw JsonWords.wrong("something follows the request on its line").toException();
    }
  }

  private static @Nullable String id(JsonParser parser, JsonToken value) {
    if (value == JsonToken.VALUE_NULL) {
      return null;
    }
    if (value != JsonToken.VALUE_STRING && value != JsonToken.VALUE_NUMBER_INT) {
      throw JsonWords.expected("a string for 'id'", value);
    }
    return JsonWords.text(parser, "'id'");
  }

  private static List<RequestTensor> inputs(JsonParser parser, JsonToken value) {
    JsonWords.expect(value, JsonToken.START_ARRAY, "an array for 'inputs'");
    List<RequestTensor> inputs = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      inputs.add(new InputReader(parser, inputs.size() + 1).read());
    }
    return inputs;
  }

  /** The names of the outputs asked for; their parameters are skipped. */
  private static List<String> outputs(JsonParser parser, JsonToken value) {
    JsonWords.expect(value, JsonToken.START_ARRAY, "an array for 'outputs'");
    List<String> names = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String whose = "output " + (names.size() + 1);
      JsonWords.expect(parser.currentToken(), JsonToken.START_OBJECT, "an object for " + whose);
      String name = null;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String field = parser.currentName();
        JsonToken content = parser.nextToken();
        if (field.equals("name")) {
          JsonWords.expect(content, JsonToken.VALUE_STRING, "a string for 'name' of " + whose);
          name = JsonWords.text(parser, "'name' of " + whose);
        } else {
          parser.skipChildren();
        }
      }
      if (name == null) {
        throw JsonWords.wrong(whose + " has no field 'name'").toException();
      }
      names.add(name);
    }
    return names;
  }
}
