package dev.staunch.bench.kernel;

import dev.staunch.kernel.primitive.Constant;
import dev.staunch.kernel.primitive.Convolution;
import dev.staunch.kernel.primitive.Copy;
import dev.staunch.kernel.primitive.KernelSet;
import dev.staunch.kernel.primitive.MatrixProduct;
import dev.staunch.kernel.primitive.RowFormula;
import dev.staunch.kernel.primitive.Window;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The timed cases: float32 products with a constant weight, convolutions of one image with a
 * constant weight, and element-wise kernels beside straightforward loops.
 */
public final class KernelCases {
  /** Rows, columns, depth. */
  public static final List<String> PRODUCTS =
      List.of(
          "64x64x64",
          "256x256x256",
          "512x512x512",
          "1024x1024x1024",
          "2048x2048x2048",
          "1x1024x1024",
          "8x3072x768",
          "128x768x768",
          "128x3072x768",
          "128x768x3072",
          "256x64x256",
          "196x1024x256");

  /** Channels, channels of the result, side of the image, side of the kernel, stride; groups. */
  public static final List<String> CONVOLUTIONS =
      List.of(
          "3 to 64, 224, 7x7/2",
          "64 to 64, 56, 3x3/1",
          "64 to 256, 56, 1x1/1",
          "128 to 128, 28, 3x3/1",
          "256 to 512, 56, 1x1/2",
          "256 to 256, 14, 3x3/1",
          "1024 to 256, 14, 1x1/1",
          "512 to 512, 7, 3x3/1",
          "144 apart, 56, 3x3/1",
          "96 apart, 112, 3x3/2");

  /** Elements, in units of 1024. */
  public static final List<Integer> SIZES = List.of(1, 32, 1024, 16 * 1024);

  private static final int COLOURS = 3;

  private final ResourceScope scope;
  private final KernelSet kernels;
  private final KernelContext context;

  KernelCases(ResourceScope scope, KernelSet kernels) {
    this.scope = scope;
    this.kernels = kernels;
    this.context = new KernelContext(scope);
  }

  /**
   * The cases of {@code products}, {@code convolutions} or {@code elements}; none of {@code peak}.
   * Those that are compared with each other are in one list.
   */
  Stream<List<KernelCase>> of(String group) {
    return switch (group) {
      case "products" -> PRODUCTS.stream().map(this::product).map(List::of);
      case "convolutions" -> CONVOLUTIONS.stream().map(this::convolution).map(List::of);
      case "elements" -> SIZES.stream().flatMap(this::elements);
      case "peak" -> Stream.of();
      default -> throw new IllegalArgumentException("no group is called " + group);
    };
  }

  private DenseTensor tensor(long... sizes) {
    return tensor(Layout.contiguous(Shape.of(sizes)));
  }

