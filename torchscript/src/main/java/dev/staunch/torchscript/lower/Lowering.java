package dev.staunch.torchscript.lower;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.torchscript.schema.OperatorTable;
import dev.staunch.torchscript.schema.OverloadResolver;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lowers the code of an archive to the IR: functions are lowered as they are first called, each
 * once. Every call of an operator is resolved to one overload, every name to one value.
 */
public final class Lowering {
  final ArchiveCode code;
  final OperatorTable table;
  final TypeRelations relations;
  final OverloadResolver resolver;
  final List<Object> constants;
  final List<Type> constantTypes;
  final int version;
  private final Map<String, Function> done = new LinkedHashMap<>();
  private final Deque<Request> waiting = new ArrayDeque<>();

  private record Request(
      String name, ArchiveCode.Unit unit, Definition.FunctionDef function, String owner) {}

  /**
   * @param constants run-time values of the archive's {@code CONSTANTS}, with their types
   * @param version the archive's format version, which decides what old operators mean
   */
  public Lowering(
      ArchiveCode code,
      OperatorTable table,
      List<Object> constants,
      List<Type> constantTypes,
      int version) {
    this.code = code;
    this.table = table;
    this.relations = new TypeRelations(code::isInterface);
    this.resolver = new OverloadResolver(table, relations);
    this.constants = List.copyOf(constants);
    this.constantTypes = List.copyOf(constantTypes);
    this.version = version;
  }

  /** Lowers all methods of the class called {@code name}, and whatever they call. */
  public void lowerClass(String name) {
    ArchiveCode.Found found = code.findClass(name);
    if (found == null) {
      throw Fault.of(FaultType.DATA_FORMAT, "the archive's code has no class " + name)
          .withInput(
              "code/"
                  + name.substring(0, Math.max(0, name.lastIndexOf('.'))).replace('.', '/')
                  + ".py")
          .toException();
    }
    Definition.Kind kind = found.type().kind();
    if (kind == Definition.Kind.INTERFACE || kind == Definition.Kind.MODULE_INTERFACE) {
      return;
    }
    for (Definition.FunctionDef method : found.type().methods()) {
      request(name + "." + method.name(), found.unit(), method, name);
    }
    drain();
  }

  public Program program() {
    return new Program(done.values());
  }

  /** Asks for a function to be lowered, unless it was. */
  void request(String name, ArchiveCode.Unit unit, Definition.FunctionDef function, String owner) {
    if (!done.containsKey(name) && waiting.stream().noneMatch(r -> r.name().equals(name))) {
      waiting.add(new Request(name, unit, function, owner));
    }
  }

  private void drain() {
    while (!waiting.isEmpty()) {
      Request next = waiting.remove();
      if (!done.containsKey(next.name())) {
        FunctionLowering lowering = new FunctionLowering(this, next.unit(), next.owner());
        done.put(next.name(), lowering.lower(next.name(), next.function()));
      }
    }
  }
}
