package dev.staunch.cli;

import dev.staunch.data.FaultPolicy;
import dev.staunch.data.Item;
import dev.staunch.data.PrefetchOptions;
import dev.staunch.data.dataset.DataIterator;
import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.LastBatch;
import dev.staunch.data.dataset.Position;
import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.text.Csv;
import dev.staunch.eager.Context;
import dev.staunch.eager.Slice;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.Fault;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The examples of {@code docs/data.md}; {@link DataGuideTest} runs them. */
final class DataGuide {
  private DataGuide() {}

  static double loop(Path file, OffHeap memory) {
    // loop
    Csv people =
        Csv.of(file)
            .withNamed("data", DType.FLOAT32, "age", "income")
            .withNamed("label", DType.INT64, "class")
            .ignoringOthers();
    Dataset dataset = Dataset.of(people).withBatch(32).withShuffle(42).withDecoders(2);
    double sum = 0;
    long count = 0;
    try (Context context = Context.open(memory);
        DataIterator batches = dataset.open(memory)) {
      for (int epoch = 0; epoch < 3; epoch++) {
        for (TensorBatch batch : batches) {
          try (batch) {
            int rows = batch.examples() - batch.pad(); // the last batch may be padded
            Tensor data = context.wrap(batch.data()).get(Slice.to(rows));
            sum += data.sum().floats()[0];
            count += data.numel();
          }
        }
        batches.reset();
      }
    }
    double mean = sum / count;
    // end
    return mean;
  }

  static Examples own() {
    // own
    Examples squares =
        Examples.of(
            "squares",
            List.of(Field.of("data", DType.FLOAT32), Field.of("label", DType.FLOAT32)),
            () -> {
              int[] next = {0};
              return row -> {
                double x = next[0]++;
                if (x == 13) {
                  row.fail(Fault.data("squares, 13", "there is no thirteen"));
                }
                row.put(0, x);
                row.put(1, x * x);
                return x < 100;
              };
            });
    // end
    return squares;
  }

  static List<String> places(Dataset dataset, OffHeap memory) {
    // skip
    List<Fault> told = Collections.synchronizedList(new ArrayList<>());
    Dataset tolerant =
        dataset
            .withPolicy(FaultPolicy.skip(100))
            .withPrefetch(PrefetchOptions.defaults().withReports(told::add));
    // end
    try (DataIterator batches = tolerant.open(memory)) {
      for (TensorBatch batch : batches) {
        batch.close();
      }
    }
    return told.stream().map(fault -> String.valueOf(fault.input())).toList();
  }

  static Dataset substitute(Dataset dataset) {
    // substitute
    Dataset filled =
        dataset.withSubstitutes(
            100,
            (fault, row) -> {
              row.put(0, 0);
              row.put(1, 0);
            });
    // end
    return filled;
  }

  static int rest(Dataset dataset, OffHeap memory) {
    String saved = "";
    try (DataIterator batches = dataset.open(memory);
        TensorBatch batch = batches.next().orThrow()) {
      // save
      saved = batch.position().toString(); // into the checkpoint, beside the weights
      // end
    }
    int left = 0;
    // restore
    try (DataIterator batches = dataset.openAt(memory, Position.parse(saved))) {
      while (batches.next() instanceof Item.Good<TensorBatch>(TensorBatch batch)) {
        batch.close();
        left++;
      }
    }
    // end
    return left;
  }

  static Dataset shard(Examples examples, int worker, int workers) {
    // shard
    Dataset mine =
        Dataset.of(examples).withBatch(8).withShard(worker, workers).withLast(LastBatch.DISCARD);
    // end
    return mine;
  }
}
