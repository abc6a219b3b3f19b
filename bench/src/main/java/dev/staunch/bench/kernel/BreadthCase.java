package dev.staunch.bench.kernel;

import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.operation.None;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One operation in the list of operations that are timed; PyTorch runs the same list.
 *
 * @param quick whether a quick run includes it
 * @param arguments the arguments as in Python; a name refers to an operand
 * @param results the number of tensors that the operation returns
 */
public record BreadthCase(
    String name, boolean quick, String operation, String arguments, int results) {
  private static final Pattern LINE =
      Pattern.compile("(\\* )?([^|]+) \\| ([\\w:.]+)\\((.*)\\)( \\d)? \\| .*");
  private static final Pattern TOKEN = Pattern.compile("[\\[\\]]|'[^']*'|[-\\w.]+");

  /** Reads the list in {@code file}; lines that do not describe an operation are comments. */
  public static List<BreadthCase> read(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .map(LINE::matcher)
          .filter(Matcher::matches)
          .map(BreadthCase::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static BreadthCase of(Matcher line) {
    int results = line.group(5) == null ? 1 : Integer.parseInt(line.group(5).strip());
    return new BreadthCase(
        line.group(2), line.group(1) != null, line.group(3), line.group(4), results);
  }

  /** A call of the operation that closes its results at once. */
  Runnable in(Context context, Map<String, Tensor> operands) {
    Object[] values = values(TOKEN.matcher(arguments), operands).toArray();
    return () -> {
      for (Tensor result : context.applyMany(operation, results, values)) {
        result.value(); // throws if the operation failed
        result.close();
      }
    };
  }

  /** The values up to a closing bracket or the end. */
  private static List<Object> values(Matcher tokens, Map<String, Tensor> operands) {
    List<Object> values = new ArrayList<>();
    while (tokens.find() && !tokens.group().equals("]")) {
      String token = tokens.group();
      values.add(token.equals("[") ? values(tokens, operands) : value(token, operands));
    }
    return values;
  }

  private static Object value(String token, Map<String, Tensor> operands) {
    return switch (token) {
      case "None" -> None.NONE;
      case "True" -> true;
      case "False" -> false;
      default -> {
        if (token.startsWith("'")) {
          yield token.substring(1, token.length() - 1);
        }
        Tensor operand = operands.get(token);
        if (operand != null) {
          yield operand;
        }
        yield token.matches("-?\\d+") ? (Object) Long.valueOf(token) : Double.valueOf(token);
      }
    };
  }
}
