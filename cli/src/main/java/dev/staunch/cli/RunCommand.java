package dev.staunch.cli;

import dev.staunch.engine.CancelScope;
import dev.staunch.engine.Workers;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Function;
import dev.staunch.ir.Program;
import dev.staunch.ir.ProgramText;
import dev.staunch.ir.Value;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogContract;
import dev.staunch.kernel.TfrtTestOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.type.Type;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the functions of a program in MLIR text, each in a request of its own. */
@Command(
    name = "run",
    description = {
      "Runs every function of a program in MLIR text that takes no arguments, and prints what each"
          + " returns. Faults are printed where they arise; those that no result depends on change"
          + " nothing else."
    },
    footer = {
      "",
      "Examples:",
      "  staunch run program.mlir",
      "  staunch run program.mlir --functions test_partial_fail,test_ignore_error"
    },
    exitCodeList = {
      "0:the program was loaded and run, whatever its functions returned",
      "1:the program could not be loaded",
      "2:wrong usage"
    })
final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "PROGRAM", description = "a file of functions in MLIR text")
  private Path file = Path.of("");

  @Option(
      names = "--functions",
      split = ",",
      paramLabel = "NAME",
      description = "run only these functions")
  private List<String> functions = List.of();

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "threads for values that arrive later (default: ${DEFAULT-VALUE})")
  private int workerCount = 2;

  @Option(
      names = "--deadline",
      paramLabel = "MS",
      description = "milliseconds that one function may take (default: ${DEFAULT-VALUE})")
  private long deadlineMillis = 60_000;

  private RunCommand() {}

  @Override
  public Integer call() throws IOException {
    Catalog.Builder builder = Catalog.standard().toBuilder();
    TfrtTestOperations.addTo(builder);
    Catalog catalog = builder.build();
    Program program = load(new CatalogContract(catalog));
    Plan plan = Plan.prepare(program, catalog);
    for (String name : functions) {
      if (program.find(name) == null) {
        throw Fault.value("the program has no function " + name).toException();
      }
    }
    OffHeap memory = OffHeap.withDefaultBudget();
    try (Workers workers = Workers.of(Math.max(1, workerCount), "staunch-run")) {
      for (Function function : program.functions()) {
        if (functions.isEmpty() || functions.contains(function.name())) {
          run(plan, function, memory, workers);
        }
      }
    }
    return ExitStatus.OK;
  }

  private Program load(CatalogContract contract) throws IOException {
    String name = String.valueOf(file.getFileName());
    Program program = ProgramText.parse(name, Files.readString(file), contract::resultTypes);
    Fault fault =
        Verifier.verify(
            program,
            operation ->
                contract.check(
                    operation.name(), types(operation.operands()), types(operation.results())));
    if (fault != null) {
      throw fault.toException();
    }
    return program;
  }

  private static List<Type> types(List<Value> values) {
    return values.stream().map(Value::type).toList();
  }

  private void run(Plan plan, Function function, OffHeap memory, Workers workers) {
    PrintWriter out = spec.commandLine().getOut();
    if (!function.parameters().isEmpty()) {
      out.printf("--- Not running '%s' because it has arguments.%n", function.name());
      return;
    }
    out.printf("--- Running '%s':%n", function.name());
    List<Object> results;
    try (ResourceScope scope = ResourceScope.open(memory, function.name())) {
      RunOptions options =
          RunOptions.in(scope)
              .withCancel(CancelScope.withDeadline(Duration.ofMillis(deadlineMillis)))
              .withOutput(out::println)
              .withWorkers(workers)
              .withFaultListener(this::diagnose);
      results = plan.run(function.name(), List.of(), options);
      workers.quiesce();
    }
    if (!results.isEmpty()) {
      String shown = results.stream().map(RunCommand::shown).collect(Collectors.joining(","));
      out.printf("'%s' returned %s%n", function.name(), shown);
    }
  }

  private synchronized void diagnose(Fault fault) {
    if (fault.type() != FaultType.CANCELLED) {
      SourceLocation source = fault.source();
      String place = source == null ? "unknown" : source.place();
      spec.commandLine().getErr().println(place + ": error: runtime error: " + fault.message());
    }
  }

  private static String shown(Object value) {
    return switch (value) {
      case Fault fault -> "<<error: " + fault.message() + ">>";
      case Boolean flag -> flag ? "1" : "0";
      case Float number -> String.format(Locale.ROOT, "%e", number);
      case Double number -> String.format(Locale.ROOT, "%e", number);
      case dev.staunch.kernel.Chain chain -> "!tfrt.chain value";
      default -> value.toString();
    };
  }
}
