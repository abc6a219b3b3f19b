package dev.staunch.peers;

import dev.staunch.eager.Tensor;

/** The same tensor here and in libtorch. */
record Twin(Tensor ours, org.bytedeco.pytorch.Tensor theirs) {}
