package dev.staunch.eager;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.ProgramPoint;
import dev.staunch.kernel.Generator;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the result of each step of a program. It calls each kernel at once, alone, in the order
 * of the program, and keeps for each storage and for each handle why it might not be readable. It
 * recognises tensors that share memory by their storages.
 */
final class Oracle implements AutoCloseable {
  /** The result of a read: a value if no cause prevents it. */
  record Read(Causes causes, @Nullable Snapshot value) {}

  /**
   * The result of an operation that is not waited for: the size in bytes of the last result, or 0.
   */
  record Applied(long bytes) {}

  /**
   * The result of an operation that is waited for: causes that may prevent it, or a value without
   * tensors.
   */
  record Answer(Causes causes, @Nullable Object value) {}

  /** Stands for a tensor in an answer. */
  enum Answered {
    TENSOR
  }

  final Surrounded around = new Surrounded();
  final OracleEnvironment environment;
  final LayoutCheck layouts;
  private final Map<Integer, Expected> places = new TreeMap<>();
  private final Map<Storage, Expected.Cells> cells = new IdentityHashMap<>();
  private final ResourceScope apart;
  private @Nullable Object standIn;
  private long order;
  private boolean drawsKnown = true;

  Oracle(OffHeap memory, LayoutCheck layouts) {
    this.environment =
        new OracleEnvironment(
            ResourceScope.open(memory, "oracle"), Generator.ofSeed(Generator.DEFAULT_SEED));
    this.apart = ResourceScope.open(memory, "apart");
    this.layouts = layouts;
  }

  @Override
  public void close() {
    environment.scope().close();
    apart.close();
  }

  Map<Integer, Expected> places() {
    return places;
  }

  /** Any tensor, for when only its type counts. */
  Object standIn() {
    if (standIn == null) {
      standIn = DenseTensor.allocate(apart, DType.INT64, Shape.of(1));
    }
    return standIn;
  }

  /**
   * Follows a step other than a block. Returns its expected result; null if the step is to be left
   * out, because it means nothing here, or because its result would depend on timing in too many
   * ways.
   */
  @Nullable Object follow(Step step) {
    return switch (step) {
      case Step.Make make -> make(make);
      case Step.Apply apply -> new OracleCall(this, apply).outcome();
      case Step.Close close -> close(close.place());
      case Step.Check check -> check(check.place());
      case Step.Seed seed -> seed(seed);
      case Step.Count count -> isCertain() ? (Object) environment.scope().account().bytes() : null;
      case Step.Block block -> throw new IllegalArgumentException(block.toString());
    };
  }

  private @Nullable Object make(Step.Make make) {
    if (places.containsKey(make.place())
        || !(make.spec().build(environment.scope()) instanceof DenseTensor made)) {
      return null;
    }
    Expected handle = handle(made);
    handle.own = around.closing();
    places.put(make.place(), handle);
    return make;
  }

  private @Nullable Object close(int place) {
    Expected handle = places.get(place);
    if (handle == null || handle.closed) {
      return null;
    }
    handle.close();
    return handle;
  }

  private @Nullable Object check(int place) {
    Expected handle = places.get(place);
    if (handle == null) {
      return null;
    }
    Causes causes = handle.causes();
    if (causes.known() == null && handle.closed) {
      return new Read(causes.orElse(closedFault()), null);
    }
    boolean readable = causes.known() == null && handle.tensor != null;
    return new Read(causes, readable ? Snapshot.of(handle.tensor) : null);
  }

  private @Nullable Object seed(Step.Seed seed) {
    environment.generator().seed(seed.seed());
    drawsKnown = !around.isTroubled();
    return drawsKnown ? seed : null;
  }

  /** Whether it is certain which tensors exist. */
  private boolean isCertain() {
    return !around.isTroubled()
        && places.values().stream().allMatch(each -> each.closed || !each.own.isOpen());
  }

  void begin(Step.Block block) {
    around.begin(block, places.keySet());
  }

  /** Closes what a block owns and does not hand on. */
  void end(Step.Block block) {
    Set<Integer> before = around.end();
    if (!block.owns()) {
      return;
    }
    Causes.Open lost = around.lost(block);
    places.forEach((place, handle) -> {
      if (before.contains(place)) {
        return;
      }
      if (!block.keeps(place)) {
        closeTensor(handle);
      } else if (block.trouble() != Step.Trouble.NONE) {
        handle.own = handle.own.and(Causes.open(lost));
      }
    });
  }

  /** A handle without a tensor may still get one. */
  private static void closeTensor(Expected handle) {
    if (handle.tensor != null) {
      handle.close();
    }
  }

  // for its calls

  ProgramPoint nextPoint() {
    return ProgramPoint.of(1, order++);
  }

  boolean drawsKnown() {
    return drawsKnown;
  }

  void loseDraws() {
    drawsKnown = false;
  }

  static Fault closedFault() {
    return Fault.of(FaultType.CLOSED, "closed");
  }

  /** The handle of a tensor that an operation returned. */
  Expected handle(DenseTensor tensor) {
    Expected.Cells known = cells.get(tensor.storage());
    Expected handle = new Expected(known == null ? new Expected.Cells() : known, known == null);
    handle.tensor = tensor;
    cells.put(tensor.storage(), handle.cells);
    return handle;
  }

  /** Gives the storage of {@code tensor}, which is new, the state of another. */
  void join(DenseTensor tensor, Expected.Cells other) {
    cells.putIfAbsent(tensor.storage(), other);
  }

  /** Puts a handle into a place; closes it if there is no place. */
  void put(int place, Expected handle) {
    if (place >= 0) {
      places.put(place, handle);
    } else {
      closeTensor(handle);
    }
  }
}
