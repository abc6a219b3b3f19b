import static org.bytedeco.pytorch.global.torch.freeze;
import static org.bytedeco.pytorch.global.torch.load;

import java.nio.file.Path;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** What libtorch answers to a request. Takes the archive and the folder of the inputs. */
public final class Libtorch {
  private Libtorch() {}

  public static void main(String[] arguments) throws Exception {
    try (InferenceMode mode = new InferenceMode(true)) {
      JitModule model = load(arguments[0]);
      model.eval();
      IValueVector inputs = new IValueVector();
      for (Inputs.Input each : Inputs.read(Path.of(arguments[1]))) {
        inputs.push_back(new IValue(tensor(each)));
      }
      Tensor result = freeze(model).get_method("forward").apply(inputs).toTensor().contiguous();
      float[] elements = new float[(int) result.numel()];
      new FloatPointer(result.data_ptr()).get(elements);
      Inputs.print(elements);
    }
  }

  private static Tensor tensor(Inputs.Input input) {
    if (input.elements() instanceof float[] floats) {
      return Tensor.create(floats, input.shape());
    }
    return Tensor.create((long[]) input.elements(), input.shape());
  }
}
