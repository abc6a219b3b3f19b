package dev.staunch.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Checks the rules of docs/floors.md on the compiled classes of all modules. */
class ArchitectureTest {
  /** For each room of the runtime, the rooms it may use. */
  private static final Map<String, List<String>> BELOW =
      Map.ofEntries(
          entry("fault", List.of()),
          entry("type", List.of("fault")),
          entry("memory", List.of("fault")),
          entry("operation", List.of("type", "fault")),
          entry("tensor", List.of("memory", "type", "fault")),
          entry("engine", List.of("fault")),
          entry("kernel", List.of("operation", "tensor", "memory", "type", "fault")),
          entry("ir", List.of("operation", "tensor", "type", "fault")),
          entry(
              "dispatch",
              List.of("engine", "kernel", "operation", "tensor", "memory", "type", "fault")),
          entry(
              "eager",
              List.of(
                  "dispatch",
                  "engine",
                  "kernel",
                  "operation",
                  "tensor",
                  "memory",
                  "type",
                  "fault")),
          entry(
              "execute",
              List.of(
                  "ir",
                  "dispatch",
                  "engine",
                  "kernel",
                  "operation",
                  "tensor",
                  "memory",
                  "type",
                  "fault")));

  /**
   * For each family of kernels, the others it may use; all may use {@code dev.staunch.kernel} and
   * the seam below it.
   */
  private static final Map<String, List<String>> KERNELS_BELOW =
      Map.ofEntries(
          entry("operand", List.of()),
          entry("loop", List.of("operand")),
          entry("scalar", List.of("operand")),
          entry("text", List.of("scalar", "operand")),
          entry("view", List.of("loop", "operand")),
          entry("linear", List.of("loop", "operand")),
          entry("plain", List.of("reduce", "recurrent", "loop", "operand")),
          entry("formula", List.of("loop", "scalar")),
          entry("create", List.of("formula", "loop", "scalar", "operand")),
          entry("pointwise", List.of("formula", "loop", "scalar", "operand")),
          entry("container", List.of("text", "scalar", "operand")),
          entry("index", List.of("view", "loop", "operand")),
          entry("reduce", List.of("create", "formula", "loop", "operand")),
          entry("recurrent", List.of("linear", "formula", "loop", "scalar", "operand")),
          entry("algebra", List.of("operand")),
          entry("composed", List.of("loop", "operand")),
          entry("sparse", List.of("operand")),
          entry("quantized", List.of("formula", "loop", "operand")),
          entry("special", List.of("loop", "scalar", "operand")),
          entry("vision", List.of("loop", "operand")),
          entry("volume", List.of("loop", "operand")),
          entry("spectral", List.of("loop", "scalar", "operand")),
          entry("random", List.of("reduce", "create", "formula", "loop", "scalar", "operand")),
          entry("neural", List.of("view", "reduce", "formula", "loop", "operand")),
          entry("attention", List.of("neural", "linear", "formula", "loop", "scalar", "operand")),
          entry(
              "standard",
              List.of(
                  "algebra",
                  "attention",
                  "composed",
                  "container",
                  "create",
                  "index",
                  "linear",
                  "loop",
                  "neural",
                  "operand",
                  "plain",
                  "pointwise",
                  "quantized",
                  "random",
                  "recurrent",
                  "reduce",
                  "scalar",
                  "sparse",
                  "special",
                  "spectral",
                  "text",
                  "view",
                  "vision",
                  "volume")));

  private static final String PRIMITIVE = "dev.staunch.kernel.primitive";

  /** Packages nested in those of other rooms. */
  private static final List<String> PARTS = List.of("eager.operators", "fault.jvm");

  /**
   * The parts of the kernels that other rooms may use: the contract, the seam, the catalog, and
   * values as text.
   */
  private static final String[] OPEN_KERNELS = {
    "dev.staunch.kernel", PRIMITIVE, "dev.staunch.kernel.standard", "dev.staunch.kernel.text"
  };

  private static final Pattern BANNED_NAME =
      Pattern.compile(
          "(Utils?|Helpers?|Manager|Common|Base|Abstract|Impl)([A-Z0-9_].*)?"
              + "|.*[a-z0-9_](Utils?|Helpers?|Manager|Common|Base|Abstract|Impl)");

  private static final JavaClasses MAIN_CODE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.staunch");

  @TestFactory
  Stream<DynamicTest> aRoomUsesOnlyTheRoomsBelowIt() {
    return BELOW.keySet().stream()
        .sorted()
        .map(room -> DynamicTest.dynamicTest(room, () -> usesOnlyRoomsBelow(room)));
  }

  private static void usesOnlyRoomsBelow(String room) {
    String[] allowed =
        Stream.concat(Stream.of(room), BELOW.get(room).stream())
            .map(name -> "dev.staunch." + name + "..")
            .toArray(String[]::new);
    classes()
        .that()
        .resideInAPackage("dev.staunch." + room + "..")
        .should()
        .onlyDependOnClassesThat(
            not(resideInAPackage("dev.staunch..")).or(resideInAnyPackage(allowed)))
        .check(MAIN_CODE);
  }

