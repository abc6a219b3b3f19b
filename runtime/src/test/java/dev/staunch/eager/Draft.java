package dev.staunch.eager;

import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A program as far as it has been written: its lines, and the tensors that it can use. */
final class Draft {
  private static final DType[] DTYPES = {
    DType.FLOAT32,
    DType.FLOAT32,
    DType.FLOAT32,
    DType.FLOAT64,
    DType.INT64,
    DType.INT64,
    DType.INT32,
    DType.BOOL,
    DType.FLOAT16,
    DType.BFLOAT16,
    DType.INT8,
    DType.UINT8,
    DType.INT16,
    DType.COMPLEX64
  };

  /** How large the tensors are. */
  enum Scale {
    /** Below any threshold but the lowest. */
    SMALL,
    /** About the size at which work is handed to a worker. */
    MEDIUM,
    /** More than a kernel does between two polls for cancellation. */
    LARGE
  }

  final Random random;
  final Oracle oracle;
  final Scale scale;
  private final Set<Expected.Cells> readOnly = new HashSet<>();
  private List<Program.Line> lines = new ArrayList<>();
  private int nextPlace;

  Draft(Random random, Oracle oracle, Scale scale) {
    this.random = random;
    this.oracle = oracle;
    this.scale = scale;
  }

  List<Program.Line> lines() {
    return lines;
  }

  /** Adds a step, unless the oracle leaves it out; returns whether it was added. */
  boolean add(Step step) {
    Object expected = oracle.follow(step);
    if (expected != null) {
      lines.add(new Program.Line(step, expected, List.of()));
    }
    return expected != null;
  }

  /** Collects the following lines separately; returns those collected before. */
  List<Program.Line> apart() {
    List<Program.Line> before = lines;
    lines = new ArrayList<>();
    return before;
  }

  /** Continues after {@code before} and a block of the lines collected separately. */
  void join(List<Program.Line> before, Step.Block block) {
    before.add(new Program.Line(block, block, lines));
    lines = before;
  }

  int nextPlace() {
    return nextPlace++;
  }

  int[] nextPlaces(int count) {
    int[] places = new int[count];
    Arrays.setAll(places, i -> nextPlace());
    return places;
  }

  boolean isEmpty() {
    return oracle.places().isEmpty();
  }

  /** One of the places, more often a recent one. */
  int anyPlace() {
    List<Integer> places = List.copyOf(oracle.places().keySet());
    double early = random.nextDouble() * random.nextDouble();
    return places.get(Math.max(0, places.size() - 1 - (int) (places.size() * early)));
  }

  /** The tensor at a place, if it can be used. */
  @Nullable DenseTensor at(int place) {
    Expected handle = oracle.places().get(place);
    return handle == null || handle.closed ? null : handle.tensor;
  }

  /** Takes a tensor that the program shares with others and only reads. */
  void share(TensorSpec spec) {
    readOnly.add(oracle.places().get(made(spec)).cells);
  }

  boolean isReadOnly(int place) {
    Expected handle = oracle.places().get(place);
    return handle != null && readOnly.contains(handle.cells);
  }

  /** A new tensor, usually of the program's scale. */
  int make() {
    return made(TensorSpec.numbered(dtype(), TensorSpec.Spread.any(random), sizes()));
  }

  int made(TensorSpec spec) {
    int place = nextPlace();
    add(new Step.Make(place, spec));
    return place;
  }

  DType dtype() {
    return DTYPES[random.nextInt(DTYPES.length)];
  }

  private long[] sizes() {
    return switch (scale) {
      case SMALL -> sizes(random.nextInt(20) == 0 ? 40 : 6);
      case MEDIUM -> new long[] {100 + random.nextInt(100), 100 + random.nextInt(200)};
      case LARGE -> new long[] {500 + random.nextInt(200), 600 + random.nextInt(600)};
    };
  }

  private long[] sizes(int most) {
    long[] sizes = new long[random.nextInt(6) == 0 ? random.nextInt(4) : 2];
    Arrays.setAll(sizes, i -> random.nextInt(25) == 0 ? 0 : 1 + random.nextInt(most));
    return sizes;
  }

  /** A tensor, whether good, faulted or closed; sometimes a new one. */
  int operand() {
    return isEmpty() || random.nextInt(6) == 0 ? make() : anyPlace();
  }

  /** A tensor whose sizes fit those of the tensor at {@code place}. */
  int partner(int place) {
    DenseTensor first = at(place);
    if (first == null) {
      return anyPlace();
    }
    for (int i = 0; i < 4; i++) {
      int other = anyPlace();
      DenseTensor second = at(other);
      if (second != null && second.shape().equals(first.shape())) {
        return other;
      }
    }
    DType dtype = random.nextInt(3) > 0 ? first.dtype() : dtype();
    long[] sizes = first.shape().toArray();
    return made(TensorSpec.numbered(dtype, TensorSpec.Spread.any(random), sizes));
  }

  /** A tensor of this dtype and these sizes, often an existing one. */
  int like(TensorSpec spec) {
    for (int i = 0; i < 3 && random.nextInt(3) > 0 && !isEmpty(); i++) {
      int place = anyPlace();
      DenseTensor tensor = at(place);
      if (tensor != null
          && tensor.dtype() == spec.dtype()
          && Arrays.equals(tensor.shape().toArray(), spec.sizes())) {
        return place;
      }
    }
    return made(spec.spread(TensorSpec.Spread.any(random)));
  }
}
