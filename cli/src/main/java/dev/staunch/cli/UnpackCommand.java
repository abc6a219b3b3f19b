package dev.staunch.cli;

import dev.staunch.fault.Message;
import dev.staunch.torchscript.ArchiveFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes an archive's records to files, to be read and edited. */
@Command(
    name = "unpack",
    description = "Writes the records of a model to files in a folder, to be read and edited.",
    footer = {
      "",
      "Examples:",
      "  staunch unpack ranker.pt ranker/",
      "  staunch pack ranker/ ranker-mended.pt"
    },
    exitCodeList = {"0:the folder holds the records", "1:it could not be written", "2:wrong usage"})
final class UnpackCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "MODEL", description = "a TorchScript archive")
  private Path archive = Path.of("");

  @Parameters(index = "1", paramLabel = "DIR", description = "a folder that is empty or not there")
  private Path folder = Path.of("");

  private UnpackCommand() {}

  @Override
  public Integer call() {
    List<String> records = ArchiveFolder.unpack(archive, folder);
    spec.commandLine().getOut().println(Message.count(records.size(), "record") + " in " + folder);
    return ExitStatus.OK;
  }
}
