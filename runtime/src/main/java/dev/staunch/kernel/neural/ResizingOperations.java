package dev.staunch.kernel.neural;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.CancellationPoll;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Copying;
import dev.staunch.kernel.loop.Filling;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.operand.Upsampling;
import dev.staunch.kernel.operand.Views;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Resizes the last dimensions of lines and images: [N, C, L] or [N, C, H, W]. */
final class ResizingOperations {
  /** Codes of memory formats. */
  private static final long ROW_MAJOR = 0;

  private static final long CHANNELS_LAST = 2;

  /** Elements in a line of pixels, with all channels, that fit arrays. */
  private static final int LONGEST = 1 << 22;

  private ResizingOperations() {}

  static void addTo(Catalog.Builder catalog) {
    Catalog.Builder narrow = catalog.with(Trait.NARROW_AS_FLOAT32);
    add(narrow, "upsample_nearest", 1, Taps.Kind.NEAREST);
    add(narrow, "upsample_nearest", 2, Taps.Kind.NEAREST);
    add(catalog, "_upsample_nearest_exact", 1, Taps.Kind.NEAREST_EXACT);
    add(catalog, "_upsample_nearest_exact", 2, Taps.Kind.NEAREST_EXACT);
    add(narrow, "upsample_linear", 1, Taps.Kind.LINEAR);
    add(narrow, "upsample_bilinear", 2, Taps.Kind.LINEAR);
    add(narrow, "upsample_bicubic", 2, Taps.Kind.CUBIC);
    Composite.add(
        narrow,
        "aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
        ResizingOperations::shuffled);
    Composite.add(
        catalog,
        "aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
        ResizingOperations::unshuffled);
    Composite.add(
        catalog,
        "aten::channel_shuffle(Tensor self, int groups) -> Tensor",
        ResizingOperations::channels);
  }

  private static void add(Catalog.Builder catalog, String word, int dims, Taps.Kind kind) {
    boolean aligns = kind == Taps.Kind.LINEAR || kind == Taps.Kind.CUBIC;
    Upsampling.add(
        catalog,
        word + dims + "d",
        dims,
        aligns,
        (steps, call, sizes, factors, aligned) ->
            resized(steps, call, kind, sizes, factors, aligned));
  }

  /**
   * Bytes are resized horizontally and rounded before they are resized vertically, as in libtorch.
   */
  private static Object resized(
      Steps steps, Operands call, Taps.Kind kind, long[] asked, double[] factors, boolean aligned) {
    TensorForm self = call.form(0);
    Fault fault = misfit(self, asked, factors.length);
    if (fault != null) {
      return fault;
    }
    if (self.dtype() == DType.UINT8 && factors.length == 2) {
      long[] wide = {self.shape().size(2), asked[1]};
      double[] across = {0, factors[1]};
      double[] down = {factors[0], 0};
      Object lines = resized(steps, call.value(0), kind, wide, across, aligned);
      return Steps.isTensor(lines) ? resized(steps, lines, kind, asked, down, aligned) : lines;
    }
    return resized(steps, call.value(0), kind, asked, factors, aligned);
  }

  private static Object resized(
      Steps steps, Object input, Taps.Kind kind, long[] asked, double[] factors, boolean aligned) {
    TensorForm self = Steps.form(input);
    int dims = factors.length;
    long[] sizes = self.shape().toArray();
    System.arraycopy(asked, 0, sizes, 2, dims);
    Object shape = Filling.shape(sizes);
    boolean last = kind != Taps.Kind.CUBIC && dims == 2 && self.layout().suggestsChannelsLast();
    Object form =
        shape instanceof Shape known
            ? new TensorForm(
                self.dtype(), last ? Layout.channelsLast(known) : Layout.contiguous(known))
            : shape;
    boolean nearest = kind == Taps.Kind.NEAREST && dims > 1;
    double[] used = nearest ? Upsampling.nearest(self, asked, factors) : factors;
    boolean pixels = last && Math.max(asked[1], self.shape().size(3)) * sizes[1] <= LONGEST;
    return steps.apply(
        operands -> form,
        inner -> filled(inner, form, kind, used, aligned, pixels),
        steps.run("contiguous", input, pixels ? CHANNELS_LAST : ROW_MAJOR));
  }

  /**
   * @param pixels whether the images are resized as they lie, with channels last
   */
  private static Object filled(
      Call call, Object form, Taps.Kind kind, double[] factors, boolean aligned, boolean pixels) {
    DenseTensor input = call.tensor(0);
    if (!(form instanceof TensorForm known)) {
      return form;
    }
    Layout layout = pixels ? known.layout() : Layout.contiguous(known.shape());
    Object made = call.allocate(known.dtype(), layout);
    if (!(made instanceof DenseTensor target) || target.elements() == 0) {
      return made;
    }
    int dims = factors.length;
    boolean bytes = input.dtype() == DType.UINT8;
    boolean single = input.dtype() != DType.FLOAT64 && !bytes;
    Taps[] taps = new Taps[dims];
    for (int d = 0; d < dims; d++) {
      int size = (int) input.shape().size(2 + d);
      int asked = (int) target.shape().size(2 + d);
      Taps exact = Taps.of(kind, size, asked, aligned, factors[d], single);
      taps[d] = bytes ? exact.rounded() : exact;
    }
    Taps rows = dims == 2 ? taps[0] : new Taps(1, new int[] {0}, new double[] {1});
    ResizedImages images = ResizedImages.of(input, target, rows, taps[dims - 1], pixels);
    boolean nearest = kind == Taps.Kind.NEAREST || kind == Taps.Kind.NEAREST_EXACT;
    Fault stop = nearest ? images.pick(call.environment()) : images.mix(call.environment());
    Object result = CancellationPoll.finished(target, stop);
    return pixels ? result : Copying.laid(call, result, known.layout());
  }

