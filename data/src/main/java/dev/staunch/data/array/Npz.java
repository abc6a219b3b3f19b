package dev.staunch.data.array;

import dev.staunch.data.decode.ByteInput;
import dev.staunch.data.decode.DecodedRows;
import dev.staunch.data.decode.Place;
import dev.staunch.data.row.Examples;
import dev.staunch.data.row.Field;
import dev.staunch.data.row.ReadOptions;
import dev.staunch.data.row.RowStream;
import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.fault.StaunchException;
import dev.staunch.memory.ResourceScope;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.NpyFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * NumPy arrays in {@code .npy} and {@code .npz} files. {@link #of} reads their rows part by part,
 * so they may be larger than memory; only an array in Fortran order, whose rows are not contiguous,
 * is held on the heap, up to 2 GiB. {@link #read} makes tensors of whole arrays. Immutable and
 * thread-safe.
 */
public final class Npz implements Examples {
  private static final String NPY = ".npy";
  private static final String ALONE = "data";

  private final Path file;

  private Npz(Path file) {
    this.file = file;
  }

  /**
   * The rows of the arrays of an {@code .npz} archive, each array a field by its name, or of one
   * {@code .npy} file as {@code data}. All arrays need the same number of rows. A truncated file
   * yields its whole rows and then the fault. If an archive is read from front to end, its
   * checksums are verified.
   */
  public static Npz of(Path file) {
    return new Npz(file);
  }

  @Override
  public String name() {
    return ByteInput.name(file);
  }

  /**
   * Compressed members are not indexed. An archive that cannot be read is reported when it is
   * opened.
   */
  @Override
  public boolean isIndexed() {
    if (isAlone(file)) {
      return true;
    }
    try (ZipFile archive = new ZipFile(file.toFile())) {
      return members(file, archive).values().stream()
          .allMatch(member -> member.getMethod() == ZipEntry.STORED);
    } catch (IOException | StaunchException e) {
      return true;
    }
  }

  /**
   * @throws StaunchException if the file cannot be read, or an array has no rows, a different
   *     number of rows than another, or no real numbers
   */
  @Override
  public RowStream open(ReadOptions how) throws IOException {
    List<Field> fields = new ArrayList<>();
    List<ArrayFile> files = new ArrayList<>();
    try {
      for (String key : keys()) {
        ArrayFile array = NpyRows.open(input(key));
        files.add(array);
        checkCounts(files.getFirst().header(), array.header());
        long[] each = array.header().shape().toArray();
        fields.add(Field.of(key, array.header().dtype(), each));
      }
      ArrayParts parts = new ArrayParts(List.copyOf(files), how);
      files.clear(); // the parts own them now
      ArrayDecoder decoder = new ArrayDecoder(parts.headers(), OptionalDouble.empty());
      return new DecodedRows(name(), fields, parts, decoder, how);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("opening " + name() + " was interrupted", e);
    } finally {
      for (ArrayFile array : files) {
        array.close();
      }
    }
  }

  private static void checkCounts(ArrayHeader first, ArrayHeader other) {
    if (first.count() != other.count()) {
      String text = "%s has %d rows, but %s has %d";
      throw Fault.data(
              other.file(),
              Message.of(text, first.file(), first.count(), other.file(), other.count()))
          .withExpected(first.count() + " rows", other.count() + " rows")
          .toException();
    }
  }

  private static boolean isAlone(Path file) {
    return !file.toString().endsWith(".npz");
  }

  private Set<String> keys() throws IOException {
    if (isAlone(file)) {
      return Set.of(ALONE);
    }
    try (ZipFile archive = archive(file)) {
      return members(file, archive).keySet();
    }
  }

  private ByteInput input(String key) throws IOException {
    if (isAlone(file)) {
      return ByteInput.open(file);
    }
    ZipFile archive = archive(file); // one per member, which closes it
    boolean opened = false;
    try {
      ZipEntry member = members(file, archive).get(key);
      if (member == null) {
        throw Fault.data(name(), name() + " has no array " + key + " any more").toException();
      }
      ByteInput input = ByteInput.member(archive, name(), member);
      opened = true;
      return input;
    } finally {
      if (!opened) {
        archive.close();
      }
    }
  }

  private static ZipFile archive(Path file) throws IOException {
    try {
      return new ZipFile(file.toFile());
    } catch (NoSuchFileException e) {
      String name = ByteInput.name(file);
      throw Fault.data(name, file + " cannot be read: there is no such file").toException();
    } catch (ZipException e) {
      throw noArchive(file, e).toException();
    }
  }

  private static Fault noArchive(Path file, IOException e) {
    String name = ByteInput.name(file);
    return Place.of(name)
        .fault(
            Message.of("%s is not an archive that can be read: %s", name, e.getMessage()),
            "a zip archive of .npy files",
            String.valueOf(e.getMessage()))
        .withCause(e);
  }

  /** The arrays in an archive by name, in the archive's order. */
  private static SequencedMap<String, ZipEntry> members(Path file, ZipFile archive) {
    SequencedMap<String, ZipEntry> members = new LinkedHashMap<>();
    for (ZipEntry entry : List.copyOf(archive.stream().toList())) {
      String name = entry.getName();
      if (name.endsWith(NPY)) {
        members.put(name.substring(0, name.length() - NPY.length()), entry);
      }
    }
    if (members.isEmpty()) {
      String name = ByteInput.name(file);
      throw Fault.data(name, name + " has no array").toException();
    }
    return members;
  }

  /**
   * Reads whole arrays: those of an {@code .npz} archive by name, or that of one {@code .npy} file
   * under the name {@code data}.
   *
   * @throws StaunchException if the file cannot be read, is damaged, holds something other than
   *     arrays of numbers, or does not fit in memory
   */
  public static SequencedMap<String, DenseTensor> read(ResourceScope scope, Path file) {
    SequencedMap<String, DenseTensor> tensors = new LinkedHashMap<>();
    if (isAlone(file)) {
      put(tensors, ALONE, NpyFormat.read(scope, file));
      return tensors;
    }
    try (ZipFile archive = new ZipFile(file.toFile())) {
      for (var member : members(file, archive).entrySet()) {
        put(tensors, member.getKey(), member(scope, archive, member.getValue(), file));
      }
    } catch (ClosedByInterruptException e) {
      throw Fault.thrown(e).toException();
    } catch (IOException e) {
      throw noArchive(file, e).toException();
    }
    return tensors;
  }

  private static Object member(ResourceScope scope, ZipFile archive, ZipEntry entry, Path file)
      throws IOException {
    try (InputStream stream = archive.getInputStream(entry)) {
      return NpyFormat.read(scope, ByteInput.name(file) + "/" + entry.getName(), stream);
    }
  }

  private static void put(SequencedMap<String, DenseTensor> into, String name, Object read) {
    into.put(name, Fault.orThrow(read, DenseTensor.class).named(name));
  }

  /**
   * Makes examples from arrays that were read whole; all need the same number of rows.
   *
   * @throws StaunchException.ShapeException if they do not have it
   */
  public static TensorExamples examples(String name, SequencedMap<String, DenseTensor> arrays) {
    TensorExamples examples = TensorExamples.named(name);
    for (var array : arrays.entrySet()) {
      examples = examples.with(array.getKey(), array.getValue());
    }
    return examples;
  }
}
