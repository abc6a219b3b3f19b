package dev.staunch.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.LayeredKernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What is run so that it gets compiled. */
class WarmUpTest {

  @Test
  void kernelsAreTriedAndNothingIsHandedOn() {
    Set<String> handedOn = ConcurrentHashMap.newKeySet();
    KernelSet others =
        new LayeredKernelSet("spy", StandardOperations.plainKernels()) {
          @Override
          public MatrixProduct matrixProduct(MatrixProduct.Request request) {
            handedOn.add("product");
            return super.matrixProduct(request);
          }

          @Override
          public Convolution convolution(Convolution.Request request) {
            handedOn.add("convolution");
            return super.convolution(request);
          }
        };
    new WarmUp(new VectorKernels(others)).run();
    assertEquals(Set.of(), handedOn);
  }
}
