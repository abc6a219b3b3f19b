package dev.staunch.kernel.standard;

import dev.staunch.fault.jvm.StackRoom;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.CatalogEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Maps operations to the groups that define them. A process uses few of the operations, and linking
 * the kernels of all of them takes longer than its first answer. So a group is made when one of its
 * operations is first asked for. The build writes the index to a file with {@link #main}; without
 * that file, all groups are made to find out.
 */
final class OperationIndex {
  private static final String FILE = "operations.index";

  /**
   * The stack that making a group may need. A stack overflow that ends the initialisation of a
   * class would make the class unusable for the rest of the process.
   */
  private static final StackRoom ROOM = StackRoom.of(64 << 10);

  private final Catalog.Builder catalog;

  private OperationIndex(Catalog.Builder catalog) {
    this.catalog = catalog;
  }

  /** Adds all operations. */
  static void addTo(Catalog.Builder catalog) {
    String text = written();
    if (text == null) {
      new OperationIndex(catalog).make();
    } else {
      addTo(catalog, text);
    }
  }

  /** Adds the operations that the index file with this text names. */
  static void addTo(Catalog.Builder catalog, String text) {
    new OperationIndex(catalog).read(text);
  }

  /** Writes the index file into the class folder that the argument names. */
  static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0], OperationIndex.class.getPackageName().split("\\.", -1));
    Files.writeString(folder.resolve(FILE), text());
  }

  /** The expected content of the file: one line per group, with the operations that it defines. */
  static String text() {
    OperationIndex index = new OperationIndex(new Catalog.Builder());
    StringBuilder text = new StringBuilder();
    LazyGroup last = null;
    for (Map.Entry<String, LazyGroup> entry : index.make().entrySet()) {
      if (entry.getValue() != last) {
        last = entry.getValue();
        text.append(text.isEmpty() ? "" : "\n").append(last.family).append(' ').append(last.number);
      }
      text.append(' ').append(entry.getKey());
    }
    return text.toString();
  }

  /** The content of the file; null if there is none. */
  static @Nullable String written() {
    try (InputStream file = OperationIndex.class.getResourceAsStream(FILE)) {
      return file == null ? null : new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds all groups; returns them keyed by their operations, in definition order. */
  private Map<String, LazyGroup> make() {
    Map<String, LazyGroup> groups = new LinkedHashMap<>();
    for (Family family : Family.values()) {
      for (int number = 0; number < family.groups().size(); number++) {
        LazyGroup group = new LazyGroup(family, number);
        addAll(group.made(), group, groups);
        addAll(group.forms(), group, groups);
      }
    }
    return groups;
  }

  private void addAll(Catalog operations, LazyGroup group, Map<String, LazyGroup> groups) {
    for (String name : operations.names()) {
      groups.put(name, group);
      add(name, group);
    }
  }

  private void read(String text) {
    Map<String, LazyGroup> known = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      String[] words = line.split(" ", -1);
      LazyGroup group =
          known.computeIfAbsent(
              words[0] + words[1],
              absent -> new LazyGroup(Family.valueOf(words[0]), Integer.parseInt(words[1])));
      for (int i = 2; i < words.length; i++) {
        add(words[i], group);
      }
    }
  }

  private void add(String name, LazyGroup group) {
    catalog.onDemand(name, () -> group.entry(name));
  }

  /** A group whose operations are made when one of them is first asked for. Thread-safe. */
  private final class LazyGroup {
    private final Family family;
    private final int number;
    private @Nullable Catalog made;

    LazyGroup(Family family, int number) {
      this.family = family;
      this.number = number;
    }

    synchronized Catalog made() {
      Catalog known = made;
      if (known == null) {
        ROOM.require();
        Catalog.Builder own = builder();
        family.groups().get(number).addTo(own);
        known = own.build();
        made = known;
      }
      return known;
    }

    CatalogEntry entry(String name) {
      CatalogEntry known = made().find(name);
      return known == null
          ? Objects.requireNonNull(forms().find(name), name)
          : Family.completed(known);
    }

    /** The derived forms of its operations; made anew each time, because few are asked for. */
    Catalog forms() {
      Catalog.Builder forms = builder();
      made().operations().forEach(operation -> DerivedForms.add(forms, operation));
      return forms.build();
    }

    private Catalog.Builder builder() {
      return new Catalog.Builder(catalog).closesOnFailure().deferred();
    }
  }
}
