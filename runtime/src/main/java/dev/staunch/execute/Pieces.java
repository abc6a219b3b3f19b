package dev.staunch.execute;

import dev.staunch.operation.Inference;
import dev.staunch.operation.Operands;
import dev.staunch.operation.TensorForm;
import dev.staunch.operation.Trait;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Parts of one tensor, as from {@code chunk}, that only the following chain reads: it finds their
 * elements in place, and no views are made of them.
 *
 * @param cut the step that returns the list of the parts, with numbers that are always the same
 * @param unpack the step that returns them one by one
 * @param numbers the operands of {@code cut}, without the first, which is the tensor
 */
record Pieces(Step cut, Step unpack, Object[] numbers) {

  /**
   * The parts made by the last two of the steps {@code before} a chain.
   *
   * @param chain the steps to join
   * @return null if the two steps do not make such parts
   */
  static @Nullable Pieces of(List<Step> before, Collection<Step> chain, Draft draft) {
    if (before.size() < 2) {
      return null;
    }
    Step cut = before.get(before.size() - 2);
    Step unpack = before.getLast();
    Object[] numbers =
        Arrays.stream(cut.operands).skip(1).mapToObj(draft::constant).toArray(Object[]::new);
    boolean fits =
        cut.action instanceof KernelAction kernel
            && kernel.door().definition().inference() != null
            && kernel.door().definition().closesOnFailure()
            && cut.has(Trait.VIEWS)
            && !cut.action.mayWrite()
            && cut.results.length == 1
            && unpack.action instanceof StructureActions.ListUnpack
            && unpack.operands[0] == cut.results[0]
            && draft.uses(cut.results[0]) == 1
            && cut.operands.length > 0
            && !draft.isConstant(cut.operands[0])
            && Arrays.stream(numbers).allMatch(each -> each != null && Constants.isImmutable(each))
            && IntStream.of(unpack.results).allMatch(each -> draft.uses(each) == uses(each, chain))
            && IntStream.of(unpack.results).anyMatch(each -> draft.uses(each) > 0);
    return fits ? new Pieces(cut, unpack, numbers) : null;
  }

  private static int uses(int register, Collection<Step> chain) {
    return chain.stream().mapToInt(step -> Step.count(step.operands, register)).sum();
  }

  /** The register of the whole tensor. */
  int whole() {
    return cut.operands[0];
  }

  /** The number of the part in {@code register}; negative if it holds none. */
  int number(int register) {
    for (int i = 0; i < unpack.results.length; i++) {
      if (unpack.results[i] == register) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The register with the elements of {@code register}: itself, or the whole of which it is a part.
   */
  int place(int register) {
    return number(register) < 0 ? register : whole();
  }

  /** What the steps release, except for the parts and their list. */
  int[] ending() {
    return IntStream.concat(IntStream.of(cut.lastUses), IntStream.of(unpack.lastUses))
        .filter(each -> each != cut.results[0] && number(each) < 0)
        .toArray();
  }

  /**
   * The layout of a part of a float32 tensor of {@code shape} without gaps; null if the part itself
   * has gaps, or if the number of parts is not the number that is unpacked.
   */
  @Nullable Layout layout(int number, Shape shape) {
    Object[] operands = new Object[numbers.length + 1];
    operands[0] = TensorForm.contiguous(DType.FLOAT32, shape);
    System.arraycopy(numbers, 0, operands, 1, numbers.length);
    KernelAction kernel = (KernelAction) cut.action;
    Inference inference = Objects.requireNonNull(kernel.door().definition().inference());
    return inference.infer(Operands.of(operands)) instanceof List<?> parts
            && parts.size() == unpack.results.length
            && parts.get(number) instanceof TensorForm part
            && part.layout().isContiguous()
        ? part.layout()
        : null;
  }
}
