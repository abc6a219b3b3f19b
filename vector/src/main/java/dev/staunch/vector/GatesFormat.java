package dev.staunch.vector;

import dev.staunch.type.Layout;

/** Identifies the packed form of a constant weight of gates: all gates of some units together. */
record GatesFormat(Layout layout, int units) {}
