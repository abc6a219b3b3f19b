package onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.dnnl.IntMemoryMap;
import org.bytedeco.dnnl.convolution_forward;
import org.bytedeco.dnnl.engine;
import org.bytedeco.dnnl.global.dnnl.algorithm;
import org.bytedeco.dnnl.global.dnnl.prop_kind;
import org.bytedeco.dnnl.matmul;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.primitive;
import org.bytedeco.dnnl.stream;
import org.bytedeco.javacpp.Pointer;

/**
 * The peer of {@code dev.staunch.bench.kernel.KernelTimes}: oneDNN's matrix products and
 * convolutions in float32. Prints the best run of each, in billions of operations a second. The
 * weight of a product, and all operands of a convolution, have the layout that oneDNN prefers;
 * converting them to it is not timed.
 */
public final class Kernels {
  private static final double SHORTEST_NANOS = 20_000;
  private static final byte SMALL_NUMBERS = 0x3c;

  private final engine cpu = new engine(engine.kind.cpu, 0);
  private final stream work = new stream(cpu);

  private Kernels() {}

  private record Case(double work, Runnable run) {}

  /**
   * Takes a group, the seconds for warming up and for measuring each case, and the names of the
   * cases.
   */
  public static void main(String[] arguments) {
    Kernels kernels = new Kernels();
    double warm = Double.parseDouble(arguments[1]);
    double measured = Double.parseDouble(arguments[2]);
    Map<String, Case> cases = new LinkedHashMap<>();
    for (String name : Arrays.copyOfRange(arguments, 3, arguments.length)) {
      cases.put(
          name,
          arguments[0].equals("products") ? kernels.product(name) : kernels.convolution(name));
    }
    cases.forEach((name, each) -> {
      best(each, warm);
      System.out.println(name + "=" + best(each, measured));
    });
  }

  private static int[] numbers(String text) {
    return Arrays.stream(text.split("\\D+")).mapToInt(Integer::parseInt).toArray();
  }

  private static memory.desc desc(memory.format_tag tag, long... sizes) {
    return new memory.desc(sizes, memory.data_type.f32, tag);
  }

  /** Memory that was written: otherwise all of its pages would be the same page. */
  private memory filled(memory.desc desc) {
    memory made = new memory(desc, cpu);
    Pointer.memset(made.get_data_handle(), SMALL_NUMBERS, desc.get_size());
    return made;
  }

  /** Rows, columns, depth. */
  private Case product(String name) {
    int[] n = numbers(name);
    matmul.primitive_desc desc =
        new matmul.primitive_desc(
            cpu,
            desc(memory.format_tag.ab, n[0], n[2]),
            desc(memory.format_tag.any, n[2], n[1]),
            desc(memory.format_tag.ab, n[0], n[1]));
    return timed(
        2e-9 * n[0] * n[1] * n[2],
        new matmul(desc),
        desc.src_desc(),
        desc.weights_desc(),
        desc.dst_desc());
  }

  /** Channels, channels of the result, side of the image, side of the kernel, stride. */
  private Case convolution(String name) {
    boolean apart = name.contains("apart");
    int[] n = numbers(apart ? name.replace("apart", "to " + name.split(" ")[0]) : name);
    long kernel = n[3];
    long padding = kernel / 2;
    long size = (n[2] + 2 * padding - kernel) / n[5] + 1;
    long depth = apart ? 1 : n[0];
    long[] steps = {n[5], n[5]};
    long[] paddings = {padding, padding};
    memory.format_tag any = memory.format_tag.any;
    convolution_forward.primitive_desc desc =
        new convolution_forward.primitive_desc(
            cpu,
            prop_kind.forward_inference,
            algorithm.convolution_direct,
            desc(any, 1, n[0], n[2], n[2]),
            apart ? desc(any, n[0], 1, 1, kernel, kernel) : desc(any, n[1], n[0], kernel, kernel),
            desc(any, 1, n[1], size, size),
            steps,
            paddings,
            paddings);
    return timed(
        2e-9 * size * size * n[1] * depth * kernel * kernel,
        new convolution_forward(desc),
        desc.src_desc(),
        desc.weights_desc(),
        desc.dst_desc());
  }

  private Case timed(
      double operations, primitive kernel, memory.desc x, memory.desc weight, memory.desc y) {
    IntMemoryMap operands = new IntMemoryMap();
    operands.put(DNNL_ARG_SRC, filled(x));
    operands.put(DNNL_ARG_WEIGHTS, filled(weight));
    operands.put(DNNL_ARG_DST, filled(y));
    return new Case(
        operations,
        () -> {
          kernel.execute(work, operands);
          work._wait();
        });
  }

  private static double best(Case each, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    double shortest = Double.POSITIVE_INFINITY;
    for (int runs = 0; runs < 3 || System.nanoTime() < end; runs++) {
      int times = (int) Math.clamp(SHORTEST_NANOS / shortest, 1, 1000);
      long start = System.nanoTime();
      for (int i = 0; i < times; i++) {
        each.run().run();
      }
      shortest = Math.min(shortest, (System.nanoTime() - start) / (double) times);
    }
    return each.work() / shortest * 1e9;
  }
}
