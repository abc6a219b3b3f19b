package dev.staunch.kernel;

import dev.staunch.kernel.primitive.Epilogue;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of a kernel: its arguments, by position in the schema with defaults filled in, and what
 * it may use. The typed accessors trust the schema, against which the arguments were checked; those
 * that an inference needs as well are those of {@link Operands}.
 *
 * <p>A call is the kernel's until the kernel returns; whoever runs programs then uses the object
 * for the next one. Only work that the kernel puts off with {@link Environment#later} may go on
 * using it.
 */
public final class Call implements Operands {
  private final Environment environment;
  private final Object[] values;

  /** Where the arguments lie in {@link #values}; null if those are the arguments. */
  private int @Nullable [] places;

  /** Layouts of the results that earlier calls from the same places made. */
  private final @Nullable Layout[] layouts;

  /** What kernels called from the same places made ready; null if nobody keeps it. */
  private final Preparation @Nullable [] preparations;

  private int step;

  /** A bit for each of the first arguments: nobody reads it after this call. */
  private int dying;

  /** A bit for each of the first results: nobody reads it. */
  private int unread;

  private Order order = Order.AS_WRITTEN;

  /** Gives the epilogue of a result; null if there is none. */
  private @Nullable Function<DenseTensor, @Nullable Epilogue> finishing;

  /** How the elements of a result lie. */
  public enum Order {
    /** As inferred: the program may see it. */
    AS_WRITTEN,

    /**
     * {@linkplain Layout#turned Channels last}, if it has four dimensions and is not so inferred.
     */
    CHANNELS_LAST,

    /** In either of the two: whichever the kernels like better, else as the first operand does. */
    ANY
  }

  /** Arguments that match the operation's schema; {@link None#NONE} stands for None. */
  public Call(Environment environment, Object[] arguments) {
    this(environment, arguments, new Layout[1], null);
  }

  private Call(
      Environment environment,
      Object[] values,
      @Nullable Layout[] layouts,
      Preparation @Nullable [] preparations) {
    this.environment = environment;
    this.values = values;
    this.layouts = layouts;
    this.preparations = preparations;
  }

  /** As {@link #Call(Environment, Object[])}; the kernel may keep what it prepares in the one. */
  public static Call of(Environment environment, Object[] arguments, Preparation[] only) {
    return new Call(environment, arguments, new Layout[1], only);
  }

  /**
   * A call to be used again and again, for one step of a program after the other.
   *
   * @param registers where all arguments lie
   * @param layouts what is remembered for each step from one call to the next; at first null
   * @param preparations what the kernel of each step keeps
   */
  public static Call of(
      Environment environment,
      Object[] registers,
      @Nullable Layout[] layouts,
      Preparation[] preparations) {
    return new Call(environment, registers, layouts, preparations);
  }

  /** Makes this the call of a step whose arguments lie at {@code operands}; returns this. */
  public Call at(int[] operands, int number) {
    return at(operands, number, 0, 0);
  }

  /**
   * As {@link #at(int[], int)}, of a step after which some arguments are released, or results.
   *
   * @param last a bit for each of the first 32 arguments that nobody reads afterwards
   * @param left a bit for each of the first 32 results that nobody reads
   */
  public Call at(int[] operands, int number, int last, int left) {
    places = operands;
    step = number;
    dying = last;
    unread = left;
    order = Order.AS_WRITTEN;
    finishing = null;
    return this;
  }

  /**
   * Asks an operation that {@code FINISHES} for more: what {@code epilogues} gives, if anything,
   * for its new result.
   */
  public void finishResult(Function<DenseTensor, @Nullable Epilogue> epilogues) {
    finishing = epilogues;
  }

  /**
   * What is to be done to each element of {@code result} once it is computed; null for nothing.
   * Whoever asks does it, and gives this tensor or a fault.
   */
  public @Nullable Epilogue epilogue(DenseTensor result) {
    Function<DenseTensor, @Nullable Epilogue> asked = finishing;
    return asked == null ? null : asked.apply(result);
  }

  /** Makes this the call of the same step with other arguments, which asks for the same besides. */
  public Call again(int[] operands, int number) {
    Function<DenseTensor, @Nullable Epilogue> asked = finishing;
    at(operands, number);
    finishing = asked;
    return this;
  }

  /** Asks for a result that lies in another order, of an operation that {@code ORDERS}. */
  public void orderResult(Order wanted) {
    order = wanted;
  }

  /** How a new result may lie. */
  public Order resultOrder() {
    return order;
  }

  /** Somebody reads the arguments after the call, too, and all results. */
  public void keepArguments() {
    dying = 0;
    unread = 0;
  }

  /**
   * Whether nobody reads result {@code i} of several: the kernel may then give {@link None#NONE} in
   * its place.
   */
  public boolean isUnread(int i) {
    return i < Integer.SIZE && (unread >> i & 1) != 0;
  }

  /** Whether nobody reads argument {@code i} after this call. */
  public boolean isLastUse(int i) {
    return i < Integer.SIZE && (dying >> i & 1) != 0;
  }

  /** The first argument that is {@code value} itself, or a list with it; -1 if there is none. */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  public int indexOf(Object value) {
    int[] at = places;
    int count = at == null ? values.length : at.length;
    for (int i = 0; i < count; i++) {
      Object argument = values[at == null ? i : at[i]];
      if (argument == value || (argument instanceof List<?> list && holds(list, value))) {
        return i;
      }
    }
    return -1;
  }

  @SuppressWarnings("ReferenceEquality") // identity is the point
  private static boolean holds(List<?> list, Object value) {
    for (Object element : list) {
      if (element == value) {
        return true;
      }
    }
    return false;
  }

  /** As {@link OperandTraits#of(Operands, int[])}, for which most calls have few to look at. */
  int traits(int[] lists) {
    if (lists.length > 0) {
      return OperandTraits.of(this, lists);
    }
    int traits = OperandTraits.USUAL;
    int[] at = places;
    int count = at == null ? values.length : at.length;
    for (int i = 0; i < count; i++) {
      Object argument = values[at == null ? i : at[i]];
      if (argument instanceof DenseTensor tensor) {
        traits |= OperandTraits.of(tensor);
      } else if (argument instanceof CompoundTensor || argument instanceof ComplexNumber) {
        traits |= OperandTraits.of(argument);
      }
    }
    return traits;
  }

  /**
   * Whether a row-major result of this form may be written into {@code argument}, in place of a new
   * tensor: it has that form, nobody reads it afterwards, and no other tensor has its memory. For a
   * kernel that reads no element of its arguments again once it has written one in its place.
   */
  public boolean mayOverwrite(DenseTensor argument, DType dtype, Shape shape) {
    return dying != 0 && mayOverwrite(argument, dtype, shape, null);
  }

  /**
   * As {@link #mayOverwrite(DenseTensor, DType, Shape)}.
   *
   * @param strided how the result has to lie; null if in row-major order
   */
  @SuppressWarnings("ReferenceEquality") // identity is the point
  public boolean mayOverwrite(
      DenseTensor argument, DType dtype, Shape shape, @Nullable Layout strided) {
    if (dying == 0 || argument.dtype() != dtype || !argument.shape().equals(shape)) {
      return false;
    }
    int[] at = places;
    int count = at == null ? values.length : at.length;
    boolean last = false;
    for (int i = 0; i < count; i++) {
      if (values[at == null ? i : at[i]] == argument) {
        last = (dying >> i & 1) != 0;
        if (!last || i >= Integer.SIZE) {
          return false;
        }
      }
    }
    Layout layout = argument.layout();
    boolean lies = strided == null ? layout.isAsNew() : layout.equals(strided);
    return last && lies && argument.isSole();
  }

  /**
   * How a new image of this shape lies that is made of the one that is the first argument: as the
   * program sees it channels last if that {@linkplain Layout#suggestsChannelsLast suggests} it, or
   * else {@linkplain Layout#turned turned} if {@link #resultOrder} says so; null if in row-major
   * order.
   */
  public @Nullable Layout imageLayout(Shape shape) {
    if (shape.rank() >= 4 && layout(0).suggestsChannelsLast()) {
      return Layout.channelsLast(shape);
    }
    boolean turned =
        order != Order.AS_WRITTEN
            && shape.rank() == 4
            && (order == Order.CHANNELS_LAST || isChannelsLast(tensor(0)));
    return turned ? Layout.turned(shape) : null;
  }

  private static boolean isChannelsLast(DenseTensor tensor) {
    return !tensor.isContiguous() && tensor.layout().isChannelsLast();
  }

  /**
   * The same call in another environment, with arguments of its own: nobody uses it for another.
   */
  public Call in(Environment other) {
    return in(other, arguments());
  }

  /** As {@link #in(Environment)}, with {@code given} for its arguments. */
  public Call in(Environment other, Object[] given) {
    Call apart = new Call(other, given, layouts, preparations);
    apart.step = step;
    return apart;
  }

  public Environment environment() {
    return environment;
  }

  /** What the kernel keeps from one call to the next; null if nobody does. */
  public @Nullable Preparation preparation() {
    Preparation[] known = preparations;
    return known == null ? null : known[step];
  }

  /** Where the results belong. */
  public ResourceScope scope() {
    return environment.scope();
  }

  @Override
  public int size() {
    int[] at = places;
    return at == null ? values.length : at.length;
  }

  @Override
  public Object value(int i) {
    int[] at = places;
    return values[at == null ? i : at[i]];
  }

  public DenseTensor tensor(int i) {
    return (DenseTensor) value(i);
  }

  public @Nullable DenseTensor optionalTensor(int i) {
    return isNone(i) ? null : (DenseTensor) value(i);
  }

  @Override
  public boolean isTensor(int i) {
    return value(i) instanceof DenseTensor;
  }

  @Override
  public TensorForm form(int i) {
    return formOf(tensor(i));
  }

  /** What is known of {@code tensor} without its elements. */
  public static TensorForm formOf(DenseTensor tensor) {
    return new TensorForm(tensor.dtype(), tensor.shape(), tensor.layout(), tensor.name());
  }

  @Override
  public DType dtype(int i) {
    return tensor(i).dtype();
  }

  @Override
  public Layout layout(int i) {
    return tensor(i).layout();
  }

  /** A new tensor in the call's scope, content undefined; or a fault. */
  public Object allocate(DType dtype, Shape shape) {
    Layout known = layouts[step];
    if (known == null || !known.shape().equals(shape)) {
      known = Layout.contiguous(shape);
      layouts[step] = known;
    }
    return DenseTensor.allocate(environment.scope(), dtype, known, environment);
  }

  /** As {@link #allocate(DType, Shape)}, for a result that lies as {@link #imageLayout} says. */
  public Object allocateImage(DType dtype, Shape shape) {
    Layout image = imageLayout(shape);
    return image == null
        ? allocate(dtype, shape)
        : DenseTensor.allocate(environment.scope(), dtype, image, environment);
  }

  /** As {@link #allocate(DType, Shape)}, for a layout that starts at 0 and leaves no gaps. */
  public Object allocate(DType dtype, Layout layout) {
    return layout.isContiguous() && !layout.suggestsChannelsLast()
        ? allocate(dtype, layout.shape())
        : DenseTensor.allocate(environment.scope(), dtype, layout, environment);
  }

  /** A new matrix in the call's scope, content undefined; or a fault. */
  public Object allocate(DType dtype, long rows, long columns) {
    Layout known = layouts[step];
    if (known != null) {
      Shape shape = known.shape();
      if (shape.rank() == 2 && shape.size(0) == rows && shape.size(1) == columns) {
        return DenseTensor.allocate(environment.scope(), dtype, known, environment);
      }
    }
    return allocate(dtype, Shape.of(rows, columns));
  }
}
