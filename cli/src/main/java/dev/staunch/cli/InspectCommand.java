package dev.staunch.cli;

import dev.staunch.execute.Plan;
import dev.staunch.execute.PlannedOperation;
import dev.staunch.execute.StateUse;
import dev.staunch.fault.Message;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolWriter;
import dev.staunch.ir.ProgramPrinter;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.DTypeTrials;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.torchscript.Gap;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.torchscript.TorchScriptModule;
import dev.staunch.type.DType;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Shows the contents of a model: methods, tensors, operations; on request, its source and its IR.
 */
@Command(
    name = "inspect",
    description = "Shows a model's methods, parameters and operations.",
    footer = {
      "",
      "Examples:",
      "  staunch inspect ranker.pt",
      "  staunch inspect ranker.pt --source",
      "  staunch inspect ranker.pt --ir",
      "  staunch inspect ranker.pt --plan",
      "  staunch inspect ranker.pt --ops",
      "  staunch inspect ranker.pt --metadata",
      "  staunch inspect ranker.pt --example > request.jsonl"
    },
    exitCodeList = {"0:the model was shown", "1:the model could not be loaded", "2:wrong usage"})
final class InspectCommand implements Callable<Integer> {
  /** How long to search for a request that works. */
  private static final Duration SEARCH = Duration.ofSeconds(30);

