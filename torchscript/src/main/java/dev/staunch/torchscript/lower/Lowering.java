package dev.staunch.torchscript.lower;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.operation.Schema;
import dev.staunch.torchscript.schema.LibraryFunctions;
import dev.staunch.torchscript.schema.OperatorTable;
import dev.staunch.torchscript.schema.OverloadResolver;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.type.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the code of an archive to the IR: functions are lowered as they are first called, each
 * once. Every call of an operator is resolved to one overload, every name to one value.
 */
public final class Lowering {
  private static final int MAX_INLINED = 50_000;

  /** Of values, to blocks of all functions; real programs hand on some hundreds. */
  private static final int MAX_HANDED = 1 << 21;

  final ArchiveCode code;
  final OperatorTable table;
  private final Catalog catalog;
  final TypeRelations relations;
  final OverloadResolver resolver;
  final List<Object> constants;
  final List<Type> constantTypes;

  /** Operators that the catalog has not, by qualified name. */
  private final Map<String, OperationDefinition> schemaOnly = new HashMap<>();

  private final Map<String, Function> done = new LinkedHashMap<>();
  private final Deque<Request> waiting = new ArrayDeque<>();
  private final Map<String, Request> asked = new HashMap<>();
  private final MissingFunctions missing = new MissingFunctions();

  /** Attributes that hold what cannot be loaded, by class and name with a dot between. */
  private final Map<String, Fault> unloaded;

  private final Map<Value, Autocast.Setting> autocasts = new IdentityHashMap<>();
  private ArchiveCode.@Nullable Unit library;
  private int inlined;
  private long handed;

  private record Request(
      String name,
      ArchiveCode.Unit unit,
      Definition.FunctionDef function,
      String owner,
      @Nullable Autocast autocast) {}

  /**
   * @param catalog what is known of operators besides their schemas
   * @param constants run-time values of the archive's {@code CONSTANTS}, with their types
   * @param unloaded attributes that hold what cannot be loaded, as {@code CLASS.ATTRIBUTE}, and
   *     why: a function that asks for one cannot be lowered
   * @param version the archive's format version, which decides what old operators mean
   */
  public Lowering(
      ArchiveCode code,
      OperatorTable table,
      Catalog catalog,
      List<Object> constants,
      List<Type> constantTypes,
      Map<String, Fault> unloaded,
      int version) {
    this.code = code;
    this.table = table;
    this.catalog = catalog;
    this.relations = new TypeRelations(code::isInterface);
    this.resolver = new OverloadResolver(table, relations, LibraryFunctions.forVersion(version));
    this.constants = List.copyOf(constants);
    this.constantTypes = List.copyOf(constantTypes);
    this.unloaded = Map.copyOf(unloaded);
  }

  /** The operator of that qualified name, which there is. */
  Operator.Entry operator(String name) {
    CatalogEntry entry = catalog.find(name);
    OperationDefinition definition =
        entry == null ? schemaOnly.computeIfAbsent(name, this::schemaOnly) : entry.definition();
    return new Operator.Entry(definition);
  }

  /** Those of libtorch, and those that no archive can ask for: only lowering makes them. */
  private OperationDefinition schemaOnly(String name) {
    Schema schema = table.find(name);
    return schema == null
        ? Objects.requireNonNull(StandardOperations.catalog().find(name), name).definition()
        : new OperationDefinition(schema);
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
      request(name + "." + method.name(), found.unit(), method, name, null);
    }
  }

  /** The functions of the program that stand for others which cannot run. */
  public MissingFunctions missing() {
    return missing;
  }

  /** Why the attribute could not be loaded; null if it could. */
  @Nullable Fault unloaded(String className, String attribute) {
    return unloaded.isEmpty() ? null : unloaded.get(className + "." + attribute);
  }

  /**
   * The program, each function of which is checked by {@code contract}: one that violates it is
   * missing, too, as are those that surely call a missing one.
   */
  public Program verified(Verifier.Contract contract) {
    Program program = new Program(done.values());
    for (Function function : program.functions()) {
      Fault fault =
          missing.faults().containsKey(function.name())
              ? null
              : Verifier.verify(function, program, contract);
      if (fault != null) {
        missing.add(function.name(), fault);
        Request request = Objects.requireNonNull(asked.get(function.name()));
        done.put(function.name(), standIn(request, fault));
      }
    }
    Program verified = new Program(done.values());
    missing.spread(verified);
    return verified;
  }

  /**
   * Asks for a function to be lowered, unless it was, for calls where {@code autocast} holds; gives
   * the name that it has then.
   */
  String request(
      String name,
      ArchiveCode.Unit unit,
      Definition.FunctionDef function,
      String owner,
      @Nullable Autocast autocast) {
    String full = autocast == null ? name : name + autocast.suffix();
    Request request = new Request(full, unit, function, owner, autocast);
    if (asked.putIfAbsent(full, request) == null) {
      waiting.add(request);
    }
    return full;
  }

  /** Notes what a scope of {@code torch.autocast} was made with. */
  void noteAutocast(Value object, Autocast.@Nullable Setting setting) {
    if (setting != null) {
      autocasts.put(object, setting);
    }
  }

  Autocast.@Nullable Setting autocastOf(Value object) {
    return autocasts.get(object);
  }

  /** Nested functions are copied to where they are called; their number has a bound. */
  void countInlined(ArchiveCode.Unit unit, Definition.FunctionDef function) {
    inlined += 1 + function.body().size();
    if (inlined > MAX_INLINED) {
      throw unit.fault(function.position(), "nested functions are called too often");
    }
  }

  /** What blocks use from around them goes through each on the way; together that has a bound. */
  void countHanded(int values, ArchiveCode.Unit unit, Definition.FunctionDef function) {
    handed += values;
    if (handed > MAX_HANDED) {
      String text = "the blocks of the code use more than %d values from around them";
      throw unit.fault(function.position(), Message.of(text, MAX_HANDED));
    }
  }

  /** Asks for a function of the module's own library; gives its name in the program. */
  String requestLibrary(String function, @Nullable Autocast autocast) {
    ArchiveCode.Unit unit = library;
    if (unit == null) {
      unit = ArchiveCode.Unit.of("staunch/library.py", LibraryFunctions.source());
      library = unit;
    }
    String name = "staunch.library." + function;
    if (!(unit.definitions.get(function) instanceof Definition.FunctionDef definition)) {
      throw new IllegalStateException("the library lacks its function " + function);
    }
    return request(name, unit, definition, "", autocast);
  }

  private void drain() {
    while (!waiting.isEmpty()) {
      Request next = waiting.remove();
      done.put(next.name(), lowered(next));
    }
  }

  private Function lowered(Request request) {
    try {
      return new FunctionLowering(this, request.unit(), request.owner())
          .lower(request.name(), request.function(), request.autocast());
    } catch (StaunchException e) {
      missing.add(request.name(), e.fault());
      return standIn(request, e.fault());
    }
  }

  private Function standIn(Request request, Fault fault) {
    Operator fails = operator(MissingFunctions.STAND_IN);
    return MissingFunctions.standIn(request.name(), request.function(), fails, fault);
  }
}
