package dev.staunch.kernel.primitive;

/**
 * Offers a kernel set to the standard catalog, which looks for providers with a {@link
 * java.util.ServiceLoader} once, when it is made.
 */
public interface KernelSetProvider {
  /**
   * The set to use in place of {@code others}, to which it hands on what it does not compute;
   * {@code others} itself if it cannot run here.
   */
  KernelSet over(KernelSet others);
}
