package dev.staunch.cli;

import dev.staunch.inference.Model;
import dev.staunch.ir.IrPrinter;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.torchscript.TorchScriptModule;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what is in a model: methods, tensors, operations; its source and its IR if asked. */
@Command(
    name = "inspect",
    description = "Shows a model's methods, parameters and operations.",
    footer = {
      "",
      "Examples:",
      "  staunch inspect ranker.pt",
      "  staunch inspect ranker.pt --source",
      "  staunch inspect ranker.pt --ir"
    },
    exitCodeList = {"0:the model was shown", "1:the model could not be loaded", "2:wrong usage"})
final class InspectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "MODEL", description = "a TorchScript archive")
  private Path archive = Path.of("");

  @Option(names = "--source", description = "print the archive's code instead")
  private boolean source;

  @Option(names = "--ir", description = "print the lowered functions instead")
  private boolean ir;

  private InspectCommand() {}

  @Override
  public Integer call() {
    LoadOptions mapped =
        LoadOptions.standard().withMappedWeights(); // their values are not looked at
    try (Model model = Model.load(archive, OffHeap.withDefaultBudget(), mapped)) {
      PrintWriter out = spec.commandLine().getOut();
      TorchScriptModule module = model.module();
      if (source) {
        module.sources().forEach((name, text) -> out.print("# " + name + "\n" + text + "\n"));
      }
      if (ir) {
        module.program().functions().forEach(function -> out.println(IrPrinter.print(function)));
      }
      if (!source && !ir) {
        summary(out, model.name(), module);
      }
      out.flush();
    }
    return ExitStatus.OK;
  }

  private static void summary(PrintWriter out, String name, TorchScriptModule module) {
    out.println("model " + name + ": class " + module.root().layout().name());
    out.println();
    out.println("methods");
    module.methods().forEach(method -> out.println("  " + method));
    List<TorchScriptModule.TensorInfo> tensors = module.tensors();
    long bytes = tensors.stream().mapToLong(TorchScriptModule.TensorInfo::bytes).sum();
    out.println();
    String which = tensors.size() == 1 ? " parameter or buffer, " : " parameters and buffers, ";
    out.println(tensors.size() + which + Console.bytes(bytes));
    for (TorchScriptModule.TensorInfo tensor : tensors) {
      out.printf(
          Locale.ROOT,
          "  %-40s %s%s  %s%n",
          tensor.name(),
          tensor.dtype(),
          tensor.shape(),
          Console.bytes(tensor.bytes()));
    }
    operations(out, module);
  }

  private static void operations(PrintWriter out, TorchScriptModule module) {
    List<TorchScriptModule.OperationUse> uses = module.operations(StandardOperations.catalog());
    long missing = uses.stream().filter(use -> !use.hasKernel()).count();
    out.println();
    out.println(
        Console.count(uses.size(), "operation")
            + (missing == 0 ? ", each with a kernel" : ", " + missing + " without a kernel"));
    for (TorchScriptModule.OperationUse use : uses) {
      boolean shown = !use.hasKernel() && use.first() != null;
      String note =
          use.hasKernel() ? "" : "  no kernel" + (shown ? "; first at " + use.first() : "");
      out.printf(Locale.ROOT, "  %5d  %s%s%n", use.count(), use.name(), note);
    }
  }
}
