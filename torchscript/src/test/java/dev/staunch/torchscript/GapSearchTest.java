package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.testkit.SmallArchive;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The unsupported operations that a method may reach are reported before it runs (S2). */
class GapSearchTest {
  private static List<String> gaps(String body) {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, x: Tensor, flag: bool) -> Tensor:
        %s
            return x
          def other(self: __torch__.M, x: Tensor) -> Tensor:
            return torch.relu(x)
        def helper(x: Tensor) -> Tensor:
          return torch.fbgemm_pack_gemm_matrix_fp16(x)
        def lost(x: Tensor) -> Tensor:
          return torch.no_such_thing(x)
        def normed(x: Tensor, y: Tensor) -> Tuple[Tensor, Tensor]:
          return torch.layer_norm(x, [2]), torch.gt(x, y)
        """;
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "gaps")) {
      String whole = code.formatted(body.indent(4).stripTrailing());
      TorchScriptModule module = TorchScriptModule.load("small.pt", SmallArchive.of(whole), scope);
      assertEquals(List.of(), module.gaps("other", StandardOperations.catalog()));
      return module.gaps("forward", StandardOperations.catalog()).stream()
          .map(gap -> gap + (gap.passable() ? " perhaps" : ""))
          .toList();
    }
  }

  @Test
  void aMethodWhoseOperationsHaveKernelsHasNone() {
    assertEquals(List.of(), gaps("y = torch.relu(x)"));
  }

  @Test
  void whatIsCalledOnEveryWayIsNamedWithItsLine() {
    assertEquals(
        List.of(
            "there is no kernel for aten::fbgemm_pack_gemm_matrix_fp16; at code/__torch__.py:9:10"),
        gaps("y = __torch__.helper(x, )"));
  }

  @Test
  void whatStandsInABranchMayBePassedBy() {
    String branch =
        """
        if flag:
          y = __torch__.helper(x, )
          z = __torch__.lost(x, )
        else:
          pass\
        """;
    assertEquals(
        List.of(
            "there is no kernel for aten::fbgemm_pack_gemm_matrix_fp16; at code/__torch__.py:13:10 perhaps",
            "there is no operator aten::no_such_thing; at code/__torch__.py:15:10 perhaps"),
        gaps(branch));
  }

  @Test
  void whatIsCalledInABranchAndOutsideIsNamedOnceAndSurely() {
    String both =
        """
        if flag:
          y = __torch__.helper(x, )
        else:
          pass
        z = __torch__.helper(x, )\
        """;
    assertEquals(
        List.of(
            "there is no kernel for aten::fbgemm_pack_gemm_matrix_fp16; at code/__torch__.py:13:10"),
        gaps(both));
  }

  @Test
  void anOperationWithoutAKernelForTheDTypeOfACastIsNamedWithIt() {
    assertEquals(
        List.of("there is no kernel for aten::layer_norm of int64; at code/__torch__.py:5:9"),
        gaps(
            """
            y = torch.to(x, 4)
            z = torch.layer_norm(torch.neg(y), [2])\
            """));
    assertEquals(List.of(), gaps("y = torch.layer_norm(torch.to(x, 5), [2])"));
    assertEquals(List.of(), gaps("y = torch.layer_norm(x, [2])"));
  }

  @Test
  void whatBothBranchesCastIsOfThatDType() {
    String branches =
        """
        if flag:
          y = torch.gt(x, 0)
        else:
          y = torch.to(x, 11)
        z = torch.gelu(y)\
        """;
    assertEquals(1, gaps(branches).size());
    assertEquals(List.of(), gaps(branches.replace("11", "6")));
  }

  @Test
  void aFunctionIsFollowedWithTheDTypesThatItIsGiven() {
    String call = "y, z = __torch__.normed(torch.to(x, 4), x, )";
    assertEquals(
        List.of("there is no kernel for aten::layer_norm of int64; at code/__torch__.py:13:10"),
        gaps(call));
    assertEquals(List.of(), gaps(call.replace("4", "6")));
    assertEquals(List.of(), gaps("y, z = __torch__.normed(x, torch.to(x, 4), )"));
  }

  @Test
  void whatAFunctionGivesHasTheDTypesThatItGivesIt() {
    assertEquals(
        List.of("there is no kernel for aten::gelu of bool; at code/__torch__.py:5:9"),
        gaps(
            """
            y, z = __torch__.normed(torch.to(x, 6), x, )
            w = torch.gelu(z)\
            """));
    assertEquals(
        List.of(),
        gaps(
            """
            y, z = __torch__.normed(x, x, )
            w = torch.gelu(y)\
            """));
  }

  @Test
  void aDTypeThatIsAskedForIsFollowedToTheCast() {
    assertEquals(
        List.of("there is no kernel for aten::gelu of int64; at code/__torch__.py:5:9"),
        gaps(
            """
            y = torch.to(x, 4)
            z = torch.gelu(torch.to(x, ops.prim.dtype(y)))\
            """));
  }

  @Test
  void whatALoopChangesIsNotKnownWithinIt() {
    String loop =
        """
        y = torch.to(x, 4)
        w = torch.to(x, 4)
        for i in range(3):
          z = torch.neg(torch.neg(y))
          y = torch.to(y, 6)
          v = torch.neg(w)
          w = torch.neg(v)
        u = torch.gelu(y)\
        """;
    assertEquals(List.of(), gaps(loop));
    assertEquals(1, gaps(loop.replace("gelu(y)", "gelu(w)")).size());
    assertEquals(List.of(), gaps(loop.replace("z = torch.neg", "z = torch.gelu")));
    assertEquals(1, gaps(loop.replace("v = torch.neg", "v = torch.gelu")).size());
  }

  @Test
  void aListThatGrowsIsOfNoDType() {
    String list =
        """
        y = torch.to(x, 4)
        all = [y, y]
        z = torch.gelu(torch.cat(all))\
        """;
    assertEquals(1, gaps(list).size());
    String grows = list.replace("all = [y, y]", "all = [y, y]\nq = torch.append(all, x)");
    assertEquals(List.of(), gaps(grows));
  }
}
