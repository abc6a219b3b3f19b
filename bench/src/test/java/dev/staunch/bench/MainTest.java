package dev.staunch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void aRowThatDoesNotExistIsRefusedWithTheNamesOfThoseThatDo() {
    assertEquals(List.of("lenet@1", "dlrm@128"), Main.rows("models", "lenet@1", "dlrm@128"));
    String said =
        assertThrows(IllegalArgumentException.class, () -> Main.rows("models", "lenet@2"))
            .getMessage();
    assertTrue(said.startsWith("there is no row lenet@2; the rows are mlp_bn@1, "), said);
  }
}
