import ai.djl.Device;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.NoopTranslator;
import java.nio.file.Path;

/** What libtorch answers through DJL. Takes the archive and the folder of the inputs. */
public final class Djl {
  private Djl() {}

  public static void main(String[] arguments) throws Exception {
    Path archive = Path.of(arguments[0]);
    String name = archive.getFileName().toString().replace(".pt", "");
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Model model = Model.newInstance(name, Device.cpu(), "PyTorch")) {
      model.load(archive.getParent(), name);
      NDList inputs = new NDList();
      for (Inputs.Input each : Inputs.read(Path.of(arguments[1]))) {
        inputs.add(array(manager, each));
      }
      try (Predictor<NDList, NDList> predictor = model.newPredictor(new NoopTranslator())) {
        Inputs.print(predictor.predict(inputs).get(0).toFloatArray());
      }
    }
  }

  private static NDArray array(NDManager manager, Inputs.Input input) {
    Shape shape = new Shape(input.shape());
    return input.elements() instanceof float[] floats
        ? manager.create(floats, shape)
        : manager.create((long[]) input.elements(), shape);
  }
}
