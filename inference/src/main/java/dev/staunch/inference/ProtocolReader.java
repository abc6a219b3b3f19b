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
 * Reads inference requests of the Open Inference Protocol V2 from JSON. Unknown fields are skipped;
 * duplicate fields are an error. A bad request throws nothing: it yields a {@link Fault}, with the
 * request's id if it was read by then. Thread-safe.
 */
public final class ProtocolReader {
  private final JsonFactory factory =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  public ProtocolReader() {}

  /** The outcome of reading: a request, or a fault together with the id that it answers. */
  public record Parsed(
      @Nullable String id, @Nullable InferenceRequest request, @Nullable Fault fault) {

    /**
     * Returns the request.
     *
     * @throws StaunchException if there is a fault instead; it names the offending field
     */
    public InferenceRequest orThrow() {
      if (request == null) {
        throw Objects.requireNonNull(fault).toException();
      }
      return request;
    }
  }

  /** Collects the fields of a request during parsing. */
  private static final class Draft {
    @Nullable String id;
    @Nullable List<RequestTensor> inputs;
    List<String> outputs = List.of();
  }

  /** Reads UTF-8, with or without a byte order mark. */
  public Parsed read(byte[] json) {
    return read(ByteBuffer.wrap(json));
  }

  /** Like {@link #read(byte[])}. */
  public Parsed read(MemorySegment json) {
    return read(json.asByteBuffer());
  }

  /**
   * Like {@link #read(byte[])}; reads {@code json} to its end and does not close it.
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

  /** Reads a request from text, which may start with a byte order mark. */
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

  /** The names of the requested outputs; their parameters are skipped. */
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
