package dev.staunch.cli;

import dev.staunch.engine.Workers;
import dev.staunch.execute.CatalogContract;
import dev.staunch.execute.Plan;
import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.ProgramPoint;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Program;
import dev.staunch.ir.ProgramText;
import dev.staunch.ir.Verifier;
import dev.staunch.kernel.Catalog;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tfrt.TfrtOperations;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the functions of a program in MLIR text, each in its own request. */
@Command(
    name = "run",
    description = {
      "Runs every function of a program in MLIR text that takes no arguments, and prints what each"
          + " returns, as the driver of TensorFlow Runtime does. When a function ends, its faults go to"
          + " standard error in program order, each with its place and the calls and branches that led"
          + " there; a fault that no result depends on changes nothing else."
    },
    footer = {
      "",
      "Examples:",
      "  staunch run program.mlir",
      "  staunch run program.mlir --functions test_partial_fail,test_ignore_error"
    },
    exitCodeList = {
      "0:the program was loaded and run, whatever its functions returned",
      "1:the program could not be loaded, or memory leaked",
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
      names = "--init-function",
      paramLabel = "NAME",
      description = "run this function before the others")
  private @Nullable String initFunction;

  @Option(
      names = "--error-codes",
      description = "print behind each fault's message its code, such as INVALID_ARGUMENT")
  private boolean errorCodes;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description =
          "threads for values that arrive later; 1 for the one that waits for them (default:"
              + " ${DEFAULT-VALUE})")
  private int workerCount = 1;

  @Mixin private final Deadline deadline = new Deadline();

  private RunCommand() {}

  @Override
  public Integer call() throws IOException {
    Arguments.atLeastOne(spec, "--workers", workerCount);
    Catalog catalog = TfrtOperations.catalog();
    Program program = load(new CatalogContract(catalog));
    Plan plan = Plan.prepare(program, catalog);
    List<Function> chosen = chosen(program);
    OffHeap memory = OffHeap.withDefaultBudget();
    PrintWriter out = spec.commandLine().getOut();
    out.println("Choosing memory leak check allocator.");
    out.println(
        workerCount == 1
            ? "Choosing single-threaded work queue."
            : "Choosing Multi-threaded C++ work queue ("
                + workerCount
                + " threads, 256 blocking threads) work queue.");
    try (Workers workers = workers()) {
      for (Function function : chosen) {
        regions(function.body()).forEach(out::println);
        run(plan, function, memory, workers);
      }
    }
    long leaked = memory.account().bytes();
    if (leaked != 0) {
      spec.commandLine().getErr().println("memory leak detected: " + leaked + " alive bytes");
      return ExitStatus.NOT_LOADED;
    }
    return ExitStatus.OK;
  }

  /** The functions to run, in order. */
  private List<Function> chosen(Program program) {
    List<Function> chosen = new ArrayList<>();
    if (initFunction != null) {
      chosen.add(known(program, initFunction));
    }
    functions.forEach(name -> known(program, name));
    program.functions().stream()
        .filter(function -> functions.isEmpty() || functions.contains(function.name()))
        .forEach(chosen::add);
    return chosen;
  }

  private static Function known(Program program, String name) {
    Function function = program.find(name);
    if (function == null) {
      throw Fault.value("the program has no function " + name).toException();
    }
    return function;
  }

  private Workers workers() {
    return workerCount == 1 ? Workers.ofWaiter() : Workers.of(workerCount, "staunch-run");
  }

  /**
   * What the driver prints for each block with arguments, which it treats as a nameless function.
   */
  private static List<String> regions(Block body) {
    List<String> lines = new ArrayList<>();
    for (Operation operation : body.operations()) {
      for (Block block : operation.blocks()) {
        lines.addAll(regions(block));
        if (!block.parameters().isEmpty()) {
          lines.add(notRun(""));
        }
      }
    }
    return lines;
  }

  private static String notRun(String name) {
    return "--- Not running '" + name + "' because it has arguments.";
  }

  private Program load(CatalogContract contract) throws IOException {
    String name = String.valueOf(file.getFileName());
    Program program = ProgramText.parse(name, text(name), contract);
    Fault fault = Verifier.verify(program, contract);
    if (fault != null) {
      throw fault.toException();
    }
    return program;
  }

  private String text(String name) throws IOException {
    if (Files.isDirectory(file)) {
      throw Fault.data(name, file + " is a folder, not a program").toException();
    }
    try {
      if (Files.size(file) > ProgramText.MAX_LENGTH) {
        String most = name + " is larger than a program may be: " + ProgramText.MAX_LENGTH;
        throw Fault.data(name, most + " bytes").toException();
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw Fault.data(name, file + " cannot be read: there is no such file").toException();
    } catch (MalformedInputException e) {
      throw Fault.data(name, name + " is not text in UTF-8, so not a program").toException();
    }
  }

  private void run(Plan plan, Function function, OffHeap memory, Workers workers) {
    PrintWriter out = spec.commandLine().getOut();
    if (!function.parameters().isEmpty()) {
      out.println(notRun(function.name()));
      return;
    }
    out.println("--- Running '" + function.name() + "':");
    List<Object> results;
    Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    try (ResourceScope scope = ResourceScope.open(memory, function.name())) {
      RunOptions options =
          RunOptions.in(scope)
              .withCancel(deadline.scope())
              .withOutput(out::println)
              .withWorkers(workers)
              .withFaultListener(faults::add);
      results = plan.run(function.name(), List.of(), options);
      workers.quiesce();
    }
    faults.stream().sorted(Comparator.comparing(RunCommand::origin)).forEach(this::diagnose);
    if (!results.isEmpty()) {
      List<String> shown = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        shown.add(DriverText.result(results.get(i), function.resultTypes().get(i), errorCodes));
      }
      out.println("'" + function.name() + "' returned " + String.join(",", shown));
    }
  }

  private static ProgramPoint origin(Fault fault) {
    ProgramPoint origin = fault.origin();
    return origin == null ? ProgramPoint.of() : origin;
  }

  private void diagnose(Fault fault) {
    if (fault.type() == FaultType.CANCELLED) {
      return;
    }
    PrintWriter err = spec.commandLine().getErr();
    err.println(place(fault.source()) + ": error: runtime error: " + fault.message());
    if (fault.path().size() > 1) {
      for (Fault.Frame frame : fault.path()) {
        err.println("  in: " + frame.function() + " at " + place(frame.source()));
      }
    }
  }

  private static String place(@Nullable SourceLocation source) {
    return source == null ? "unknown" : source.place();
  }
}
