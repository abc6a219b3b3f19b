package dev.staunch.ir;

import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parses the types in a program text: those of MLIR itself and, after {@code !}, those of a
 * dialect, and those of scripts in their own notation.
 */
final class ProgramTypes {
  private static final Pattern BUILT_IN =
      Pattern.compile("[su]?i[1-9][0-9]{0,6}|bf16|f16|f32|f64|index");

  private static final Map<String, Type> PLAIN =
      Arrays.stream(Type.Plain.values())
          .collect(Collectors.toUnmodifiableMap(Type.Plain::toString, Function.identity()));

  private static final Pattern SIZES = Pattern.compile("\\*x|(([0-9]{1,18}|\\?)x)*");

  /** The most characters of a tensor type. */
  private static final int MAX_TENSOR = 1024;

  private static final int MAX_DEPTH = 100;

  private final ProgramTokens tokens;
  private int depth;

  ProgramTypes(ProgramTokens tokens) {
    this.tokens = tokens;
  }

  /** A type of MLIR itself. */
  static Type builtIn(String name) {
    return new Type.Named(name);
  }

  /** Whether the next token begins a type. */
  boolean begins() {
    String token = tokens.peek();
    return token.equals("!") || token.equals("tensor") || isBuiltIn(token) || isOfScript(token);
  }

  private static boolean isBuiltIn(String token) {
    return BUILT_IN.matcher(token).matches();
  }

  private static boolean isOfScript(String token) {
    return PLAIN.containsKey(token)
        || token.equals("_")
        || (token.indexOf('.') > 0 && Character.isJavaIdentifierStart(token.charAt(0)))
        || switch (token) {
          case "List", "Optional", "Future", "Dict", "Tuple", "Union" -> true;
          default -> false;
        };
  }

  Type one() {
    if (tokens.accept("!")) {
      return new Type.Named("!" + tokens.word());
    }
    if (!begins()) {
      throw tokens.wrong("a type");
    }
    if (tokens.accept("tensor")) {
      return tensor();
    }
    String word = tokens.word();
    return isBuiltIn(word) ? builtIn(word) : ofScript(word);
  }

  private Type ofScript(String word) {
    Type plain = PLAIN.get(word);
    if (plain != null) {
      return plain;
    }
    return switch (word) {
      case "_" -> new Type.Variable(word);
      case "List" -> new Type.ListOf(parameters(1).get(0));
      case "Optional" -> new Type.Optional(parameters(1).get(0));
      case "Future" -> new Type.Future(parameters(1).get(0));
      case "Dict" -> {
        List<Type> parameters = parameters(2);
        yield new Type.Dict(parameters.get(0), parameters.get(1));
      }
      case "Tuple" -> new Type.Tuple(parameters(-1));
      case "Union" -> new Type.Union(parameters(-1));
      default -> new Type.Class(word);
    };
  }

  /** {@code <2x?xf32>}; the tokenizer attaches each {@code x} to the words around it. */
  private Type tensor() {
    tokens.expect("<");
    StringBuilder text = new StringBuilder();
    for (int depthInside = 1; depthInside > 0; ) {
      if (tokens.atEnd() || text.length() > MAX_TENSOR) {
        throw tokens.wrong("the end of a tensor's type");
      }
      depthInside += tokens.peek().equals("<") ? 1 : tokens.peek().equals(">") ? -1 : 0;
      text.append(depthInside > 0 ? tokens.peek() : "");
      tokens.accept(tokens.peek());
    }
    Type type = tensor(text.toString());
    if (type == null) {
      throw tokens.fault("there is no type tensor<" + ProgramTokens.shown(text.toString()) + ">");
    }
    return type;
  }

  private static @Nullable Type tensor(String text) {
    Matcher sizes = SIZES.matcher(text);
    if (!sizes.lookingAt()) {
      return null;
    }
    DType dtype = DType.ofMlirName(text.substring(sizes.end()));
    if (dtype == null) {
      return null;
    }
    if (sizes.group().equals("*x")) {
      return new Type.TensorOf(dtype, null);
    }
    List<Long> known = new ArrayList<>();
    for (String size : sizes.group().split("x", -1)) {
      if (!size.isEmpty()) {
        known.add(size.equals("?") ? Type.TensorOf.UNKNOWN : Long.parseLong(size));
      }
    }
    return new Type.TensorOf(dtype, known);
  }

  /** Types in square brackets: {@code count} of them, or any number if that is negative. */
  private List<Type> parameters(int count) {
    tokens.expect("[");
    if (++depth > MAX_DEPTH) {
      throw tokens.fault("types are nested more than " + MAX_DEPTH + " deep");
    }
    List<Type> parameters = new ArrayList<>();
    if (count < 0 && tokens.accept("(")) {
      tokens.expect(")");
    } else {
      parameters.addAll(list());
    }
    if (count >= 0 && parameters.size() != count) {
      throw tokens.fault("the type takes " + count + " parameters, not " + parameters.size());
    }
    depth--;
    tokens.expect("]");
    return parameters;
  }

  /** One or more types, separated by commas. */
  List<Type> list() {
    List<Type> types = new ArrayList<>();
    do {
      tokens.add(types, one());
    } while (tokens.accept(","));
    return types;
  }

  /** One type, or any number of them in brackets. */
  List<Type> several() {
    if (!tokens.accept("(")) {
      return List.of(one());
    }
    if (tokens.accept(")")) {
      return List.of();
    }
    List<Type> types = list();
    tokens.expect(")");
    return types;
  }
}
