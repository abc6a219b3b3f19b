package dev.staunch.kernel.sparse;

import dev.staunch.fault.Fault;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Kernel;
import dev.staunch.kernel.OperandTraits;
import dev.staunch.kernel.SparseTensor;
import dev.staunch.kernel.operand.Placement;
import dev.staunch.kernel.operand.Steps;
import dev.staunch.operation.Inference;
import dev.staunch.operation.Trait;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations that make sparse tensors or take them apart. */
public final class SparseOperations {
  private static final String REST =
      "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=";

  private SparseOperations() {}

  /** All operations of this package. */
  public static List<Catalog.Group> groups() {
    return List.of(SparseOperations::addTo);
  }

  /** How to compute an operation on dense tensors for sparse ones; null if it takes none. */
  public static CatalogEntry.@Nullable Form form(CatalogEntry operation) {
    SparseForms.Form form = SparseForms.of(operation.name());
    return form == null || !(operation.kernel() instanceof Kernel.One)
        ? null
        : new CatalogEntry.Form(OperandTraits.SPARSE, call -> Steps.within(call, form::apply));
  }

  private static void addTo(Catalog.Builder builder) {
    Catalog.Builder catalog =
        builder
            .with(Trait.TAKES_SPARSE)
            .withInference(Inference.OF_VALUES)
            .withDTypes(DType.of(DType.Kind.values()));
    making(catalog);
    one(
        catalog,
        "aten::coalesce(Tensor(a) self) -> Tensor(a)",
        (steps, call, self) -> Places.coalesced(steps, call, self));
    one(
        catalog,
        "aten::is_coalesced(Tensor self) -> bool",
        (steps, call, self) -> self.coalesced());
    catalog.one("prim::is_sparse(Tensor a) -> bool", call -> call.value(0) instanceof SparseTensor);
    one(catalog, "aten::_nnz(Tensor self) -> int", (steps, call, self) -> self.kept());
    for (String name : List.of("sparse_dim", "_dimI")) {
      one(
          catalog,
          "aten::" + name + "(Tensor self) -> int",
          (steps, call, self) -> (long) self.sparseDims());
    }
    for (String name : List.of("dense_dim", "_dimV")) {
      one(
          catalog,
          "aten::" + name + "(Tensor self) -> int",
          (steps, call, self) -> (long) self.shape().rank() - self.sparseDims());
    }
    Catalog.Builder parts = catalog.with(Trait.TAKES_APART);
    for (String prefix : List.of("", "_")) {
      one(
          parts,
          "aten::" + prefix + "indices(Tensor(a) self) -> Tensor(a)",
          (steps, call, self) -> part(call, self, self.indices(), prefix));
      one(
          parts,
          "aten::" + prefix + "values(Tensor(a) self) -> Tensor(a)",
          (steps, call, self) -> part(call, self, self.values(), prefix));
    }
    for (String schema :
        List.of(
            "aten::_sparse_mm(Tensor sparse, Tensor dense) -> Tensor",
            "aten::smm(Tensor self, Tensor mat2) -> Tensor")) {
      one(catalog, schema, SparseForms::product);
    }
    one(catalog, "aten::_sparse_sum(Tensor self) -> Tensor", SparseForms::sum);
  }

  private static void making(Catalog.Builder catalog) {
    String unsafe = "bool? pin_memory=None, bool? is_coalesced=None) -> Tensor";
    String rest = REST + "None, bool? is_coalesced=None) -> Tensor";
    Steps.add(
        catalog,
        "aten::sparse_coo_tensor.indices(Tensor indices, Tensor values, " + rest,
        (steps, call) -> made(steps, call, null, 2, 6));
    Steps.add(
        catalog,
        "aten::sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, " + rest,
        (steps, call) -> made(steps, call, call.integers(2), 3, 7));
    Steps.add(
        catalog,
        "aten::_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, *,"
            + " ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
            + unsafe,
        (steps, call) -> made(steps, call, call.integers(2), 3, 7));
    String dense = "(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor";
    Catalog.Builder sharing = catalog.with(Trait.SHARES); // a dense one is returned as it is
    Steps.add(sharing, "aten::to_dense" + dense, SparseOperations::dense);
    Steps.add(
        catalog,
        "aten::to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int?"
            + " dense_dim=None) -> Tensor",
        (steps, call) -> {
          Fault fault = Placement.sparse(call, 1);
          if (fault == null && !call.isNone(2)) {
            fault = Fault.unsupported("a tensor in coordinate format has no blocks");
          }
          return fault == null ? kept(steps, call, call.integerOr(3, 0)) : fault;
        });
    Steps.add(
        catalog,
        "aten::to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor",
        (steps, call) -> {
          int rank = call.value(0) instanceof DenseTensor tensor ? tensor.rank() : 0;
          return kept(steps, call, rank - call.integer(1));
        });
  }

  private static Object made(
      Steps steps, Call call, long @Nullable [] sizes, int dtype, int coalesced) {
    Fault elsewhere = Placement.ofSparse(call, dtype + 1);
    if (elsewhere != null) {
      return elsewhere;
    }
    Object values = call.value(1);
    if (!call.isNone(dtype)) {
      values = steps.run("to.dtype", values, call.value(dtype));
    }
    boolean known = !call.isNone(coalesced) && call.bool(coalesced);
    return values instanceof DenseTensor tensor
        ? Places.sparse(steps, call, call.tensor(0), tensor, sizes, known)
        : values;
  }

  private static Object dense(Steps steps, Call call) {
    Object dense =
        call.value(0) instanceof SparseTensor sparse ? Places.dense(steps, sparse) : call.value(0);
    DType dtype = call.isNone(1) ? null : DType.ofCode(call.integer(1));
    Object cast = dtype == null ? dense : steps.cast(dense, dtype);
    return cast instanceof DenseTensor result && result.is(call.value(0))
        ? steps.run("alias", cast)
        : cast;
  }

  private static Object kept(Steps steps, Call call, long denseDims) {
    if (call.value(0) instanceof SparseTensor sparse) {
      return Places.again(call, sparse, sparse.values());
    }
    DenseTensor self = call.tensor(0);
    long sparseDims = self.rank() - denseDims;
    return sparseDims < 1 || denseDims < 0
        ? Fault.value("a tensor " + self.shape() + " has no " + sparseDims + " sparse dimensions")
        : Places.of(steps, call, self, (int) sparseDims);
  }

  private static Object part(Call call, SparseTensor self, DenseTensor part, String prefix) {
    return prefix.isEmpty() && !self.coalesced()
        ? Fault.value(
            "the indices and values of a sparse tensor are asked for after `coalesce`, for places"
                + " may be given more than once")
        : Places.own(call, part);
  }

  private static void one(Catalog.Builder catalog, String schema, SparseForms.Form form) {
    Steps.add(catalog, schema, form::apply);
  }
}
