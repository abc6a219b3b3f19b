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
 * One call of a kernel: its arguments, by position in the schema with defaults filled in, and the
 * environment it may use. The typed accessors trust the schema, because the arguments were checked
 * against it. Accessors that an inference also needs are in {@link Operands}.
 *
 * <p>The kernel owns the call until it returns; the caller then reuses the object for the next
 * step. Only work that the kernel defers with {@link Environment#defer} may keep using it.
 */
public final class Call implements Operands {
  private final Environment environment;
  private final Object[] values;

  /** Indices of the arguments in {@link #values}; null if {@code values} is the arguments. */
  private int @Nullable [] places;

  /** Layouts of the results that earlier calls of the same steps made. */
  private final @Nullable Layout[] layouts;

  /** What the kernels of these steps prepared earlier; null if nothing is kept. */
  private final Preparation @Nullable [] preparations;

  private int step;

  /** One bit for each of the first arguments: set if nothing reads it after this call. */
  private int dying;

  /** One bit for each of the first results: set if nothing reads it. */
  private int unread;

  private Order order = Order.AS_WRITTEN;

  /** Gives the epilogue of a result; null if there is none. */
  private @Nullable Function<DenseTensor, @Nullable Epilogue> finishing;

  /** The order of a result's elements in memory. */
  public enum Order {
    /** As inferred, because the program may see it. */
    AS_WRITTEN,

    /**
     * {@linkplain Layout#turned Channels last}, if the result has four dimensions and its inferred
     * layout is not already channels last.
     */
    CHANNELS_LAST,

    /** Either of the two: the one that the kernels prefer, else the first operand's order. */
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

  /**
   * As {@link #Call(Environment, Object[])}; the kernel may keep what it prepares in {@code only},
   * an array of one element.
   */
  public static Call of(Environment environment, Object[] arguments, Preparation[] only) {
    return new Call(environment, arguments, new Layout[1], only);
  }

  /**
   * A call object to be reused for one step of a program after another.
   *
   * @param registers holds the arguments of all steps
   * @param layouts what each step remembers from one call to the next; null at first
   * @param preparations what the kernel of each step keeps
   */
  public static Call of(
      Environment environment,
      Object[] registers,
      @Nullable Layout[] layouts,
      Preparation[] preparations) {
    return new Call(environment, registers, layouts, preparations);
  }

  /**
   * Makes this the call of step {@code number}, whose arguments are in the registers {@code
   * operands}; returns this.
   */
  public Call at(int[] operands, int number) {
    return at(operands, number, 0, 0);
  }

  /**
   * As {@link #at(int[], int)}, for a step after which some arguments or results are released.
   *
   * @param last one bit for each of the first 32 arguments, set if nothing reads it afterwards
   * @param left one bit for each of the first 32 results, set if nothing reads it
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
   * Asks an operation with the trait {@code TAKES_EPILOGUE} to also apply the epilogue that {@code
   * epilogues} returns for its new result, if any.
   */
  public void finishResult(Function<DenseTensor, @Nullable Epilogue> epilogues) {
    finishing = epilogues;
  }

  /**
   * The epilogue to apply to each element of {@code result} once it is computed; null for none. A
   * kernel that calls this must apply the epilogue and return this tensor or a fault.
   */
  public @Nullable Epilogue epilogue(DenseTensor result) {
    Function<DenseTensor, @Nullable Epilogue> asked = finishing;
    return asked == null ? null : asked.apply(result);
  }

  /**
   * Makes this a call of the same step with other arguments; it keeps the request for an epilogue.
   */
  public Call again(int[] operands, int number) {
    Function<DenseTensor, @Nullable Epilogue> asked = finishing;
    at(operands, number);
    finishing = asked;
    return this;
  }

  /**
   * Asks an operation with the trait {@code CHOOSES_LAYOUT} for a result in another memory order.
   */
  public void orderResult(Order wanted) {
    order = wanted;
  }

  /** The memory order that a new result may have. */
  public Order resultOrder() {
    return order;
  }

  /** Declares that the arguments and all results are read after the call. */
  public void keepArguments() {
    dying = 0;
    unread = 0;
  }

  /**
   * Whether nothing reads result {@code i} of several; the kernel may then return {@link None#NONE}
   * in its place.
   */
  public boolean isUnread(int i) {
    return i < Integer.SIZE && (unread >> i & 1) != 0;
  }

  /** Whether nothing reads argument {@code i} after this call. */
  public boolean isLastUse(int i) {
    return i < Integer.SIZE && (dying >> i & 1) != 0;
  }

  /**
   * The index of the first argument that is {@code value} itself or a list that contains it,
   * compared by identity; -1 if there is none.
   */
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

  /**
   * As {@link OperandTraits#of(Operands, int[])}, with a fast path: most calls have few operands to
   * inspect.
   */
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
   * Whether the kernel may write a row-major result of this form into {@code argument} instead of a
   * new tensor: {@code argument} has that form, nothing reads it afterwards, and no other tensor
   * shares its memory. Only for a kernel that reads no element of its arguments again once it has
   * written that element's position.
   */
  public boolean mayOverwrite(DenseTensor argument, DType dtype, Shape shape) {
    return dying != 0 && mayOverwrite(argument, dtype, shape, null);
  }

  /**
   * As {@link #mayOverwrite(DenseTensor, DType, Shape)}.
   *
   * @param strided the layout that the result needs; null for row-major order
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
    return last && lies && argument.isExclusive();
  }

  /**
   * The layout of a new image of this shape that is made from the first argument. It is channels
   * last, as the program sees it, if the argument's layout {@linkplain Layout#suggestsChannelsLast
   * suggests} that; otherwise {@linkplain Layout#turned turned} if {@link #resultOrder} says so;
   * null for row-major order.
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
   * The same call in another environment, with its own copy of the arguments; this copy is not
   * reused for another call.
   */
  public Call withEnvironment(Environment other) {
    return withEnvironment(other, arguments());
  }

  /** As {@link #withEnvironment(Environment)}, with the arguments {@code given}. */
  public Call withEnvironment(Environment other, Object[] given) {
    Call apart = new Call(other, given, layouts, preparations);
    apart.step = step;
    return apart;
  }

  public Environment environment() {
    return environment;
  }

  /** What the kernel keeps from one call to the next; null if nothing is kept. */
  public @Nullable Preparation preparation() {
    Preparation[] known = preparations;
    return known == null ? null : known[step];
  }

  /** The scope that owns the results. */
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

  /** Everything known about {@code tensor} except its elements. */
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

  /** A new tensor in the call's scope, with undefined content; or a fault. */
  public Object allocate(DType dtype, Shape shape) {
    Layout known = layouts[step];
    if (known == null || !known.shape().equals(shape)) {
      known = Layout.contiguous(shape);
      layouts[step] = known;
    }
    return DenseTensor.allocate(environment.scope(), dtype, known, environment);
  }

  /** As {@link #allocate(DType, Shape)}, in the layout that {@link #imageLayout} returns. */
  public Object allocateImage(DType dtype, Shape shape) {
    Layout image = imageLayout(shape);
    return image == null
        ? allocate(dtype, shape)
        : DenseTensor.allocate(environment.scope(), dtype, image, environment);
  }

  /** As {@link #allocate(DType, Shape)}, for a layout that starts at 0 and has no gaps. */
  public Object allocate(DType dtype, Layout layout) {
    return layout.isContiguous() && !layout.suggestsChannelsLast()
        ? allocate(dtype, layout.shape())
        : DenseTensor.allocate(environment.scope(), dtype, layout, environment);
  }

  /** A new matrix in the call's scope, with undefined content; or a fault. */
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
