package dev.staunch.torchscript;

import dev.staunch.engine.CancelScope;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.TupleValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.OperationDefinition;
import dev.staunch.torchscript.archive.Archive;
import dev.staunch.torchscript.archive.FileWatch;
import dev.staunch.torchscript.archive.Limits;
import dev.staunch.torchscript.lower.MissingFunctions;
import dev.staunch.torchscript.source.SourceFile;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A loaded and verified TorchScript archive: its module objects with their tensors, and its code as
 * a program of the IR. None of its code has run. Immutable except for the module's own state, which
 * methods may change.
 *
 * <p>The tensors belong to the {@link ResourceScope} passed at loading.
 */
public final class TorchScriptModule {
  /** The module that was saved. */
  private final ObjectValue root;

  private final Program program;
  private final Map<String, Method> methods;
  private final Map<String, Fault> missing;
  private final Map<String, Map<String, Type>> namedTuples;
  private final List<TensorInfo> tensors;
  private final List<TensorInfo> constants;
  private final List<Object> constantValues;
  private final List<SourceFile> sources;
  private final Hooks hooks;

  private final @Nullable FileWatch watch;

  /**
   * Methods of the module that run before and after its {@code forward}, in order. PyTorch runs the
   * hooks of a submodule where its {@code forward} is called, and the archive's code contains those
   * calls explicitly.
   *
   * @param before take the module and a tuple of the arguments; what they return, a tuple or a
   *     single value, replaces the arguments unless it is None
   * @param after take the module, that tuple and the result; what they return replaces the result
   *     unless it is None
   */
  public record Hooks(List<String> before, List<String> after) {
    /** For methods without hooks. */
    public static final Hooks NONE = new Hooks(List.of(), List.of());

    public Hooks {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }

  /** A method of the module's class; the parameters exclude the module itself. */
  public record Method(String name, List<Parameter> parameters, Type result) {
    public Method {
      parameters = List.copyOf(parameters);
    }

    /** The form in which TorchScript writes it: {@code forward(x: Tensor, k: int=2) -> Tensor}. */
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(name).append('(');
      for (Parameter parameter : parameters) {
        text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ").append(parameter);
      }
      return text.append(") -> ").append(result).toString();
    }
  }

  /**
   * @param defaultValue a run-time value, or null if the parameter is required
   */
  public record Parameter(String name, Type type, @Nullable Object defaultValue) {
    @Override
    public String toString() {
      return name + ": " + type + (defaultValue == null ? "" : "=" + literal(defaultValue));
    }

    private static String literal(Object value) {
      return switch (value) {
        case String text -> quoted(text);
        case Boolean flag -> flag ? "True" : "False";
        case TupleValue tuple ->
            tuple.elements().stream()
                .map(Parameter::literal)
                .collect(Collectors.joining(", ", "(", ")"));
        default -> value.toString();
      };
    }

    private static String quoted(String text) {
      String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
      return '"' + escaped + '"';
    }
  }

  /** A parameter, buffer or other tensor of the module, with its dotted name. */
  public record TensorInfo(String name, DType dtype, Shape shape, long bytes) {}

  /**
   * An operator that the code uses.
   *
   * @param count how often it occurs in the code
   * @param first where it occurs first, if known
   */
  public record OperationUse(
      String name, int count, boolean hasKernel, @Nullable SourceLocation first) {}

  TorchScriptModule(
      ObjectValue root,
      Program program,
      Map<String, Method> methods,
      Map<String, Fault> missing,
      Map<String, Map<String, Type>> namedTuples,
      List<TensorInfo> tensors,
      List<TensorInfo> constants,
      List<Object> constantValues,
      List<SourceFile> sources,
      Hooks hooks,
      @Nullable FileWatch watch) {
    this.root = root;
    this.program = program;
    this.methods = Collections.unmodifiableMap(new LinkedHashMap<>(methods));
    this.missing = Collections.unmodifiableMap(new LinkedHashMap<>(missing));
    this.namedTuples = Collections.unmodifiableMap(namedTuples);
    this.tensors = List.copyOf(tensors);
    this.constants = List.copyOf(constants);
    this.constantValues = List.copyOf(constantValues);
    this.sources = sources;
    this.hooks = hooks;
    this.watch = watch;
  }

