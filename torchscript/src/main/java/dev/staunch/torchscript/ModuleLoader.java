package dev.staunch.torchscript;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.torchscript.archive.Archive;
import dev.staunch.torchscript.archive.FileWatch;
import dev.staunch.torchscript.lower.ArchiveCode;
import dev.staunch.torchscript.lower.DefaultValues;
import dev.staunch.torchscript.lower.Lowering;
import dev.staunch.torchscript.lower.SchemaContract;
import dev.staunch.torchscript.pickle.Pickled;
import dev.staunch.torchscript.pickle.Unpickler;
import dev.staunch.torchscript.schema.OperatorTable;
import dev.staunch.torchscript.schema.TypeRelations;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns an archive into a module: pickles, objects, code, verification. Used once. */
final class ModuleLoader {
  private final Archive archive;
  private final ResourceScope scope;
  private final @Nullable StateRestorer restorer;
  private final LoadOptions options;

  ModuleLoader(
      Archive archive, ResourceScope scope, @Nullable StateRestorer restorer, LoadOptions options) {
    this.archive = archive;
    this.scope = scope;
    this.restorer = restorer;
    this.options = options;
  }

  TorchScriptModule load() {
    try (TensorLoader constants = tensors("constants/");
        TensorLoader attributes = tensors("data/")) {
      return load(constants, attributes);
    }
  }

  private TensorLoader tensors(String folder) {
    return new TensorLoader(archive, folder, scope, options.weights());
  }

  private TorchScriptModule load(TensorLoader constantTensors, TensorLoader attributeTensors) {
    refuseExported();
    int version = archive.version();
    refuseWeightsAlone();
    ArchiveCode code = new ArchiveCode(archive, options.classes());
    ObjectLoader constants = new ObjectLoader(constantTensors, code, scope);
    List<Object> values = constants.constants(unpickle("constants.pkl"));
    ObjectLoader objects = new ObjectLoader(attributeTensors, code, scope);
    ObjectValue root = objects.root(unpickle("data.pkl"));
    OperatorTable table = OperatorTable.standard().with(options.catalog());
    List<Type> types = new ArrayList<>();
    for (Object value : values) {
      types.add(ValueTypes.of(value));
    }
    Lowering lowering =
        new Lowering(code, table, options.catalog(), values, types, objects.unloaded(), version);
    for (String name : constants.classes()) {
      lowering.lowerClass(name);
    }
    for (String name : objects.classes()) {
      lowering.lowerClass(name);
    }
    Program program = lowering.verified(new SchemaContract(new TypeRelations(code::isInterface)));
    Map<String, Fault> missing = missing(lowering, root, program);
    FileWatch watch = archive.watch();
    refuseChanged(watch);
    List<Object> kept = List.of(root, values);
    constants.restore(program, restorer, kept);
    objects.restore(program, restorer, kept);
    Map<String, TorchScriptModule.Method> methods =
        methods(program, root, new DefaultValues(code, values), missing);
    return new TorchScriptModule(
        root,
        program,
        methods,
        missing,
        NamedTuples.of(types(methods.values()), code),
        objects.tensors(),
        constants.tensors(),
        values,
        code.files(),
        hooks(program, root.layout().name(), code),
        options.weights() == LoadOptions.Weights.MAPPED ? watch : null);
  }

  /** What methods take and return. */
  private static List<Type> types(Collection<TorchScriptModule.Method> methods) {
    List<Type> types = new ArrayList<>();
    for (TorchScriptModule.Method method : methods) {
      for (TorchScriptModule.Parameter parameter : method.parameters()) {
        types.add(parameter.type());
      }
      types.add(method.result());
    }
    return types;
  }

  /**
   * Fails if the file changed: each record was checked, but two records could be from two versions.
   */
  private static void refuseChanged(@Nullable FileWatch watch) {
    Fault changed = watch == null ? null : watch.look();
    if (changed != null) {
      throw changed.toException();
    }
  }

