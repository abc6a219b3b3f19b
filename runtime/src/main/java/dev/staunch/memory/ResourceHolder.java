package dev.staunch.memory;

/**
 * An object that holds resources in its fields and shows them, so that {@link
 * ResourceScope#moveOut} finds them.
 */
@FunctionalInterface
public interface ResourceHolder {
  /** The resources, or collections, records and holders that hold them. */
  Iterable<?> held();
}
