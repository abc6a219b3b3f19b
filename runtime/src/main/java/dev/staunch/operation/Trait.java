package dev.staunch.operation;

/**
 * What an operation does or takes that its schema does not say. An entry of the catalog is given
 * its traits where it is defined, by {@code Catalog.Builder.with}; whoever wants to know asks its
 * {@link OperationDefinition#effects}.
 */
public enum Trait {
  /** It writes all of its first parameter, without looking at what that held. */
  OVERWRITES,

  /**
   * It gives its first parameter all that this needs, so that even one without a shape is healed:
   * its second parameter says what.
   */
  ASSIGNS,

  /** Its results may share memory with its first parameter, of which its schema does not tell. */
  SHARES,

  /**
   * Its result, if there is one, is always its first parameter's memory. Of all others that may
   * share it, only their storage says whether they do: {@code reshape} copies if it must.
   */
  VIEWS,

  /** It may take random numbers, though it has no parameter for a generator. */
  DRAWS,

  /** Whether it succeeds hangs on elements, of which an inference says nothing: a divisor of 0. */
  FAILS_ON_VALUES,

  /**
   * Its results never require a gradient, whatever its operands do: {@code detach}, {@code
   * zeros_like}.
   */
  NON_DIFFERENTIABLE,

  /** What it does is seen outside of its results: a line printed, a mode set, an exception. */
  ACTS,

  /**
   * It gives its first parameter other sizes and strides, which a tensor never changes here: its
   * result is a view that has them, to be used instead of the parameter from there on.
   */
  RESTRIDES,

  /** It views its first parameter at one index, the third, of one dimension, the second. */
  SELECTS,

  /**
   * Each row of its first parameter, along the last dimension, gives a row of its result, whatever
   * the other rows are: so rows of several calls may be computed by one.
   */
  ROWWISE,

  /**
   * Nobody can tell from its results, strides included, or its faults whether its operands are
   * {@linkplain dev.staunch.type.Layout#turned turned}. Its results share no memory with them; if
   * it may give its first parameter as it is, it has {@link #SHARES}, too. What combines elements
   * one by one is so without it.
   */
  ORDERLESS,

  /** Its results, and whether it fails, hang on the shapes of its operands, not on elements. */
  SEES_SHAPES,

  /** All that it does is to fail: {@code raise}. */
  RAISES,

  /** Its result may lie as the call wants it, where the program does not see that. */
  ORDERS,

  /** It does to the elements of its result, which is new, what the call asks for besides. */
  FINISHES,

  /**
   * In the scope of {@code torch.autocast} it takes float32 tensors in the reduced dtype. Source of
   * this and the next two: torch/csrc/jit/passes/autocast.cpp.
   */
  AUTOCAST_REDUCES,

  /**
   * There it takes float16 and bfloat16 as float32, unless it is given a dtype to compute in. So it
   * does where libtorch promotes "to the widest type": scripts do not say their tensors' dtypes.
   */
  AUTOCAST_WIDENS,

  /** It must not be called there: in a reduced dtype it would lose too much. */
  AUTOCAST_REFUSES,

  /**
   * On float16 and bfloat16 it computes in float32 and rounds once: its kernel refuses them, or it
   * is made of others, each of which would round.
   */
  NARROW_AS_FLOAT32,

  /** As {@link #NARROW_AS_FLOAT32}; parameters of float32 go with an input of 16 bits, too. */
  NARROW_WITH_FLOAT32,

  /**
   * There is a form of it, by its name with an underscore, that copies the result into the first
   * parameter; it has no way to compute in place.
   */
  COPIED_IN_PLACE,

  /** Its kernel knows what to do with a {@code NestedTensor} given for a tensor. */
  TAKES_NESTED,

  /** As {@link #TAKES_NESTED}, with a {@code SparseTensor}. */
  TAKES_SPARSE,

  /**
   * Its result is a part of its first parameter, a {@code SparseTensor}: memory that others may
   * hold, too, of which no schema tells, for a sparse tensor is made of tensors as they are.
   */
  TAKES_APART
}
