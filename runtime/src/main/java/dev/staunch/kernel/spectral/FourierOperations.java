package dev.staunch.kernel.spectral;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.loop.Filled;
import dev.staunch.kernel.operand.Composite;
import dev.staunch.kernel.operand.Dimensions;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.kernel.spectral.FourierLines.Kind;
import dev.staunch.operation.ExpectedDType;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** {@code torch.fft}: transforms along one or several dimensions. */
final class FourierOperations {
  private static final String LINE =
      "(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor";
  private static final String PLANE =
      "2(Tensor self, int[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor";
  private static final String ALL =
      "n(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor";

  /** The most elements of a line, which is transformed in arrays. */
  private static final long MOST = 1 << 28;

  private FourierOperations() {}

  /** One of the transforms along one dimension. */
  private record Form(String name, Kind kind, boolean inverse) {}

  static void addTo(Catalog.Builder catalog) {
    Form[] forms = {
      new Form("fft", Kind.COMPLEX, false),
      new Form("ifft", Kind.COMPLEX, true),
      new Form("rfft", Kind.TO_HALF, false),
      new Form("irfft", Kind.FROM_HALF, true),
      new Form("hfft", Kind.FROM_HALF, false),
      new Form("ihfft", Kind.TO_HALF, true),
    };
    for (Form form : forms) {
      String name = "aten::fft_" + form.name();
      line(catalog, name + LINE, form);
      Composite.add(catalog, name + PLANE, (steps, call) -> planes(steps, call, form));
      Composite.add(catalog, name + ALL, (steps, call) -> planes(steps, call, form));
    }
    shifts(catalog);
    frequencies(catalog);
  }

  private static void line(Catalog.Builder catalog, String schema, Form form) {
    Filled.add(
        catalog,
        schema,
        operands ->
            switch (line(operands, form)) {
              case Line line -> line.form(form);
              case Object fault -> fault;
            },
        (target, call) ->
            line(call, form) instanceof Line line ? line.fill(target, call, form) : null);
  }

  /** The parameters of a transform along one dimension. */
  private record Line(TensorForm self, int dim, long length, double scale) {
    TensorForm form(Form form) {
      return FourierLines.form(self, dim, form.kind(), (int) length);
    }

    @Nullable Fault fill(DenseTensor target, Call call, Form form) {
      return new FourierLines(form.kind(), form.inverse(), (int) length, scale)
          .along(call, call.tensor(0), dim, target);
    }
  }

  private static Object line(Operands call, Form form) {
    TensorForm self = call.form(0);
    Object dim = Dimensions.wrap(call.integer(2), self.rank());
    if (!(dim instanceof Integer at)) {
      return dim;
    }
    if (self.rank() == 0) {
      return Fault.shape(form.name() + " takes at least one dimension, but the tensor has none");
    }
    long size = self.shape().size(at);
    long length = call.integerOr(1, form.kind() == Kind.FROM_HALF ? 2 * (size - 1) : size);
    String norm = call.isNone(3) ? "backward" : call.string(3);
    Fault fault = misfit(self, length, form);
    double scale = scale(norm, form.inverse(), length);
    if (fault == null && Double.isNaN(scale)) {
      fault = noNorm(norm);
    }
    return fault == null ? new Line(self, at, length, scale) : fault;
  }

  private static Fault noNorm(String norm) {
    return Fault.value("`norm` is 'forward', 'backward' or 'ortho', but it is '" + norm + "'")
        .withExpected("'forward', 'backward' or 'ortho'", "'" + norm + "'");
  }

  private static @Nullable Fault misfit(TensorForm self, long length, Form form) {
    DType dtype = self.dtype();
    if (dtype == DType.FLOAT16 || dtype == DType.BFLOAT16) {
      return Fault.dtype(Message.of("%s takes no %s", form.name(), dtype))
          .withExpected(ExpectedDType.worded("float32, float64 or complex", DType.FLOAT32), dtype);
    }
    if (form.kind() == Kind.TO_HALF && dtype.kind() == DType.Kind.COMPLEX) {
      return Fault.dtype(form.name() + " takes real numbers, but the tensor is " + dtype)
          .withExpected("a real dtype", dtype);
    }
    if (length < 1 || length > MOST) {
      return OperandChecks.shape(
          Message.of("%s takes lines of 1 to %d elements, not of %d", form.name(), MOST, length),
          "lines of 1 to " + MOST + " elements",
          self.shape());
    }
    return null;
  }

  /** The scale for a norm; NaN if there is no such norm. */
  static double scale(String norm, boolean inverse, long length) {
    return switch (norm) {
      case "backward" -> inverse ? 1.0 / length : 1;
      case "forward" -> inverse ? 1 : 1.0 / length;
      case "ortho" -> 1 / Math.sqrt((double) length);
      default -> Double.NaN;
    };
  }

