package dev.staunch.eager;

import dev.staunch.engine.EngineContext;
import dev.staunch.engine.Variable;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Environment;
import dev.staunch.kernel.Generator;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.tensor.DenseTensor;
import java.util.Objects;

/** What all operations of a context share. */
final class ContextState {
  final Catalog catalog;
  final ResourceScope scope;
  final EngineContext engine;
  final Signatures signatures;
  final Generator generator = Generator.ofSeed(Generator.DEFAULT_SEED);

  /** Makes random operations draw in the order in which they were called. */
  final Variable draws = new Variable("random numbers");

  volatile boolean gradEnabled = true;

  ContextState(Catalog catalog, ResourceScope scope, EngineContext engine) {
    this.catalog = catalog;
    this.scope = scope;
    this.engine = engine;
    this.signatures = new Signatures(catalog);
  }

  /** A new tensor with the elements of {@code source}, which the caller holds; or a fault. */
  Object copyOf(DenseTensor source, Environment where) {
    Signature clone = Objects.requireNonNull(signatures.find("aten::clone"));
    return clone.door.call(where, new Object[] {source, None.NONE}, null, null);
  }
}
