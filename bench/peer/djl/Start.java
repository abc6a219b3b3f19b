import ai.djl.Device;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.NoopTranslator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Prints the same figures as {@code ModelStart}, for libtorch through DJL: the milliseconds from
 * the start of the process to the first prediction, the duration of the first and of the second
 * prediction, and the resident memory after the first. Takes the folder of the archives, a model,
 * and the time at which the process was started.
 */
public final class Start {
  private Start() {}

  public static void main(String[] arguments) throws Exception {
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Model model = Model.newInstance(arguments[1], Device.cpu(), "PyTorch")) {
      model.load(Path.of(arguments[0]), arguments[1]);
      NDList inputs = inputs(manager, arguments[1]);
      try (Predictor<NDList, NDList> predictor = model.newPredictor(new NoopTranslator())) {
        double first = predict(predictor, inputs);
        long now = System.currentTimeMillis();
        System.out.println("start=" + (now - Long.parseLong(arguments[2])));
        System.out.println("rss=" + resident());
        System.out.println("first=" + first);
        System.out.println("second=" + predict(predictor, inputs));
      }
    }
  }

  private static double predict(Predictor<NDList, NDList> predictor, NDList inputs)
      throws Exception {
    long begun = System.nanoTime();
    try (NDList result = predictor.predict(inputs)) {
      for (NDArray each : result) {
        each.toFloatArray();
      }
    }
    return (System.nanoTime() - begun) / 1e6;
  }

  private static NDList inputs(NDManager manager, String model) {
    Random random = new Random(1);
    return switch (model) {
      case "mlp_bn" -> new NDList(manager.randomNormal(new Shape(1, 128)));
      case "resnet18", "resnet50" -> new NDList(manager.randomNormal(new Shape(1, 3, 224, 224)));
      case "bert1", "bert12" ->
          new NDList(
              manager.create(random.longs(128, 0, 5000).toArray(), new Shape(1, 128)),
              manager.ones(new Shape(1, 128), DataType.INT64));
      default -> throw new IllegalArgumentException(model);
    };
  }

  private static long resident() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    }
    return 0;
  }
}
