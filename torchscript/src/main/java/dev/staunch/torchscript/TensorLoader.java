package dev.staunch.torchscript;

import dev.staunch.fault.Fault;
import dev.staunch.fault.Message;
import dev.staunch.memory.ResourceScope;
import dev.staunch.memory.Storage;
import dev.staunch.tensor.DenseTensor;
import dev.staunch.tensor.HostTensors;
import dev.staunch.torchscript.archive.Archive;
import dev.staunch.torchscript.pickle.Pickled;
import dev.staunch.type.Layout;
import dev.staunch.type.Shape;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes tensors over the storages of an archive. Each storage is read once: as a copy or, if the
 * options ask for it and the file allows it, in place in the mapped file.
 */
final class TensorLoader implements AutoCloseable {
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
    if (bytes / ref.dtype().bytes() != ref.elements() || bytes % ref.dtype().bytes() != 0) {
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
