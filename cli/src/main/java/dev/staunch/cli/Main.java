package dev.staunch.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code staunch} command: parses arguments and calls the class of the subcommand. */
@Command(
    name = "staunch",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    description = "Answers requests with TorchScript models, on the JVM alone.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all went well",
      "1:a model, program or other file could not be read or did not pass, or output not written",
      "2:wrong usage",
      "3:some requests failed, or some data could not be read",
      "130:stopped by Ctrl-C",
      "141:the reader of the output closed the pipe"
    },
    footer = {"", "Try 'staunch COMMAND --help' for what a command takes, with examples."},
    exitCodeOnInvalidInput = ExitStatus.USAGE,
    exitCodeOnExecutionException = ExitStatus.NOT_LOADED,
    subcommands = {
      DemoCommand.class,
      PredictCommand.class,
      InspectCommand.class,
      UnpackCommand.class,
      PackCommand.class,
      DebugCommand.class,
      DiffCommand.class,
      VerifyCommand.class,
      RunCommand.class,
      DataCommand.class,
      GenerateCompletion.class,
      HelpCommand.class
    })
public final class Main {
  private final Terminal terminal;

  Main(Terminal terminal) {
    this.terminal = terminal;
  }

  /** For tools that read the commands and run none, such as the generator of man pages. */
  Main() {
    this(Terminal.NONE);
  }

  /** Where output goes, for commands that show more to a person than to a program. */
  Terminal terminal() {
    return terminal;
  }

  public static void main(String[] arguments) {
    StandardOutput stream = new StandardOutput();
    PrintWriter out = new PrintWriter(stream, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Terminal terminal = Terminal.of(System.getProperty(Terminal.PROPERTY, ""), System.getenv());
    int status = run(terminal, out, err, arguments);
    String lost = stream.lostToFile();
    if (lost != null) {
      err.println("staunch: standard output cannot be written: " + lost);
      status = ExitStatus.NOT_LOADED;
    }
    System.exit(status);
  }

  /** Runs one command for a program that reads its output, and returns its exit status. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return run(Terminal.NONE, out, err, arguments);
  }

  /** Runs one command and returns its exit status. */
  static int run(Terminal terminal, PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine line = new CommandLine(new Main(terminal));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.registerConverter(Integer.TYPE, text -> Arguments.number(text, Integer::valueOf));
    line.registerConverter(Long.TYPE, text -> Arguments.number(text, Long::valueOf));
    line.setOut(out);
    line.setErr(err);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            terminal.coloured() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    line.setParameterExceptionHandler((exception, given) -> usage(exception));
    line.setExecutionExceptionHandler((exception, command, parsed) -> failure(exception, command));
    if (arguments.length == 0) {
      line.usage(line.getErr());
      return ExitStatus.USAGE;
    }
    int status = line.execute(arguments);
    return out.checkError() ? ExitStatus.NOBODY_READS : status;
  }

  /** Prints what is wrong, possible corrections, the synopsis, and where to find more. */
  private static int usage(ParameterException exception) {
    CommandLine command = exception.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(complaint(command, misuse(exception)));
    UnmatchedArgumentException.printSuggestions(exception, err);
    String name = command.getCommandSpec().qualifiedName();
    err.print(command.getHelp().synopsisHeading() + command.getHelp().synopsis(7));
    err.println("Try '" + name + " --help'.");
    return ExitStatus.USAGE;
  }

  /** The message without an initial capital, even if it comes from the command-line parser. */
  private static String misuse(ParameterException exception) {
    String said = Console.sentence(exception);
    if (exception instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().getFirst();
      boolean atRoot = exception.getCommandLine().getParent() == null;
      return unmatched.isUnknownOption()
          ? uncapitalised(said)
          : (atRoot ? "there is no command '" : "there is one argument too many: '")
              + first
              + "'"
              + (atRoot && Files.exists(Path.of(first))
                  ? "; to look into that file: staunch inspect " + first
                  : "");
    }
    boolean isParsers =
        exception.getArgSpec() != null || exception instanceof MissingParameterException;
    return isParsers ? uncapitalised(said) : said;
  }

  private static String uncapitalised(String text) {
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }

  private static int failure(Exception exception, CommandLine command) {
    if (exception instanceof UnclosedWriter.ClosedPipe) {
      return ExitStatus.NOBODY_READS;
    }
    command.getErr().println(complaint(command, Console.sentence(exception)));
    return ExitStatus.NOT_LOADED;
  }

  private static String complaint(CommandLine command, String message) {
    return command.getColorScheme().errorText("staunch:") + " " + message;
  }
}
