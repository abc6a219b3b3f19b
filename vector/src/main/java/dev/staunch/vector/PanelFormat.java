package dev.staunch.vector;

import dev.staunch.type.Layout;

/** Names the form in which a constant matrix is kept: packed in panels, from this layout. */
record PanelFormat(Layout layout, int width) {}
