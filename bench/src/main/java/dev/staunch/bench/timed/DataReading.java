package dev.staunch.bench.timed;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.staunch.data.array.Idx;
import dev.staunch.data.array.TensorExamples;
import dev.staunch.data.dataset.DataIterator;
import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.data.image.ImageForm;
import dev.staunch.data.image.Images;
import dev.staunch.data.record.RecordReader;
import dev.staunch.data.text.Csv;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Whole passes over files in the page cache; each invocation is an epoch. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DataReading {
  private static final int BATCH = 128;
  private static final int IMAGE_BATCH = 32;

  @Param("1")
  int decoders;

  private final OffHeap memory = OffHeap.withDefaultBudget();
  private final DataFiles files = new DataFiles();
  private Path csv = Path.of("");
  private Path idx = Path.of("");
  private Path records = Path.of("");
  private Path images = Path.of("");
  private List<byte[]> jpegs = List.of();

  @Setup
  public void write() throws IOException {
    csv = files.csv();
    idx = files.idx();
    records = files.records();
    jpegs = DataFiles.jpegs();
    images = files.images(jpegs);
  }

  @TearDown
  public void delete() throws IOException {
    files.delete();
    memory.close();
  }

  /** {@link DataFiles#CSV_BYTES} of CSV, 64 float columns. */
  @Benchmark
  public int csv() {
    return epoch(Dataset.of(Csv.of(csv).with("data", DType.FLOAT32, DataFiles.COLUMNS)));
  }

  /** The same with FastCSV and Java's own number parser. */
  @Benchmark
  public float csvPlainly() throws IOException {
    float sum = 0;
    try (CsvReader<CsvRecord> rows = CsvReader.builder().ofCsvRecord(csv)) {
      for (CsvRecord row : rows) {
        for (int i = 0; i < row.getFieldCount(); i++) {
          sum += Float.parseFloat(row.getField(i));
        }
      }
    }
    return sum;
  }

  /** {@link DataFiles#BINARY_BYTES} of bytes, 784 per example. */
  @Benchmark
  public int idx() {
    return epoch(Dataset.of(Idx.of(idx)));
  }

  /** The same amount, in records of 64 KiB. */
  @Benchmark
  public long records() throws IOException, InterruptedException {
    long bytes = 0;
    try (RecordReader reader = RecordReader.open(records)) {
      for (var entry = reader.next(); entry != null; entry = reader.next()) {
        bytes += entry.bytes().length;
      }
    }
    return bytes;
  }

  /** {@link DataFiles#IMAGES} JPEGs of 256 by 256. */
  @Benchmark
  public int images() {
    ImageForm form = ImageForm.of(DataFiles.SIDE, DataFiles.SIDE);
    return taken(
        Dataset.of(Images.ofRecords(images, null, 1, form))
            .withBatch(IMAGE_BATCH)
            .withDecoders(decoders));
  }

  /** The same with ImageIO alone. */
  @Benchmark
  public int imagesPlainly() throws IOException {
    int sum = 0;
    for (byte[] jpeg : jpegs) {
      sum += ImageIO.read(new ByteArrayInputStream(jpeg)).getWidth();
    }
    return sum;
  }

  /** {@link DataFiles#BATCHES} batches of one number each. */
  @Benchmark
  public int batches() {
    TensorExamples ones = TensorExamples.named("ones").with("data", new float[DataFiles.BATCHES]);
    return taken(Dataset.of(ones));
  }

  private int epoch(Dataset dataset) {
    return taken(dataset.withBatch(BATCH).withDecoders(decoders));
  }

  private int taken(Dataset dataset) {
    int batches = 0;
    try (DataIterator iterator = dataset.open(memory)) {
      for (TensorBatch batch : iterator) {
        batch.close();
        batches++;
      }
    }
    return batches;
  }
}
