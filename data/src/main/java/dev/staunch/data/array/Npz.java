package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.Place;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.NpyFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** NumPy's arrays in files, read into tensors of a scope. */
public final class Npz {
  private static final String NPY = ".npy";

  private Npz() {}

  /**
   * The arrays of an {@code .npz} archive by name, or of one {@code .npy} file under {@code data}.
   *
   * @throws dev.staunch.fault.StaunchException if the file cannot be read, is damaged, holds what
   *     is no array of numbers, or there is no memory
   */
  public static SequencedMap<String, DenseTensor> read(ResourceScope scope, Path file) {
    SequencedMap<String, DenseTensor> tensors = new LinkedHashMap<>();
    if (!file.toString().endsWith(".npz")) {
      put(tensors, "data", NpyFormat.read(scope, file));
      return tensors;
    }
    String name = ByteInput.name(file);
    try (ZipFile archive = new ZipFile(file.toFile())) {
      for (ZipEntry entry : List.copyOf(archive.stream().toList())) {
        if (entry.getName().endsWith(NPY)) {
          String key = entry.getName().substring(0, entry.getName().length() - NPY.length());
          put(tensors, key, member(scope, archive, entry, name));
        }
      }
    } catch (ClosedByInterruptException e) {
      throw Fault.thrown(e).toException();
    } catch (IOException e) {
      throw Place.of(name)
          .fault(
              Message.of("%s is no archive that can be read: %s", name, e.getMessage()),
              "a zip archive of .npy files",
              String.valueOf(e.getMessage()))
          .withCause(e)
          .toException();
    }
    if (tensors.isEmpty()) {
      throw Fault.data(name, name + " has no array").toException();
    }
    return tensors;
  }

  private static Object member(ResourceScope scope, ZipFile archive, ZipEntry entry, String name)
      throws IOException {
    try (InputStream stream = archive.getInputStream(entry)) {
      return NpyFormat.read(scope, name + "/" + entry.getName(), stream);
    }
  }

  private static void put(SequencedMap<String, DenseTensor> into, String name, Object read) {
    if (!(read instanceof DenseTensor tensor)) {
      throw ((Fault) read).toException();
    }
    into.put(name, tensor.named(name));
  }

  /**
   * The arrays as examples; all need as many rows.
   *
   * @throws dev.staunch.fault.StaunchException.ShapeException if they have not
   */
  public static TensorExamples examples(String name, SequencedMap<String, DenseTensor> arrays) {
    TensorExamples examples = TensorExamples.named(name);
    for (var array : arrays.entrySet()) {
      examples = examples.with(array.getKey(), array.getValue());
    }
    return examples;
  }
}