  private DenseTensor tensor(Layout layout) {
    DenseTensor tensor = (DenseTensor) DenseTensor.allocate(scope, DType.FLOAT32, layout);
    for (long i = 0; i < tensor.elements(); i++) {
      tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, i % 13 * 0.1f);
    }
    return tensor;
  }

  private Constant weight(DenseTensor tensor) {
    return context.constant(tensor);
  }

  private static double bytes(DenseTensor tensor) {
    return tensor.elements() * tensor.dtype().bytes();
  }

  private static int[] numbers(String text) {
    return Arrays.stream(text.split("\\D+", -1)).mapToInt(Integer::parseInt).toArray();
  }

  private KernelCase product(String shape) {
    int[] sizes = numbers(shape);
    DenseTensor a = tensor(sizes[0], sizes[2]);
    DenseTensor b = tensor(sizes[1], sizes[2]);
    DenseTensor c = tensor(sizes[0], sizes[1]);
    Layout turned = new Layout(Shape.of(sizes[2], sizes[1]), new long[] {1, sizes[2]}, 0);
    MatrixProduct product =
        kernels.matrixProduct(
            new MatrixProduct.Request(
                DType.FLOAT32, a.layout(), turned, null, c.layout(), 1, weight(b)));
    double work = 2e-9 * sizes[0] * sizes[1] * sizes[2];
    return new KernelCase(
        shape, work, work * 1e9, bytes(a) + bytes(b), () -> product.run(context, a, b, null, c));
  }

  private KernelCase convolution(String name) {
    boolean apart = name.contains("apart");
    int[] n = numbers(apart ? name.replace("apart", "to " + name.split(" ", 2)[0]) : name);
    int channels = n[0];
    int outputs = n[1];
    int side = n[2];
    int kernel = n[3];
    Window window = new Window(kernel, n[5], kernel / 2, kernel / 2, 1);
    int size = window.outputs(side, false);
    int depth = apart ? 1 : channels;
    DenseTensor weight = tensor(outputs, depth, kernel, kernel);
    Convolution.Request rowMajor =
        new Convolution.Request(
            DType.FLOAT32,
            Layout.contiguous(Shape.of(1, channels, side, side)),
            weight.layout(),
            null,
            Layout.contiguous(Shape.of(1, outputs, size, size)),
            window,
            window,
            apart ? channels : 1,
            weight(weight));
    Convolution.Request request =
        kernels.prefersChannelsLast(rowMajor) ? withChannelsLast(rowMajor) : rowMajor;
    DenseTensor x = tensor(request.input());
    DenseTensor y = tensor(request.result());
    Convolution convolution = kernels.convolution(request);
    double work = 2e-9 * size * size * outputs * depth * kernel * kernel;
    boolean winograd = kernel == 3 && n[5] == 1 && !apart;
    double fewest = work * 1e9 * (winograd ? Roofline.WINOGRAD : 1);
    return new KernelCase(
        name,
        work,
        fewest,
        bytes(x) + bytes(weight),
        () -> convolution.run(context, x, weight, null, y));
  }

  /**
   * The layout that layers in the middle of a model see; a picture comes from outside and is
   * row-major.
   */
  private static Convolution.Request withChannelsLast(Convolution.Request request) {
    Layout image = request.input();
    return new Convolution.Request(
        request.dtype(),
        image.shape().size(1) == COLOURS ? image : Layout.channelsLast(image.shape()),
        request.weight(),
        request.bias(),
        Layout.channelsLast(request.result().shape()),
        request.vertical(),
        request.horizontal(),
        request.groups(),
        request.constant());
  }

  /** Addition and copies: ours and, under the name plain, without a kernel. */
  private Stream<List<KernelCase>> elements(int kibi) {
    int count = kibi * 1024;
    DenseTensor a = tensor(count);
    DenseTensor b = tensor(count);
    DenseTensor c = tensor(count);
    float[] x = new float[count];
    float[] y = new float[count];
    float[] z = new float[count];
    RowFormula add = Objects.requireNonNull(kernels.rowFormula(DType.FLOAT32, "add"));
    Copy copy =
        kernels.copy(new Copy.Request(DType.FLOAT32, a.layout(), DType.FLOAT32, c.layout()));
    double bytes = 1e-9 * count * Float.BYTES;
    KernelCase added =
        new KernelCase(
            "add " + kibi + " Ki",
            3 * bytes,
            () -> add.run(a.segment(), 0, b.segment(), 0, c.segment(), 0, count));
    KernelCase plainlyAdded =
        new KernelCase("plain add " + kibi + " Ki", 3 * bytes, () -> add(x, y, z));
    KernelCase copied =
        new KernelCase("copy " + kibi + " Ki", 2 * bytes, () -> copy.run(context, a, c));
    KernelCase plainlyCopied =
        new KernelCase(
            "plain copy " + kibi + " Ki",
            2 * bytes,
            () -> MemorySegment.copy(a.segment(), 0, c.segment(), 0, (long) count * Float.BYTES));
    return Stream.of(List.of(added, plainlyAdded), List.of(copied, plainlyCopied));
  }

  private static void add(float[] a, float[] b, float[] c) {
    for (int i = 0; i < c.length; i++) {
      c[i] = a[i] + b[i];
    }
  }
}
