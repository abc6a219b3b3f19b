package dev.staunch.inference.recorded;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls of a model's methods together with the answers of another runtime, read from a JSON file:
 * {@code {"calls": [{"method", "args", "kwargs", "grad_mode", "expect" | "error", "args_after"}]}}.
 * Calls are made in order on one freshly loaded module.
 */
public final class RecordedCases {
  private final List<Case> cases;
  private final Path folder;

  /** One call; its values stay JSON until there is a scope to hold their tensors. */
  record Case(
      String method,
      List<JsonNode> arguments,
      Map<String, JsonNode> keywords,
      boolean gradEnabled,
      @Nullable JsonNode expected,
      @Nullable JsonNode argumentsAfter,
      @Nullable String error,
      List<JsonNode> trace) {
    Case {
      arguments = List.copyOf(arguments);
      trace = List.copyOf(trace);
      keywords = Collections.unmodifiableMap(new LinkedHashMap<>(keywords));
    }
  }

  private RecordedCases(List<Case> cases, Path folder) {
    this.cases = List.copyOf(cases);
    this.folder = folder;
  }

  List<Case> cases() {
    return cases;
  }

  /** The number of calls. */
  public int size() {
    return cases.size();
  }

  /** The method of call {@code number}. */
  public String method(int number) {
    return cases.get(number).method();
  }

  /** Whether call {@code number} was made with gradients enabled. */
  public boolean gradEnabled(int number) {
    return cases.get(number).gradEnabled();
  }

  /** How many operations of call {@code number} were recorded. */
  public int traced(int number) {
    return cases.get(number).trace().size();
  }

  /** The folder of the file, which also holds the larger tensors. */
  Path folder() {
    return folder;
  }

  /**
   * @throws StaunchException of type data format if {@code file} holds no recorded calls
   */
  public static RecordedCases read(Path file) throws IOException {
    return of(Files.readAllBytes(file), file);
  }

  /**
   * Reads the calls in {@code json}, in UTF-8.
   *
   * @param file the file's name in messages; larger tensors are stored next to it
   * @throws StaunchException of type data format if {@code json} holds no recorded calls
   */
  public static RecordedCases of(byte[] json, Path file) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
      JsonNode document = JsonMapper.shared().readTree(text);
      List<Case> cases = new ArrayList<>();
      for (JsonNode call : document.path("calls")) {
        cases.add(read(call));
      }
      Path parent = file.toAbsolutePath().getParent();
      return new RecordedCases(cases, parent == null ? Path.of(".") : parent);
    } catch (JacksonException e) {
      throw noCalls(file, "it is not JSON" + place(e));
    } catch (CharacterCodingException e) {
      throw noCalls(file, "it is not text in UTF-8");
    }
  }

  /** Where the parser stopped, and the most likely cause. */
  private static String place(JacksonException e) {
    String hint =
        String.valueOf(e.getOriginalMessage()).contains("Non-standard token")
            ? "; write \"NaN\", \"Infinity\" and \"-Infinity\" as strings"
            : "";
    TokenStreamLocation at = e.getLocation();
    return (at == null
            ? ""
            : Message.of(" at line %d, column %d", at.getLineNr(), at.getColumnNr()))
        + hint;
  }

  private static StaunchException noCalls(Path file, String why) {
    return Fault.data(file.toString(), file + " holds no recorded calls: " + why).toException();
  }

  private static Case read(JsonNode call) {
    List<JsonNode> arguments = new ArrayList<>();
    call.path("args").forEach(arguments::add);
    Map<String, JsonNode> keywords = new LinkedHashMap<>();
    call.path("kwargs")
        .properties()
        .forEach(entry -> keywords.put(entry.getKey(), entry.getValue()));
    List<JsonNode> trace = new ArrayList<>();
    call.path("trace").forEach(trace::add);
    return new Case(
        call.path("method").asString("forward"),
        arguments,
        keywords,
        call.path("grad_mode").asBoolean(false),
        call.get("expect"),
        call.get("args_after"),
        call.has("error") ? call.path("error").path("message").asString("") : null,
        trace);
  }
}
