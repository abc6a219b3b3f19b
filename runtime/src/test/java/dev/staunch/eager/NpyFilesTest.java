package dev.staunch.eager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.fault.Fault;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.SourceLocation;
import dev.staunch.fault.StaunchException;
import dev.staunch.fault.StaunchException.DataFormatException;
import dev.staunch.memory.OffHeap;
import dev.staunch.type.DType;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensors in .npy files, through the edge: the round trip, and the message of each failure. */
class NpyFilesTest {
  @TempDir private Path folder;
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final Context context = Context.open(memory);

  @AfterEach
  void everyByteGoesBack() {
    context.close();
    assertEquals(0, memory.account().bytes());
  }

  private static int here() {
    return new Throwable().getStackTrace()[1].getLineNumber();
  }

  private static void assertFault(int line, Path blamed, Fault fault) {
    assertNotNull(fault);
    assertEquals(FaultType.DATA_FORMAT, fault.type());
    assertEquals(blamed.toString(), fault.input());
    SourceLocation source = fault.source();
    assertNotNull(source);
    assertEquals("NpyFilesTest.java:" + line, source.place());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "UINT8", "INT64", "FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
  void aTransposedViewComesBackWithItsDTypeShapeAndElements(DType dtype) throws IOException {
    Path file = folder.resolve("view.npy");
    Tensor view = context.arange(DType.INT64, 6).view(2, 3).to(dtype).transpose(0, 1);
    view.save(file);
    Tensor back = context.load(file);
    assertEquals(dtype, back.dtype());
    assertEquals(Shape.of(3, 2), back.shape());
    assertArrayEquals(view.to(DType.FLOAT64).doubles(), back.to(DType.FLOAT64).doubles());
    assertEquals(List.of(file), files());
  }

  @Test
  void aFileIsReplacedAsAWhole() throws IOException {
    Path file = folder.resolve("kept.npy");
    context.ones(100).save(file);
    context.of(Shape.of(2), 3f, 4f).save(file);
    assertArrayEquals(new double[] {3, 4}, context.load(file).to(DType.FLOAT64).doubles());
    assertEquals(List.of(file), files());
  }

  @Test
  void aMissingFileIsAFaultAtTheUsersLineAndReachesWhatIsMadeOfIt() {
    Path file = folder.resolve("missing.npy");
    int line = here() + 1;
    Tensor loaded = context.load(file);
    assertFault(line, file, loaded.fault());
    assertEquals(file + " cannot be read: there is no such file or folder", message(loaded));
    Fault further = loaded.add(1).fault();
    assertTrue(loaded.fault().isSameAs(further));
  }

  private static String message(Tensor tensor) {
    return tensor.fault().message();
  }

  @Test
  void aFileThatWasCutIsAFaultWhereverTheCutIs() throws IOException {
    Path file = folder.resolve("cut.npy");
    try (Tensor saved = context.ones(3)) {
      saved.save(file);
    }
    byte[] whole = Files.readAllBytes(file);
    for (int size = 0; size < whole.length; size++) {
      Files.write(file, Arrays.copyOf(whole, size));
      int line = here() + 1;
      Tensor loaded = context.load(file);
      assertFault(line, file, loaded.fault());
    }
    assertEquals(0, memory.account().bytes());
  }

  @Test
  void aFaultedTensorIsNotSavedAndTheOldFileStays() throws IOException {
    Path file = folder.resolve("old.npy");
    context.ones(2).save(file);
    byte[] old = Files.readAllBytes(file);
    Tensor faulted = context.ones(2).add(context.ones(3));
    StaunchException thrown = assertThrows(StaunchException.class, () -> faulted.save(file));
    assertTrue(thrown.fault().isSameAs(faulted.fault()));
    assertEquals(FaultType.SHAPE, thrown.fault().type());
    assertArrayEquals(old, Files.readAllBytes(file));
    assertEquals(List.of(file), files());
  }

  @Test
  void aPathThatCannotBeWrittenIsAFaultAtTheUsersLine() throws IOException {
    Tensor ones = context.ones(2);
    Path nowhere = folder.resolve("none").resolve("x.npy");
    for (Path path : List.of(nowhere, folder)) {
      int line = here() + 1;
      StaunchException thrown = assertThrows(DataFormatException.class, () -> ones.save(path));
      assertFault(line, path, thrown.fault());
    }
    assertEquals(List.of(), files());
    assertEquals(2, ones.sum().item(), "the tensor is as it was");
  }

  /** Whatever a file is called, only the file that is named is touched. */
  @Test
  void filesBesideItStayAsTheyAre() throws IOException {
    Path file = folder.resolve("x.npy");
    Path near = Files.writeString(folder.resolve("x.npy.part"), "somebody's own");
    context.ones(2).save(file);
    assertEquals("somebody's own", Files.readString(near));
    Files.delete(near);
    Files.createDirectory(near);
    context.ones(2).save(file);
    assertTrue(Files.isDirectory(near));
    assertEquals(2, files().size());
  }

  @Test
  void aTensorThatCannotBeWrittenLeavesNoFile() throws IOException {
    Path file = folder.resolve("endless.npy");
    Tensor endless = context.ones(1).expand(3_000_000_000L);
    assertThrows(StaunchException.ShapeException.class, () -> endless.save(file));
    assertEquals(List.of(), files());
  }

  @Test
  void severalThreadsThatSaveTheSameFileLeaveOneOfTheirsWhole() throws Exception {
    Path file = folder.resolve("shared.npy");
    List<Tensor> tensors =
        Stream.of(1L, 2L, 3L).map(i -> context.full(DType.FLOAT32, i, 20_000 * i)).toList();
    for (int round = 0; round < 20; round++) {
      try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
        List<Callable<Object>> saves =
            tensors.stream().map(tensor -> Executors.callable(() -> tensor.save(file))).toList();
        for (Future<Object> save : threads.invokeAll(saves)) {
          save.get();
        }
      }
      try (Tensor back = context.load(file)) {
        assertTrue(tensors.stream().anyMatch(back::equal));
      }
      assertEquals(List.of(file), files());
    }
  }

  @Test
  void aFileInsideOfAnArchiveIsOneLikeAnother() throws IOException {
    Path archive = folder.resolve("tensors.zip");
    try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path file = files.getPath("/x.npy");
      context.arange(5).save(file);
      assertArrayEquals(new long[] {0, 1, 2, 3, 4}, context.load(file).longs());
      Path nowhere = files.getPath("/none/x.npy");
      Tensor ones = context.ones(2);
      int line = here() + 1;
      StaunchException thrown = assertThrows(DataFormatException.class, () -> ones.save(nowhere));
      assertFault(line, nowhere, thrown.fault());
    }
  }
}
