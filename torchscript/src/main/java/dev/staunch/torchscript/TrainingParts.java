package dev.staunch.torchscript;

import dev.staunch.ir.Function;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ObjectValue;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Finds the parts of a module in training mode that this affects: they, or parts of them that are
 * in training mode as well, read the mode, draw random numbers or update statistics. What is read
 * to save an object does not count.
 */
final class TrainingParts {
  private static final String SAVING = ".__getstate__";

  /** The classes whose objects the mode affects. */
  private final Set<String> affected = new HashSet<>();

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<String> parts = new ArrayList<>();

  private TrainingParts(Program program, Catalog catalog) {
    for (Function function : program.functions()) {
      if (!function.name().endsWith(SAVING)) {
        String owner = function.name().substring(0, Math.max(0, function.name().lastIndexOf('.')));
        for (Operation operation : function.body().all()) {
          look(operation, owner, catalog);
        }
      }
    }
  }

  /** The dotted names of the parts of {@code root}; {@code the whole model} for itself. */
  static List<String> of(ObjectValue root, Program program, Catalog catalog) {
    TrainingParts found = new TrainingParts(program, catalog);
    if (!found.affected.isEmpty()) {
      found.add(root, "");
    }
    return found.parts;
  }

  private void look(Operation operation, String owner, Catalog catalog) {
    switch (operation.operator()) {
      case Structure.GetAttribute get when get.attribute().equals("training") -> {
        if (operation.operands().getFirst().type() instanceof Type.Class read) {
          affected.add(read.name());
        }
      }
      case Operator.Entry entry -> {
        CatalogEntry known = catalog.find(entry.name());
        if (known != null && (known.effects().updatesState() || known.effects().drawsRandom())) {
          affected.add(owner);
        }
      }
      default -> {}
    }
  }

  /** Whether the mode of {@code object} or of a part of it matters; adds their names in order. */
  private boolean add(ObjectValue object, String name) {
    if (!seen.add(object)) {
      return false;
    }
    int place = parts.size();
    boolean training = false;
    boolean matters = affected.contains(object.layout().name());
    List<String> slots = object.layout().slots();
    for (int i = 0; i < slots.size(); i++) {
      Object value = object.get(i);
      training |= slots.get(i).equals("training") && Boolean.TRUE.equals(value);
      if (value instanceof ObjectValue part) {
        matters |= add(part, name.isEmpty() ? slots.get(i) : name + "." + slots.get(i));
      }
    }
    if (training && matters) {
      parts.add(place, name.isEmpty() ? "the whole model" : name);
    }
    return training && matters;
  }
}
