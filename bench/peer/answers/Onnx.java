import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** What ONNX Runtime answers to a request. Takes the export and the folder of the inputs. */
public final class Onnx {
  private Onnx() {}

  public static void main(String[] arguments) throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(arguments[0])) {
      Map<String, OnnxTensor> tensors = new HashMap<>();
      Iterator<String> names = session.getInputNames().iterator();
      for (Inputs.Input each : Inputs.read(Path.of(arguments[1]))) {
        tensors.put(names.next(), tensor(environment, each));
      }
      try (OrtSession.Result result = session.run(tensors)) {
        FloatBuffer buffer = ((OnnxTensor) result.get(0)).getFloatBuffer();
        float[] elements = new float[buffer.remaining()];
        buffer.get(elements);
        Inputs.print(elements);
      }
    }
  }

  private static OnnxTensor tensor(OrtEnvironment environment, Inputs.Input input)
      throws OrtException {
    return input.elements() instanceof float[] floats
        ? OnnxTensor.createTensor(environment, FloatBuffer.wrap(floats), input.shape())
        : OnnxTensor.createTensor(
            environment, LongBuffer.wrap((long[]) input.elements()), input.shape());
  }
}
