package dev.staunch.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Interceptor;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.testkit.SmallArchive;
import dev.staunch.torchscript.LoadOptions;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model may use operations that the user's catalog defines and libtorch lacks (S2). */
class OwnOperationsTest {
  private static final String CODE =
      """
      class M(Module):
        __parameters__ = []
        def forward(self: __torch__.M, n: int) -> int:
          return ops.mine.twice(n)
      """;

  @TempDir private Path folder = Path.of("");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);

  private Path archive(String code) throws IOException {
    return Files.write(folder.resolve("own.pt"), SmallArchive.of(code));
  }

  private static LoadOptions with(String schema) {
    Catalog catalog =
        StandardOperations.catalog().toBuilder()
            .one(schema, call -> 2 * (Long) call.value(0))
            .build();
    return LoadOptions.standard().withCatalog(catalog);
  }

  @Test
  void s2AnOperationOfTheUsersCatalogIsLoadedCheckedAndRun() throws IOException {
    try (Model model =
        Model.load(archive(CODE), memory, with("mine::twice(int n, *, int scale=1) -> int"))) {
      InferenceRequest request = InferenceRequest.of("1").input("n", Shape.of(), 21L);
      Answer answer = model.predict(request, "forward");
      assertEquals(42L, answer.outputs().getFirst().longs()[0]);
    }
  }

  @Test
  void s2AnOverloadOfTheUsersIsTriedAfterThoseOfLibtorch() throws IOException {
    String code = CODE.replace("ops.mine.twice(n)", "torch.ord(n)"); // libtorch takes a str
    try (Model model = Model.load(archive(code), memory, with("aten::ord.number(int n) -> int"))) {
      InferenceRequest request = InferenceRequest.of("1").input("n", Shape.of(), 4L);
      Answer answer = model.predict(request, "forward");
      assertEquals(8L, answer.outputs().getFirst().longs()[0]);
    }
  }

  /**
   * Adds up a tensor that the user's code brought in from a scope of its own, and closed before it
   * was used.
   */
  private Answer sumOfClosed(String made, Interceptor interceptor) throws IOException {
    String code =
        """
        class M(Module):
          __parameters__ = []
          def forward(self: __torch__.M, n: int) -> Tensor:
            %s
            ops.mine.close(n)
            return torch.sum(x)
        """;
    ResourceScope own = ResourceScope.open(memory, "own");
    DenseTensor ones = (DenseTensor) HostTensors.floats(own, Shape.of(4), new float[] {1, 1, 1, 1});
    Catalog catalog =
        StandardOperations.catalog().toBuilder()
            .one("mine::table(int n) -> Tensor", call -> ones)
            .one("mine::tables(int n) -> Tensor[]", call -> List.of(ones))
            .one("mine::named(int n) -> Dict(str, Tensor)", call -> Map.of("x", ones))
            .none(
                "mine::put(Tensor[](a!) xs) -> ()",
                call -> {
                  call.list(0).add(ones);
                  return null;
                })
            .none(
                "mine::close(int n) -> ()",
                call -> {
                  own.close();
                  HostTensors.floats(call.scope(), Shape.of(4), new float[] {7, 7, 7, 7});
                  return null;
                })
            .build();
    LoadOptions options = LoadOptions.standard().withCatalog(catalog);
    Path archive = archive(code.formatted(made.replace("\n", "\n    ")));
    try (Model model = Model.load(archive, memory, options)) {
      InferenceRequest request = InferenceRequest.of("1").input("n", Shape.of(), 1L);
      return model.predict(
          request, "forward", scope -> RunOptions.in(scope).withInterceptor(interceptor));
    } finally {
      assertEquals(0, memory.account().bytes());
    }
  }

  @Test
  void m1WhatTheUsersCodeBringsInIsKeptUntilTheRequestEnds() throws IOException {
    Interceptor none = (operation, arguments, source) -> null;
    List<String> ways =
        List.of(
            "x = ops.mine.table(n)",
            "x = torch.select(ops.mine.tables(n)[0], 0, 2)",
            "x = ops.mine.named(n)[\"x\"]",
            "xs = annotate(List[Tensor], [])\nops.mine.put(xs)\nx = xs[0]");
    for (String way : ways) {
      assertEquals(way.contains("select") ? 1f : 4f, sumOfClosed(way, none).output().floats()[0]);
    }
  }

  @Test
  void m1WhatAnInterceptorAnswersIsKeptUntilTheRequestEnds() throws IOException {
    ResourceScope own = ResourceScope.open(memory, "interceptor");
    DenseTensor twos = (DenseTensor) HostTensors.floats(own, Shape.of(4), new float[] {2, 2, 2, 2});
    Interceptor answers =
        (operation, arguments, source) -> {
          if (operation.equals("mine::close")) {
            own.close();
          }
          return operation.equals("mine::table") ? twos : null;
        };
    assertEquals(8f, sumOfClosed("x = ops.mine.table(n)", answers).output().floats()[0]);
  }

  @Test
  void aCatalogWithoutTheStandardOperationsIsWarnedOf() throws IOException {
    Catalog own = new Catalog.Builder().one("mine::twice(int n) -> int", call -> 2L).build();
    List<String> warnings = new ArrayList<>();
    LoadOptions options = LoadOptions.standard().withCatalog(own).withWarnings(warnings::add);
    Path archive = archive(CODE.replace("twice(n)", "twice(torch.add(n, 1))"));
    Model.load(archive, memory, options).close();
    assertEquals(
        List.of(
            "own.pt calls operations without a kernel (aten::add.int), and a request that reaches"
                + " one fails; build the catalog from StandardOperations.catalog().toBuilder(),"
                + " which has them"),
        warnings);
  }

  @Test
  void s2WithoutItTheOperationIsUnknownAndACallThatDoesNotFitIsRefused() throws IOException {
    Path archive = archive(CODE);
    StaunchException unknown =
        assertThrows(StaunchException.class, () -> Model.load(archive, memory).close());
    assertEquals(FaultType.UNKNOWN_OPERATION, unknown.fault().type());
    LoadOptions other = with("mine::twice(str n) -> int");
    assertThrows(StaunchException.class, () -> Model.load(archive, memory, other).close());
  }
}
