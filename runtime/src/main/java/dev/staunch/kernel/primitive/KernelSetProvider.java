package dev.staunch.kernel.primitive;

/**
 * Offers a kernel set to the standard catalog. The catalog looks for providers once, with a {@link
 * java.util.ServiceLoader}, when it is made.
 */
public interface KernelSetProvider {
  /**
   * The set to use in place of {@code others}. It delegates to {@code others} what it does not
   * compute itself. Returns {@code others} if it cannot run here.
   */
  KernelSet over(KernelSet others);
}
