package dev.staunch.peers;

import dev.staunch.eager.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which results share memory with which arguments. */
final class Sharing {
  private Sharing() {}

  static @Nullable String difference(List<?> arguments, List<?> ours, List<?> theirs) {
    for (int i = 0; i < ours.size(); i++) {
      for (int k = 0; k < arguments.size(); k++) {
        if (ours.get(i) instanceof Tensor a
            && theirs.get(i) instanceof org.bytedeco.pytorch.Tensor b
            && arguments.get(k) instanceof Twin twin
            && b.numel() > 0
            && twin.theirs().numel() > 0) {
          boolean here = a.value().storage() == twin.ours().value().storage();
          boolean there =
              b.storage().data_ptr().get().address()
                  == twin.theirs().storage().data_ptr().get().address();
          if (here != there) {
            return "memory: result "
                + i
                + (here ? " shares" : " does not share")
                + " argument "
                + k;
          }
        }
      }
    }
    return null;
  }
}
