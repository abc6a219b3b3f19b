package dev.staunch.inference;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamConstraintsException;

/** Describes JSON, or why text is not JSON, for the author of a request. */
final class JsonWords {
  /** Advice in the parser's messages that is meant for developers who use the parser. */
  private static final Pattern ADVICE =
      Pattern.compile(
          ", from `[^`]*`|: enable `[^`]*` to allow|: hexadecimal number literals require.*"
              + "|:? ?maybe a \\(non-standard\\).*"
              + "| \\(start marker at .*\\)| valid(?= value)|(?<=value) \\(JSON String, .*?\\)");

  /** How the parser writes a character. */
  private static final Pattern CHARACTER = Pattern.compile("\\(('.') \\(code \\d+\\)\\)");

  private JsonWords() {}

  /** Advice for bytes in a binary format that is often sent by mistake; null if not recognised. */
  static @Nullable String otherFormat(ByteBuffer bytes) {
    int start =
        bytes.remaining() < 2 ? 0 : bytes.duplicate().order(ByteOrder.BIG_ENDIAN).getShort();
    return switch (start & 0xffff) {
      case 0x1f8b -> "the request is compressed by gzip; unpack it before it is read";
      case 0x504b -> "the request is an archive (zip, as models are), where JSON is expected";
      default -> null;
    };
  }

  /** The token as a noun: {@code an array}. */
  static String describe(@Nullable JsonToken token) {
    return switch (token) {
      case null -> "the end of the line";
      case START_ARRAY -> "an array";
      case END_ARRAY -> "the end of an array";
      case START_OBJECT -> "an object";
      case END_OBJECT -> "the end of an object";
      case VALUE_NUMBER_INT -> "an integer";
      case VALUE_NUMBER_FLOAT -> "a number with a fraction";
      case VALUE_STRING -> "a string";
      case VALUE_TRUE, VALUE_FALSE -> "a bool";
      case VALUE_NULL -> "null";
      case PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> "something else";
    };
  }

  /** The fault for input that the parser rejected. */
  static Fault refused(JacksonException e) {
    String said = CHARACTER.matcher(ADVICE.matcher(original(e)).replaceAll("")).replaceAll("$1");
    String reason =
        said.isEmpty()
            ? "it is damaged"
            : said.substring(0, 1).toLowerCase(Locale.ROOT) + said.substring(1);
    if (reason.startsWith("non-standard token")) {
      reason += " (write NaN, Infinity and -Infinity as strings)";
    }
    int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
    return wrong("the request is not JSON: " + reason + (column > 0 ? " at column " + column : ""));
  }

  /**
   * Returns the parser's message. The parser formats its limits with the digits of the default
   * locale; such a message contains nothing else of the kind.
   */
  private static String original(JacksonException e) {
    String message = String.valueOf(e.getOriginalMessage());
    if (!(e instanceof StreamConstraintsException)) {
      return message;
    }
    StringBuilder text = new StringBuilder();
    message
        .chars()
        .map(c -> Character.isDigit(c) ? '0' + Character.digit(c, 10) : c)
        .forEach(c -> text.append((char) c));
    return text.toString();
  }

  /**
   * Returns the string at which the parser stands.
   *
   * @param where its position, for messages
   * @throws StaunchException if the string is not valid Unicode: an answer could not repeat it in
   *     UTF-8
   */
  static String text(JsonParser parser, String where) {
    String text = parser.getString();
    for (int i = 0; i < text.length(); i++) {
      int whole = text.codePointAt(i);
      if (Character.charCount(whole) == 2) {
        i++;
      } else if (Character.isSurrogate((char) whole)) {
        String words = "%s has half a character, \\u%s, at %d; write both halves of it";
        throw wrong(Message.of(words, where, Integer.toHexString(whole), i)).toException();
      }
    }
    return text;
  }

  static void expect(@Nullable JsonToken found, JsonToken wanted, String words) {
    if (found != wanted) {
      throw expected(words, found);
    }
  }

  static StaunchException expected(String words, @Nullable JsonToken found) {
    return wrong("expected " + words + " but found " + describe(found)).toException();
  }

  static Fault wrong(String message) {
    return Fault.of(FaultType.REQUEST, message);
  }
}
