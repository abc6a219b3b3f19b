package dev.staunch.data.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.staunch.data.dataset.Dataset;
import dev.staunch.data.dataset.Session;
import dev.staunch.fault.FaultType;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.tensor.NpyFormat;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorExamplesTest {
  private final Session session = new Session();
  private final ResourceScope scope = ResourceScope.open(session.memory, "arrays");
  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    scope.close();
    session.close();
  }

  private DenseTensor floats(Shape shape, float... values) {
    return (DenseTensor) HostTensors.floats(scope, shape, values);
  }

  @Test
  void tensorsAndArraysGiveTheirRows() {
    TensorExamples examples =
        TensorExamples.named("pairs")
            .with("data", floats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6))
            .with("label", new long[] {7, 8, 9});
    assertEquals(
        List.of("[1.0, 2.0] | [7]", "[3.0, 4.0] | [8]", "[5.0, 6.0] | [9]"),
        session.all(examples, 1).batches());
  }

  @Test
  void aTensorInAnotherOrderGivesTheRowsThatItShows() {
    DenseTensor whole = floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);
    Layout turned = new Layout(Shape.of(3, 2), new long[] {1, 3}, 0);
    TensorExamples examples =
        TensorExamples.named("turned").with("data", (DenseTensor) whole.view(scope, turned));
    assertEquals(List.of("[1.0, 4.0, 2.0, 5.0]"), session.all(examples, 2).batches());
  }

  @Test
  void unequalCountsAreRefusedAtOnce() {
    TensorExamples one = TensorExamples.named("x").with("data", new float[4], 2, 2);
    assertEquals(
        "`label` has 3 examples, but `data` has 2",
        assertThrows(StaunchException.ShapeException.class, () -> one.with("label", new long[3]))
            .getMessage());
  }

  @Test
  void aTensorThatIsClosedMeanwhileIsAFaultAndNobodyElsesData() {
    DenseTensor tensor = floats(Shape.of(2), 1, 2);
    TensorExamples examples = TensorExamples.named("x").with("data", tensor);
    tensor.close();
    assertEquals(FaultType.CLOSED, Session.bad(session.open(Dataset.of(examples)).next()).type());
  }

  @Test
  void theMembersOfAnNpzArchiveAreFields() throws IOException {
    Path file = folder.resolve("set.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      put(zip, "x.npy", floats(Shape.of(2, 2), 1, 2, 3, 4));
      put(zip, "y.npy", (DenseTensor) HostTensors.longs(scope, Shape.of(2), 5, 6));
    }
    TensorExamples examples = Npz.examples("set.npz", Npz.read(scope, file));
    assertEquals(List.of("[1.0, 2.0, 3.0, 4.0] | [5, 6]"), session.all(examples, 2).batches());
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    StaunchException thrown =
        assertThrows(StaunchException.DataFormatException.class, () -> Npz.read(scope, file));
    assertEquals("set.npz", thrown.fault().input());
  }

  private static void put(ZipOutputStream zip, String name, DenseTensor tensor) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    OutputStream out = zip;
    assertEquals(null, NpyFormat.write(tensor, name, out));
    zip.closeEntry();
  }

  @Test
  void anNpyFileThatIsCutIsAFaultThatNamesTheByte() throws IOException {
    Path file = folder.resolve("x.npy");
    NpyFormat.write(floats(Shape.of(4), 1, 2, 3, 4), file);
    assertEquals(
        List.of("[1.0, 2.0, 3.0, 4.0]"),
        session.all(Npz.examples("x", Npz.read(scope, file)), 4).batches());
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    StaunchException thrown = assertThrows(StaunchException.class, () -> Npz.read(scope, file));
    assertTrue(thrown.getMessage().contains("byte 143"), thrown.getMessage());
  }
}
