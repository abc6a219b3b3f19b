package dev.staunch.eager;

import static dev.staunch.operation.None.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.engine.EngineOptions;
import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.kernel.CatalogEntry;
import dev.staunch.kernel.Sample;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.memory.ResourceScope;
import dev.staunch.operation.Schema;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every dtype fault names the step that fixes it (F9), and the step does: each operation of the
 * catalog with a Tensor parameter gets tensors of all dtypes. Where it refuses one, the test
 * follows the message, never back to a dtype that a tensor already had, until the dtypes are right.
 */
@Timeout(120)
class DTypeRemedyTest {
  private static final Pattern REMEDY =
      Pattern.compile("cast `(\\w+)` with `to\\((\\w+)\\)` before `[\\w:.]+`$");
  private static final Pattern NUMBER = Pattern.compile("give `(\\w+)` as (a float|an int)$");
  private static final Pattern COMPLEX =
      Pattern.compile("make `(\\w+)` with `view_as_complex` before `[\\w:.]+`$");
  private static final int MOST_STEPS = 6;
  private static final List<Shape> SHAPES =
      List.of(Shape.of(3), Shape.of(2, 2), Shape.of(1, 2, 4, 4));

  private final EagerTrial trial = new EagerTrial(EngineOptions.serial());
  private final Set<String> refusing = new HashSet<>();
  private final List<String> wrong = new ArrayList<>();

  @AfterEach
  void everyByteWentBack() {
    trial.close();
  }

