package dev.staunch.torchscript;

import dev.staunch.fault.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random program in which tensors have several names: nested blocks return values that were
 * passed in, views share memory, a list keeps tensors, and some tensors are written in place. The
 * program is written as a script, and also computed here, with one number for all elements of a
 * tensor.
 */
final class NamedTensors {
  /** The number of names. All names and the list are defined from the start. */
  private static final int NAMES = 5;

  private static final int DEPTH = 3;
  private static final int MOST_ITERATIONS = 3;
  private static final int MODULUS = 101;

  /** The tensor that each name refers to, and the contents of the list. */
  private static final class State {
    final float[][] names = new float[NAMES][];
    final List<float[]> kept = new ArrayList<>();
  }

  /** A statement, as text and as an action. */
  private interface Statement {
    void write(StringBuilder text, String indent);

    /**
     * @param turn the number of the iteration of the innermost loop
     */
    void run(State state, int turn);
  }

  private final Random random;
  private final List<Statement> statements;
  private final List<Integer> results = new ArrayList<>();
  private int written;

  NamedTensors(long seed) {
    this.random = new Random(seed);
    this.statements = block(0, 4 + random.nextInt(6));
    for (int name = 0; name < NAMES; name++) {
      if (random.nextBoolean()) {
        results.add(name);
      }
    }
    results.add(name());
  }

  /** The body of a function of {@code x}, a tensor of ones with one dimension. */
  String script() {
    StringBuilder text = new StringBuilder("    n = torch.dim(x)\n    i = 0\n");
    for (int name = 0; name < NAMES; name++) {
      text.append("    v").append(name).append(" = torch.add(x, ").append(name).append(")\n");
    }
    text.append("    kept = [v0]\n");
    statements.forEach(each -> each.write(text, "    "));
    List<String> names = results.stream().map(name -> "v" + name).toList();
    return text.append("    return torch.stack([" + String.join(", ", names) + "])\n").toString();
  }

  /** One number for each row of the result. */
  float[] rows() {
    State state = new State();
    for (int name = 0; name < NAMES; name++) {
      state.names[name] = new float[] {1 + name};
    }
    state.kept.add(state.names[0]);
    statements.forEach(each -> each.run(state, 0));
    float[] rows = new float[results.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = state.names[results.get(i)][0];
    }
    return rows;
  }

  private int name() {
    return random.nextInt(NAMES);
  }

  private List<Statement> block(int depth, int length) {
    List<Statement> all = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      all.add(statement(depth));
    }
    return all;
  }

  private Statement statement(int depth) {
    int kind = random.nextInt(depth < DEPTH ? 14 : 10);
    return switch (kind) {
      case 0, 1, 2 -> sum(name(), name(), name(), 1 + random.nextInt(4));
      case 3, 4, 5, 6 -> same(name(), name());
      case 7 -> view(name(), name());
      case 8 -> writeInPlace(name(), 1 + random.nextInt(9), written++);
      case 9 -> random.nextBoolean() ? keep(name(), written++) : take(name());
      case 10, 11, 12 ->
          choice(random.nextInt(4), block(depth + 1, size()), block(depth + 1, size()));
      default -> loop(random.nextInt(MOST_ITERATIONS + 1), block(depth + 1, 1 + size()));
    };
  }

  private int size() {
    return random.nextInt(4);
  }

  private static Statement sum(int target, int left, int right, int factor) {
    String text =
        Message.of(
            "v%d = torch.remainder(torch.add(torch.mul(v%d, %d), v%d), %d)",
            target, left, factor, right, MODULUS);
    return line(
        text,
        state -> {
          float sum = state.names[left][0] * factor + state.names[right][0];
          state.names[target] = new float[] {sum % MODULUS};
        });
  }

  private static Statement same(int target, int source) {
    return line("v" + target + " = v" + source, state -> state.names[target] = state.names[source]);
  }

  private static Statement view(int target, int source) {
    return line(
        "v" + target + " = torch.view(v" + source + ", [-1])",
        state -> state.names[target] = state.names[source]);
  }

  private static Statement writeInPlace(int target, int by, int number) {
    return line(
        "_" + number + " = torch.add_(v" + target + ", " + by + ")",
        state -> state.names[target][0] += by);
  }

  private static Statement keep(int source, int number) {
    return line(
        "_" + number + " = torch.append(kept, v" + source + ")",
        state -> state.kept.add(state.names[source]));
  }

  private static Statement take(int target) {
    return line("v" + target + " = kept[-1]", state -> state.names[target] = state.kept.getLast());
  }

  /** The effect of a line on the state. */
  private interface Change {
    void to(State state);
  }

  private static Statement line(String code, Change change) {
    return new Statement() {
      @Override
      public void write(StringBuilder text, String indent) {
        text.append(indent).append(code).append('\n');
      }

      @Override
      public void run(State state, int turn) {
        change.to(state);
      }
    };
  }

  /**
   * A branch on one of four conditions: always, never, only in the first iteration, in all but the
   * first.
   */
  private static Statement choice(int condition, List<Statement> then, List<Statement> other) {
    List<String> conditions = List.of("eq(n, 1)", "gt(n, 1)", "eq(i, 0)", "gt(i, 0)");
    return new Statement() {
      @Override
      public void write(StringBuilder text, String indent) {
        text.append(indent).append("if torch.").append(conditions.get(condition)).append(":\n");
        writeAll(then, text, indent);
        text.append(indent).append("else:\n");
        writeAll(other, text, indent);
      }

      @Override
      public void run(State state, int turn) {
        boolean holds = condition == 0 || condition == (turn == 0 ? 2 : 3);
        (holds ? then : other).forEach(each -> each.run(state, turn));
      }
    };
  }

  private static Statement loop(int count, List<Statement> body) {
    return new Statement() {
      @Override
      public void write(StringBuilder text, String indent) {
        text.append(indent).append("for i in range(").append(count).append("):\n");
        writeAll(body, text, indent);
      }

      @Override
      public void run(State state, int turn) {
        for (int i = 0; i < count; i++) {
          int now = i;
          body.forEach(each -> each.run(state, now));
        }
      }
    };
  }

  private static void writeAll(List<Statement> block, StringBuilder text, String indent) {
    if (block.isEmpty()) {
      text.append(indent).append("  pass\n");
    }
    block.forEach(each -> each.write(text, indent + "  "));
  }
}
