import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures requests a second with ONNX Runtime: several threads share one session, and each request
 * runs on the thread that sends it. Takes the folder of the exports, the number of threads and
 * MODEL@BATCH.
 */
public final class Rate {
  private static final long WARM_NANOS = 3_000_000_000L;
  private static final long NANOS = 3_000_000_000L;

  /** A row of elements and its shape; each request makes a tensor of it. */
  private record Input(Object elements, long[] shape) {
    OnnxTensor tensor(OrtEnvironment environment) throws OrtException {
      return elements instanceof float[] floats
          ? OnnxTensor.createTensor(environment, FloatBuffer.wrap(floats), shape)
          : OnnxTensor.createTensor(environment, LongBuffer.wrap((long[]) elements), shape);
    }
  }

  private Rate() {}

  public static void main(String[] arguments) throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    options.setInterOpNumThreads(1);
    options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
    String file = arguments[2].replace('@', '_') + ".onnx";
    try (OrtSession session =
        environment.createSession(Path.of(arguments[0], file).toString(), options)) {
      Map<String, Input> inputs = inputs(session, arguments[2]);
      int threads = Integer.parseInt(arguments[1]);
      rate(environment, session, inputs, threads, WARM_NANOS);
      System.out.printf(
          "ort %s %.1f req/s%n",
          arguments[2], rate(environment, session, inputs, threads, NANOS));
    }
  }

  private static double rate(
      OrtEnvironment environment,
      OrtSession session,
      Map<String, Input> inputs,
      int threads,
      long nanos)
      throws InterruptedException {
    LongAdder done = new LongAdder();
    long begun = System.nanoTime();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (System.nanoTime() - begun < nanos) {
                      predict(environment, session, inputs);
                      done.increment();
                    }
                  }));
    }
    for (Thread thread : all) {
      thread.join();
    }
    return done.sum() / ((System.nanoTime() - begun) / 1e9);
  }

  private static void predict(
      OrtEnvironment environment, OrtSession session, Map<String, Input> inputs) {
    Map<String, OnnxTensor> tensors = new HashMap<>();
    try {
      for (Map.Entry<String, Input> each : inputs.entrySet()) {
        tensors.put(each.getKey(), each.getValue().tensor(environment));
      }
      try (OrtSession.Result result = session.run(tensors)) {
        ((OnnxTensor) result.get(0)).getFloatBuffer();
      }
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  /**
   * The same inputs as in the other peers: numbers, ids that every table has, masks, offsets of
   * bags.
   */
  private static Map<String, Input> inputs(OrtSession session, String row) throws OrtException {
    Random random = new Random(1);
    Map<String, Input> inputs = new HashMap<>();
    int index = 0;
    for (String name : session.getInputNames()) {
      TensorInfo info = (TensorInfo) session.getInputInfo().get(name).getInfo();
      long[] shape = info.getShape();
      int count = 1;
      for (long size : shape) {
        count *= (int) size;
      }
      inputs.put(name, new Input(elements(info.type, row, index, count, random), shape));
      index++;
    }
    return inputs;
  }

  private static Object elements(
      OnnxJavaType type, String row, int index, int count, Random random) {
    if (type == OnnxJavaType.FLOAT) {
      float[] numbers = new float[count];
      for (int i = 0; i < count; i++) {
        numbers[i] = (float) random.nextGaussian();
      }
      return numbers;
    }
    long[] integers = new long[count];
    for (int i = 0; i < count; i++) {
      boolean bags = row.startsWith("dlrm") && index == 2;
      boolean mask = row.startsWith("bert") && index == 1;
      integers[i] = bags ? 4L * i : mask ? 1 : random.nextInt(5000);
    }
    return integers;
  }
}