  @TestFactory
  Stream<DynamicTest> aFamilyOfKernelsUsesOnlyThoseBelowIt() {
    return KERNELS_BELOW.keySet().stream()
        .sorted()
        .map(family -> DynamicTest.dynamicTest(family, () -> usesOnlyKernelsBelow(family)));
  }

  private static void usesOnlyKernelsBelow(String family) {
    String[] allowed =
        Stream.concat(
                Stream.of("dev.staunch.kernel", PRIMITIVE),
                Stream.concat(Stream.of(family), KERNELS_BELOW.get(family).stream())
                    .map(name -> "dev.staunch.kernel." + name))
            .toArray(String[]::new);
    usesOfTheKernelsOnly("dev.staunch.kernel." + family, allowed);
  }

  @Test
  void theContractOfTheKernelsKnowsNoKernel() {
    usesOfTheKernelsOnly("dev.staunch.kernel", "dev.staunch.kernel", PRIMITIVE);
  }

  @Test
  void theSeamKnowsNothingOfTheOperations() {
    usesOfTheKernelsOnly(PRIMITIVE, PRIMITIVE);
  }

  /** This allows another set to take their place. */
  @Test
  void onlyTheStandardCatalogNamesThePlainKernels() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.staunch.kernel.plain", "dev.staunch.kernel.standard")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.staunch.kernel.plain")
        .check(MAIN_CODE);
  }

  @Test
  void whatTheTablesAllowIsUsed() {
    assertEquals(Set.of(), unused("dev.staunch.", BELOW), "allowed, but not used");
    assertEquals(Set.of(), unused("dev.staunch.kernel.", KERNELS_BELOW), "allowed, but not used");
  }

  private static Set<String> unused(String parent, Map<String, List<String>> table) {
    var unused = new TreeSet<String>();
    table.forEach((user, below) -> below.forEach(used -> unused.add(user + " -> " + used)));
    for (JavaClass each : MAIN_CODE) {
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        String from = packageBelow(parent, each);
        unused.remove(from + " -> " + packageBelow(parent, dependency.getTargetClass()));
      }
    }
    return unused;
  }

  /** The first package of {@code item} below {@code parent}; empty if there is none. */
  private static String packageBelow(String parent, JavaClass item) {
    String name = item.getPackageName();
    return name.startsWith(parent) ? name.substring(parent.length()).split("\\.", 2)[0] : "";
  }

  private static void usesOfTheKernelsOnly(String user, String... allowed) {
    classes()
        .that()
        .resideInAPackage(user)
        .should()
        .onlyDependOnClassesThat(
            not(resideInAPackage("dev.staunch.kernel..")).or(resideInAnyPackage(allowed)))
        .check(MAIN_CODE);
  }

  @Test
  void noOtherRoomLooksIntoTheKernels() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.staunch.kernel..")
        .should()
        .onlyDependOnClassesThat(
            not(resideInAPackage("dev.staunch.kernel..")).or(resideInAnyPackage(OPEN_KERNELS)))
        .check(MAIN_CODE);
  }

  @Test
  void everyPackageOfTheRuntimeHasAFloor() {
    var rooms = new TreeSet<String>();
    for (JavaClass each : MAIN_CODE) {
      if (SourceTree.hasSource("runtime", each.getPackageName())) {
        rooms.add(each.getPackageName().substring("dev.staunch.".length()));
      }
    }
    var known = new TreeSet<>(BELOW.keySet());
    known.addAll(PARTS);
    KERNELS_BELOW.keySet().forEach(family -> known.add("kernel." + family));
    known.add("kernel.primitive");
    assertEquals(known, rooms);
  }

  @Test
  void noPackagesFormACycle() {
    slices().matching("dev.staunch.(**)").should().beFreeOfCycles().check(MAIN_CODE);
  }

  @Test
  void noClassNameSaysNothing() {
    classes().should(haveAMeaningfulName()).check(MAIN_CODE);
  }

  private static ArchCondition<JavaClass> haveAMeaningfulName() {
    return new ArchCondition<>("have a name that says what they are") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        if (BANNED_NAME.matcher(item.getSimpleName()).matches()) {
          events.add(SimpleConditionEvent.violated(item, item.getName() + " has a banned name"));
        }
      }
    };
  }

  @Test
  void onlyTheMemoryRoomNamesArenas() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.staunch.memory..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Arena.class)
        .check(MAIN_CODE);
  }

  @Test
  void onlyTheModuleOfVectorsNamesTheVectorInterface() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.staunch.vector..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(MAIN_CODE);
  }

  @Test
  void nothingIsUnsafe() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("sun.misc.Unsafe")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("jdk.internal..")
        .check(MAIN_CODE);
  }

  @Test
  void noStateHangsOnAThread() {
    noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(MAIN_CODE);
  }

  @Test
  void onlyTheCommandLinePrints() {
    for (String stream : List.of("out", "err")) {
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.staunch.cli..")
          .should()
          .accessField(System.class, stream)
          .check(MAIN_CODE);
    }
  }

  /** The user decides whether that class may do so: by the strategy in the memory's options. */
  @Test
  void onlyTheConfiguredStrategyAsksForACollection() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.staunch.memory.CollectionRequests")
        .should()
        .callMethod(System.class, "gc")
        .orShould()
        .callMethod(Runtime.class, "gc")
        .check(MAIN_CODE);
  }
}
