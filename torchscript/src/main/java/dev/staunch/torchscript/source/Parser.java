package dev.staunch.torchscript.source;

import dev.staunch.fault.StaunchException;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses a file: classes, functions and their statements. This is safe against hostile text: time
 * and memory are linear in its size, nesting is bounded, and every error is a typed fault with its
 * line.
 */
public final class Parser {
  private final TokenStream tokens;
  private final ExpressionParser expressions;
  private final TypeParser types;

  private Parser(SourceFile file) {
    this.tokens = new TokenStream(file);
    this.expressions = new ExpressionParser(this.tokens);
    this.types = new TypeParser(this.tokens);
  }

  /**
   * The classes and functions of {@code file}, in its order.
   *
   * @throws StaunchException of type data format, with the line, if the text is not TorchScript
   */
  public static List<Definition> definitions(SourceFile file) {
    return new Parser(file).file();
  }

  private List<Definition> file() {
    List<Definition> definitions = new ArrayList<>();
    while (!tokens.accept(Token.END)) {
      if (tokens.is("class")) {
        definitions.add(classDef());
      } else if (tokens.is("def")) {
        definitions.add(readable());
      } else {
        throw tokens.wrong("'class' or 'def'");
      }
    }
    return definitions;
  }

  private Definition.ClassDef classDef() {
    int position = keyword();
    String name = tokens.name();
    Definition.Kind kind = Definition.Kind.PLAIN;
    if (tokens.accept('(')) {
      kind = kind();
      tokens.expect(')');
    }
    tokens.expect(':');
    ClassBody body = new ClassBody(kind);
    body(() -> member(body));
    return new Definition.ClassDef(
        position, name, kind, body.attributes, body.constants, body.lists, body.methods);
  }

  private Definition.Kind kind() {
    int position = tokens.position;
    String base = tokens.expect(Token.NAME, "a base class");
    return switch (base) {
      case "Module" -> Definition.Kind.MODULE;
      case "NamedTuple" -> Definition.Kind.NAMED_TUPLE;
      case "Enum" -> Definition.Kind.ENUM;
      case "Interface" -> Definition.Kind.INTERFACE;
      case "ModuleInterface" -> Definition.Kind.MODULE_INTERFACE;
      default -> throw tokens.fault(position, "unknown base class " + Token.quoted(base));
    };
  }

  private static final class ClassBody {
    final Definition.Kind kind;
    final List<Definition.AttributeDef> attributes = new ArrayList<>();
    final Map<String, Expression> constants = new LinkedHashMap<>();
    final Map<String, List<String>> lists = new LinkedHashMap<>();
    final List<Definition.FunctionDef> methods = new ArrayList<>();

    ClassBody(Definition.Kind kind) {
      this.kind = kind;
    }
  }

  private void member(ClassBody body) {
    if (tokens.is("def")) {
      body.methods.add(readable());
      return;
    }
    if (tokens.accept("pass")) {
      endOfLine();
      return;
    }
    int position = tokens.position;
    String name = tokens.name();
    if (name.equals("__annotations__") && tokens.accept('[')) {
      name = tokens.expect(Token.STRING, "an attribute's name");
      tokens.expect(']');
      tokens.expect('=');
      body.attributes.add(new Definition.AttributeDef(position, name, types.type()));
    } else if (tokens.accept(':')) {
      annotated(body, position, name);
    } else {
      tokens.expect('=');
      valued(body, name);
    }
    endOfLine();
  }

  private void annotated(ClassBody body, int position, String name) {
    Type type = types.type();
    boolean valued = tokens.accept('=');
    if (valued) {
      body.constants.put(name, expressions.tuple());
    }
    if (!valued || body.kind == Definition.Kind.NAMED_TUPLE) {
      body.attributes.add(new Definition.AttributeDef(position, name, type));
    }
  }

  private void valued(ClassBody body, String name) {
    Expression value = expressions.tuple();
    if (name.startsWith("__") && value instanceof Expression.ListLiteral list) {
      List<String> names = new ArrayList<>();
      for (Expression element : list.elements()) {
        if (!(element instanceof Expression.StringLiteral text)) {
          throw tokens.fault(element.position(), name + " must list strings");
        }
        names.add(text.value());
      }
      body.lists.put(name, names);
    } else {
      body.constants.put(name, value);
    }
  }

  /**
   * Parses a function. If it is not TorchScript as this parser knows it, the other functions can
   * still be read.
   */
  private Definition.FunctionDef readable() {
    int depth = tokens.depth;
    int position = keyword();
    boolean named = tokens.kind == Token.NAME;
    String name = tokens.text;
    try {
      return function(position);
    } catch (StaunchException e) {
      if (!named || !tokens.skipBlock(position, depth)) {
        throw e;
      }
      List<Statement> body = List.of(new Statement.Unreadable(position, e.fault()));
      return new Definition.FunctionDef(position, name, List.of(), Type.Plain.ANY, body);
    }
  }

