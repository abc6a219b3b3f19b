package dev.staunch.torchscript.pickle;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The closed table of names that a pickle may use, and what calling each one means. */
final class Globals {
  /** A name from the table of globals that has not been applied yet. */
  record Global(String module, String name) {
    String qualified() {
      return module + "." + name;
    }
  }

  private static final Map<String, DType> STORAGES =
      Map.ofEntries(
          Map.entry("FloatStorage", DType.FLOAT32),
          Map.entry("DoubleStorage", DType.FLOAT64),
          Map.entry("HalfStorage", DType.FLOAT16),
          Map.entry("BFloat16Storage", DType.BFLOAT16),
          Map.entry("LongStorage", DType.INT64),
          Map.entry("IntStorage", DType.INT32),
          Map.entry("ShortStorage", DType.INT16),
          Map.entry("CharStorage", DType.INT8),
          Map.entry("ByteStorage", DType.UINT8),
          Map.entry("BoolStorage", DType.BOOL),
          Map.entry("ComplexFloatStorage", DType.COMPLEX64),
          Map.entry("ComplexDoubleStorage", DType.COMPLEX128),
          Map.entry("QInt8Storage", DType.INT8),
          Map.entry("QUInt8Storage", DType.UINT8),
          Map.entry("QInt32Storage", DType.INT32));

  /** Storages whose codes share a byte by twos. */
  private static final String PAIRS = "QUInt4x2Storage";

  /** Storages whose codes share a byte. */
  private static final Set<String> PACKED = Set.of(PAIRS, "QUInt2x4Storage");

  private static final Set<String> SCHEMES =
      Set.of(
          "torch.per_tensor_affine",
          "torch.per_channel_affine",
          "torch.per_channel_affine_float_qparams");

  /** The number of this layout in PyTorch. */
  private static final long SPARSE_COO = 1;

  private static final Set<String> FUNCTIONS =
      Set.of(
          "collections.OrderedDict",
          "torch._utils._rebuild_tensor_v2",
          "torch._utils._rebuild_tensor",
          "torch._utils._rebuild_parameter",
          "torch._utils._rebuild_qtensor",
          "torch._utils._rebuild_sparse_tensor",
          "torch.jit._pickle.build_intlist",
          "torch.jit._pickle.build_doublelist",
          "torch.jit._pickle.build_boollist",
          "torch.jit._pickle.build_tensorlist",
          "torch.jit._pickle.build_tensor_from_id",
          "torch.jit._pickle.restore_type_tag",
          "torch.device",
          "builtins.complex");

  private final Function<String, StaunchException> damage;

  /**
   * @param damage the exception for what is wrong with the pickle
   */
  Globals(Function<String, StaunchException> damage) {
    this.damage = damage;
  }

  private StaunchException damaged(String what) {
    return damage.apply(what);
  }

  /**
   * Returns {@code global} if it is in the table; the archive's own class names are always allowed.
   */
  Object check(Global global) {
    String name = global.qualified();
    boolean storage =
        global.module().equals("torch")
            && (STORAGES.containsKey(global.name()) || PACKED.contains(global.name()));
    if (SCHEMES.contains(name)) {
      return new Pickled.Text(name);
    }
    if (storage || global.module().startsWith("__torch__") || FUNCTIONS.contains(name)) {
      return storage ? new Pickled.Text("storage:" + global.name()) : global;
    }
    throw damaged("the pickle names " + name + ", which no archive of PyTorch needs");
  }

  /** The storage that a persistent id names. */
  Pickled storage(Pickled id) {
    if (id instanceof Pickled.Tuple(List<Pickled> items)
        && items.size() >= 5
        && items.get(1) instanceof Pickled.Text type
        && items.get(2) instanceof Pickled.Text key
        && items.get(4) instanceof Pickled.Int elements
        && type.value().startsWith("storage:")) {
      String name = type.value().substring("storage:".length());
      boolean isPacked = name.equals(PAIRS);
      DType dtype = isPacked ? DType.UINT8 : STORAGES.get(name);
      if (dtype == null) {
        return new Pickled.Unsupported("a storage of type " + name);
      }
      if (items.get(3) instanceof Pickled.Text device && device.value().equals("meta")) {
        return new Pickled.Unsupported("a tensor of the device `meta`, without elements");
      }
      if (elements.value() < 0
          || (isPacked && elements.value() > Long.MAX_VALUE / 2)
          || key.value().isEmpty()
          || key.value().contains("/")) {
        throw damaged("a storage has an impossible size or key");
      }
      long count = isPacked ? 2 * elements.value() : elements.value();
      return new Pickled.StorageRef(key.value(), dtype, count, isPacked);
    }
    throw damaged("a persistent id names no storage");
  }

  Pickled call(Global function, List<Pickled> arguments) {
    if (function.module().startsWith("__torch__")) {
      return new Pickled.EnumMember(function.qualified(), argument(arguments, 0, Pickled.class));
    }
    return switch (function.qualified()) {
      case "collections.OrderedDict" -> new Pickled.Mapping();
      case "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor" -> tensor(arguments);
      case "torch._utils._rebuild_parameter" -> argument(arguments, 0, Pickled.class);
      case "torch._utils._rebuild_sparse_tensor" -> sparse(arguments);
      case "torch._utils._rebuild_qtensor" -> quantized(arguments);
      case "torch.jit._pickle.restore_type_tag" -> tagged(arguments);
      case "torch.jit._pickle.build_intlist",
          "torch.jit._pickle.build_doublelist",
          "torch.jit._pickle.build_boollist",
          "torch.jit._pickle.build_tensorlist" ->
          argument(arguments, 0, Pickled.Sequence.class);
      case "torch.device" -> new Pickled.Device(argument(arguments, 0, Pickled.Text.class).value());
      case "builtins.complex" ->
          new Pickled.Complex(
              argument(arguments, 0, Pickled.Real.class).value(),
              argument(arguments, 1, Pickled.Real.class).value());
      default -> throw damaged(function.qualified() + " cannot be called");
    };
  }