  private static @Nullable Fault misfit(TensorForm self, long[] asked, int dims) {
    if (!self.dtype().isFloating() && self.dtype() != DType.UINT8) {
      return Fault.dtype("upsampling is not implemented for " + self.dtype())
          .withExpected(ExpectedDType.FLOATING_POINT, self.dtype());
    }
    if (asked.length != dims) {
      return Fault.shape(
          Message.of("`output_size` takes %d sizes, but has %d", dims, asked.length));
    }
    if (self.rank() != dims + 2) {
      return OperandChecks.shape(
          Message.of(
              "upsampling takes an input of %d dimensions, but its shape is %s",
              dims + 2, self.shape()),
          (dims + 2) + " dimensions",
          self.shape());
    }
    for (int d = 0; d < dims; d++) {
      if (Shape.asInt(self.shape().size(2 + d)) <= 0
          || asked[d] <= 0
          || asked[d] > Integer.MAX_VALUE / 4) {
        return Fault.shape(
            Message.of(
                "upsampling goes from positive sizes to positive ones, but got %s and %s",
                self.shape(), Arrays.toString(asked)));
      }
    }
    return null;
  }

  /** The leading sizes, then {@code rest}. */
  private static long[] behind(Shape self, int keep, long... rest) {
    long[] sizes = Arrays.copyOf(self.toArray(), keep + rest.length);
    System.arraycopy(rest, 0, sizes, keep, rest.length);
    return sizes;
  }

  private static Object ordered(Steps steps, Object tensor, int lead, int... order) {
    long[] dims = new long[lead + order.length];
    for (int d = 0; d < dims.length; d++) {
      dims[d] = d < lead ? d : lead + order[d - lead];
    }
    return steps.run("permute", tensor, Steps.ints(dims));
  }

  private static Object shuffled(Steps steps, Operands call) {
    Shape self = call.shape(0);
    long factor = call.integer(1);
    int lead = self.rank() - 3;
    if (lead < 0
        || factor <= 0
        || factor > Integer.MAX_VALUE
        || self.size(lead) % (factor * factor) != 0) {
      String text =
          "pixel_shuffle takes [*, C, H, W] with C a multiple of the square of `upscale_factor`,"
              + " %2$d, but the shape is %1$s";
      return Fault.shape(Message.of(text, self, factor));
    }
    long channels = self.size(lead) / (factor * factor);
    long height = self.size(lead + 1);
    long width = self.size(lead + 2);
    Object parts =
        steps.view(call.value(0), behind(self, lead, channels, factor, factor, height, width));
    Object mixed = ordered(steps, parts, lead, 0, 3, 1, 4, 2);
    Object unfolded =
        steps.apart(
            steps.view(mixed, behind(self, lead, channels, height * factor, width * factor)),
            call.value(0));
    return Copying.asImages(steps, unfolded, call.value(0));
  }

  private static Object unshuffled(Steps steps, Operands call) {
    Shape self = call.shape(0);
    long factor = call.integer(1);
    int lead = self.rank() - 3;
    boolean fits =
        lead >= 0
            && factor > 0
            && self.size(lead + 1) % factor == 0
            && self.size(lead + 2) % factor == 0;
    if (!fits) {
      String text =
          "pixel_unshuffle takes [*, H, W], both multiples of `downscale_factor` %2$d, but the"
              + " shape is %1$s";
      return Fault.shape(Message.of(text, self, factor));
    }
    if (self.elements() == 0) {
      return steps.run("clone", call.value(0), None.NONE); // libtorch keeps the shape
    }
    long channels = self.size(lead);
    long height = self.size(lead + 1) / factor;
    long width = self.size(lead + 2) / factor;
    Object parts =
        steps.view(call.value(0), behind(self, lead, channels, height, factor, width, factor));
    Object mixed = ordered(steps, parts, lead, 0, 2, 4, 1, 3);
    Object folded =
        steps.apart(
            steps.view(mixed, behind(self, lead, channels * factor * factor, height, width)),
            call.value(0));
    return Copying.asImages(steps, folded, call.value(0));
  }

  private static Object channels(Steps steps, Operands call) {
    Shape self = call.shape(0);
    long groups = call.integer(1);
    if (self.rank() < 3 || groups <= 0 || self.size(1) % groups != 0) {
      String text =
          "channel_shuffle takes [N, C, *] with C a multiple of `groups` %2$d, but the shape is"
              + " %1$s";
      return Fault.shape(Message.of(text, self, groups));
    }
    long[] sizes = self.toArray();
    long[] parts = Views.with(sizes, 1, groups);
    parts[2] = sizes[1] / groups;
    Object mixed = steps.run("transpose.int", steps.view(call.value(0), parts), 1L, 2L);
    Object apart = steps.apart(steps.view(mixed, sizes), call.value(0));
    return Copying.asImages(steps, apart, call.value(0));
  }
}
