package dev.staunch.torchscript;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.torchscript.archive.Archive;
import dev.staunch.torchscript.pickle.Pickled;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Lays tensors over the storages of an archive, each read once: where it lies in the mapped file if
 * it can be used there, else a copy.
 */
final class TensorLoader {
  private final Archive archive;
  private final String folder;
  private final ResourceScope scope;
  private final Map<String, DenseTensor> storages = new HashMap<>();

  TensorLoader(Archive archive, String folder, ResourceScope scope) {
    this.archive = archive;
    this.folder = folder;
    this.scope = scope;
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
    MemorySegment bytes = archive.bytes(record);
    if (bytes.byteSize() / ref.dtype().bytes() != ref.elements()
        || bytes.byteSize() % ref.dtype().bytes() != 0) {
      throw Fault.data(
              record,
              Message.of(
                  "record %s has %d bytes, but its tensors need %d elements of %s",
                  record, bytes.byteSize(), ref.elements(), ref.dtype()))
          .withExpected(ref.elements() + " elements of " + ref.dtype(), bytes.byteSize() + " bytes")
          .toException();
    }
    DenseTensor whole = whole(record, bytes, ref);
    storages.put(ref.key(), whole);
    return whole;
  }

  private DenseTensor whole(String record, MemorySegment bytes, Pickled.StorageRef ref) {
    Shape shape = Shape.of(ref.elements());
    Storage part = bytes.byteSize() == 0 ? null : archive.part(record, scope);
    if (part == null) {
      DenseTensor copy = tensor(DenseTensor.allocate(scope, ref.dtype(), shape));
      copy.segment().copyFrom(bytes);
      return copy;
    }
    try {
      return tensor(DenseTensor.over(scope, part, Layout.contiguous(shape), ref.dtype()));
    } finally {
      part.release();
    }
  }

  private static DenseTensor tensor(Object outcome) {
    if (outcome instanceof Fault fault) {
      throw fault.toException();
    }
    return (DenseTensor) outcome;
  }
}
