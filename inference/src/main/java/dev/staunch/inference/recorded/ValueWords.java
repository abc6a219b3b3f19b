package dev.staunch.inference.recorded;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Describes recorded values in a few words, for people: {@code float32[2, 3] [0.5, 1.0, ...]}. */
final class ValueWords {
  private static final int MOST_ELEMENTS = 8;
  private static final int MOST_ITEMS = 4;

  private ValueWords() {}

  static String of(JsonNode value) {
    String kind = value.path("t").asString("");
    return switch (kind) {
      case "Tensor" -> form(value) + " " + list(value.path("data"), MOST_ELEMENTS);
      case "None" -> "None";
      case "str" -> "'" + value.path("v").asString("") + "'";
      case "bool", "int", "float", "Fault", "Other" -> scalar(value.path("v"));
      case "List", "Tuple" -> items(value.path("items"), kind.equals("List") ? "[" : "(");
      case "Dict" -> "a dict of " + value.path("items").size();
      case "Enum" -> value.path("name").asString("");
      case "Object" -> value.path("class").asString("");
      default -> kind;
    };
  }

  /** The dtype and shape of a recorded tensor. */
  static String form(JsonNode tensor) {
    return tensor.path("dtype").asString("") + list(tensor.path("shape"), Integer.MAX_VALUE);
  }

  private static String scalar(JsonNode value) {
    if (value.isFloatingPointNumber()) {
      double exact = value.asDouble();
      return (float) exact == exact ? Float.toString((float) exact) : Double.toString(exact);
    }
    return value.isString() ? value.asString() : value.toString();
  }

  private static String list(JsonNode values, int most) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < Math.min(most, values.size()); i++) {
      words.add(scalar(values.path(i)));
    }
    return "[" + String.join(", ", words) + (values.size() > most ? ", ...]" : "]");
  }

  private static String items(JsonNode items, String open) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < Math.min(MOST_ITEMS, items.size()); i++) {
      words.add(of(items.path(i)));
    }
    String more = items.size() > MOST_ITEMS ? ", ... " + items.size() + " in all" : "";
    return open + String.join(", ", words) + more + (open.equals("[") ? "]" : ")");
  }
}
