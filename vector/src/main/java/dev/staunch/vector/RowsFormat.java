package dev.staunch.vector;

import dev.staunch.type.Layout;

/** Names the form in which a constant weight is kept: its rows packed for tiles, by groups. */
record RowsFormat(Layout layout, int groups) {}
