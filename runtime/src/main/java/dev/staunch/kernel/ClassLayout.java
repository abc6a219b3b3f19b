package dev.staunch.kernel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The attributes of a script class, in slot order. Immutable; one per class and program. */
public final class ClassLayout {
  private final String name;
  private final List<String> slots;
  private final Map<String, Integer> indices = new HashMap<>();

  public ClassLayout(String name, List<String> slots) {
    this.name = name;
    this.slots = List.copyOf(slots);
    for (String slot : slots) {
      if (indices.put(slot, indices.size()) != null) {
        throw new IllegalArgumentException(name + " has two attributes " + slot);
      }
    }
  }

  public String name() {
    return name;
  }

  public List<String> slots() {
    return slots;
  }

  /** The slot of an attribute, or -1 if the class has none of that name. */
  public int indexOf(String slot) {
    return indices.getOrDefault(slot, -1);
  }
}
