package dev.staunch.data.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.Item;
import dev.staunch.data.PrefetchOptions;
import dev.staunch.data.row.Examples;
import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The memory, reports and iterators of one test; closing it checks for leaks. */
public final class Session implements AutoCloseable {
  public final OffHeap memory = OffHeap.withBudget(256 << 20);
  public final List<Fault> reports = Collections.synchronizedList(new ArrayList<>());
  private final List<DataIterator> open = new ArrayList<>();

  /** The outcome of a run: the batches as text, and the faults. */
  public record Seen(List<String> batches, List<Fault> faults) {
    public List<String> places() {
      return faults.stream().map(fault -> String.valueOf(fault.input())).toList();
    }
  }

  public static Path file(Path folder, String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  public static Path bytes(Path folder, String name, String text) throws IOException {
    return Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
  }

  /** Opens with a policy that skips all faults, which then appear in {@link #reports}. */
  public DataIterator skipping(Dataset dataset) {
    return open(dataset.withPolicy(FaultPolicy.skip(Long.MAX_VALUE)));
  }

  public DataIterator open(Dataset dataset) {
    return kept(dataset.withPrefetch(options()).open(memory));
  }

  public DataIterator openAt(Dataset dataset, Position position) {
    return kept(dataset.withPrefetch(options()).openAt(memory, position));
  }

  private PrefetchOptions options() {
    return PrefetchOptions.defaults().withReports(reports::add);
  }

  private DataIterator kept(DataIterator iterator) {
    open.add(iterator);
    return iterator;
  }

  /** A whole epoch, with faults skipped. */
  public Seen all(Examples examples, int batch) {
    return all(Dataset.of(examples).withBatch(batch).withLast(LastBatch.DISCARD));
  }

  public Seen all(Dataset dataset) {
    reports.clear();
    try (DataIterator iterator = skipping(dataset)) {
      List<String> batches = rest(iterator);
      return new Seen(batches, List.copyOf(reports));
    }
  }

  /** The rest of the epoch as text; if it ends with a fault, the last element is its message. */
  public static List<String> rest(DataIterator iterator) {
    List<String> seen = new ArrayList<>();
    while (true) {
      switch (iterator.next()) {
        case Item.Good<TensorBatch>(TensorBatch batch) -> seen.add(textAndClose(batch));
        case Item.Bad<TensorBatch>(Fault fault) -> {
          seen.add(fault.message());
          return seen;
        }
        case Item.End<TensorBatch> _ -> {
          return seen;
        }
      }
    }
  }

  public static TensorBatch good(Item<TensorBatch> item) {
    if (item instanceof Item.Good<TensorBatch>(TensorBatch batch)) {
      return batch;
    }
    throw new AssertionError("a batch was expected, got " + item);
  }

  public static Fault bad(Item<TensorBatch> item) {
    if (item instanceof Item.Bad<TensorBatch>(Fault fault)) {
      return fault;
    }
    throw new AssertionError("a fault was expected, got " + item);
  }

  public static String textAndClose(TensorBatch batch) {
    try (batch) {
      return text(batch);
    }
  }

  /** The values of all tensors, and the padding if there is any. */
  public static String text(TensorBatch batch) {
    List<String> tensors = new ArrayList<>();
    batch.tensors().values().forEach(tensor -> tensors.add(text(tensor)));
    String text = String.join(" | ", tensors);
    return batch.pad() == 0 ? text : text + " pad " + batch.pad();
  }

  public static String text(DenseTensor tensor) {
    return tensor.dtype().isFloating()
        ? Arrays.toString(HostTensors.toDoubles(tensor))
        : Arrays.toString(HostTensors.toLongs(tensor));
  }

  /** A number that is equal for equal bytes in all tensors of a batch; closes the batch. */
  public static int digest(TensorBatch batch) {
    try (batch) {
      int sum = batch.pad();
      for (DenseTensor tensor : batch.tensors().values()) {
        byte[] raw = tensor.segment().toArray(ValueLayout.JAVA_BYTE);
        sum = 31 * sum + Arrays.hashCode(raw) + tensor.shape().hashCode();
      }
      return sum;
    }
  }

  @Override
  public void close() {
    for (DataIterator iterator : open) {
      iterator.close();
      try {
        iterator.awaitProducer();
      } catch (InterruptedException e) {
        throw new AssertionError("the test was interrupted", e);
      }
    }
    assertEquals(0, memory.account().bytes(), "bytes of batches that nobody closed");
  }
}
