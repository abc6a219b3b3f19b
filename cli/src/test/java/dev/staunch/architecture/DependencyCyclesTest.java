package dev.staunch.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.staunch.architecture.SourceTree.Source;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Counts the types of a room, or of another module, that depend on each other in a circle, directly
 * or through other types. Such a type can be read or changed only together with all others. A
 * nested type counts as its outermost type; each family of kernels is a room of its own. Packages
 * form no circles, so each package is checked separately. That a sealed type names its subtypes
 * does not count: it only closes their list.
 */
class DependencyCyclesTest {
  /** Comments, texts, imports and the subtypes of a sealed type. */
  private static final Pattern NO_CODE =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\\n]*|\"(\\\\.|[^\"\\\\])*\"|\\bimport [^;]*;|\\bpermits [^{]*");

  private static final Pattern PACKAGE = Pattern.compile("\\bpackage ([a-z.]+);");
  private static final Pattern NAME = Pattern.compile("(?<![.\\w])[A-Z]\\w*");

  /** For each package and top-level type, the types of the same package that it uses. */
  private static Map<String, Map<String, Set<String>>> uses() {
    var packages = new TreeMap<String, Map<String, Set<String>>>();
    var code =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.staunch");
    for (JavaClass each : code) {
      var types = packages.computeIfAbsent(each.getPackageName(), name -> new TreeMap<>());
      var used = types.computeIfAbsent(outermost(each), name -> new TreeSet<>());
      each.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> target.getPackageName().equals(each.getPackageName()))
          .map(DependencyCyclesTest::outermost)
          .filter(target -> !target.equals(outermost(each)))
          .forEach(used::add);
    }
    SourceTree.mainSources().forEach(source -> addNamed(source, packages));
    return packages;
  }

  /** Adds the types that only the source names: javac copies their constants. */
  private static void addNamed(Source source, Map<String, Map<String, Set<String>>> packages) {
    String code = NO_CODE.matcher(source.text()).replaceAll(" ");
    String home = PACKAGE.matcher(code).results().map(it -> it.group(1)).findFirst().orElse("");
    String type = home + "." + source.path().getFileName().toString().replace(".java", "");
    Map<String, Set<String>> types = packages.getOrDefault(home, Map.of());
    Set<String> used = types.get(type);
    if (used == null) {
      return;
    }
    NAME.matcher(code)
        .results()
        .map(found -> home + "." + found.group())
        .filter(name -> types.containsKey(name) && !name.equals(type))
        .forEach(used::add);
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  private static Set<String> reachable(Map<String, Set<String>> uses, String from) {
    Set<String> reached = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(uses.get(from));
    for (String type = next.poll(); type != null; type = next.poll()) {
      if (reached.add(type)) {
        next.addAll(uses.getOrDefault(type, Set.of()));
      }
    }
    return reached;
  }

  private static String room(String packageName) {
    String inside = packageName.substring("dev.staunch.".length());
    return inside.startsWith("kernel.") || inside.indexOf('.') < 0
        ? inside
        : inside.substring(0, inside.indexOf('.'));
  }

  @Test
  void atMostAQuarterOfARoomsTypesKnowEachOtherInCircles() {
    var types = new TreeMap<String, Integer>();
    var inCircles = new TreeMap<String, Set<String>>();
    uses()
        .forEach((name, uses) -> {
          types.merge(room(name), uses.size(), Integer::sum);
          Set<String> knotted = inCircles.computeIfAbsent(room(name), room -> new TreeSet<>());
          uses.keySet().stream()
              .filter(type -> reachable(uses, type).contains(type))
              .forEach(knotted::add);
        });
    inCircles.forEach((room, knotted) -> {
      int most = types.get(room) / 4;
      assertTrue(knotted.size() <= most, () -> room + ": " + knotted + ", at most " + most);
    });
  }
}
