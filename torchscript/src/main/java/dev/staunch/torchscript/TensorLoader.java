package dev.staunch.torchscript;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.torchscript.archive.Archive;
import dev.staunch.torchscript.pickle.Pickled;
import dev.staunch.type.DType;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes tensors over the storages of an archive. Each storage is read once: as a copy or, if the
 * options ask for it and the file allows it, in place in the mapped file.
 */
final class TensorLoader implements AutoCloseable {
  /** Bytes unpacked at a time. */
  private static final int PIECE = 1 << 12;

  private final Archive archive;
  private final String folder;
  private final ResourceScope scope;
  private final LoadOptions.Weights weights;
  private final Map<String, DenseTensor> storages = new HashMap<>();

  TensorLoader(Archive archive, String folder, ResourceScope scope, LoadOptions.Weights weights) {
    this.archive = archive;
    this.folder = folder;
    this.scope = scope;
    this.weights = weights;
  }

  DenseTensor tensor(Pickled.TensorRef ref, String path) {
    DenseTensor whole = storage(ref.storage());
    if (whole.dtype() != ref.storage().dtype()) {
      throw Fault.data(path, path + " reads storage " + ref.storage().key() + " as another dtype")
          .toException();
    }
    DenseTensor view = tensor(whole.view(scope, ref.layout()));
    if (!ref.requiresGrad()) {
      return view;
    }
    DenseTensor marked = view.requiringGrad(scope, true);
    view.close();
    return marked;
  }

  private DenseTensor storage(Pickled.StorageRef ref) {
    DenseTensor known = storages.get(ref.key());
    if (known != null) {
      return known;
    }
    String record = folder + ref.key();
    if (!archive.has(record) && archive.has(record + ".storage")) {
      record = record + ".storage";
    }
    long bytes = archive.size(record);
    long perByte = ref.isPacked() ? 2 : 1;
    if (bytes / ref.dtype().bytes() != ref.elements() / perByte
        || bytes % ref.dtype().bytes() != 0) {
      throw Fault.data(
              record,
              Message.of(
                  "record %s has %d bytes, but its tensors need %d elements of %s",
                  record, bytes, ref.elements(), ref.dtype()))
          .withExpected(ref.elements() + " elements of " + ref.dtype(), bytes + " bytes")
          .toException();
    }
    DenseTensor whole = whole(record, ref);
    storages.put(ref.key(), whole);
    return whole;
  }

  private DenseTensor whole(String record, Pickled.StorageRef ref) {
    Shape shape = Shape.of(ref.elements());
    if (ref.isPacked()) {
      return unpacked(record, shape);
    }
    boolean maps = weights == LoadOptions.Weights.MAPPED && ref.elements() > 0;
    Storage part = maps ? archive.part(record, scope) : null;
    if (part == null) {
      Object copy = DenseTensor.allocate(scope, ref.dtype(), shape);
      return tensor(HostTensors.filled(copy, tensor -> archive.read(record, tensor.segment())));
    }
    try {
      return tensor(DenseTensor.over(scope, part, Layout.contiguous(shape), ref.dtype()));
    } finally {
      part.release();
    }
  }

  /** Codes that share bytes, each in a byte of its own. */
  private DenseTensor unpacked(String record, Shape shape) {
    byte[] pairs = new byte[PIECE];
    Object made = DenseTensor.allocate(scope, DType.UINT8, shape);
    return tensor(
        HostTensors.filled(
            made,
            tensor -> {
              MemorySegment codes = tensor.segment();
              long count = shape.elements() / 2;
              MemorySegment packed = codes.asSlice(count); // behind what is unpacked so far
              archive.read(record, packed);
              for (long at = 0; at < count; at += PIECE) {
                int length = (int) Math.min(PIECE, count - at);
                MemorySegment.copy(packed, JAVA_BYTE, at, pairs, 0, length);
                for (int i = 0; i < length; i++) {
                  codes.set(JAVA_BYTE, 2 * (at + i), (byte) (pairs[i] & 15));
                  codes.set(JAVA_BYTE, 2 * (at + i) + 1, (byte) (pairs[i] >>> 4 & 15));
                }
              }
            }));
  }

  /** Releases the storages; the tensors over them keep them alive. */
  @Override
  public void close() {
    for (DenseTensor storage : storages.values()) {
      storage.close();
    }
    storages.clear();
  }

  private static DenseTensor tensor(Object outcome) {
    if (outcome instanceof Fault fault) {
      throw fault.toException();
    }
    return (DenseTensor) outcome;
  }
}
