package dev.staunch.torchscript.source;

import dev.staunch.fault.Fault;
import dev.staunch.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of emitted TorchScript; {@code position} is the byte offset of its first token. */
public sealed interface Statement {
  int position();

  /**
   * {@code a = value}, {@code a, b = value} or {@code a, = value}; each target is a name or {@code
   * self.attribute}.
   *
   * @param unpacks whether the value is unpacked; true wherever the targets contain a comma,
   *     including the single target of {@code a, = value}
   */
  record Assign(int position, List<Expression> targets, boolean unpacks, Expression value)
      implements Statement {
    public Assign {
      targets = List.copyOf(targets);
    }
  }

  record AnnotatedAssign(int position, String name, Type type, Expression value)
      implements Statement {}

  record ExpressionStatement(int position, Expression expression) implements Statement {}

  record If(int position, Expression condition, List<Statement> thenBody, List<Statement> elseBody)
      implements Statement {
    public If {
      thenBody = List.copyOf(thenBody);
      elseBody = List.copyOf(elseBody);
    }
  }

  record While(int position, Expression condition, List<Statement> body) implements Statement {
    public While {
      body = List.copyOf(body);
    }
  }

  record For(int position, String variable, Expression iterable, List<Statement> body)
      implements Statement {
    public For {
      body = List.copyOf(body);
    }
  }

  /**
   * @param name the name in the body for the result of entering; null if it has none
   */
  record With(int position, Expression object, @Nullable String name, List<Statement> body)
      implements Statement {
    public With {
      body = List.copyOf(body);
    }
  }

  record Pass(int position) implements Statement {}

  record Return(int position, @Nullable Expression value) implements Statement {}

  /** Stands for a whole body that is not in the language that the parser knows, and says why. */
  record Unreadable(int position, Fault why) implements Statement {}

  /** A function inside a function, for {@code fork}. */
  record Nested(int position, Definition.FunctionDef function) implements Statement {}
}
