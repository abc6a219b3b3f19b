package dev.staunch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.execute.RunOptions;
import dev.staunch.fault.Fault;
import dev.staunch.inference.Answer;
import dev.staunch.testkit.FailNth;
import org.junit.jupiter.api.Test;

/** Fails every operation of the demo's model in turn (F1, F2, F7, M4). */
class FaultInjectionTest {
  @Test
  void everyFailedOperationIsNamedWithItsLineAndHarmsNothingElse() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      long weights = demo.model.bytes();
      int call = 0;
      while (true) {
        FailNth failing = new FailNth(call);
        Answer answer =
            demo.model.predict(
                demo.request(call % 50),
                "forward",
                scope -> RunOptions.in(scope).withInterceptor(failing));
        if (failing.operation() == null) {
          assertTrue(demo.isRight(call % 50, answer), "the run after the last operation");
          break;
        }
        Fault fault = answer.fault();
        assertNotNull(fault, "call " + call);
        assertEquals(failing.operation(), fault.operation());
        assertNotNull(fault.source());
        // lines of PyTorch's library that were called from that line follow it in the path
        boolean own = fault.source().equals(failing.source());
        assertTrue(own || fault.path().getLast().source().equals(failing.source()), fault + "");
        assertEquals("injected into call " + call, fault.message());
        assertTrue(fault.path().size() >= 1, "the frames that led there");
        assertTrue(demo.isRight(7, demo.model.predict(demo.request(7), "forward")));
        assertEquals(weights, demo.model.bytes(), "bytes after a failed call " + call);
        call++;
      }
      assertTrue(call > 20, "the model has more than 20 operations, saw " + call);
    }
  }

  @Test
  void theFaultOfAMisshapedRequestNamesTheModelsOwnPythonLine() throws Exception {
    try (DemoModel demo = new DemoModel()) {
      String bad =
          demo.requests
              .get(0)
              .replace("\"features\", \"shape\": [4, 8]", "\"features\", \"shape\": [8, 4]");
      Fault fault = demo.model.predict(demo.parse(bad), "forward").fault();
      assertNotNull(fault);
      assertNotNull(fault.source());
      assertEquals("ranker.py", fault.source().file());
      assertEquals(
          "x = torch.cat([self.users(user), self.items(item), features], dim=1)",
          fault.source().text());
      assertEquals("aten::cat", fault.operation());
    }
  }
}
