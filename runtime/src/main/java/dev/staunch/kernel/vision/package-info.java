/**
 * Operations on pictures: torchvision's own ({@code torchvision::nms} and kin), patches as columns
 * and back, pooling undone, and smooth resizing.
 *
 * <p>Door: {@link dev.staunch.kernel.vision.VisionOperations}.
 */
@NullMarked
package dev.staunch.kernel.vision;

import org.jspecify.annotations.NullMarked;
