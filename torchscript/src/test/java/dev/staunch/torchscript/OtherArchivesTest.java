package dev.staunch.torchscript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Files in PyTorch's outer format without TorchScript inside are reported by the name of their
 * kind.
 */
class OtherArchivesTest {
  private static Fault fault(String... records) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String record : records) {
        zip.putNextEntry(new ZipEntry(record));
        zip.write('3');
      }
    }
    try (OffHeap memory = OffHeap.withBudget(1 << 20);
        ResourceScope scope = ResourceScope.open(memory, "other")) {
      return assertThrows(
              StaunchException.class,
              () -> TorchScriptModule.load("m.pt", bytes.toByteArray(), scope))
          .fault();
    }
  }

  private static void assertExported(Fault fault) {
    assertEquals(FaultType.UNSUPPORTED, fault.type());
    assertTrue(
        fault.message().startsWith("m.pt is a .pt2 archive of torch.export"), fault.message());
  }

  @Test
  void whatTorchExportSavesIsCalledSo() throws IOException {
    assertExported(fault("m/archive_format", "m/models/model.json", "m/version"));
    assertExported(
        fault("serialized_exported_program.json", "serialized_state_dict.pt", "version"));
  }

  @Test
  void whatTorchSaveSavesIsCalledSo() throws IOException {
    Fault fault = fault("m/data.pkl", "m/data/0", "m/version");
    assertEquals(FaultType.DATA_FORMAT, fault.type());
    assertTrue(fault.message().contains("it is what torch.save writes"), fault.message());
    assertEquals("m.pt", fault.input());
  }

  @Test
  void aZipOfOtherThingsIsNone() throws IOException {
    assertEquals(FaultType.DATA_FORMAT, fault("m/a.txt", "m/b.txt").type());
  }
}
