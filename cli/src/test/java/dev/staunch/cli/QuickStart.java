package dev.staunch.cli;

import dev.staunch.data.dataset.DataIterator;
import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.TensorBatch;
import dev.staunch.data.text.Csv;
import dev.staunch.eager.Context;
import dev.staunch.eager.Tensor;
import dev.staunch.fault.StaunchException;
import dev.staunch.inference.Answer;
import dev.staunch.inference.Model;
import dev.staunch.inference.ProtocolReader;
import dev.staunch.memory.OffHeap;
import dev.staunch.tensor.ArrayText;
import dev.staunch.type.DType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/** The quick start that the README shows; {@link ReadmeTest} compiles and runs it. */
final class QuickStart {
  private QuickStart() {}

  static String run(Path archive, String json) {
    // quick start
    try (Model model = Model.load(archive, OffHeap.withDefaultBudget())) {
      Answer answer = model.predict(new ProtocolReader().read(json).orThrow());
      float[] scores = answer.output().floats(); // throws what went wrong, by type
      return "the first score is " + scores[0];
    } catch (StaunchException.ShapeException e) {
      return e.getMessage() + " at " + e.fault().source();
    }
    // end
  }

  static String eager() {
    // eager
    try (Context context = Context.open(OffHeap.withDefaultBudget())) {
      Tensor scores = context.ones(2, 3).matmul(context.full(0.5, 3, 4)).softmax(1);
      Tensor bad = scores.add(context.zeros(7)).relu(); // a fault, in what depends on it only
      float first = scores.mul_(100).floats()[0]; // waits; throws if there is a fault
      try {
        bad.floats();
      } catch (StaunchException.ShapeException e) {
        return first + " % and, at " + e.fault().source() + ": " + e.getMessage();
      }
    }
    // end
    return "no fault";
  }

  static String data(Path dataPath) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    OffHeap memory = OffHeap.withDefaultBudget();
    // data
    Csv csv = Csv.of(dataPath).with("data", DType.FLOAT32, 4, 10);
    try (DataIterator dataTrain = Dataset.of(csv).withBatch(1).open(memory)) {
      for (TensorBatch batch : dataTrain) {
        try (batch) {
          out.println(ArrayText.of(batch.data()));
        }
      }
    } catch (StaunchException e) {
      out.println("exception handled at " + e.fault().input() + ": " + e.getMessage());
    }
    // end
    return text.toString().strip();
  }
}
