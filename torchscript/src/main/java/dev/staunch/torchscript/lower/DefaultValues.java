package dev.staunch.torchscript.lower;

import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The default values of a method's parameters. */
public final class DefaultValues {
  private DefaultValues() {}

  /** One value for each parameter, including the module; null where a value is required. */
  public static List<@Nullable Object> of(ArchiveCode code, String className, String method) {
    List<@Nullable Object> values = new ArrayList<>();
    ArchiveCode.Found found = code.findClass(className);
    Definition.FunctionDef function = found == null ? null : found.method(method);
    if (function != null) {
      for (Definition.ParameterDef parameter : function.parameters()) {
        Expression value = parameter.defaultValue();
        values.add(value == null ? null : Constants.literal(value));
      }
    }
    return values;
  }
}
