package dev.staunch.kernel.volume;

import dev.staunch.fault.Message;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Upsampling;
import dev.staunch.operation.None;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.List;

/** Resizes volumes. */
final class VolumeResizing {
  private VolumeResizing() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder narrow = catalog.with(Trait.NARROW_AS_FLOAT32);
    add(narrow, "upsample_nearest3d", "upsample_nearest2d", false, true);
    add(catalog, "_upsample_nearest_exact3d", "_upsample_nearest_exact2d", false, false);
    add(narrow, "upsample_trilinear3d", "upsample_bilinear2d", true, false);
  }

  /**
   * @param bySizes whether {@link Upsampling#nearest} says which factors are used
   */
  private static void add(
      Catalog.Builder catalog, String name, String planes, boolean aligns, boolean bySizes) {
    Upsampling.add(
        catalog,
        name,
        3,
        aligns,
        (steps, call, sizes, factors, aligned) -> {
          TensorForm self = call.form(0);
          if (self.rank() != 5 || sizes.length != 3) {
            String text = "%s takes an input of 5 dimensions and 3 sizes, but got %s and %s";
            return OperandChecks.shape(
                Message.of(text, name, self.shape(), Arrays.toString(sizes)),
                "5 dimensions",
                self.shape());
          }
          Resizing resizing =
              (pictures, height, width, down, across) -> {
                List<Object> size = Steps.ints(height, width);
                Object tall = down == 0 ? None.NONE : down;
                Object wide = across == 0 ? None.NONE : across;
                return aligns
                    ? steps.run(planes, pictures, size, aligned, tall, wide)
                    : picked(steps, planes, pictures, size, tall, wide);
              };
          double[] used = bySizes ? Upsampling.nearest(self, sizes, factors) : factors;
          Object result =
              Volumes.inTurn(
                  steps,
                  call.value(0),
                  slices -> resizing.of(slices, sizes[1], sizes[2], used[1], used[2]),
                  upright -> resizing.of(upright, sizes[0], sizes[1] * sizes[2], used[0], 0));
          return Copying.asImages(steps, result, call.value(0));
        });
  }

  /**
   * Resizes pictures to the nearest elements. They count as channels of one picture, because in
   * channels-last order the operation on pictures does not always use the factors.
   */
  private static Object picked(
      Steps steps, String planes, Object pictures, List<Object> size, Object tall, Object wide) {
    if (!Steps.isTensor(pictures)) {
      return pictures;
    }
    Shape shape = Steps.form(pictures).shape();
    long count = shape.size(0) * shape.size(1);
    Object channels = steps.view(pictures, 1, count, shape.size(2), shape.size(3));
    Object result = steps.run(planes, channels, size, tall, wide);
    if (!Steps.isTensor(result)) {
      return result;
    }
    Shape resized = Steps.form(result).shape();
    return steps.view(result, shape.size(0), shape.size(1), resized.size(2), resized.size(3));
  }

  /** Resizes images to a height and a width, by two factors. */
  private interface Resizing {
    Object of(Object pictures, long height, long width, double down, double across);
  }
}
