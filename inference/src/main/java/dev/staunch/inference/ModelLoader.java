package dev.staunch.inference;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Guard;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.ir.Program;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.torchscript.StateRestorer;
import dev.staunch.torchscript.TorchScriptModule;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes a model from an archive: reads it, restores its state, prepares its plan. */
final class ModelLoader {
  private static final Duration RESTORING = Duration.ofSeconds(30);

  /** How many submodules or operations a warning names. */
  private static final int MOST_NAMED = 3;

  private ModelLoader() {}

  /** Reads an archive and places its tensors in {@code scope}. */
  interface Reading {
    TorchScriptModule into(ResourceScope scope, StateRestorer restorer);
  }

  /**
   * @throws dev.staunch.fault.StaunchException if the archive cannot be loaded
   */
  static Model load(String file, OffHeap memory, LoadOptions options, Reading reading) {
    ResourceScope scope = ResourceScope.open(memory, "model " + file);
    Object loaded = Guard.attempt(known -> open(file, scope, options, known), reading);
    if (loaded instanceof Fault fault) {
      scope.close();
      throw fault.toException();
    }
    return (Model) loaded;
  }

  private static Model open(
      String file, ResourceScope scope, LoadOptions options, Reading reading) {
    Catalog catalog = options.catalog();
    // tensors that a __setstate__ stores move to the model's scope; this scope frees all others
    try (ResourceScope passing = scope.child("restoring")) {
      TorchScriptModule module =
          reading.into(scope, new Restorer(catalog, options, passing, new IdentityHashMap<>()));
      heed(file, module.trainingParts(catalog), options);
      warnOfMissingKernels(file, module, options);
      ModelState state = new ModelState(module.root(), module.constantValues(), scope);
      Plan plan = Plan.prepare(module.program(), catalog, module.root());
      return new Model(nameOf(file), module, catalog, plan, scope, state);
    }
  }

  /** Warns, or throws, if the model was saved without {@code eval()}. */
  private static void heed(String file, List<String> parts, LoadOptions options) {
    if (parts.isEmpty()) {
      return;
    }
    String text =
        Message.of(
            "%s was saved in training mode (%s), so its answers may be random or depend on"
                + " other requests; call eval() on the model before saving it",
            file, some(parts));
    if (options.training() == LoadOptions.Training.REFUSED) {
      throw Fault.of(FaultType.VALUE, text).toException();
    }
    warn(text, options);
  }

  /** Warns before requests fail because they reach an operation without a kernel. */
  private static void warnOfMissingKernels(
      String file, TorchScriptModule module, LoadOptions options) {
    List<String> missing = module.missingKernels(options.catalog());
    if (missing.isEmpty()) {
      return;
    }
    boolean standard = missing.stream().anyMatch(ModelLoader::isStandard);
    warn(
        Message.of(
            "%s calls operations without a kernel (%s), and a request that reaches one fails; %s",
            file,
            some(missing),
            standard
                ? "build the catalog from StandardOperations.catalog().toBuilder(), which has them"
                : "./staunch inspect and Model.gaps say where"),
        options);
  }

  private static boolean isStandard(String operation) {
    CatalogEntry known = StandardOperations.catalog().find(operation);
    return known != null && known.kernel() != null;
  }

  /** The first of {@code names}, and how many more there are. */
  private static String some(List<String> names) {
    List<String> named = names.subList(0, Math.min(MOST_NAMED, names.size()));
    int more = names.size() - named.size();
    return String.join(", ", named) + (more > 0 ? " and " + more + " more" : "");
  }

  private static void warn(String text, LoadOptions options) {
    Consumer<String> listener = options.warnings();
    if (listener == null) {
      System.getLogger("dev.staunch.inference").log(System.Logger.Level.WARNING, text);
    } else {
      listener.accept(text);
    }
  }

  private static String nameOf(String file) {
    return file.endsWith(".pt") ? file.substring(0, file.length() - 3) : file;
  }

  /**
   * Runs {@code __setstate__}.
   *
   * @param scope frees what is not stored in an object
   * @param plans one for all objects of the archive
   */
  private record Restorer(
      Catalog catalog, LoadOptions options, ResourceScope scope, Map<Program, Plan> plans)
      implements StateRestorer {
    @Override
    public void restore(Program program, String function, ObjectValue object, Object state) {
      Plan plan = plans.computeIfAbsent(program, fresh -> Plan.prepare(fresh, catalog));
      CancelScope given = options.cancel();
      CancelScope cancel = given == null ? CancelScope.withDeadline(RESTORING) : given;
      List<Object> arguments = List.of(object, state);
      if (plan.run(function, arguments, RunOptions.in(scope).withCancel(cancel)).get(0)
          instanceof Fault fault) {
        throw fault.toException();
      }
    }
  }
}
