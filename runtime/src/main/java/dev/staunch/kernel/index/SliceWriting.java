package dev.staunch.kernel.index;

import dev.staunch.type.DType;
import java.util.Set;

/**
 * What is done to the slices of a tensor that an index names.
 *
 * @param operation the operation's name in messages
 * @param wraps whether negative numbers count from the end
 * @param indices the dtypes that the index may have
 */
record SliceWriting(String operation, boolean wraps, Set<DType> indices) {
  static final SliceWriting ADD =
      new SliceWriting("index_add_", false, Set.of(DType.INT64, DType.INT32));
  static final SliceWriting COPY = new SliceWriting("index_copy_", false, Set.of(DType.INT64));
  static final SliceWriting FILL = new SliceWriting("index_fill_", true, Set.of(DType.INT64));
}
