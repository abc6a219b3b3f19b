package dev.staunch.eager;

import dev.staunch.engine.Uses;
import dev.staunch.engine.Variable;
import java.util.List;

/**
 * Which variables an operation uses. A pending operand may turn out to be a copy or a view. When it
 * is called, the operation therefore queues on every variable that may come to order the operand;
 * in its turn, it reads and writes only the one that does (F2). Likewise, an operation that
 * overwrites may turn out to leave part of the memory unchanged, and then also reads its content
 * (F4).
 */
final class OperandTurns {
  private final Signature signature;

  /**
   * What the operation uses besides its operands: variables that order results, random numbers and
   * calls.
   */
  private final Uses own;

  private final Uses declared;
  private boolean undecided;

  OperandTurns(Signature signature, Object[] arguments, Uses own) {
    this.signature = signature;
    this.own = own;
    this.declared = withAll(arguments, false);
  }

  /** What the operation declares, and takes its turns with. */
  Uses declared() {
    return declared;
  }

  /** What it really uses, asked in its turn. */
  Uses inTurn(Object[] arguments) {
    boolean keeps =
        signature.overwrites && arguments[0] instanceof Handle target && !target.isWhole();
    return undecided || keeps ? withAll(arguments, true) : declared;
  }

  private Uses withAll(Object[] arguments, boolean inTurn) {
    Uses uses = own;
    for (int i = 0; i < arguments.length; i++) {
      uses = with(uses, arguments[i], i, inTurn);
      if (signature.moves(i, arguments) && arguments[i] instanceof Handle moved) {
        uses = uses.andOrdering(turns(moved, inTurn));
      }
    }
    return uses;
  }

  private Uses with(Uses uses, Object argument, int place, boolean inTurn) {
    if (argument instanceof Handle tensor) {
      return withOperand(uses, tensor, place, inTurn);
    }
    Uses all = uses;
    if (argument instanceof List<?> list) {
      for (Object element : list) {
        all = with(all, element, place, inTurn);
      }
    }
    return all;
  }

  private Uses withOperand(Uses uses, Handle tensor, int place, boolean inTurn) {
    undecided |= !inTurn && tensor.isUndecided();
    Variable[] turns = turns(tensor, inTurn);
    if (!signature.mutates(place)) {
      return uses.andReading(turns);
    }
    boolean all = signature.overwrites && (!inTurn || tensor.isWhole());
    return all ? uses.andWriting(turns) : uses.andUpdating(turns);
  }

  private static Variable[] turns(Handle tensor, boolean inTurn) {
    return inTurn ? new Variable[] {tensor.data()} : tensor.turns();
  }
}