  /** Consumes the keyword that begins a definition or statement; returns its position. */
  private int keyword() {
    int position = tokens.position;
    tokens.next();
    return position;
  }

  /** Parses a function from its name on; its keyword is at {@code position}. */
  private Definition.FunctionDef function(int position) {
    tokens.enter();
    String name = tokens.name();
    List<Definition.ParameterDef> parameters = parameters();
    Type result = tokens.accept('>') ? types.type() : Type.Plain.ANY;
    tokens.expect(':');
    List<Statement> body = block();
    tokens.depth--;
    return new Definition.FunctionDef(position, name, parameters, result, body);
  }

  private List<Definition.ParameterDef> parameters() {
    List<Definition.ParameterDef> parameters = new ArrayList<>();
    tokens.expect('(');
    while (!tokens.accept(')')) {
      int position = tokens.position;
      String name = tokens.name();
      Type type = parameters.isEmpty() && untypedSelf(name) ? Type.Plain.ANY : typed();
      Expression value = tokens.accept('=') ? expressions.expression() : null;
      parameters.add(new Definition.ParameterDef(position, name, type, value));
      tokens.separator(')');
    }
    return parameters;
  }

  /** Methods of interfaces do not declare the type of {@code self}. */
  private boolean untypedSelf(String name) {
    return name.equals("self") && tokens.symbol != ':';
  }

  private Type typed() {
    tokens.expect(':');
    return types.type();
  }

  private List<Statement> block() {
    List<Statement> statements = new ArrayList<>();
    body(() -> statements.add(statement()));
    return statements;
  }

  /** Parses an indented block of members or statements, or a single one on the same line. */
  private void body(Runnable member) {
    tokens.enter();
    if (tokens.accept(Token.NEWLINE)) {
      tokens.expect(Token.INDENT, "an indented block");
      while (!tokens.accept(Token.DEDENT)) {
        member.run();
      }
    } else {
      member.run();
    }
    tokens.depth--;
  }

  private void endOfLine() {
    tokens.expect(Token.NEWLINE, "the end of the line");
  }

  private Statement statement() {
    if (tokens.kind == Token.NAME) {
      switch (tokens.text) {
        case "if" -> {
          return ifStatement();
        }
        case "while" -> {
          int position = keyword();
          Expression condition = expressions.expression();
          tokens.expect(':');
          return new Statement.While(position, condition, block());
        }
        case "for" -> {
          return forStatement();
        }
        case "with" -> {
          int position = keyword();
          Expression object = expressions.expression();
          @Nullable String name = tokens.accept("as") ? tokens.name() : null;
          tokens.expect(':');
          return new Statement.With(position, object, name, block());
        }
        case "def" -> {
          int position = keyword();
          return new Statement.Nested(position, function(position));
        }
        case "pass" -> {
          return ended(new Statement.Pass(keyword()));
        }
        case "return" -> {
          int position = keyword();
          Expression value = tokens.kind == Token.NEWLINE ? null : expressions.tuple();
          return ended(new Statement.Return(position, value));
        }
        default -> {}
      }
    }
    return ended(assignment());
  }

  private Statement ended(Statement statement) {
    endOfLine();
    return statement;
  }

  private Statement ifStatement() {
    int position = keyword();
    Expression condition = expressions.expression();
    tokens.expect(':');
    List<Statement> thenBody = block();
    List<Statement> elseBody = List.of();
    if (tokens.accept("else")) {
      tokens.expect(':');
      elseBody = block();
    }
    return new Statement.If(position, condition, thenBody, elseBody);
  }

  private Statement forStatement() {
    int position = keyword();
    String variable = tokens.name();
    if (!tokens.accept("in")) {
      throw tokens.wrong("'in'");
    }
    Expression iterable = expressions.expression();
    tokens.expect(':');
    return new Statement.For(position, variable, iterable, block());
  }

  /** Parses an assignment, or an expression alone. */
  private Statement assignment() {
    int position = tokens.position;
    @Nullable String name = tokens.kind == Token.NAME ? tokens.name() : null;
    if (name != null && tokens.accept(':')) {
      Type type = types.type();
      tokens.expect('=');
      return new Statement.AnnotatedAssign(position, name, type, expressions.tuple());
    }
    Expression left = name == null ? expressions.tuple() : expressions.tupleFrom(position, name);
    if (!tokens.accept('=')) {
      return new Statement.ExpressionStatement(position, left);
    }
    boolean unpacks = left instanceof Expression.TupleLiteral;
    List<Expression> targets =
        left instanceof Expression.TupleLiteral tuple ? tuple.elements() : List.of(left);
    for (Expression target : targets) {
      if (!(target instanceof Expression.Name) && !(target instanceof Expression.Attribute)) {
        throw tokens.fault(target.position(), "only a name or an attribute can be assigned");
      }
    }
    return new Statement.Assign(position, targets, unpacks, expressions.tuple());
  }
}
