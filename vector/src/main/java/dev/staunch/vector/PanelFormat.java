package dev.staunch.vector;

import dev.staunch.type.Layout;

/** Identifies the packed form of a constant matrix: panels, packed from this layout. */
record PanelFormat(Layout layout, int width) {}
