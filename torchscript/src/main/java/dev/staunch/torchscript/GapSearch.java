package dev.staunch.torchscript;

import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.ir.Block;
import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.torchscript.lower.MissingFunctions;
import dev.staunch.type.DType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Searches everything that a function may call for operations without a kernel, operations without
 * a kernel for dtypes that their operands are certain to have, and code that could not be lowered.
 */
final class GapSearch {
  private final Program program;
  private final Catalog catalog;

  /** Whether each function that was searched can be bypassed. */
  private final Map<String, Boolean> seen = new HashMap<>();

  private final Map<Place, Gap> gaps = new LinkedHashMap<>();

  private record Place(String what, @Nullable SourceLocation source) {}

  GapSearch(Program program, Catalog catalog) {
    this.program = program;
    this.catalog = catalog;
  }

  /** Returns all gaps of a method of {@code object}, those that it is certain to reach first. */
  List<Gap> of(String method, ObjectValue object) {
    call(method, /* passable= */ false);
    new DTypeFlow(program, catalog, this::missing).follow(method, object);
    return gaps.values().stream()
        .sorted((a, b) -> Boolean.compare(a.passable(), b.passable()))
        .toList();
  }

  private void call(String name, boolean passable) {
    Function function = program.find(name);
    Boolean before = seen.get(name);
    if (function != null && (before == null || (before && !passable))) {
      seen.put(name, passable);
      block(function.body(), passable);
    }
  }

  private void block(Block block, boolean passable) {
    for (Operation operation : block.operations()) {
      boolean inner = passable;
      switch (operation.operator()) {
        case Structure.CallFunction call -> call(call.function(), passable);
        case Structure.CallMethod call -> anyMethod(call.method());
        case Structure.With with -> {
          call(with.enter(), passable);
          call(with.exit(), passable);
        }
        case Structure other -> inner = true;
        case Operator.Entry entry -> entry(operation, block, passable);
      }
      boolean around = inner;
      operation.blocks().forEach(each -> block(each, around));
    }
  }

  private void missing(
      String operation, DType dtype, @Nullable SourceLocation source, boolean passable) {
    String text = "there is no kernel for %s of %s";
    add(new Gap(Message.of(text, operation, dtype), source, passable));
  }

  /** Any class may be behind an interface. */
  private void anyMethod(String method) {
    for (Function function : program.functions()) {
      if (function.name().endsWith("." + method)) {
        call(function.name(), /* passable= */ true);
      }
    }
  }

  private void entry(Operation operation, Block block, boolean passable) {
    String name = operation.name();
    CatalogEntry known = catalog.find(name);
    String reason = MissingFunctions.reason(operation, block);
    if (reason != null) {
      add(new Gap(reason, operation.source(), passable));
    } else if (known == null || known.kernel() == null) {
      add(new Gap("there is no kernel for " + name, operation.source(), passable));
    }
  }

  private void add(Gap gap) {
    gaps.merge(
        new Place(gap.what(), gap.source()), gap, (old, other) -> old.passable() ? other : old);
  }
}
