package dev.staunch.torchscript.lower;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.torchscript.schema.LibraryFunctions;
import dev.staunch.torchscript.schema.OperatorTable;
import dev.staunch.torchscript.schema.OverloadResolver;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the code of an archive to the IR: functions are lowered as they are first called, each
 * once. Every call of an operator is resolved to one overload, every name to one value.
 */
public final class Lowering {
  private static final int MAX_INLINED = 50_000;

  final ArchiveCode code;
  final OperatorTable table;
  final TypeRelations relations;
  final OverloadResolver resolver;
  final List<Object> constants;
  final List<Type> constantTypes;
  private final Map<String, Function> done = new LinkedHashMap<>();
  private final Deque<Request> waiting = new ArrayDeque<>();
  private final Set<String> requested = new HashSet<>();
  private ArchiveCode.@Nullable Unit library;
  private int inlined;

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
    this.resolver = new OverloadResolver(table, relations, LibraryFunctions.forVersion(version));
    this.constants = List.copyOf(constants);
    this.constantTypes = List.copyOf(constantTypes);
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
    requestMethods(name, found);
    drain();
  }

  /** Asks for all methods of a class: a call through an interface may reach any. */
  void requestMethods(String name, ArchiveCode.Found found) {
    for (Definition.FunctionDef method : found.type().methods()) {
      request(name + "." + method.name(), found.unit(), method, name);
    }
  }

  public Program program() {
    return new Program(done.values());
  }

  /** Asks for a function to be lowered, unless it was. */
  void request(String name, ArchiveCode.Unit unit, Definition.FunctionDef function, String owner) {
    if (requested.add(name)) {
      waiting.add(new Request(name, unit, function, owner));
    }
  }

  /** Nested functions are copied to where they are called; their number has a bound. */
  void countInlined(ArchiveCode.Unit unit, Definition.FunctionDef function) {
    inlined += 1 + function.body().size();
    if (inlined > MAX_INLINED) {
      throw unit.fault(function.position(), "nested functions are called too often");
    }
  }

  /** Asks for a function of the module's own library; gives its name in the program. */
  String requestLibrary(String function) {
    ArchiveCode.Unit unit = library;
    if (unit == null) {
      unit = ArchiveCode.Unit.of("staunch/library.py", LibraryFunctions.source());
      library = unit;
    }
    String name = "staunch.library." + function;
    if (!(unit.definitions.get(function) instanceof Definition.FunctionDef definition)) {
      throw new IllegalStateException("the library lacks its function " + function);
    }
    request(name, unit, definition, "");
    return name;
  }

  private void drain() {
    while (!waiting.isEmpty()) {
      Request next = waiting.remove();
      FunctionLowering lowering = new FunctionLowering(this, next.unit(), next.owner());
      done.put(next.name(), lowering.lower(next.name(), next.function()));
    }
  }
}
