package dev.staunch.torchscript.lower;

import dev.staunch.torchscript.source.Expression;
import dev.staunch.torchscript.source.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names that statements assign, including those in nested blocks. */
final class AssignedNames {
  private AssignedNames() {}

  static Set<String> in(List<Statement> statements) {
    Set<String> names = new LinkedHashSet<>();
    collect(statements, names);
    return names;
  }

  private static void collect(List<Statement> statements, Set<String> names) {
    for (Statement statement : statements) {
      switch (statement) {
        case Statement.Assign assign -> {
          for (Expression target : assign.targets()) {
            if (target instanceof Expression.Name name) {
              names.add(name.name());
            }
          }
        }
        case Statement.AnnotatedAssign assign -> names.add(assign.name());
        case Statement.If branch -> {
          collect(branch.thenBody(), names);
          collect(branch.elseBody(), names);
        }
        case Statement.While loop -> collect(loop.body(), names);
        case Statement.For loop -> collect(loop.body(), names);
        case Statement.With with -> collect(with.body(), names);
        case Statement.ExpressionStatement _, Statement.Pass _, Statement.Return _ -> {}
        case Statement.Nested _, Statement.Unreadable _ -> {}
      }
    }
  }
}
