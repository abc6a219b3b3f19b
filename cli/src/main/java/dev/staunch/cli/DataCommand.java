package dev.staunch.cli;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.Item;
import dev.staunch.data.PrefetchOptions;
import dev.staunch.data.dataset.DataIterator;
import dev.staunch.data.dataset.DataMetrics;
import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.LastBatch;
import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.data.row.Examples;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.OffHeap;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a data file provides for training, and what is wrong with it. */
@Command(
    name = "data",
    description = {
      "Shows the batches that a data file gives: shapes, dtypes, ranges, the first rows. With"
          + " --check it reads the whole file and lists what is wrong."
    },
    footer = {
      "",
      "Examples:",
      "  staunch data train.csv",
      "  staunch data train.csv --check",
      "  staunch data train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz",
      "  staunch data 'day-*.csv' --batch 128 --head 2",
      "  staunch data photos/ --format images --side 64"
    },
    exitCodeList = {
      "0:no error in what was read",
      "1:nothing could be read",
      "2:wrong usage",
      "3:some of the data could not be read"
    })
final class DataCommand implements Callable<Integer> {
  /** Further faults are counted but not printed. */
  private static final long MOST_SHOWN = 100;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "PATH",
      description = "a file, a folder of files, or a quoted pattern as 'day-*.csv'")
  private String path = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "one of ${COMPLETION-CANDIDATES} (default: by the name)")
  private @Nullable DataFormat format;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "examples of a batch (default: ${DEFAULT-VALUE})")
  private int batch = 32;

  @Option(
      names = "--head",
      paramLabel = "N",
      description = "rows to show (default: ${DEFAULT-VALUE})")
  private int head = 5;

  @Option(names = "--check", description = "read everything and list what is wrong")
  private boolean check;

  @Option(
      names = "--decoders",
      paramLabel = "N",
      description = "threads that decode (default: ${DEFAULT-VALUE})")
  private int decoders = 1;

  @Option(names = "--labels", paramLabel = "FILE", description = "labels of an idx file")
  private @Nullable Path labels;

  @Option(
      names = "--width",
      paramLabel = "N",
      description = "elements of a LibSVM row (default: as its indices are)")
  private long width;

  @Option(
      names = "--side",
      paramLabel = "N",
      description = "rows and columns of an image (default: ${DEFAULT-VALUE})")
  private int side = 224;

  private final AtomicLong faults = new AtomicLong();
  private volatile boolean ended;

  private DataCommand() {}

  @Override
  public Integer call() throws IOException {
    Arguments.atLeastOne(spec, "--batch", batch);
    Arguments.atLeastOne(spec, "--decoders", decoders);
    Arguments.atLeastOne(spec, "--side", side);
    Arguments.notNegative(spec, "--head", head);
    Arguments.notNegative(spec, "--width", width);
    DataFormat kind = format == null ? DataFormat.of(path) : format;
    if (kind == null) {
      throw new ParameterException(
          spec.commandLine(), "the name " + path + " does not say the format; give --format");
    }
    refuseUnless(kind == DataFormat.IDX, "--labels", "an idx file");
    refuseUnless(kind == DataFormat.LIBSVM, "--width", "a LibSVM file");
    refuseUnless(kind == DataFormat.IMAGES || kind == DataFormat.REC, "--side", "images");
    OffHeap memory = OffHeap.withDefaultBudget();
    Examples examples = kind.open(path, labels, width, side);
    Dataset dataset =
        Dataset.of(examples)
            .withBatch(batch)
            .withDecoders(decoders)
            .withLast(LastBatch.PAD_ZERO)
            .withPolicy(FaultPolicy.skip(Long.MAX_VALUE))
            .withPrefetch(PrefetchOptions.defaults().withReports(this::tell));
    try (DataIterator batches = dataset.open(memory)) {
      int status = check ? check(batches) : show(batches);
      ended = true;
      return status;
    }
  }

  /** Rejects an option that would be ignored, because it is probably a misunderstanding. */
  private void refuseUnless(boolean meant, String option, String what) {
    if (!meant && spec.commandLine().getParseResult().hasMatchedOption(option)) {
      throw new ParameterException(spec.commandLine(), option + " is for " + what);
    }
  }

  private void tell(Fault fault) {
    if (ended) {
      return; // from a close, so not about the data
    }
    if (faults.incrementAndGet() <= MOST_SHOWN) {
      String place = fault.input() == null ? path : fault.input();
      spec.commandLine().getOut().println(place + ": " + fault.message());
    }
  }

  /** Shows the first batch, and the faults before its end. */
  private int show(DataIterator batches) {
    PrintWriter out = spec.commandLine().getOut();
    Item<TensorBatch> item = batches.next();
    long wrong = batches.skippedFaults();
    TensorBatch first = item.orThrow();
    if (first == null) {
      out.println("no examples");
      return ExitStatus.NOT_LOADED;
    }
    try (first) {
      DataRanges ranges = new DataRanges();
      ranges.add(first);
      ranges.print(out);
      if (head > 0) {
        DataHead.print(out, first, head);
      }
    }
    return wrong == 0 ? ExitStatus.OK : ExitStatus.SOME_FAILED;
  }

  private int check(DataIterator batches) {
    PrintWriter out = spec.commandLine().getOut();
    long begin = System.nanoTime();
    DataRanges ranges = new DataRanges();
    for (TensorBatch each : batches) {
      try (each) {
        ranges.add(each);
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    DataMetrics metrics = batches.metrics();
    if (faults.get() > MOST_SHOWN) {
      out.println(Message.of("and %d more", faults.get() - MOST_SHOWN));
    }
    ranges.print(out);
    String all = Message.count(metrics.examples(), "example");
    out.println(all + ", " + Message.count(faults.get(), "fault"));
    spec.commandLine()
        .getErr()
        .println(
            Message.of(
                "%s in %s s, %s a second",
                Console.bytes(metrics.bytesRead()),
                String.format(Locale.ROOT, "%.3f", seconds),
                Console.bytes(Math.round(metrics.bytesRead() / Math.max(seconds, 1e-9)))));
    return metrics.examples() == 0
        ? ExitStatus.NOT_LOADED
        : faults.get() == 0 ? ExitStatus.OK : ExitStatus.SOME_FAILED;
  }
}
