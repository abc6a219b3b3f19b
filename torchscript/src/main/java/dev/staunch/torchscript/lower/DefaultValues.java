package dev.staunch.torchscript.lower;

import dev.staunch.kernel.TupleValue;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The default values of a method's parameters. */
public final class DefaultValues {
  private final ArchiveCode code;
  private final List<Object> constants;

  /**
   * @param constants run-time values of the archive's {@code CONSTANTS}
   */
  public DefaultValues(ArchiveCode code, List<Object> constants) {
    this.code = code;
    this.constants = constants;
  }

  /** One value for each parameter, including the module; null where a value is required. */
  public List<@Nullable Object> of(String className, String method) {
    List<@Nullable Object> values = new ArrayList<>();
    ArchiveCode.Found found = code.findClass(className);
    Definition.FunctionDef function = found == null ? null : found.method(method);
    if (function != null) {
      for (Definition.ParameterDef parameter : function.parameters()) {
        Expression value = parameter.defaultValue();
        values.add(value == null ? null : value(value));
      }
    }
    return values;
  }

  private @Nullable Object value(Expression expression) {
    if (expression instanceof Expression.Attribute attribute) {
      return named(attribute.chain());
    }
    if (expression instanceof Expression.TupleLiteral tuple) {
      return tuple(tuple.elements());
    }
    return expression instanceof Expression.Call call && isNamedTuple(call.callee())
        ? tuple(call.arguments())
        : Constants.literal(expression);
  }

  private @Nullable Object named(@Nullable String chain) {
    if (chain == null) {
      return null;
    }
    int place = Constants.place(chain);
    if (place >= 0) {
      return place < constants.size() ? constants.get(place) : null;
    }
    return EnumMembers.named(code, chain);
  }

  private boolean isNamedTuple(Expression callee) {
    String chain = callee.chain();
    ArchiveCode.Found found = chain == null ? null : code.findClass(chain);
    return found != null && found.type().kind() == Definition.Kind.NAMED_TUPLE;
  }

  private @Nullable Object tuple(List<Expression> elements) {
    List<Object> values = new ArrayList<>();
    for (Expression element : elements) {
      Object value = value(element);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return new TupleValue(values);
  }
}
