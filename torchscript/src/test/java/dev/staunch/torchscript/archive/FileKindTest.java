package dev.staunch.torchscript.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Files of other kinds are reported by the name of their kind. */
class FileKindTest {
  private static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static FileKind kind(byte[] file) {
    return FileKind.of(FileBytes.of(file));
  }

  @Test
  void kindsAreToldByHowFilesBegin() {
    assertEquals(FileKind.GZIP, kind(bytes("\u001f\u008b\b\0\0\0")));
    assertEquals(FileKind.WEB_PAGE, kind(bytes("\n <!DOCTYPE html><html>")));
    assertEquals(FileKind.LFS_POINTER, kind(bytes("version https://git-lfs.example/spec/v1")));
    assertEquals(FileKind.OLD_SAVE, kind(bytes("\u0080\u0002\u008a\nl\u00fc\u009cF\u00f9")));
    assertEquals(FileKind.PICKLE, kind(bytes("\u0080\u0004}q.")));
    assertEquals(FileKind.SAFETENSORS, kind(bytes("\u0005\0\0\0\0\0\0\0{\"a\"}")));
    assertEquals(FileKind.ONNX, kind(bytes("\b\u0007\u0012\u0007pytorch")));
    assertEquals(FileKind.HDF5, kind(bytes("\u0089HDF\r\n")));
    assertNull(kind(bytes("hello world")));
    assertNull(kind(new byte[0]));
  }

  @Test
  void theFaultSaysWhatTheFileIsAndWhatToDo() {
    byte[] file = bytes("\u001f\u008b\b\0\0\0");
    Fault fault =
        assertThrows(StaunchException.class, () -> Archive.of("m.pt", file, Limits.standard()))
            .fault();
    assertEquals(FaultType.DATA_FORMAT, fault.type());
    assertTrue(
        fault
            .message()
            .endsWith("is not a TorchScript archive but a file compressed by gzip; unpack it"));
  }
}