  /**
   * Loads the archive in {@code file}; its tensors are copied to {@code scope}.
   *
   * @throws StaunchException a typed fault that names the file, the record or the source line at
   *     fault; also of type data format if the file changes meanwhile
   */
  public static TorchScriptModule load(Path file, ResourceScope scope) {
    return load(file, scope, null, LoadOptions.standard());
  }

  /**
   * Like {@link #load(Path, ResourceScope)}, for archives whose objects may restore themselves with
   * {@code __setstate__}; without {@code restorer}, such an archive is unsupported.
   */
  public static TorchScriptModule load(Path file, ResourceScope scope, StateRestorer restorer) {
    return load(file, scope, restorer, LoadOptions.standard());
  }

  /** Like {@link #load(Path, ResourceScope, StateRestorer)}, with options. */
  public static TorchScriptModule load(
      Path file, ResourceScope scope, @Nullable StateRestorer restorer, LoadOptions options) {
    CancelScope cancel = options.cancel() == null ? CancelScope.open() : options.cancel();
    return load(Archive.open(file, Limits.standard(), cancel), scope, restorer, options);
  }

  /**
   * Like {@link #load(Path, ResourceScope)}, from memory; {@code name} stands in for the file name.
   */
  public static TorchScriptModule load(String name, byte[] archive, ResourceScope scope) {
    return load(name, archive, scope, null, LoadOptions.standard());
  }

  /** Like {@link #load(Path, ResourceScope, StateRestorer)}, from memory. */
  public static TorchScriptModule load(
      String name, byte[] archive, ResourceScope scope, StateRestorer restorer) {
    return load(name, archive, scope, restorer, LoadOptions.standard());
  }

  /** Like {@link #load(Path, ResourceScope, StateRestorer, LoadOptions)}, from memory. */
  public static TorchScriptModule load(
      String name,
      byte[] archive,
      ResourceScope scope,
      @Nullable StateRestorer restorer,
      LoadOptions options) {
    return load(Archive.of(name, archive, Limits.standard()), scope, restorer, options);
  }

  private static TorchScriptModule load(
      Archive archive, ResourceScope scope, @Nullable StateRestorer restorer, LoadOptions options) {
    try (archive) {
      return new ModuleLoader(archive, scope, restorer, options).load();
    }
  }

  /**
   * Returns a fault, from then on permanently, if the file that holds the weights was changed in
   * place; otherwise null. Looks at the file at most once a second; other calls only read the
   * clock, or do nothing if the weights are copies.
   */
  public @Nullable Fault fileChange() {
    return watch == null ? null : watch.check();
  }

  /**
   * Makes the next {@link #fileChange} look at the file: data that was read looked like a change.
   */
  public void suspectFile() {
    if (watch != null) {
      watch.suspect();
    }
  }

  /** The module that was saved. */
  public ObjectValue root() {
    return root;
  }

  /** All functions and methods that the module may reach. */
  public Program program() {
    return program;
  }

  /** The methods of the module's class that can be called, in the order of its source. */
  public List<Method> methods() {
    return List.copyOf(methods.values());
  }

  /**
   * The methods of the module's class that cannot be called, and why: every path through them
   * reaches something that is not supported or is not TorchScript. Never all of its methods.
   */
  public Map<String, Fault> missingMethods() {
    return missing;
  }

  /**
   * @throws StaunchException the reason if the method cannot be called; of type value, listing the
   *     known methods, if there is none with that name
   */
  public Method method(String name) {
    Fault why = missing.get(name);
    if (why != null) {
      throw why.toException();
    }
    Method method = methods.get(name);
    if (method == null) {
      String text = "the model has no method %s; it has %s";
      throw Fault.of(FaultType.VALUE, Message.of(text, name, String.join(", ", methods.keySet())))
          .toException();
    }
    return method;
  }

