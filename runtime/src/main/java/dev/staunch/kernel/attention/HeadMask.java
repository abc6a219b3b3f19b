package dev.staunch.kernel.attention;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.kernel.operand.OperandChecks;
import dev.staunch.kernel.operand.Places;
import dev.staunch.operation.TensorForm;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.Elements;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The masks of multi-head attention; an element that is not 0 hides a key from a query. */
final class HeadMask {
  private static final String TYPES =
      "`mask_type` takes 0 (a mask of positions), 1 (of padded keys) or 2 (of every score)";

  private HeadMask() {}

  /**
   * The fault of a mask that does not fit.
   *
   * @param mask null if nothing is hidden
   * @param type 0: the mask is [length, length]; 1: [batch, length]; 2: the scores' shape
   * @param input [batch, length, features]
   */
  static @Nullable Fault misfit(@Nullable TensorForm mask, long type, Shape input, long heads) {
    if (mask == null) {
      return null;
    }
    if (type < 0 || type > 2) {
      return Fault.value(
              TYPES + (type == -1 ? ", and is needed beside a mask" : ", but got " + type))
          .withExpected("0, 1 or 2", type == -1 ? "None" : Long.toString(type));
    }
    long batch = input.size(0);
    long length = input.size(1);
    Shape wanted = Shape.of(batch, heads, length, length);
    if (type < 2) {
      wanted = type == 0 ? Shape.of(length, length) : Shape.of(batch, length);
    }
    if (!mask.shape().equals(wanted)) {
      String text = "a mask of type %d must be %s, but it is %s";
      return OperandChecks.shape(
          Message.of(text, type, wanted, mask.shape()), "mask " + wanted, mask.shape());
    }
    return mask.dtype().kind() == DType.Kind.COMPLEX
        ? Fault.dtype("a mask must be bool, but it is " + mask.dtype())
        : null;
  }

  /**
   * The row mask for scores [batch, heads, length, length], from a mask that fits, or from none.
   */
  static AttentionScores.RowMask of(
      @Nullable DenseTensor mask, long type, Shape input, long heads) {
    if (mask == null) {
      return AttentionScores.NO_MASK;
    }
    long length = input.size(1);
    long perBatch = heads * length;
    Places places = Places.of(mask.layout());
    LongUnaryOperator starts =
        row -> (type == 0 ? row % length : type == 1 ? row / perBatch : row) * length;
    if (mask.dtype().bytes() == 1) {
      long step = mask.layout().stride(mask.rank() - 1);
      int keys = Shape.asInt(length);
      return new FlagMask(mask, row -> places.at(starts.applyAsLong(row)), step, keys, true);
    }
    return (row, values) -> {
      for (int j = 0; j < values.length; j++) {
        long at = places.at(starts.applyAsLong(row) + j);
        if (Elements.asDouble(mask.segment(), mask.dtype(), at) != 0) {
          values[j] = Double.NEGATIVE_INFINITY;
        }
      }
    };
  }

  /** Hides the keys after each sequence's end. */
  static AttentionScores.RowMask lengths(int[] lengths, long rowsPerSequence) {
    return (row, values) -> {
      int length = lengths[(int) (row / rowsPerSequence)];
      Arrays.fill(values, length, values.length, Double.NEGATIVE_INFINITY);
    };
  }
}
