import org.jspecify.annotations.NullMarked;

/** Data iterators and the prefetcher that reads ahead for them. */
@NullMarked
module dev.staunch.data {
  requires transitive dev.staunch.runtime;
  requires de.siegmar.fastcsv;
  requires java.desktop;
  requires jdk.jfr;
  requires static transitive org.jspecify;

  exports dev.staunch.data;
  exports dev.staunch.data.array;
  exports dev.staunch.data.dataset;
  exports dev.staunch.data.decode;
  exports dev.staunch.data.image;
  exports dev.staunch.data.record;
  exports dev.staunch.data.row;
  exports dev.staunch.data.text;
}