  /**
   * Returns what {@code method} may reach that does not run: code without a kernel, or without one
   * for the dtype that follows from weights and casts, or code that could not be lowered. What it
   * is certain to reach comes first. If the list is empty, the method runs, unless its arguments
   * have dtypes without a kernel.
   *
   * @throws StaunchException as {@link #method} does
   */
  public List<Gap> gaps(String method, Catalog catalog) {
    return new GapSearch(program, catalog).of(functionName(method), root);
  }

  /**
   * The name in the program of a method of the module; the method's first parameter is the module.
   */
  public String functionName(String method) {
    return root.layout().name() + "." + method(method).name();
  }

  /** The fields, in order, of the named tuples that methods accept and return, by class name. */
  public Map<String, Map<String, Type>> namedTuples() {
    return namedTuples;
  }

  /** The hooks of {@code method}. */
  public Hooks hooks(String method) {
    return method.equals("forward") ? hooks : Hooks.NONE;
  }

  public List<TensorInfo> tensors() {
    return tensors;
  }

  /** The tensors among the constants of the code: the weights of a frozen model. */
  public List<TensorInfo> constants() {
    return constants;
  }

  /** The run-time values of the code's constants, which all requests share. */
  public List<Object> constantValues() {
    return constantValues;
  }

  /** The code records that were read, by name. */
  public Map<String, String> sources() {
    Map<String, String> texts = new LinkedHashMap<>();
    sources.forEach(file -> texts.put(file.name(), file.text()));
    return texts;
  }

  /**
   * The parts in training mode, by their dotted names, with {@code the whole model} for the root,
   * if that affects the answers: their code reads the mode, draws random numbers or updates
   * statistics. Empty otherwise, and for a model that was saved after {@code eval()}.
   */
  public List<String> trainingParts(Catalog catalog) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    return isTraining(root, seen) ? TrainingParts.of(root, program, catalog) : List.of();
  }

  /** Whether an object or a part of it is in training mode, whether or not that matters. */
  private static boolean isTraining(ObjectValue object, Set<Object> seen) {
    List<String> slots = object.layout().slots();
    for (int i = 0; i < slots.size(); i++) {
      Object value = object.get(i);
      boolean training =
          value instanceof ObjectValue part
              ? seen.add(part) && isTraining(part, seen)
              : Boolean.TRUE.equals(value) && slots.get(i).equals("training");
      if (training) {
        return true;
      }
    }
    return false;
  }

  /** The operators that the code uses, by name. */
  public List<OperationUse> operations(Catalog catalog) {
    Map<String, OperationUse> uses = new TreeMap<>();
    for (Operation operation : program.operations()) {
      if (operation.operator() instanceof Operator.Entry entry
          && !MissingFunctions.isStandIn(operation)) {
        CatalogEntry known = catalog.find(entry.name());
        boolean kernel = known != null && known.kernel() != null;
        uses.merge(
            entry.name(),
            new OperationUse(entry.name(), 1, kernel, operation.source()),
            (old, one) -> new OperationUse(old.name(), old.count() + 1, kernel, old.first()));
      }
    }
    return new ArrayList<>(uses.values());
  }

  /** The names of the operators that the code uses and {@code catalog} has no kernel for. */
  public List<String> missingKernels(Catalog catalog) {
    Set<OperationDefinition> asked = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<String> missing = new TreeSet<>();
    for (Operation operation : program.operations()) {
      if (operation.operator() instanceof Operator.Entry entry && asked.add(entry.definition())) {
        CatalogEntry known = catalog.find(entry.name());
        boolean hasKernel = known != null && known.kernel() != null;
        if (!hasKernel && !MissingFunctions.isStandIn(operation)) {
          missing.add(entry.name());
        }
      }
    }
    return new ArrayList<>(missing);
  }

  /** {@code __torch__.Ranker with forward(x: Tensor) -> Tensor}. */
  @Override
  public String toString() {
    String all = methods().stream().map(Method::toString).collect(Collectors.joining(", "));
    return root.layout().name() + (all.isEmpty() ? " without methods" : " with " + all);
  }
}
