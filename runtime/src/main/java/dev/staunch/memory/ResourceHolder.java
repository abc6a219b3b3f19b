package dev.staunch.memory;

/**
 * An object that holds resources in its fields and exposes them, so that {@link
 * ResourceScope#moveOut} finds them.
 */
@FunctionalInterface
public interface ResourceHolder {
  /** The resources, or collections, records and holders that contain them. */
  Iterable<?> held();
}
