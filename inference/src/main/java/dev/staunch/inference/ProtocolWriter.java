package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes answers and requests as JSON of the Open Inference Protocol V2, each on one line without a
 * line end. A fault becomes {@code "error"}, its message, and {@code "fault"}: its type, the
 * operation, the source line and the submodule where it arose, the calls that led there ({@code
 * "frames"}, outermost first), and the offending input with what was expected of it. If a script
 * cut a text inside a character, the bytes that are no UTF-8 become U+FFFD; {@link
 * ResponseTensor#strings} keeps them. Immutable and thread-safe.
 */
public final class ProtocolWriter {
  private static final Pattern HALVES = Pattern.compile("[\\uD800-\\uDFFF]");

  private static final String HOW_INPUTS_GO =
      "by name if any has a parameter's name, else by position, which the answer says in its"
          + " parameters as `warning`";

  private final JsonFactory factory =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET, StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();
  private final String model;
  private final boolean sources;

  /**
   * @param model the model name that answers carry
   */
  public ProtocolWriter(String model) {
    this(model, true);
  }

  private ProtocolWriter(String model, boolean sources) {
    this.model = model;
    this.sources = sources;
  }

  /**
   * Returns a writer that leaves out where faults arose, for readers who must not see the model's
   * source.
   */
  public ProtocolWriter withoutSources() {
    return new ProtocolWriter(model, false);
  }

  /** Returns the answer as one line of JSON. */
  public String write(Answer answer) {
    return line(json -> write(answer, json));
  }

  private String line(Consumer<JsonGenerator> content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      content.accept(json);
    }
    return text.toString();
  }

  /**
   * Writes the answer as one line of JSON; neither flushes nor closes {@code out}.
   *
   * @throws IOException from {@code out}
   */
  public void write(Answer answer, Writer out) throws IOException {
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), out)) {
      write(answer, json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /** Like {@link #write(Answer, Writer)}, in UTF-8. */
  public void write(Answer answer, OutputStream out) throws IOException {
    try (JsonGenerator json =
        factory.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8)) {
      write(answer, json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /** Returns the request as one line of JSON, as a client sends it. */
  public String write(InferenceRequest request) {
    return line(json -> {
      json.writeStartObject();
      if (request.id() != null) {
        json.writeStringProperty("id", request.id());
      }
      json.writeArrayPropertyStart("inputs");
      request.inputs().forEach(input -> write(input.asOutput(), json));
      json.writeEndArray();
      if (!request.outputs().isEmpty()) {
        json.writeArrayPropertyStart("outputs");
        for (String output : request.outputs()) {
          json.writeStartObject();
          json.writeStringProperty("name", output);
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    });
  }

  /**
   * Returns the protocol's model metadata, as far as an archive declares it: names and types, and
   * how inputs are told apart. TorchScript declares no datatypes or shapes of tensors.
   */
  public String write(Signature signature) {
    return line(json -> {
      json.writeStartObject();
      json.writeStringProperty("name", model);
      json.writeStringProperty("platform", "torchscript");
      json.writeArrayPropertyStart("inputs");
      for (Signature.Input input : signature.inputs()) {
        json.writeStartObject();
        json.writeStringProperty("name", input.name());
        json.writeObjectPropertyStart("parameters");
        json.writeStringProperty("type", input.type());
        json.writeBooleanProperty("required", input.required());
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("outputs");
      signature.outputs().forEach(output -> write(output, json));
      json.writeEndArray();
      json.writeObjectPropertyStart("parameters");
      json.writeStringProperty("method", signature.method());
      json.writeStringProperty("result", signature.result());
      json.writeStringProperty("inputs", HOW_INPUTS_GO);
      json.writeEndObject();
      json.writeEndObject();
    });
  }

  private static void write(Signature.Output output, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", output.name());
    if (output.datatype() != null) {
      json.writeStringProperty("datatype", output.datatype());
      json.writeArrayPropertyStart("shape");
      json.writeNumber(1);
      json.writeEndArray();
    }
    json.writeObjectPropertyStart("parameters");
    json.writeStringProperty("type", output.type());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void write(Answer answer, JsonGenerator json) {
    Fault fault = answer.fault();
    json.writeStartObject();
    if (fault == null) {
      json.writeStringProperty("model_name", model);
    }
    if (answer.id() != null) {
      json.writeStringProperty("id", answer.id());
    }
    if (answer.warning() != null) {
      json.writeObjectPropertyStart("parameters");
      json.writeStringProperty("warning", answer.warning());
      json.writeEndObject();
    }
    if (fault == null) {
      json.writeArrayPropertyStart("outputs");
      answer.outputs().forEach(output -> write(output, json));
      json.writeEndArray();
    } else {
      write(fault, json);
    }
    json.writeEndObject();
  }

  private static void write(ResponseTensor output, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", whole(output.name()));
    json.writeStringProperty("datatype", output.datatype());
    json.writeArrayPropertyStart("shape");
    for (long size : output.shape().toArray()) {
      json.writeNumber(size);
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("data");
    switch (Datatype.valueOf(output.datatype())) {
      case FP32, FP16, BF16 -> {
        for (float value : output.floats()) {
          json.writeNumber(value);
        }
      }
      case FP64 -> {
        for (double value : output.doubles()) {
          json.writeNumber(value);
        }
      }
      case BOOL -> {
        for (boolean value : output.booleans()) {
          json.writeBoolean(value);
        }
      }
      case BYTES -> {
        for (String value : output.strings()) {
          json.writeString(whole(value));
        }
      }
      case INT64, INT32, INT16, INT8, UINT8 -> {
        for (long value : output.longs()) {
          json.writeNumber(value);
        }
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(Fault fault, JsonGenerator json) {
    String raised = fault.raised();
    String message = fault.message();
    json.writeStringProperty("error", whole(raised == null ? message : raised + ": " + message));
    json.writeObjectPropertyStart("fault");
    json.writeStringProperty("type", fault.type().word());
    optional(json, "operation", fault.operation());
    if (sources) {
      SourceLocation source = fault.source();
      optional(json, "source", source == null ? null : source.place());
      optional(json, "module", fault.module());
      json.writeArrayPropertyStart("frames");
      for (Fault.Frame frame : fault.path()) {
        SourceLocation at = frame.source();
        json.writeString(at == null ? frame.function() : frame.function() + " at " + at.place());
      }
      json.writeEndArray();
    }
    optional(json, "input", fault.input());
    optional(json, "expected", fault.expected());
    optional(json, "actual", fault.actual());
    json.writeEndObject();
  }

  private static void optional(JsonGenerator json, String field, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(field);
    } else {
      json.writeStringProperty(field, whole(value));
    }
  }

  /** The text with U+FFFD for each half character, which UTF-8 cannot carry. */
  private static String whole(String text) {
    return HALVES.matcher(text).replaceAll("\uFFFD");
  }
}
