package dev.staunch.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The exported part of the runtime is the one that docs/floors.md describes. */
class ExportsTest {
  private static final String OURS = "dev.staunch.";

  /** The number of public types in rooms that users see: it may fall, but not grow. */
  private static final int TYPES = 154;

  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+)(?:\\s+to\\s+([^;]+))?;");
  private static final Pattern PUBLIC =
      Pattern.compile("(?m)^public .*?\\b(?:class|interface|record|enum) ");

  private static final List<SourceTree.Source> SOURCES =
      SourceTree.sources().stream().filter(SourceTree.Source::isMain).toList();

  private static String text(String path) {
    return SOURCES.stream()
        .filter(source -> source.path().toString().replace('\\', '/').equals(path))
        .findFirst()
        .orElseThrow()
        .text();
  }

  /** The exported rooms and the modules that they are exported to; empty for everybody. */
  private static Map<String, String> exports() {
    var exports = new TreeMap<String, String>();
    var found = EXPORT.matcher(text("runtime/src/main/java/module-info.java"));
    while (found.find()) {
      String to = found.group(2);
      exports.put(found.group(1).substring(OURS.length()), to == null ? "" : to.strip());
    }
    return exports;
  }

  private static Set<String> forUsers() {
    var rooms = new TreeSet<String>();
    exports()
        .forEach((room, to) -> {
          if (to.isEmpty()) {
            rooms.add(room);
          }
        });
    return rooms;
  }

  @Test
  void usersSeeTheRoomsThatTheyComputeWithAndThoseThatTheyExtend() {
    Set<String> compute =
        Set.of("eager", "eager.operators", "type", "memory", "fault", "tensor", "engine");
    Set<String> extend =
        Set.of("kernel", "kernel.primitive", "kernel.standard", "operation", "ir", "execute");
    var all = new TreeSet<>(compute);
    all.addAll(extend);
    assertEquals(all, forUsers());
  }

  @Test
  void aRoomThatIsForOurModulesIsExportedToThoseAloneThatUseIt() {
    exports()
        .forEach((room, to) -> {
          for (String module : to.isEmpty() ? new String[0] : to.split(",\\s*")) {
            String folder = module.substring(OURS.length());
            Pattern used = Pattern.compile("import " + OURS + Pattern.quote(room) + "\\.[A-Z]");
            boolean uses =
                SOURCES.stream()
                    .filter(source -> source.path().startsWith(folder))
                    .anyMatch(source -> used.matcher(source.text()).find());
            assertTrue(uses, module + " is shown " + room + " and does not use it");
          }
        });
  }

  @Test
  void noMoreTypesAreShown() {
    Set<String> rooms = forUsers();
    long types =
        SOURCES.stream()
            .filter(source -> source.path().startsWith("runtime"))
            .filter(source -> rooms.contains(room(source)))
            .filter(source -> PUBLIC.matcher(source.text()).find())
            .count();
    assertEquals(TYPES, types);
  }

  private static String room(SourceTree.Source source) {
    String folder = source.path().getParent().toString().replaceAll("[\\\\/]", ".");
    int ours = folder.indexOf(OURS);
    return ours < 0 ? "" : folder.substring(ours + OURS.length());
  }
}
