package dev.staunch.execute;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.ir.Attribute;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.ProgramText;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Chain;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.type.Type;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the operations of a program in MLIR text against a catalog. Parameters after {@code *} are
 * attributes. Every operation takes one chain more than its schema says, for ordering.
 */
public final class CatalogContract implements Verifier.Contract, ProgramText.Operations {
  private static final Type CHAIN = new Type.Named(Chain.TYPE);
  private final Catalog catalog;

  public CatalogContract(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public @Nullable OperationDefinition find(String name) {
    CatalogEntry entry = catalog.find(name);
    return entry == null ? null : entry.definition();
  }

  private static List<Type> results(Schema schema) {
    return schema.results().stream().map(Schema.Result::type).toList();
  }

  @Override
  public @Nullable Fault check(Operation operation) {
    Operator.Entry entry = (Operator.Entry) operation.operator();
    Schema schema = entry.definition().schema();
    Map<String, Attribute> attributes = entry.attributes();
    List<Type> operands = types(operation.operands());
    if (!fits(schema, operands, attributes)) {
      return wrong("%s takes %s, got %s", operation, wanted(schema), given(operands, attributes));
    }
    List<Type> results = types(operation.results());
    return results(schema).equals(results)
        ? null
        : wrong(
            "%s gives %s, not %s",
            operation, Message.listed(results(schema)), Message.listed(results));
  }

  private static Fault wrong(String text, Operation operation, String wanted, String given) {
    return Fault.of(FaultType.DATA_FORMAT, Message.of(text, operation.name(), wanted, given));
  }

  private static boolean fits(
      Schema schema, List<Type> operands, Map<String, Attribute> attributes) {
    List<Type> wanted =
        schema.parameters().stream()
            .filter(parameter -> !parameter.keywordOnly())
            .map(Schema.Parameter::type)
            .toList();
    int extra = operands.size() - wanted.size();
    boolean chained = extra == 1 && operands.getLast().equals(CHAIN);
    boolean positional =
        schema.variadic()
            || (extra >= 0
                && (extra == 0 || chained)
                && operands.subList(0, wanted.size()).equals(wanted));
    List<Schema.Parameter> named =
        schema.parameters().stream().filter(Schema.Parameter::keywordOnly).toList();
    return positional
        && named.size() == attributes.size()
        && named.stream()
            .allMatch(parameter -> {
              Attribute attribute = attributes.get(parameter.name());
              return attribute != null && attribute.type().equals(parameter.type());
            });
  }

  private static String wanted(Schema schema) {
    return schema.parameters().stream()
        .map(each -> each.keywordOnly() ? named(each.name(), each.type()) : each.type().toString())
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String given(List<Type> operands, Map<String, Attribute> attributes) {
    return Stream.concat(
            operands.stream().map(Type::toString),
            attributes.entrySet().stream()
                .map(each -> named(each.getKey(), each.getValue().type())))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String named(String name, Type type) {
    return "{" + name + ": " + type + "}";
  }

  private static List<Type> types(List<Value> values) {
    return values.stream().map(Value::type).toList();
  }
}
