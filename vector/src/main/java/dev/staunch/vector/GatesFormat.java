package dev.staunch.vector;

import dev.staunch.type.Layout;

/** Names the form in which a constant weight of gates is kept: all gates of some units together. */
record GatesFormat(Layout layout, int units) {}