  /** How many submodules in training mode are named. */
  private static final int MOST_NAMED = 5;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "MODEL", description = "a TorchScript archive")
  private Path archive = Path.of("");

  @Option(names = "--source", description = "print the archive's code instead")
  private boolean source;

  @Option(names = "--ir", description = "print the lowered functions instead")
  private boolean ir;

  @Option(
      names = "--ops",
      description = "print the operations that the code uses, and the dtypes they take, instead")
  private boolean ops;

  @Option(
      names = "--plan",
      description = "print what becomes of each operation when the methods are made ready, instead")
  private boolean plan;

  @Option(
      names = "--example",
      description = "print a request that the model answers instead, as a line of JSON")
  private boolean example;

  @Option(
      names = "--metadata",
      description = "print the model metadata of the Open Inference Protocol V2 instead, as JSON")
  private boolean metadata;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description =
          "the method that --example or --metadata is for (default: forward, or the only one)")
  private @Nullable String method;

  private InspectCommand() {}

  @Override
  public Integer call() {
    if (method != null && !example && !metadata) {
      throw new ParameterException(
          spec.commandLine(), "--method says what --example or --metadata is for");
    }
    // the values of weights are not needed; the summary itself says what to warn of
    LoadOptions mapped = LoadOptions.standard().withMappedWeights().withWarnings(text -> {});
    try (Model model = Model.load(archive, OffHeap.withDefaultBudget(), mapped)) {
      PrintWriter out = spec.commandLine().getOut();
      TorchScriptModule module = model.module();
      if (source) {
        module.sources().forEach((name, text) -> out.print("# " + name + "\n" + text + "\n"));
      }
      if (ir) {
        module
            .program()
            .functions()
            .forEach(function -> out.println(ProgramPrinter.print(function)));
      }
      if (example || metadata) {
        String wanted = method == null ? model.defaultMethod() : method;
        ProtocolWriter writer = new ProtocolWriter(model.name());
        if (metadata) {
          out.println(writer.write(model.signature(wanted)));
        }
        if (example) {
          out.println(writer.write(model.example(wanted, SEARCH)));
        }
      }
      if (ops) {
        operations(out, module, InspectCommand::dtypes);
      }
      if (plan) {
        plan(out, module);
      }
      if (!source && !ir && !ops && !plan && !example && !metadata) {
        summary(out, model);
      }
      out.flush();
    }
    return ExitStatus.OK;
  }

  private static void summary(PrintWriter out, Model model) {
    TorchScriptModule module = model.module();
    out.println("model " + model.name() + ": class " + module.root().layout().name());
    List<String> training = module.trainingParts(StandardOperations.catalog());
    if (!training.isEmpty()) {
      out.println(
          "in training mode: "
              + String.join(", ", training.subList(0, Math.min(MOST_NAMED, training.size())))
              + (training.size() > MOST_NAMED ? ", ..." : "")
              + "; call eval() on the model before saving it");
    }
    out.println();
    out.println("methods");
    module.methods().forEach(method -> method(out, model, method));
    module
        .missingMethods()
        .forEach((missing, fault) -> out.println("  " + missing + " cannot be called: " + fault));
    List<TorchScriptModule.TensorInfo> tensors = module.tensors();
    out.println();
    String which = tensors.size() == 1 ? " parameter or buffer, " : " parameters and buffers, ";
    out.println(tensors.size() + which + bytes(tensors) + constants(module.constants()));
    for (TorchScriptModule.TensorInfo tensor : tensors) {
      out.printf(
          Locale.ROOT,
          "  %-40s %s%s  %s%n",
          tensor.name(),
          tensor.dtype(),
          tensor.shape(),
          Console.bytes(tensor.bytes()));
    }
    out.println();
    operations(out, module, operation -> "");
  }

  private static String bytes(List<TorchScriptModule.TensorInfo> tensors) {
    return Console.bytes(tensors.stream().mapToLong(TorchScriptModule.TensorInfo::bytes).sum());
  }

  /** Describes the constants, which hold the weights of a frozen model; it has no parameters. */
  private static String constants(List<TorchScriptModule.TensorInfo> constants) {
    return constants.isEmpty()
        ? ""
        : Message.of(
            "; %s in the code, %s, as torch.jit.freeze leaves them",
            Message.count(constants.size(), "constant tensor"), bytes(constants));
  }

  /**
   * Prints the method, what it may reach that does not run, and whether its requests run one at a
   * time.
   */
  private static void method(PrintWriter out, Model model, TorchScriptModule.Method method) {
    out.println("  " + method);
    List<Gap> gaps = model.module().gaps(method.name(), StandardOperations.catalog());
    if (gaps.isEmpty()) {
      out.println("    runs");
    } else if (gaps.getFirst().passable()) {
      out.println("    runs, unless it takes a branch with one of these:");
    } else {
      out.println("    does not run:");
    }
    gaps.forEach(gap -> out.println("      " + gap + (gap.passable() ? " (in a branch)" : "")));
    StateUse use = model.stateUse(method.name());
    if (use.state()) {
      String line = use.line() == null ? "" : ", at " + use.line().place();
      out.println("    takes one request at a time: it may change the model" + line);
    }
  }

  private static void plan(PrintWriter out, TorchScriptModule module) {
    Plan plan = Plan.prepare(module.program(), StandardOperations.catalog(), module.root());
    for (TorchScriptModule.Method method : module.methods()) {
      out.println(method.name());
      String function = module.root().layout().name() + "." + method.name();
      for (PlannedOperation operation : plan.operations(function)) {
        String note =
            switch (operation.evaluation()) {
              case EACH_TIME -> "";
              case ONCE -> "  computed once";
              case FOLDED -> "  folded into the one before it";
              case FUSED -> "  joined with those beside it";
              case EPILOGUE -> "  computed block by block with the one before it";
              case HOISTED -> "  computed for all iterations before the loop";
            };
        note += operation.channelsLast() ? "  channels last where that is faster" : "";
        String place = operation.source() == null ? "" : operation.source().place();
        out.println(
            String.format(Locale.ROOT, "  %-32s %s%s", operation.name(), place, note)
                .stripTrailing());
      }
    }
  }

  /**
   * Lists the operations.
   *
   * @param remark what to print for an operation that has a kernel
   */
  private static void operations(
      PrintWriter out, TorchScriptModule module, UnaryOperator<String> remark) {
    List<TorchScriptModule.OperationUse> uses = module.operations(StandardOperations.catalog());
    long missing = uses.stream().filter(use -> !use.hasKernel()).count();
    out.println(
        Message.count(uses.size(), "operation")
            + (missing == 0 ? ", each with a kernel" : ", " + missing + " without a kernel"));
    for (TorchScriptModule.OperationUse use : uses) {
      String place = use.first() == null ? "" : "; first at " + use.first();
      String note = use.hasKernel() ? remark.apply(use.name()) : "no kernel" + place;
      out.println(
          String.format(Locale.ROOT, "  %5d  %-32s  %s", use.count(), use.name(), note)
              .stripTrailing());
    }
  }

  /**
   * The dtypes for which an operation of the catalog has a kernel; whole kinds are listed by name.
   */
  private static String dtypes(String operation) {
    CatalogEntry entry = StandardOperations.catalog().find(operation);
    Set<DType> taken = entry == null ? null : DTypeTrials.taken(entry);
    if (taken == null) {
      return "";
    }
    if (taken.size() == DType.values().length) {
      return "any dtype";
    }
    Map<DType.Kind, String> kinds =
        Map.of(
            DType.Kind.INTEGRAL, "integers",
            DType.Kind.FLOATING, "floats",
            DType.Kind.COMPLEX, "complex",
            DType.Kind.BOOL, "bool");
    Set<String> words = new LinkedHashSet<>();
    for (DType dtype : taken) {
      boolean whole =
          Stream.of(DType.values())
              .filter(other -> other.kind() == dtype.kind())
              .allMatch(taken::contains);
      words.add(whole ? kinds.get(dtype.kind()) : dtype.toString());
    }
    return String.join(", ", words);
  }
}
