package dev.staunch.operation;

/**
 * A property of an operation that its schema does not express. An entry of the catalog gets its
 * traits in its definition, from {@code Catalog.Builder.with}; {@link OperationDefinition#effects}
 * answers questions about them.
 */
public enum Trait {
  /** It writes all of its first parameter, without reading the old content. */
  OVERWRITES,

  /**
   * It gives its first parameter everything that this needs, so that even one without a shape is
   * healed; the second parameter is the value.
   */
  ASSIGNS,

  /**
   * Its results may share memory with its first parameter of tensors, although its schema does not
   * say so.
   */
  SHARES,

  /**
   * Its result, if there is one, always views its first parameter. For all other operations that
   * may share memory, only the storage of the result shows whether they do: {@code reshape} copies
   * if it must.
   */
  VIEWS,

  /**
   * In libtorch, its result is its first parameter itself where there is nothing to convert, so
   * that what changes the sizes of one in place changes those of the other. Here it is a view.
   */
  MAY_BE_SELF,

  /** It may take random numbers, although it has no parameter for a generator. */
  DRAWS_RANDOM,

  /**
   * Whether it succeeds depends on elements, such as a divisor of 0, which an inference cannot see.
   */
  FAILS_ON_VALUES,

  /**
   * Its results never require a gradient, even if its operands do: {@code detach}, {@code
   * zeros_like}.
   */
  NON_DIFFERENTIABLE,

  /** It has an effect beyond its results: it prints a line, sets a mode or raises an exception. */
  HAS_SIDE_EFFECTS,

  /**
   * It gives its first parameter other sizes and strides. Here a tensor's sizes and strides never
   * change, so the result is a view that has them, to be used in place of the parameter from then
   * on.
   */
  RESTRIDES,

  /**
   * It sets the gradient flag of its first parameter. Here a tensor's flag never changes, so the
   * names of the parameter mean the result from then on. A list, an object or a caller that holds
   * the tensor sees the flag that it had.
   */
  SETS_GRADIENT_FLAG,

  /**
   * It selects one index (the third parameter) of one dimension (the second) as a view of its
   * first.
   */
  SELECTS,

  /**
   * Each row of its first parameter, along the last dimension, gives one row of its result,
   * regardless of the other rows. So one call may compute the rows of several.
   */
  ROWWISE,

  /**
   * Neither its results, including their strides, nor its faults reveal whether its operands are
   * {@linkplain dev.staunch.type.Layout#turned turned}. Its results share no memory with the
   * operands. If it may return its first parameter as it is, it also has {@link #SHARES}. Pointwise
   * operations have this property without the trait.
   */
  LAYOUT_AGNOSTIC,

  /**
   * Its results, and whether it fails, depend on the shapes of its operands, not on their elements.
   */
  SEES_SHAPES,

  /** It always fails: {@code raise}. */
  RAISES,

  /**
   * Where the second operand is a constant tensor without dimensions, its overload {@code .Scalar}
   * computes the result, as in libtorch's executor: a trace has such tensors where the model's
   * Python has numbers, which leave the dtype as it is.
   */
  CONSTANT_IS_NUMBER,

  /** Orders the elements of a list; objects, by the {@code __lt__} of their class. */
  ORDERS_OBJECTS,

  /**
   * Makes a tensor of its first operand. If that is a list and no dtype is given, the type of the
   * list's elements says which it is, even if the list is empty.
   */
  HAS_DTYPE_OF_LIST,

  /**
   * Its result may have the element order that the call asks for, where the program cannot see it.
   */
  CHOOSES_LAYOUT,

  /** It applies the call's epilogue to the elements of its result, which is new. */
  TAKES_EPILOGUE,

  /**
   * Inside {@code torch.autocast} it takes float32 tensors in the reduced dtype. Source of this and
   * the next two: torch/csrc/jit/passes/autocast.cpp.
   */
  AUTOCAST_REDUCES,

  /**
   * Inside {@code torch.autocast} it takes float16 and bfloat16 as float32, unless it is given a
   * dtype to compute in. This includes operations that libtorch promotes "to the widest type",
   * because scripts do not state the dtypes of their tensors.
   */
  AUTOCAST_WIDENS,

  /**
   * It must not be called inside {@code torch.autocast}: a reduced dtype would lose too much
   * precision.
   */
  AUTOCAST_REFUSES,

  /**
   * For float16 and bfloat16 it computes in float32 and rounds once. Its kernel refuses these
   * dtypes, or it is composed of others, each of which would round.
   */
  NARROW_AS_FLOAT32,

  /** As {@link #NARROW_AS_FLOAT32}; float32 parameters may also be combined with a 16-bit input. */
  NARROW_WITH_FLOAT32,

  /**
   * Its in-place form, whose name ends in an underscore, copies the result into the first
   * parameter; it cannot compute in place.
   */
  COPIED_IN_PLACE,

  /** Its kernel accepts a {@code NestedTensor} in place of a tensor. */
  TAKES_NESTED,

  /** As {@link #TAKES_NESTED}, for a {@code SparseTensor}. */
  TAKES_SPARSE,

  /** As {@link #TAKES_NESTED}, for a {@code QuantizedTensor}. */
  TAKES_QUANTIZED,

  /**
   * Its result is a part of its first parameter, a {@code SparseTensor}. Others may hold that
   * memory too, although no schema says so, because a sparse tensor is built from existing tensors.
   */
  TAKES_APART
}