  @Test
  void everyDTypeFaultOfTheCatalogNamesACastThatMendsIt() {
    List<CatalogEntry> tried =
        Sample.of(StandardOperations.catalog().operations().stream(), Sample::family).toList();
    for (CatalogEntry operation : tried) {
      Schema schema = operation.schema();
      if (operation.kernel() != null && !schema.variadic() && takesTensor(schema)) {
        SHAPES.forEach(shape -> tryDTypes(schema, shape));
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertTrue(
        refusing.size() > (Sample.whole() ? 200 : 30),
        () -> refusing.size() + " operations refused a dtype");
  }

  @Test
  void aResultThatIsNotStoredInAnOperandIsMendedByACastToItsDType() {
    Fault fault = trial.context.arange(4).dropout(.5, true).fault();
    assertNotNull(fault);
    assertTrue(
        fault.message().endsWith("cast `input` with `to(float32)` before `aten::dropout`"),
        fault::message);
  }

  @Test
  void bitsOfRealsAreMendedByACastToIntegersHoweverNarrowTheyAre() {
    for (DType real : List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64)) {
      Fault fault = trial.context.zeros(real, 2).bitwiseNot().fault();
      assertNotNull(fault);
      assertTrue(
          fault.message().endsWith("cast `self` with `to(int64)` before `aten::bitwise_not`"),
          fault::message);
    }
  }

  @Test
  void aDTypeThatWasAskedForIsMendedByAnother() {
    for (DType real : List.of(DType.FLOAT16, DType.FLOAT32, DType.BOOL)) {
      Fault fault =
          trial
              .context
              .apply("aten::tril_indices", 2L, 2L, 0L, (long) real.code(), NONE, NONE, NONE)
              .fault();
      assertNotNull(fault);
      assertTrue(fault.message().endsWith("; give `dtype` as int64"), fault::message);
    }
  }

  @Test
  void whatIsPutAmongComplexNumbersIsAskedForInTheirDType() {
    Tensor self = trial.context.zeros(DType.COMPLEX128, 2);
    Tensor index = trial.context.zeros(DType.INT64, 2);
    assertTrue(
        scattered(self, index, DType.COMPLEX64)
            .endsWith("cast `src` with `to(complex128)` before `aten::scatter_add`"));
    assertTrue(
        scattered(self, index, DType.FLOAT32)
            .endsWith("make `src` with `view_as_complex` before `aten::scatter_add`"));
  }

  private String scattered(Tensor self, Tensor index, DType dtype) {
    Tensor source = trial.context.ones(dtype, 2);
    Fault fault = trial.context.apply("aten::scatter_add", self, 0L, index, source).fault();
    assertNotNull(fault);
    assertTrue(fault.message().contains("dtype of the tensor, complex128"), fault::message);
    return fault.message();
  }

  @Test
  void ofTensorsOfOneDTypeTheOneThatIsRefusedIsCast() {
    Tensor ints = trial.context.ones(DType.INT64, 2, 2);
    Tensor classes = trial.context.ones(DType.INT64, 2);
    Tensor reals = trial.context.ones(2, 2);
    assertRemedy(ints.crossEntropy(classes), "cast `self` with `to(float32)`");
    Tensor weighted = trial.context.apply("aten::nll_loss_nd", reals, classes, classes, 1L, -100L);
    assertRemedy(weighted, "cast `weight` with `to(float32)`");
    assertRemedy(ints.cdist(ints), "cast `x1` with `to(float32)`");
  }

  private static void assertRemedy(Tensor failed, String step) {
    Fault fault = failed.fault();
    assertNotNull(fault);
    assertTrue(fault.message().contains("; " + step + " before "), fault::message);
  }

  @Test
  void aRecurrentCellOfIntegersIsMendedFromItsWeightOn() {
    Tensor ints = trial.context.ones(DType.UINT8, 2, 2);
    Tensor bools = trial.context.ones(DType.BOOL, 2, 2);
    Object[] arguments = {ints, List.of(bools, bools), bools, bools, NONE, NONE};
    Fault fault = trial.context.applyMany("aten::lstm_cell", 2, arguments)[0].fault();
    assertNotNull(fault);
    assertTrue(
        fault.message().endsWith("cast `w_ih` with `to(float32)` before `aten::lstm_cell`"),
        fault::message);
  }

  private static boolean takesTensor(Schema schema) {
    return schema.parameters().stream().anyMatch(each -> isTensor(each.type()));
  }

  private static boolean isTensor(Type type) {
    return type == Type.Plain.TENSOR
        || (type instanceof Type.ListOf list && list.element() == Type.Plain.TENSOR);
  }

  /** Tries all tensors in one dtype, and one of them in another. */
  private void tryDTypes(Schema schema, Shape shape) {
    List<Schema.Parameter> parameters = schema.parameters();
    for (DType most : List.of(DType.FLOAT32, DType.INT64, DType.BOOL)) {
      for (int i = 0; i < parameters.size(); i++) {
        for (DType one : isTensor(parameters.get(i).type()) ? DType.values() : new DType[0]) {
          DType[] dtypes = new DType[parameters.size()];
          Arrays.fill(dtypes, most);
          dtypes[i] = one;
          follow(schema, shape, dtypes);
        }
      }
    }
  }

  private void follow(Schema schema, Shape shape, DType[] dtypes) {
    StringBuilder way = new StringBuilder();
    List<Set<DType>> had =
        Stream.of(dtypes).<Set<DType>>map(each -> EnumSet.noneOf(DType.class)).toList();
    for (int step = 0; step <= MOST_STEPS; step++) {
      Fault fault = refusal(schema, shape, dtypes);
      if (fault == null) {
        return;
      }
      refusing.add(schema.qualifiedName());
      way.append("\n  ").append(fault.operands()).append(' ').append(fault.message());
      if (NUMBER.matcher(fault.message()).find()) {
        return; // the numbers that the test tries are floats
      }
      if (COMPLEX.matcher(fault.message()).find()) {
        return; // no cast produces complex numbers
      }
      Matcher remedy = REMEDY.matcher(fault.message());
      int culprit = remedy.find() ? place(schema, remedy.group(1)) : -1;
      if (culprit < 0) {
        break;
      }
      had.get(culprit).add(dtypes[culprit]);
      dtypes[culprit] = DType.valueOf(remedy.group(2).toUpperCase(Locale.ROOT));
      if (had.get(culprit).contains(dtypes[culprit])) {
        break;
      }
    }
    wrong.add(schema.qualifiedName() + way);
  }

  private static int place(Schema schema, String parameter) {
    List<String> names = schema.parameters().stream().map(Schema.Parameter::name).toList();
    return names.indexOf(parameter);
  }

  /** The dtype fault of a call, or null if it succeeded or failed otherwise. */
  private @Nullable Fault refusal(Schema schema, Shape shape, DType[] dtypes) {
    try (ResourceScope scope = trial.context.scope().child("call")) {
      return trial.context.within(scope, () -> called(schema, shape, dtypes));
    }
  }

  private @Nullable Fault called(Schema schema, Shape shape, DType[] dtypes) {
    List<Schema.Parameter> parameters = schema.parameters();
    Object[] arguments = new Object[parameters.size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument(parameters.get(i), shape, dtypes[i]);
    }
    try {
      trial.context.applyValue(schema.qualifiedName(), arguments);
      return null;
    } catch (StaunchException e) {
      return e.fault().type() == FaultType.DTYPE ? e.fault() : null;
    }
  }

  private Object argument(Schema.Parameter parameter, Shape shape, DType dtype) {
    Type type = parameter.type();
    if (type == Type.Plain.TENSOR) {
      return trial.context.ones(dtype, shape.toArray());
    }
    if (isTensor(type)) {
      return List.of(
          trial.context.ones(dtype, shape.toArray()), trial.context.ones(dtype, shape.toArray()));
    }
    if (parameter.defaultValue() != null) {
      return parameter.defaultValue();
    }
    return switch (type) {
      case Type.Plain.INT -> parameter.name().equals("dtype") ? (long) DType.FLOAT32.code() : 1L;
      case Type.Plain.FLOAT, Type.Plain.NUMBER -> 1.0;
      case Type.Plain.BOOL -> false;
      case Type.Plain.STRING -> "mean";
      case Type.ListOf list -> new ArrayList<>(List.of(1L, 1L));
      default -> NONE;
    };
  }
}
