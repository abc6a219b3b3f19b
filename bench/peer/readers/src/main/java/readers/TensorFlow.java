package readers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.tensorflow.EagerSession;
import org.tensorflow.Operand;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TString;
import org.tensorflow.types.family.TType;

/** How tf.data's readers respond to the broken files. It has no readers for LibSVM and RecordIO. */
final class TensorFlow {
  private static final List<String> CSV =
      List.of("short.csv", "text.csv", "empty-field.csv", "large.csv", "quote.csv", "empty.csv");

  private final Ops tf;
  private final Path folder;

  private TensorFlow(Ops tf, Path folder) {
    this.tf = tf;
    this.folder = folder;
  }

  public static void main(String[] args) {
    try (EagerSession session = EagerSession.create()) {
      new TensorFlow(Ops.create(session), Path.of(args[0])).all();
    }
  }

  private void all() {
    for (String name : CSV) {
      Answers.print(name, () -> rows(csv(name, "")));
    }
    Answers.print("cut.csv.gz", () -> rows(csv("cut.csv.gz", "GZIP")));
    Answers.print("cut-idx3", () -> bytes(fixed("cut-idx3", 16, 784), 1));
    Answers.print(
        "labels-idx1",
        () -> bytes(zip(fixed("images-idx3", 16, 784), fixed("labels-idx1", 8, 1)), 2));
    Answers.print("damaged.tfrecord", () -> bytes(records("damaged.tfrecord"), 1));
  }

  private Operand<TString> path(String name) {
    return tf.constant(folder.resolve(name).toString());
  }

  private Operand<? extends TType> csv(String name, String packing) {
    List<Operand<?>> required = List.of(tf.constant(new float[0]), tf.constant(new float[0]));
    return tf.data.cSVDataset(
        path(name),
        tf.constant(packing),
        tf.constant(1L << 22),
        tf.constant(false),
        tf.constant(","),
        tf.constant(true),
        tf.constant(""),
        tf.constant(new long[0]),
        required,
        tf.constant(new long[0]),
        Collections.nCopies(2, Shape.scalar()));
  }

  private Operand<? extends TType> fixed(String name, long header, long record) {
    return tf.data.fixedLengthRecordDataset(
        path(name),
        tf.constant(header),
        tf.constant(record),
        tf.constant(0L),
        tf.constant(0L),
        tf.constant(""));
  }

  /** Built by hand, because this runtime refuses the operation that the binding builds. */
  private Operand<? extends TType> records(String name) {
    return tf.scope()
        .opBuilder("TFRecordDataset", "records")
        .addInput(path(name).asOutput())
        .addInput(tf.constant("").asOutput())
        .addInput(tf.constant(0L).asOutput())
        .build()
        .output(0);
  }

  private Operand<? extends TType> zip(Operand<?> one, Operand<?> other) {
    return tf.data.zipDataset(
        List.of(one, other),
        Collections.nCopies(2, TString.class),
        Collections.nCopies(2, Shape.scalar()));
  }

  private Answers.Reader rows(Operand<? extends TType> dataset) {
    return reader(dataset, TFloat32.class, 2);
  }

  private Answers.Reader bytes(Operand<? extends TType> dataset, int width) {
    return reader(dataset, TString.class, width);
  }

  private Answers.Reader reader(
      Operand<? extends TType> dataset, Class<? extends TType> type, int width) {
    List<Class<? extends TType>> types = Collections.nCopies(width, type);
    List<Shape> shapes = Collections.nCopies(width, Shape.scalar());
    Operand<? extends TType> iterator = tf.data.anonymousIterator(types, shapes).handle();
    tf.data.makeIterator(dataset, iterator);
    return () -> {
      List<String> values = new ArrayList<>();
      try {
        for (Operand<?> each : tf.data.iteratorGetNext(iterator, types, shapes)) {
          values.add(
              each.asTensor() instanceof TFloat32 number
                  ? Float.toString(number.getFloat())
                  : ((TString) each.asTensor()).asBytes().getObject().length + " bytes");
        }
      } catch (org.tensorflow.exceptions.TFOutOfRangeException e) {
        return null;
      }
      return String.join(" | ", values);
    };
  }
}
