package dev.staunch.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ScopeType;

/** The {@code staunch} command: parses arguments and hands over to one class a command. */
@Command(
    name = "staunch",
    mixinStandardHelpOptions = true,
    version = "staunch 0.1.0",
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    description = "Answers requests with TorchScript models, on the JVM alone.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeOnInvalidInput = ExitStatus.USAGE,
    exitCodeOnExecutionException = ExitStatus.NOT_LOADED,
    subcommands = {
      DemoCommand.class,
      PredictCommand.class,
      InspectCommand.class,
      VerifyCommand.class,
      RunCommand.class,
      HelpCommand.class
    })
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, arguments));
  }

  /** Runs one command and returns its exit status. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine line = new CommandLine(new Main());
    line.setOut(out);
    line.setErr(err);
    line.setExecutionExceptionHandler((exception, command, parsed) -> {
      command.getErr().println("staunch: " + Console.sentence(exception));
      return ExitStatus.NOT_LOADED;
    });
    if (arguments.length == 0) {
      line.usage(line.getErr());
      return ExitStatus.USAGE;
    }
    return line.execute(arguments);
  }
}