  /**
   * Transforms along several dimensions; a real signal's spectrum is halved in the last one only.
   */
  private static Object planes(Steps steps, Operands call, Form form) {
    TensorForm self = call.form(0);
    long[] sizes = call.isNone(1) ? null : call.integers(1);
    Object dims = dimensions(call, self.rank(), sizes);
    if (!(dims instanceof long[] over)) {
      return dims;
    }
    if (sizes != null && sizes.length != over.length) {
      String text = "%s needs a size for each dimension, but got %d for %d";
      return Fault.value(Message.of(text, form.name(), sizes.length, over.length));
    }
    if (over.length == 0 && form.kind() != Kind.COMPLEX) {
      return Fault.value(form.name() + "n must transform at least one dimension");
    }
    String norm = call.isNone(3) ? "backward" : call.string(3);
    if (Double.isNaN(scale(norm, form.inverse(), 1))) {
      return noNorm(norm);
    }
    Object result = call.value(0);
    // a real signal is halved first, or restored from its half last
    boolean lastFirst = form.kind() == Kind.TO_HALF;
    for (int i = 0; i < over.length; i++) {
      int at = lastFirst ? over.length - 1 - i : i;
      boolean last = at == over.length - 1;
      String name = "fft_" + (last ? form.name() : form.inverse() ? "ifft" : "fft");
      Object length = sizes == null || sizes[at] == -1 ? None.NONE : sizes[at];
      result = steps.run(name, result, length, over[at], norm);
    }
    return over.length == 0 ? complex(steps, call) : result;
  }

  /** The tensor as complex numbers. */
  private static Object complex(Steps steps, Operands call) {
    DType dtype = call.dtype(0);
    if (dtype.kind() == DType.Kind.COMPLEX) {
      return steps.run("clone", call.value(0));
    }
    Object real = steps.cast(call.value(0), dtype == DType.FLOAT64 ? dtype : DType.FLOAT32);
    return steps.run("complex", real, steps.run("zeros_like", real));
  }

  private static Object dimensions(Operands call, int rank, long @Nullable [] sizes) {
    if (call.isNone(2)) {
      int count = sizes == null ? rank : sizes.length;
      return count > rank
          ? Fault.value(Message.of("%d sizes are given for %d dimensions", count, rank))
          : LongStream.range(rank - count, rank).toArray();
    }
    long[] dims = call.integers(2);
    Object mask = Dimensions.mask(dims, rank);
    return mask instanceof Fault ? mask : dims;
  }

  private static void shifts(Catalog.Builder catalog) {
    for (boolean back : new boolean[] {false, true}) {
      String name = back ? "aten::fft_ifftshift" : "aten::fft_fftshift";
      Composite.add(
          catalog,
          name + "(Tensor self, int[1]? dim=None) -> Tensor",
          (steps, call) -> {
            TensorForm self = call.form(0);
            long[] dims =
                call.isNone(1) ? LongStream.range(0, self.rank()).toArray() : call.integers(1);
            Object mask = Dimensions.mask(dims, self.rank());
            if (mask instanceof Fault) {
              return mask;
            }
            long[] shifts = new long[dims.length];
            for (int i = 0; i < dims.length && self.rank() > 0; i++) {
              long size = self.shape().size((int) Math.floorMod(dims[i], (long) self.rank()));
              shifts[i] = back ? (size + 1) / 2 : size / 2;
            }
            return steps.run("roll", call.value(0), Steps.ints(shifts), Steps.ints(dims));
          });
    }
  }

  private static void frequencies(Catalog.Builder catalog) {
    String tail =
        "(int n, float d=1., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None,"
            + " bool? pin_memory=None) -> Tensor";
    for (boolean half : new boolean[] {false, true}) {
      Composite.add(
          catalog,
          "aten::fft_" + (half ? "rfftfreq" : "fftfreq") + tail,
          (steps, call) -> {
            long n = call.integer(0);
            Fault elsewhere = Placement.fault(call, 3);
            if (elsewhere != null) {
              return elsewhere;
            }
            if (n <= 0) {
              return Fault.value("a transform has at least 1 frequency, but `n` is " + n);
            }
            DType asked = call.optionalDType(2);
            if (asked != null && !asked.isFloating()) {
              return Fault.dtype("frequencies are of a floating dtype, not of " + asked)
                  .withExpected(ExpectedDType.FLOATING, asked);
            }
            Object dtype = (long) (asked == null ? DType.FLOAT32 : asked).code();
            Object up =
                half
                    ? steps.run("arange", n / 2 + 1, dtype)
                    : steps.run(
                        "cat",
                        Steps.list(
                            steps.run("arange", (n + 1) / 2, dtype),
                            steps.run("arange.start", -(n / 2), 0L, dtype)));
            return steps.run("mul.Scalar", up, 1 / (n * call.real(1)));
          });
    }
  }
}
