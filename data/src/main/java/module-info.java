import org.jspecify.annotations.NullMarked;

/** Data iterators and their prefetcher. */
@NullMarked
module dev.staunch.data {
  requires transitive dev.staunch.runtime;
  requires static transitive org.jspecify;

  exports dev.staunch.data;
}
