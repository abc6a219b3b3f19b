package dev.staunch.torchscript.lower;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.torchscript.archive.Archive;
import dev.staunch.torchscript.pickle.DebugInfo;
import dev.staunch.torchscript.source.Definition;
import dev.staunch.torchscript.source.Parser;
import dev.staunch.torchscript.source.SourceFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The code of an archive, read file by file as names are looked up: class {@code __torch__.a.b.C}
 * is in {@code code/__torch__/a/b.py}. Not thread-safe; used during loading.
 */
public final class ArchiveCode {
  private static final String NATIVE = "__torch__.torch.classes.";

  /** Namespaces of PyTorch's own classes, each with its code in a file of that name. */
  private static final Set<String> KNOWN = Set.of("quantized", "rnn", "xnnpack");

  private final Archive archive;
  private final Map<String, String> classes;
  private final Map<String, Unit> units = new LinkedHashMap<>();

  /**
   * @param classes code for the classes that the archive expects from native libraries, by
   *     namespace
   */
  public ArchiveCode(Archive archive, Map<String, String> classes) {
    this.archive = archive;
    this.classes = classes;
  }

  /**
   * Why the class cannot be used, if it belongs to a native library and has no replacement;
   * otherwise null.
   */
  public @Nullable String missingNative(String className) {
    return className.startsWith(NATIVE) && find(className) == null
        ? "the native class "
            + className
            + " does not run on the JVM; LoadOptions.withClasses takes"
            + " code that stands in for it"
        : null;
  }

  /** A file, and the mapping to its original source. */
  static final class Unit {
    final SourceFile file;
    final DebugInfo debug;
    final Map<String, Definition> definitions = new LinkedHashMap<>();

    /** The methods of each class, by class name and method name. */
    private final Map<String, Map<String, Definition.FunctionDef>> methods = new HashMap<>();

    /** The positions of the attributes of each class, by class name and attribute name. */
    private final Map<String, Map<String, Integer>> attributes = new HashMap<>();

    Unit(SourceFile file, DebugInfo debug) {
      this.file = file;
      this.debug = debug;
      for (Definition definition : Parser.definitions(file)) {
        define(definition);
      }
    }

    private void define(Definition definition) {
      if (definitions.put(definition.name(), definition) != null) {
        throw fault(definition.position(), definition.name() + " is defined twice");
      }
      if (definition instanceof Definition.ClassDef type) {
        Map<String, Definition.FunctionDef> byName = new HashMap<>();
        for (Definition.FunctionDef method : type.methods()) {
          if (byName.put(method.name(), method) != null) {
            String text = "%s defines its method %s twice";
            throw fault(method.position(), Message.of(text, type.name(), method.name()));
          }
        }
        methods.put(type.name(), byName);
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < type.attributes().size(); i++) {
          places.putIfAbsent(type.attributes().get(i).name(), i);
        }
        attributes.put(type.name(), places);
      }
    }

    /** Code that is not from the archive and has no original source. */
    static Unit of(String name, String text) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      return new Unit(new SourceFile(name, utf8), DebugInfo.NONE);
    }

    /**
     * The original line for a position in the emitted code, if known; otherwise the emitted line.
     */
    SourceLocation location(int position) {
      return SourceLocation.deferred(new Place(file, debug, position));
    }

    StaunchException fault(FaultType type, int position, String message) {
      return Fault.of(type, message)
          .withInput(file.name())
          .withSource(location(position))
          .toException();
    }

    StaunchException fault(int position, String message) {
      return fault(FaultType.DATA_FORMAT, position, message);
    }
  }

  /** A position in the emitted code, whose line is looked up when asked for. */
  private record Place(SourceFile file, DebugInfo debug, int position)
      implements Supplier<SourceLocation> {
    @Override
    public SourceLocation get() {
      SourceLocation emitted = file.location(position);
      SourceLocation original = debug.original(position);
      return original == null
          ? emitted
          : new SourceLocation(
              original.file(), original.line(), original.column(), original.text(), emitted);
    }
  }

  /** A definition and the file that contains it. */
  record Found(Unit unit, Definition definition) {
    Definition.ClassDef type() {
      return (Definition.ClassDef) definition;
    }

    /** The position of the class's attribute called {@code name}, or -1. */
    int attribute(String name) {
      return unit.attributes.getOrDefault(definition.name(), Map.of()).getOrDefault(name, -1);
    }

    /** The class's method called {@code name}, or null. */
    Definition.@Nullable FunctionDef method(String name) {
      return unit.methods.getOrDefault(definition.name(), Map.of()).get(name);
    }
  }

  /** The class or function with the full name {@code name}, or null. */
  @Nullable Found find(String name) {
    int dot = name.lastIndexOf('.');
    if (!name.startsWith("__torch__") || dot < 0) {
      return null;
    }
    Unit unit = unit(name.substring(0, dot));
    Definition definition = unit == null ? null : unit.definitions.get(name.substring(dot + 1));
    return unit == null || definition == null ? null : new Found(unit, definition);
  }

  /**
   * The names that a class lists in a field such as {@code __forward_hooks__}; empty if it has no
   * such field.
   */
  public List<String> listed(String className, String field) {
    Found found = findClass(className);
    return found == null ? List.of() : found.type().lists().getOrDefault(field, List.of());
  }

  /** The class called {@code name}, or null if there is none. */
  @Nullable Found findClass(String name) {
    Found found = find(name);
    return found != null && found.definition() instanceof Definition.ClassDef ? found : null;
  }

  /** The fields of a named tuple; null for any other class. */
  public @Nullable List<Definition.AttributeDef> fields(String name) {
    Found found = findClass(name);
    return found != null && found.type().kind() == Definition.Kind.NAMED_TUPLE
        ? found.type().attributes()
        : null;
  }

  public boolean isInterface(String name) {
    Found found = findClass(name);
    return found != null
        && (found.type().kind() == Definition.Kind.INTERFACE
            || found.type().kind() == Definition.Kind.MODULE_INTERFACE);
  }

  private @Nullable Unit unit(String prefix) {
    Unit known = units.get(prefix);
    if (known != null) {
      return known;
    }
    Unit unit = prefix.startsWith(NATIVE) ? standIn(prefix) : read(prefix);
    if (unit != null) {
      units.put(prefix, unit);
    }
    return unit;
  }

  private @Nullable Unit read(String prefix) {
    String record = "code/" + prefix.replace('.', '/') + ".py";
    return archive.has(record)
        ? new Unit(new SourceFile(record, archive.text(record)), debug(record + ".debug_pkl"))
        : null;
  }

  private @Nullable Unit standIn(String prefix) {
    String namespace = prefix.substring(NATIVE.length());
    String given = classes.get(namespace);
    String code = given == null ? known(namespace) : given;
    return code == null ? null : Unit.of("torch.classes." + namespace, code);
  }

  /** The code for PyTorch's own classes of a namespace; null if there is none. */
  private static @Nullable String known(String namespace) {
    return KNOWN.contains(namespace) ? text(namespace + ".py") : null;
  }

  /** The text of a resource of this package. */
  static String text(String resource) {
    try (InputStream file = ArchiveCode.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DebugInfo debug(String record) {
    try {
      return archive.has(record) ? new DebugInfo(archive.text(record)) : DebugInfo.NONE;
    } catch (StaunchException damaged) {
      return DebugInfo.NONE;
    }
  }

  /** The files that have been read so far. */
  public List<SourceFile> files() {
    List<SourceFile> files = new ArrayList<>();
    for (Unit unit : units.values()) {
      files.add(unit.file);
    }
    return List.copyOf(files);
  }
}
