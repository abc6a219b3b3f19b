package dev.staunch.torchscript.source;

import dev.staunch.type.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression of emitted TorchScript; {@code position} is the byte offset of its first token. */
public sealed interface Expression {
  int position();

  /** {@code a.b.c} if this is a dotted name of at most 250 parts, otherwise null. */
  default @Nullable String chain() {
    Deque<String> parts = new ArrayDeque<>();
    Expression at = this;
    while (at instanceof Attribute attribute && parts.size() < 250) {
      parts.addFirst(attribute.name());
      at = attribute.object();
    }
    if (!(at instanceof Name name)) {
      return null;
    }
    parts.addFirst(name.name());
    return String.join(".", parts);
  }

  record IntLiteral(int position, long value) implements Expression {}

  record FloatLiteral(int position, double value) implements Expression {}

  record ComplexLiteral(int position, double re, double im) implements Expression {}

  record StringLiteral(int position, String value) implements Expression {}

  record BoolLiteral(int position, boolean value) implements Expression {}

  record NoneLiteral(int position) implements Expression {}

  record Name(int position, String name) implements Expression {}

  /** {@code object.name}; dotted names are nested. */
  record Attribute(int position, Expression object, String name) implements Expression {}

  /**
   * A call; the arguments of {@code annotate}, {@code unchecked_cast} and the like may be types.
   */
  record Call(int position, Expression callee, List<Expression> arguments, List<Keyword> keywords)
      implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
      keywords = List.copyOf(keywords);
    }
  }

  record Keyword(String name, Expression value) {}

  /** A type in the place of a value: the first argument of {@code annotate} and the like. */
  record TypeExpression(int position, Type type) implements Expression {}

  record Subscript(int position, Expression object, Expression index) implements Expression {}

  record ListLiteral(int position, List<Expression> elements) implements Expression {
    public ListLiteral {
      elements = List.copyOf(elements);
    }
  }

  record DictLiteral(int position, List<Expression> keys, List<Expression> values)
      implements Expression {
    public DictLiteral {
      keys = List.copyOf(keys);
      values = List.copyOf(values);
    }
  }

  record TupleLiteral(int position, List<Expression> elements) implements Expression {
    public TupleLiteral {
      elements = List.copyOf(elements);
    }
  }
}
