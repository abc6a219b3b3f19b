package dev.staunch.ir;

import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the types in a program text: those of MLIR itself and, behind {@code !}, of a dialect. */
final class ProgramTypes {
  private static final Pattern BUILT_IN =
      Pattern.compile("[su]?i[1-9][0-9]{0,6}|bf16|f16|f32|f64|index");

  private final ProgramTokens tokens;

  ProgramTypes(ProgramTokens tokens) {
    this.tokens = tokens;
  }

  Type one() {
    if (tokens.accept("!")) {
      return new Type.Named("!" + tokens.word());
    }
    if (!BUILT_IN.matcher(tokens.peek()).matches()) {
      throw tokens.wrong("a type");
    }
    return new Type.Named(tokens.word());
  }

  /** One or more, with commas between them. */
  List<Type> list() {
    List<Type> types = new ArrayList<>();
    do {
      tokens.add(types, one());
    } while (tokens.accept(","));
    return types;
  }

  /** One, or any number of them in brackets. */
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