  /**
   * {@code torch.export} writes archives in the same container, with a different kind of program.
   */
  private void refuseExported() {
    boolean exported = false;
    for (String record : archive.records()) {
      exported |=
          record.equals("serialized_exported_program.json")
              || record.equals("archive_format")
              || (record.startsWith("models/") && record.endsWith(".json"));
    }
    if (exported) {
      String message =
          "%s is a .pt2 archive of torch.export, which is not supported; save the model by"
              + " torch.jit.script(model).save(file)";
      throw Fault.unsupported(Message.of(message, archive.name()))
          .withInput(archive.name())
          .toException();
    }
  }

  /** {@code torch.save} writes archives in the same container, without a program. */
  private void refuseWeightsAlone() {
    if (!archive.has("constants.pkl")
        && archive.records().stream().noneMatch(record -> record.startsWith("code/"))) {
      String message =
          "%s holds values but no code: it is what torch.save writes; save the model by"
              + " torch.jit.script(model.eval()).save(file)";
      throw Fault.data(archive.name(), Message.of(message, archive.name())).toException();
    }
  }

  private Pickled unpickle(String record) {
    return Unpickler.read(record, archive.text(record));
  }

  /**
   * The module's methods that cannot run, and why.
   *
   * @throws StaunchException the fault of the first method if no method can run
   */
  private static Map<String, Fault> missing(Lowering lowering, ObjectValue root, Program program) {
    Map<String, Fault> faults = lowering.missing().faults();
    Map<String, Fault> missing = new LinkedHashMap<>();
    List<String> methods = methodNames(program, root);
    for (String name : methods) {
      Fault fault = faults.get(root.layout().name() + "." + name);
      if (fault != null) {
        missing.put(name, fault);
      }
    }
    if (missing.size() == methods.size() && !faults.isEmpty()) {
      Fault first = missing.getOrDefault("forward", faults.values().iterator().next());
      throw first.toException();
    }
    return missing;
  }

  private static List<String> methodNames(Program program, ObjectValue root) {
    String prefix = root.layout().name() + ".";
    List<String> names = new ArrayList<>();
    for (Function function : program.functions()) {
      String name = function.name();
      if (name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0) {
        names.add(name.substring(prefix.length()));
      }
    }
    return names;
  }

  private static Map<String, TorchScriptModule.Method> methods(
      Program program, ObjectValue root, DefaultValues defaults, Map<String, Fault> missing) {
    String type = root.layout().name();
    Map<String, TorchScriptModule.Method> methods = new LinkedHashMap<>();
    for (String name : methodNames(program, root)) {
      if (!missing.containsKey(name)) {
        Function function = Objects.requireNonNull(program.find(type + "." + name));
        methods.put(name, method(name, function, defaults.of(type, name)));
      }
    }
    return methods;
  }

  private static TorchScriptModule.Method method(
      String name, Function function, List<@Nullable Object> defaults) {
    List<TorchScriptModule.Parameter> parameters = new ArrayList<>();
    for (int i = 1; i < function.parameters().size(); i++) {
      parameters.add(
          new TorchScriptModule.Parameter(
              function.parameters().get(i).name(),
              function.parameters().get(i).type(),
              i < defaults.size() ? defaults.get(i) : null));
    }
    return new TorchScriptModule.Method(name, parameters, function.resultTypes().get(0));
  }

  private static TorchScriptModule.Hooks hooks(
      Program program, String className, ArchiveCode code) {
    return new TorchScriptModule.Hooks(
        known(program, className, code.listed(className, "__forward_pre_hooks__")),
        known(program, className, code.listed(className, "__forward_hooks__")));
  }

  private static List<String> known(Program program, String className, List<String> hooks) {
    for (String hook : hooks) {
      if (program.find(className + "." + hook) == null) {
        throw Fault.data(className, Message.of("class %s has no hook %s", className, hook))
            .toException();
      }
    }
    return hooks;
  }
}
