package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.SourceLocation;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes answers of the Open Inference Protocol V2 as one line of JSON each. Thread-safe. */
public final class ProtocolWriter {
  private final JsonFactory factory = new JsonFactory();

  public ProtocolWriter() {}

  /** The line for an answer. */
  public String answer(String model, @Nullable String id, List<ResponseTensor> outputs) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("model_name", model);
      if (id != null) {
        json.writeStringProperty("id", id);
      }
      json.writeArrayPropertyStart("outputs");
      outputs.forEach(output -> output.write(json));
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }

  /** The line for a request that failed. */
  public String fault(@Nullable String id, Fault fault) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      if (id != null) {
        json.writeStringProperty("id", id);
      }
      String raised = fault.raised();
      String message = fault.message();
      json.writeStringProperty("error", raised == null ? message : raised + ": " + message);
      json.writeObjectPropertyStart("fault");
      json.writeStringProperty("type", fault.type().word());
      SourceLocation source = fault.source();
      optional(json, "operation", fault.operation());
      optional(json, "source", source == null ? null : source.place());
      optional(json, "input", fault.input());
      optional(json, "expected", fault.expected());
      optional(json, "actual", fault.actual());
      json.writeEndObject();
      json.writeEndObject();
    }
    return text.toString();
  }

  private static void optional(JsonGenerator json, String field, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(field);
    } else {
      json.writeStringProperty(field, value);
    }
  }
}
