package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.MessageRules;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.ComplexNumber;
import dev.staunch.kernel.Sample;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.None;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls each operation of the catalog with arguments of the right types and of random values; if it
 * fails, its message must read well (F9).
 */
@Timeout(120)
class CatalogMessageTest {
  private static final long SEED = 9;
  private static final int TRIES = Sample.whole() ? 60 : 20;
  private static final int FEWEST_MESSAGES = Sample.whole() ? 600 : 400;
  private static final long[] INTEGERS = {-9, -1, 0, 1, 2, 3, 7};
  private static final double[] REALS = {-2, 0, 0.5, 1, 3, Double.NaN};
  private static final String[] TEXTS = {"", "mean", "none", "some text", "%d {} {}", "\u00e9"};
  private static final long[][] SHAPES = {
    {}, {0}, {1}, {3}, {2, 2}, {2, 3}, {3, 2, 2}, {1, 2, 4, 4}
  };

  private final EagerTrial trial = new EagerTrial(EngineOptions.serial());
  private final Random random = new Random(SEED);

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  @Test
  void everyMessageOfTheCatalogReadsWell() {
    Set<String> messages = new HashSet<>();
    Set<String> forms = new HashSet<>(); // without their numbers, which no rule looks at
    Set<String> wrong = new TreeSet<>();
    for (CatalogEntry operation : StandardOperations.catalog().operations()) {
      Schema schema = operation.schema();
      boolean tried = operation.kernel() != null && isTried(schema);
      for (int i = 0; tried && i < TRIES; i++) {
        Fault fault = faultOfCall(schema);
        if (fault != null && messages.add(fault.message())) {
          List<String> complaints = new ArrayList<>();
          if (forms.add(fault.message().replaceAll("\\d", "7"))) {
            complaints.addAll(MessageRules.complaints(fault.message()));
          }
          if (fault.type() == FaultType.INTERNAL) {
            complaints.add("is internal");
          }
          complaints.forEach(
              each -> wrong.add(schema.qualifiedName() + " " + each + ": " + fault.message()));
        }
      }
    }
    assertEquals("", String.join("\n", wrong), "seed " + SEED);
    assertTrue(messages.size() >= FEWEST_MESSAGES, () -> messages.size() + " messages");
  }

  /** All but those that word their messages for a program, or take what only a program has. */
  private static boolean isTried(Schema schema) {
    return !schema.name().equals("staunch::missing")
        && !schema.name().equals("prim::RaiseException")
        && schema.parameters().stream().noneMatch(each -> each.type() == Type.Plain.ANY_ENUM);
  }

  private @Nullable Fault faultOfCall(Schema schema) {
    try (ResourceScope scope = trial.context.scope().child("call")) {
      return trial.context.within(scope, () -> called(schema));
    }
  }

  private @Nullable Fault called(Schema schema) {
    Object[] arguments = schema.parameters().stream().map(this::argument).toArray();
    try {
      trial.context.applyValue(schema.qualifiedName(), arguments);
      return null;
    } catch (StaunchException e) {
      return e.fault();
    }
  }

  private Object argument(Schema.Parameter parameter) {
    Object usual = parameter.defaultValue();
    return usual != null && random.nextBoolean() ? usual : value(parameter.type());
  }

  private Object value(Type type) {
    return switch (type) {
      case Type.Plain.TENSOR -> tensor();
      case Type.Plain.INT -> INTEGERS[random.nextInt(INTEGERS.length)];
      case Type.Plain.FLOAT -> REALS[random.nextInt(REALS.length)];
      case Type.Plain.NUMBER -> value(random.nextBoolean() ? Type.Plain.INT : Type.Plain.FLOAT);
      case Type.Plain.BOOL -> random.nextBoolean();
      case Type.Plain.STRING -> TEXTS[random.nextInt(TEXTS.length)];
      case Type.Plain.COMPLEX -> new ComplexNumber(1, 2);
      case Type.Plain.DEVICE -> random.nextBoolean() ? "cpu" : "cuda:0";
      case Type.Plain.ANY -> value(Type.Plain.INT);
      case Type.Variable _ -> value(Type.Plain.INT);
      case Type.Optional optional -> random.nextBoolean() ? value(optional.element()) : None.NONE;
      case Type.ListOf list -> list(list.element());
      case Type.Dict dict -> new HashMap<>(Map.of(value(dict.key()), value(dict.value())));
      default -> None.NONE;
    };
  }

  private List<Object> list(Type element) {
    List<Object> made = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      made.add(value(element));
    }
    return made;
  }

  /** Mostly of float32, so that more than the dtypes is checked. */
  private Tensor tensor() {
    DType[] all = DType.values();
    DType dtype = random.nextInt(4) > 0 ? DType.FLOAT32 : all[random.nextInt(all.length)];
    long[] shape = SHAPES[random.nextInt(SHAPES.length)];
    return random.nextBoolean() && dtype == DType.FLOAT32
        ? trial.context.randn(shape)
        : trial.context.ones(dtype, shape);
  }
}
