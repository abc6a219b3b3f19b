package dev.staunch.tfrt;

import static dev.staunch.tfrt.ScalarOperations.CHAIN;
import static dev.staunch.tfrt.ScalarOperations.define;
import static dev.staunch.tfrt.ScalarOperations.many;
import static dev.staunch.tfrt.ScalarOperations.one;
import static dev.staunch.tfrt.ScalarOperations.parameter;
import static dev.staunch.tfrt.ScalarOperations.schema;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.Message;
import dev.staunch.kernel.Call;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.Chain;
import dev.staunch.kernel.Environment;
import dev.staunch.memory.Resource;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Trait;
import dev.staunch.type.Type;
import java.util.List;

/**
 * Operations with which TensorFlow Runtime's own programs test an executor: they fail, cancel, or
 * return their results later.
 */
final class TestOperations {
  private static final String STRING = "!tfrt.string";
  private static final String RESOURCE = "!tfrt.test.resource";

  private TestOperations() {}

  /** Adds all operations of this class. */
  static void addTo(Catalog.Builder catalog) {
    failures(catalog);
    values(catalog);
    later(catalog);
    resources(catalog);
  }

  /** The fault of a TensorFlow Runtime kernel that fails with only a message. */
  private static Fault bad(String how) {
    return Fault.of(FaultType.INTERNAL, "something bad happened" + how);
  }

  private static void failures(Catalog.Builder catalog) {
    define(catalog, "tfrt_test.fail", List.of(), List.of("i32"), one(call -> bad("")));
    define(
        catalog,
        "tfrt_test.partial_fail",
        List.of(),
        List.of("i32", "i32"),
        many(call -> new Object[] {1, bad("")}));
    define(catalog, "tfrt_test.error_chain", List.of(CHAIN), List.of(CHAIN), one(call -> bad("")));
    define(
        catalog.with(Trait.HAS_SIDE_EFFECTS),
        "tfrt_test.cancel",
        List.of(CHAIN),
        List.of("i32", CHAIN),
        many(call -> {
          call.environment().cancel("Cancelled");
          return new Object[] {0, Chain.READY};
        }));
  }

  private static void values(Catalog.Builder catalog) {
    define(
        catalog.with(Trait.HAS_SIDE_EFFECTS),
        "tfrt_test.print_hello",
        List.of(CHAIN),
        List.of(CHAIN),
        one(call -> {
          call.environment().print("hello host executor!");
          return Chain.READY;
        }));
    for (String type : List.of("i32", "i64")) {
      define(
          catalog,
          "tfrt_test.count3." + type,
          List.of(type),
          List.of(type, type, type),
          many(call -> {
            long first = ((Number) call.value(0)).longValue();
            Object[] values = new Object[3];
            for (int i = 0; i < 3; i++) {
              values[i] = ScalarOperations.boxed(type, first + 1 + i);
            }
            return values;
          }));
      define(
          catalog,
          "tfrt_test.copy.with_delay." + type,
          List.of(type),
          List.of(type),
          one(call -> call.value(0)));
    }
    catalog.define(
        schema(
            "tfrt_test.get_string",
            List.of(parameter("value", Type.Plain.STRING, true)),
            List.of(STRING)),
        one(call -> call.value(0)));
    define(
        catalog.with(Trait.HAS_SIDE_EFFECTS),
        "tfrt_test.print_string",
        List.of(STRING, CHAIN),
        List.of(CHAIN),
        one(call -> {
          call.environment().print("string = " + call.value(0));
          return Chain.READY;
        }));
    define(
        catalog.with(Trait.HAS_SIDE_EFFECTS),
        "tfrt_test.logging",
        List.of(STRING, CHAIN),
        List.of(CHAIN),
        one(TestOperations::log));
    define(
        catalog,
        "tfrt_test.identity",
        List.of(CHAIN, "i32"),
        List.of("i32"),
        one(call -> call.value(1)));
  }

  private static Object log(Call call) {
    for (String form : List.of("TFRT_LOG(%s)", "TFRT_LOG_IF(%s, true)")) {
      for (String level : List.of("INFO", "WARNING", "ERROR")) {
        call.environment().print("from " + Message.of(form, level) + ": " + call.value(0));
      }
    }
    return Chain.READY;
  }

  private static void later(Catalog.Builder catalog) {
    define(
        catalog,
        "tfrt_test.async_add.i32",
        List.of("i32", "i32"),
        List.of("i32"),
        one(call -> {
          int sum = (Integer) call.value(0) + (Integer) call.value(1);
          return call.environment().defer(() -> sum);
        }));
    define(
        catalog,
        "tfrt_test.report_error_async",
        List.of(),
        List.of("i32"),
        one(call -> call.environment().defer(() -> bad(" asynchronously"))));
    for (String kind : List.of("concrete", "indirect")) {
      define(
          catalog,
          "tfrt_test.report_error_" + kind + "_async",
          List.of("i32"),
          List.of("i32"),
          one(call -> {
            Object value = call.value(0);
            return call.environment().defer(() -> value.equals(0) ? value : bad(" asynchronously"));
          }));
    }
  }

  /**
   * Prints a line when it is released; the executor releases it after its last use, whether that
   * ran or was skipped.
   */
  private static final class TestResource extends Resource {
    TestResource(ResourceScope scope, Environment environment) {
      super(scope, () -> environment.print("Destroyed TestResource"));
    }

    @Override
    public String describe() {
      return "TestResource";
    }
  }

  private static void resources(Catalog.Builder catalog) {
    define(
        catalog.with(Trait.HAS_SIDE_EFFECTS),
        "tfrt_test.allocate_resource",
        List.of(CHAIN),
        List.of(RESOURCE, CHAIN),
        many(call -> {
          call.environment().print("Allocated TestResource");
          TestResource made = call.scope().own(new TestResource(call.scope(), call.environment()));
          return new Object[] {made, Chain.READY};
        }));
    define(
        catalog.with(Trait.HAS_SIDE_EFFECTS),
        "tfrt_test.deallocate_resource",
        List.of(RESOURCE, CHAIN),
        List.of(CHAIN),
        one(call -> {
          ((Resource) call.value(0)).close();
          call.environment().print("tfrt_test.deallocate_resource done");
          return Chain.READY;
        }));
  }
}
