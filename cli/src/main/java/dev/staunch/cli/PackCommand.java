package dev.staunch.cli;

import dev.staunch.torchscript.ArchiveFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes an archive from unpacked and possibly edited records. */
@Command(
    name = "pack",
    description = "Makes a model from a folder that unpack has written.",
    footer = {
      "",
      "Records keep their order and their places in memory pages. Debug information of",
      "code that was changed is left out: it would name wrong lines. So are, with a",
      "warning, files that unpack did not write.",
      "",
      "Examples:",
      "  staunch pack ranker/ ranker-mended.pt"
    },
    exitCodeList = {"0:the model is written", "1:it could not be written", "2:wrong usage"})
final class PackCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "DIR", description = "a folder that unpack has written")
  private Path folder = Path.of("");

  @Parameters(index = "1", paramLabel = "MODEL", description = "the archive to write")
  private Path archive = Path.of("");

  private PackCommand() {}

  @Override
  public Integer call() throws IOException {
    Arguments.writableFile(archive);
    ArchiveFolder.Packed packed = ArchiveFolder.pack(folder, archive);
    PrintWriter out = spec.commandLine().getOut();
    packed.changed().forEach(record -> out.println("changed " + record));
    packed.dropped().forEach(record -> out.println("left out " + record));
    PrintWriter err = spec.commandLine().getErr();
    packed
        .others()
        .forEach(file -> err.println("warning: left out " + file + ", which unpack did not write"));
    out.println("wrote " + archive);
    return ExitStatus.OK;
  }
}
