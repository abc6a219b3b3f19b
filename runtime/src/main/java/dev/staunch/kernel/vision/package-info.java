/**
 * Operations on images: torchvision's own ({@code torchvision::nms} and related ones), unfolding
 * into patch columns and folding back, unpooling, and antialiased resizing.
 *
 * <p>Start with {@link dev.staunch.kernel.vision.VisionOperations}.
 */
@NullMarked
package dev.staunch.kernel.vision;

import org.jspecify.annotations.NullMarked;