  private Pickled sparse(List<Pickled> arguments) {
    boolean coo =
        argument(arguments, 0, Pickled.class) instanceof Pickled.Int layout
            && layout.value() == SPARSE_COO
            && arguments.size() >= 5
            && arguments.get(3) instanceof Pickled.TensorRef
            && arguments.get(4) instanceof Pickled.TensorRef;
    if (!coo) {
      return new Pickled.Unsupported("a sparse tensor of another layout than COO");
    }
    long[] sizes = integers(argument(arguments, 1, Pickled.Tuple.class));
    Fault misfit = Shape.misfit(sizes);
    if (misfit != null) {
      throw damaged(misfit.message());
    }
    return new Pickled.SparseRef(
        (Pickled.TensorRef) arguments.get(3),
        (Pickled.TensorRef) arguments.get(4),
        Shape.of(sizes));
  }

  /** The arguments are those of a tensor, with a tuple for the quantizer in the fifth place. */
  private Pickled quantized(List<Pickled> arguments) {
    Pickled codes = tensor(arguments.subList(0, Math.min(4, arguments.size())));
    if (!(codes instanceof Pickled.TensorRef ref)) {
      return codes;
    }
    List<Pickled> quantizer = argument(arguments, 4, Pickled.Tuple.class).items();
    String scheme = argument(quantizer, 0, Pickled.Text.class).value();
    return scheme.equals("torch.per_tensor_affine")
        ? new Pickled.QuantizedRef(
            ref,
            argument(quantizer, 1, Pickled.Real.class).value(),
            argument(quantizer, 2, Pickled.Int.class).value())
        : new Pickled.QuantizedChannelsRef(
            ref,
            argument(quantizer, 1, Pickled.TensorRef.class),
            argument(quantizer, 2, Pickled.TensorRef.class),
            argument(quantizer, 3, Pickled.Int.class).value());
  }

  private Pickled tensor(List<Pickled> arguments) {
    Pickled storage = argument(arguments, 0, Pickled.class);
    if (storage instanceof Pickled.Unsupported) {
      return storage;
    }
    if (!(storage instanceof Pickled.StorageRef ref)) {
      throw damaged("a tensor is built over something that is not a storage");
    }
    long offset = argument(arguments, 1, Pickled.Int.class).value();
    long[] sizes = integers(argument(arguments, 2, Pickled.Tuple.class));
    long[] strides = integers(argument(arguments, 3, Pickled.Tuple.class));
    boolean requiresGrad =
        arguments.size() > 4 && arguments.get(4) instanceof Pickled.Bool flag && flag.value();
    if (arguments.size() > 6 && isPutOff(arguments.get(6))) {
      return new Pickled.Unsupported("a tensor whose conjugate or negation was not computed yet");
    }
    Fault misfit = Shape.misfit(sizes);
    if (misfit != null) {
      throw damaged(misfit.message());
    }
    try {
      Layout layout = new Layout(Shape.of(sizes), strides, offset);
      if (layout.extent() > ref.elements()) {
        throw damaged(
            Message.of(
                "a tensor of shape %s reaches outside its storage %s of %d elements",
                layout.shape(), ref.key(), ref.elements()));
      }
      if (ref.isPacked() && sizes.length > 0 && sizes[sizes.length - 1] % 2 != 0) {
        return new Pickled.Unsupported("a tensor of 4-bit codes in rows of odd length");
      }
      return new Pickled.TensorRef(ref, layout, requiresGrad);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw damaged("a tensor has an impossible shape: " + e.getMessage());
    }
  }

  /**
   * Whether one of the bits {@code conj} and {@code neg}, which PyTorch writes after a tensor, is
   * set.
   */
  private static boolean isPutOff(Pickled bits) {
    return bits instanceof Pickled.Mapping known
        && known.values.stream().anyMatch(each -> each.equals(new Pickled.Bool(true)));
  }

  private long[] integers(Pickled.Tuple tuple) {
    long[] integers = new long[tuple.items().size()];
    for (int i = 0; i < integers.length; i++) {
      if (!(tuple.items().get(i) instanceof Pickled.Int number)) {
        throw damaged("a tensor's shape holds something that is not an integer");
      }
      integers[i] = number.value();
    }
    return integers;
  }

  /** The value that a type tag is applied to; its elements already determine the type. */
  private Pickled tagged(List<Pickled> arguments) {
    Pickled value = argument(arguments, 0, Pickled.class);
    argument(arguments, 1, Pickled.Text.class);
    if (!(value instanceof Pickled.Sequence) && !(value instanceof Pickled.Mapping)) {
      throw damaged("a type tag is given to something that is not a list or dict");
    }
    return value;
  }

  private <T extends Pickled> T argument(List<Pickled> arguments, int index, Class<T> type) {
    if (index < arguments.size() && type.isInstance(arguments.get(index))) {
      return type.cast(arguments.get(index));
    }
    throw damaged("argument " + index + " of a call is missing or of a wrong kind");
  }
}
