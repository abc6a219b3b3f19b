package dev.staunch.torchscript.lower;

import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Block;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A block being built: the operations so far and what each name means at this point. */
final class Scope {
  final Map<String, Value> names;

  /** Names that stand for a function or class of the archive, by its full name. */
  final Map<String, String> aliases = new LinkedHashMap<>();

  /** Functions defined inside this one, by name. */
  final Map<String, Definition.FunctionDef> closures = new LinkedHashMap<>();

  private final List<Operation> operations;

  Scope(Map<String, Value> names) {
    this(names, new ArrayList<>());
  }

  private Scope(Map<String, Value> names, List<Operation> operations) {
    this.names = new LinkedHashMap<>(names);
    this.operations = operations;
  }

  /** A block inside this one; it sees these names, and its assignments stay its own. */
  Scope inner() {
    return withNames(new Scope(names));
  }

  /** The same block, where further assignments stay apart: the body of a function set in here. */
  Scope inlined() {
    return withNames(new Scope(names, operations));
  }

  private Scope withNames(Scope inner) {
    inner.aliases.putAll(aliases);
    inner.closures.putAll(closures);
    return inner;
  }

  Block toBlock(List<Value> parameters, List<Value> results) {
    return new Block(parameters, operations, results);
  }

  void add(Operation operation) {
    operations.add(operation);
  }

  List<Value> emit(
      String operation,
      List<Value> operands,
      List<Type> resultTypes,
      Map<String, Object> attributes,
      List<Block> blocks,
      @Nullable SourceLocation source) {
    List<Value> results = new ArrayList<>();
    String hint = operation.substring(operation.indexOf("::") + 2).replaceFirst("\\..*", "");
    resultTypes.forEach(type -> results.add(new Value(hint, type)));
    add(new Operation(operation, operands, results, attributes, blocks, source));
    return results;
  }

  Value emit(
      Structure structure,
      List<Value> operands,
      Type type,
      Map<String, Object> attributes,
      @Nullable SourceLocation source) {
    return emit(structure.word(), operands, List.of(type), attributes, List.of(), source).get(0);
  }

  Value constant(Object value, Type type) {
    return emit(Structure.CONSTANT, List.of(), type, Map.of("value", value), null);
  }
}
