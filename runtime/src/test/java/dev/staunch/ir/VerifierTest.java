package dev.staunch.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.type.Type;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No program runs that uses a value not defined on every path (S2). */
class VerifierTest {
  private static final Value FLAG = new Value("flag", Type.Plain.BOOL);

  private static @Nullable Fault verify(List<Operation> operations, Value... results) {
    Function function =
        new Function(
            "f",
            new Block(List.of(FLAG), operations, List.of(results)),
            Collections.nCopies(results.length, Type.Plain.ANY),
            Function.Discipline.SEQUENTIAL,
            null);
    return Verifier.verify(new Program(List.of(function)), operation -> null);
  }

  private static Operation operation(String name, List<Value> operands, Value... results) {
    return new Operation(Entries.named(name), operands, List.of(results));
  }

  /** An if whose other block does nothing. */
  private static Operation choice(List<Value> operands, Block taken) {
    Block otherwise = new Block(taken.parameters(), List.of(), List.of());
    return new Operation(Structure.Plain.IF, operands, List.of(), List.of(taken, otherwise), null);
  }

  private static void assertRefused(@Nullable Fault fault, String words) {
    assertNotNull(fault);
    assertTrue(fault.message().contains(words), fault.message());
  }

  @Test
  void aValueThatIsUsedBeforeItsDefinitionIsRefused() {
    Value late = new Value("late", Type.Plain.INT);
    assertRefused(
        verify(List.of(operation("a::b", List.of(late)), operation("a::c", List.of(), late))),
        "%late is not defined on every path to a::b");
  }

  @Test
  void aValueOfOneBranchIsNotVisibleBehindIt() {
    Value inside = new Value("inside", Type.Plain.INT);
    Block branch = new Block(List.of(), List.of(operation("a::b", List.of(), inside)), List.of());
    Operation choice = choice(List.of(FLAG), branch);
    assertRefused(verify(List.of(choice), inside), "%inside is not defined on every path");
  }

  @Test
  void aBlockSeesWhatItIsHandedAndNothingElse() {
    Operation use = operation("a::b", List.of(FLAG));
    Block seeing = new Block(List.of(), List.of(use), List.of());
    assertRefused(verify(List.of(choice(List.of(FLAG), seeing))), "%flag is not defined on every");
    Block body = new Block(List.of(FLAG), List.of(choice(List.of(FLAG), seeing)), List.of());
    Operation handing = body.isolated(handed -> {}).operations().getFirst();
    assertEquals(List.of(FLAG, FLAG), handing.operands());
    assertEquals(1, handing.handed());
    assertNull(verify(List.of(handing)));
  }

  @Test
  void whatALoopIsHandedStandsBehindWhatItCarries() {
    Value carried = new Value("carried", Type.Plain.INT);
    Value trip = new Value("trip", Type.Plain.INT);
    Value next = new Value("next", Type.Plain.INT);
    Value result = new Value("result", Type.Plain.INT);
    Value most = new Value("most", Type.Plain.INT);
    Block round =
        new Block(
            List.of(trip, carried),
            List.of(operation("a::next", List.of(carried, most, trip), next)),
            List.of(FLAG, next));
    Operation loop =
        new Operation(
            Structure.Plain.LOOP, List.of(most, FLAG, most), List.of(result), List.of(round), null);
    Block body =
        new Block(List.of(FLAG), List.of(operation("a::most", List.of(), most), loop), List.of());
    Operation handing = body.isolated(handed -> {}).operations().getLast();
    assertEquals(List.of(most, FLAG, most, most, FLAG), handing.operands());
    List<Value> parameters = handing.blocks().getFirst().parameters();
    assertEquals(4, parameters.size());
    assertEquals(List.of(trip, carried), parameters.subList(0, 2));
    assertEquals(List.of("most", "flag"), parameters.stream().skip(2).map(Value::name).toList());
    assertNull(verify(List.of(body.operations().getFirst(), handing)));
  }

  @Test
  void branchesMustGiveAsManyValuesAsTheirOperation() {
    Value result = new Value("result", Type.Plain.INT);
    Block empty = new Block(List.of(), List.of(), List.of());
    Operation choice =
        new Operation(
            Structure.Plain.IF, List.of(FLAG), List.of(result), List.of(empty, empty), null);
    assertRefused(verify(List.of(choice)), "prim::If does not fit");
  }

  @Test
  void aValueIsDefinedOnce() {
    Value twice = new Value("twice", Type.Plain.INT);
    Operation first = operation("a::b", List.of(), twice);
    assertRefused(verify(List.of(first, first)), "%twice is defined twice");
  }

  @Test
  void aCallMustNameAFunctionOfTheProgram() {
    Operation call = new Operation(new Structure.CallFunction("g"), List.of(), List.of());
    assertRefused(verify(List.of(call)), "the program has no function g");
  }

  @Test
  void aRightFunctionPasses() {
    assertNull(verify(List.of(operation("a::b", List.of(FLAG))), FLAG));
  }
}
