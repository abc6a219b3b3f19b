package dev.staunch.kernel;

import dev.staunch.fault.Fault;
import dev.staunch.tensor.DenseTensor;

/** Padding with what lies inside: mirrored, repeated at the edge, or wrapped around. */
final class MirroredPadding {
  private MirroredPadding() {}

  static void addTo(Catalog.Builder catalog) {
    for (int dims = 1; dims <= 3; dims++) {
      for (String mode : new String[] {"reflect", "replicate"}) {
        String word = mode.equals("reflect") ? "reflection" : "replication";
        int numbers = 2 * dims;
        catalog.one(
            "aten::%s_pad%dd(Tensor self, SymInt[%d] padding) -> Tensor"
                .formatted(word, dims, 2 * dims),
            Marking.one(call ->
                call.list(1).size() == numbers
                    ? run(call, mode)
                    : Fault.value(
                        "padding size is expected to be %d, but got %d"
                            .formatted(numbers, call.list(1).size()))));
      }
    }
  }

  /** Pads the last dimensions of {@code [N, C, *]} or {@code [C, *]}; or a fault. */
  static Object run(Call call, String mode) {
    DenseTensor self = call.tensor(0);
    long[] pad = call.integers(1);
    int dims = pad.length / 2;
    if (pad.length % 2 != 0 || dims == 0 || (self.rank() != dims + 1 && self.rank() != dims + 2)) {
      String text = "padding of %d numbers in mode '%s' does not fit an input of shape %s";
      return Demands.shape(
          text.formatted(pad.length, mode, self.shape()),
          (dims + 1) + " or " + (dims + 2) + " dimensions",
          self.shape());
    }
    long[][] steps = Rearranged.plain(self);
    for (int i = 0; i < dims; i++) {
      int dim = self.rank() - 1 - i;
      long size = self.shape().size(dim);
      long before = pad[2 * i];
      long after = pad[2 * i + 1];
      long limit =
          mode.equals("reflect") ? size - 1 : mode.equals("circular") ? size : Integer.MAX_VALUE;
      if (size == 0 || before > limit || after > limit || size + before + after <= 0) {
        String text =
            "Padding size should be less than the corresponding input dimension, but got: padding"
                + " (%d, %d) at dimension %d of input %s";
        return Fault.shape(text.formatted(before, after, dim, self.shape()))
            .withExpected("a padding up to " + limit, Math.max(before, after) + "");
      }
      long[] places = new long[(int) (size + before + after)];
      for (int k = 0; k < places.length; k++) {
        places[k] = place(k - before, size, mode);
      }
      steps[dim] = Rearranged.scaled(self, dim, places);
    }
    return new Rearranged(steps).copied(call, self);
  }

  private static long place(long at, long size, String mode) {
    return switch (mode) {
      case "reflect" -> at < 0 ? -at : at >= size ? 2 * size - 2 - at : at;
      case "circular" -> Math.floorMod(at, size);
      default -> Math.clamp(at, 0, size - 1);
    };
  }
}
