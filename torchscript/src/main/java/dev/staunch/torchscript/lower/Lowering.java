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
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the code of an archive to the IR. Functions are lowered when they are first called, each
 * once. Every operator call is resolved to one overload, every name to one value.
 */
public final class Lowering {
  private static final int MAX_INLINED = 50_000;

  /** The most values handed on to blocks, over all functions; real programs have some hundreds. */
  private static final int MAX_HANDED = 1 << 21;

  final ArchiveCode code;
  final OperatorTable table;
  final Catalog catalog;
  final TypeRelations relations;
  private final OverloadResolver resolver;

  /**
   * For the library's own functions, which say what old operators mean in terms of today's; null
   * until one is needed.
   */
  private @Nullable OverloadResolver current;

  final List<Object> constants;
  final List<Type> constantTypes;

  /** Operators that the catalog lacks, by qualified name. */
  private final Map<String, OperationDefinition> schemaOnly = new HashMap<>();

  private final Map<String, Function> done = new LinkedHashMap<>();
  private final Deque<Request> waiting = new ArrayDeque<>();
  private final Map<String, Request> asked = new HashMap<>();
  private final MissingFunctions missing = new MissingFunctions();

  /** The numbers in constants of the archive that are tensors without dimensions. */
  final Map<Value, Object> numbers = new HashMap<>();

  /** Attributes whose values cannot be loaded, keyed as {@code CLASS.ATTRIBUTE}. */
  private final Map<String, Fault> unloaded;

  /** The functions that other code calls; the others are called from outside only. */
  private final Set<String> called = new HashSet<>();

  /** The parameters of the first class's methods, with the function of each. */
  private final Map<Value, String> parameters = new HashMap<>();

  /** Functions that give a parameter another shape. */
  private final Set<String> reshaping = new LinkedHashSet<>();

  private @Nullable String firstClass;

  private final Map<Value, Autocast.Setting> autocasts = new IdentityHashMap<>();
  private ArchiveCode.@Nullable Unit library;
  private int inlined;
  private long handed;

  private record Request(
      String name,
      ArchiveCode.Unit unit,
      Definition.FunctionDef function,
      @Nullable Autocast autocast) {}

  /**
   * @param catalog what is known of operators besides their schemas
   * @param constants run-time values of the archive's {@code CONSTANTS}, with their types
   * @param unloaded attributes whose values cannot be loaded, as {@code CLASS.ATTRIBUTE}, and why:
   *     a function that reads one cannot be lowered
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

  /** The operator with that qualified name, which must exist. */
  Operator.Entry operator(String name) {
    CatalogEntry entry = catalog.find(name);
    OperationDefinition definition =
        entry == null ? schemaOnly.computeIfAbsent(name, this::schemaOnly) : entry.definition();
    return new Operator.Entry(definition);
  }

  /** Operators of libtorch, and those that only lowering creates and no archive can name. */
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
    firstClass = firstClass == null ? name : firstClass;
    requestMethods(name, found);
    drain();
  }

  /** Requests all methods of a class, because a call through an interface may reach any of them. */
  void requestMethods(String name, ArchiveCode.Found found) {
    for (Definition.FunctionDef method : found.type().methods()) {
      request(name + "." + method.name(), found.unit(), method, null);
    }
  }

  /** The functions of the program that stand in for those that cannot run. */
  public MissingFunctions missing() {
    return missing;
  }

  /** Why the attribute could not be loaded; null if it could. */
  @Nullable Fault unloaded(String className, String attribute) {
    return unloaded.isEmpty() ? null : unloaded.get(className + "." + attribute);
  }

  /**
   * Returns the program after checking each function against {@code contract}. A function that
   * violates it becomes missing, and so do functions that are certain to call a missing one.
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
   * Requests lowering of a function for calls under {@code autocast}, unless already requested;
   * returns its name in the program.
   */
  String request(
      String name,
      ArchiveCode.Unit unit,
      Definition.FunctionDef function,
      @Nullable Autocast autocast) {
    String full = autocast == null ? name : name + autocast.suffix();
    Request request = new Request(full, unit, function, autocast);
    if (asked.putIfAbsent(full, request) == null) {
      waiting.add(request);
    }
    return full;
  }

  /** As {@link #request}, for a call of a method. */
  String requestCall(
      String name,
      ArchiveCode.Unit unit,
      Definition.FunctionDef function,
      @Nullable Autocast autocast) {
    String full = request(name, unit, function, autocast);
    called.add(full);
    return full;
  }

  void noteParameter(String function, Value parameter) {
    if (firstClass != null && function.startsWith(firstClass + ".")) {
      parameters.put(parameter, function);
    }
  }

  /**
   * Whether {@code tensor} is an argument that no other code can hold: one of a method of the model
   * that only its users call.
   */
  boolean isOnlyArgument(Value tensor) {
    String function = parameters.get(tensor);
    return function != null && !called.contains(function);
  }

  /** Notes that an argument {@code tensor} gets another shape, if it is one. */
  void noteReshaped(Value tensor) {
    String function = parameters.get(tensor);
    if (function != null) {
      reshaping.add(function);
    }
  }

  /** Records the setting of a {@code torch.autocast} scope. */
  void noteAutocast(Value object, Autocast.@Nullable Setting setting) {
    if (setting != null) {
      autocasts.put(object, setting);
    }
  }

  Autocast.@Nullable Setting autocastOf(Value object) {
    return autocasts.get(object);
  }

  /** Counts nested functions, which are copied to their call sites; their number is bounded. */
  void countInlined(ArchiveCode.Unit unit, Definition.FunctionDef function) {
    inlined += 1 + function.body().size();
    if (inlined > MAX_INLINED) {
      throw unit.fault(function.position(), "nested functions are called too often");
    }
  }

  /**
   * Counts values that blocks use from outside. Each is handed on through every block in between,
   * so their total is bounded.
   */
  void countHanded(int values, ArchiveCode.Unit unit, Definition.FunctionDef function) {
    handed += values;
    if (handed > MAX_HANDED) {
      String text = "the blocks of the code use more than %d values from around them";
      throw unit.fault(function.position(), Message.of(text, MAX_HANDED));
    }
  }

  /** What finds the operators that the code of {@code unit} calls. */
  OverloadResolver resolver(ArchiveCode.Unit unit) {
    if (unit != library) {
      return resolver;
    }
    OverloadResolver known = current;
    if (known == null) {
      known = new OverloadResolver(table, relations, LibraryFunctions.current());
      current = known;
    }
    return known;
  }

  /** Whether {@code unit} is this module's own library, whose functions call each other. */
  boolean isLibrary(ArchiveCode.Unit unit) {
    return unit == library;
  }

  /** Requests a function of this module's own library; returns its name in the program. */
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
    return request(name, unit, definition, autocast);
  }

  private void drain() {
    while (!waiting.isEmpty()) {
      Request next = waiting.remove();
      done.put(next.name(), lowered(next));
      if (waiting.isEmpty()) {
        for (String name : reshaping) {
          if (called.contains(name)) {
            waiting.add(Objects.requireNonNull(asked.get(name)));
          }
        }
        reshaping.removeAll(called);
      }
    }
  }

  private Function lowered(Request request) {
    try {
      return new FunctionLowering(this, request.unit())
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
