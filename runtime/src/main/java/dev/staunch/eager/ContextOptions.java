package dev.staunch.eager;

import dev.staunch.engine.EngineOptions;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import java.util.Objects;

/**
 * How a {@link Context} computes.
 *
 * @param name the context's name in messages, reports and metrics
 * @param catalog the available operations
 * @param engine the options of the engine to start for the context
 * @param largeElements an operation with at least this many elements in its operands, or in what it
 *     may create from them, goes to a worker instead of running on the calling thread
 */
public record ContextOptions(
    String name, Catalog catalog, EngineOptions engine, long largeElements) {
  /** About as many elements as a processor handles in the time of a hand-over to a worker. */
  public static final long DEFAULT_LARGE_ELEMENTS = 16_384;

  public ContextOptions {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(catalog, "catalog");
    Objects.requireNonNull(engine, "engine");
  }

  /** The standard catalog, worker threads, the default threshold. */
  public static ContextOptions standard() {
    return new ContextOptions(
        "eager", StandardOperations.catalog(), EngineOptions.threaded(), DEFAULT_LARGE_ELEMENTS);
  }

  public ContextOptions withName(String other) {
    return new ContextOptions(other, catalog, engine, largeElements);
  }

  public ContextOptions withEngine(EngineOptions other) {
    return new ContextOptions(name, catalog, other, largeElements);
  }

  public ContextOptions withCatalog(Catalog other) {
    return new ContextOptions(name, other, engine, largeElements);
  }

  public ContextOptions withLargeElements(long count) {
    return new ContextOptions(name, catalog, engine, count);
  }
}
