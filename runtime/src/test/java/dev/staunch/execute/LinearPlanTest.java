package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.ir.Block;
import dev.staunch.ir.Entries;
import dev.staunch.ir.Function;
import dev.staunch.ir.Function.Discipline;
import dev.staunch.ir.Operation;
import dev.staunch.ir.Operator;
import dev.staunch.ir.Program;
import dev.staunch.ir.Structure;
import dev.staunch.ir.Value;
import dev.staunch.kernel.Catalog;
import dev.staunch.kernel.standard.StandardOperations;
import dev.staunch.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S7: the cost of making a plan grows linearly with the program. */
class LinearPlanTest {
  private static final Catalog CATALOG = StandardOperations.catalog();
  private static final Type TENSOR = Type.Plain.TENSOR;

  private static Operation operation(Operator operator, List<Value> operands, Value result) {
    return new Operation(operator, operands, List.of(result));
  }

  private static Operation operation(String name, List<Value> operands, Value result) {
    return operation(Entries.named(name), operands, result);
  }

  private static Function function(String name, List<Operation> body, Value taken, Value given) {
    Block block = new Block(List.of(taken), body, List.of(given));
    return new Function(name, block, List.of(given.type()), Discipline.SEQUENTIAL, null);
  }

  /** An operator, by the name of its callee. */
  private interface Named {
    Operator of(String callee);
  }

  /** {@code name(x)}: passes {@code x} through all {@code callees}, one after the other. */
  private static Function caller(String name, List<String> callees, Named call) {
    Value x = new Value("x", TENSOR);
    List<Operation> body = new ArrayList<>();
    Value last = x;
    for (String callee : callees) {
      Value next = new Value("y", TENSOR);
      body.add(operation(call.of(callee), List.of(last), next));
      last = next;
    }
    return function(name, body, x, last);
  }

  @Test
  void eachFunctionIsLookedAtOnceInWhateverOrderTheyCallEachOther() {
    int count = 20_000;
    List<Function> functions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> callee = i + 1 < count ? List.of("f" + (i + 1)) : List.of();
      functions.add(caller("f" + i, callee, Structure.CallFunction::new));
    }
    for (int turn = 0; turn < 2; turn++) {
      Ownership ownership = Ownership.of(new Program(functions), CATALOG);
      assertEquals(count, ownership.looks());
      assertFalse(ownership.borrows("f0", 0), "the last of them returns what it was given");
      Collections.reverse(functions);
    }
  }

  /** Each of many classes calls the others' methods by name; no call tries all of them. */
  @Test
  void methodsOfOneNameAreLookedAtTogether() {
    int count = 3_000;
    List<Function> functions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> callees = Collections.nCopies(10, "forward");
      functions.add(caller("C" + i + ".run", callees, Structure.CallMethod::new));
      functions.add(caller("C" + i + ".forward", List.of(), Structure.CallFunction::new));
    }
    Ownership ownership = Ownership.of(new Program(functions), CATALOG);
    assertEquals(2 * count, ownership.looks());
    assertFalse(ownership.borrows("C0.run", 0));
  }

  @Test
  void whatOneMethodTakesBackTheOthersKeep() {
    Value x = new Value("x", TENSOR);
    Value y = new Value("y", TENSOR);
    Function step = function("C.step", List.of(operation("aten::relu", List.of(x), y)), x, y);
    Function same = caller("C.same", List.of(), Structure.CallFunction::new);
    List<String> both = List.of("C.step", "C.same");
    Function run = caller("C.run", both, Structure.CallFunction::new);
    Ownership ownership = Ownership.of(new Program(List.of(run, step, same)), CATALOG);
    assertTrue(ownership.borrows("C.step", 0) && ownership.gives("C.step", 0));
    assertTrue(ownership.borrows("C.run", 0), "the one that is called first borrows it");
    assertFalse(ownership.borrows("C.same", 0) || ownership.gives("C.same", 0));
    assertFalse(ownership.gives("C.run", 0), "it may be what it was given");
  }

  @Test
  void recursionEndsToo() {
    int count = 1_000;
    List<Function> functions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> callees = List.of("f" + (i + 1) % count, "f" + (i * 7) % count);
      functions.add(caller("f" + i, callees, Structure.CallFunction::new));
    }
    Value x = new Value("x", TENSOR);
    functions.set(count / 2, function("f" + count / 2, List.of(), x, x));
    Ownership ownership = Ownership.of(new Program(functions), CATALOG);
    assertTrue(ownership.looks() <= 11 * count, () -> ownership.looks() + " looks");
    assertFalse(ownership.borrows("f0", 0));
  }

  /** Each list holds the previous one twice, so its total content cannot be enumerated. */
  @Test
  void listsOfListsAreNoMoreThanTheirOperations() {
    Value x = new Value("x", TENSOR);
    List<Operation> body = new ArrayList<>();
    Value square = new Value("square", TENSOR);
    body.add(operation("aten::mul.Tensor", List.of(x, x), square));
    Value last = square;
    for (int i = 0; i < 10_000; i++) {
      Value list = new Value("list", new Type.ListOf(Type.Plain.ANY));
      body.add(operation(Structure.Plain.LIST_CONSTRUCT, List.of(last, last), list));
      last = list;
    }
    body.add(new Operation(Structure.Plain.PRINT, List.of(last), List.of()));
    Operation print = body.getLast();
    Function unused = function("f", body, x, x);
    Program program = new Program(List.of(unused));
    Liveness liveness = Liveness.of(unused, CATALOG, Ownership.of(program, CATALOG));
    assertEquals(List.of(square), liveness.endingAt(print), "used for as long as the lists");
  }

  /** One list that every operation uses. */
  @Test
  void aListOfManyTensorsMayBeUsedManyTimes() {
    int count = 30_000;
    Value x = new Value("x", TENSOR);
    List<Operation> body = new ArrayList<>();
    List<Value> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Value element = new Value("e", TENSOR);
      body.add(operation("aten::relu", List.of(x), element));
      elements.add(element);
    }
    Value list = new Value("list", new Type.ListOf(TENSOR));
    body.add(operation(Structure.Plain.LIST_CONSTRUCT, elements, list));
    for (int i = 0; i < count; i++) {
      Value result = new Value("r", TENSOR);
      body.add(operation("aten::cat", List.of(list, new Value("d", Type.Plain.INT)), result));
    }
    Operation last = body.getLast();
    Function whole = function("f", body, x, x);
    Liveness liveness =
        Liveness.of(whole, CATALOG, Ownership.of(new Program(List.of(whole)), CATALOG));
    assertTrue(liveness.endingAt(last).containsAll(List.of(elements.get(0), elements.get(9))));
    assertEquals(count, liveness.endingAt(last).size());
  }
}
