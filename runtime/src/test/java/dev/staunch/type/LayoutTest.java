package dev.staunch.type;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LayoutTest {

  @Test
  void channelsMayLieLast() {
    Layout images = Layout.channelsLast(Shape.of(2, 3, 4, 5));
    assertArrayEquals(new long[] {60, 1, 15, 3}, images.strides());
    assertTrue(images.isChannelsLast());
    assertFalse(images.isContiguous());
    assertTrue(images.covers(120));
    assertFalse(Layout.contiguous(Shape.of(2, 3, 4, 5)).isChannelsLast());
    assertFalse(new Layout(Shape.of(2, 3, 4, 5), new long[] {64, 1, 15, 3}, 0).isChannelsLast());
    assertTrue(new Layout(Shape.of(2, 3, 4, 5), new long[] {60, 1, 15, 3}, 7).isChannelsLast());
    assertFalse(Layout.contiguous(Shape.of(6)).isChannelsLast());
  }

  @Test
  void oneChannelAndOnePixelLieBothWays() {
    for (Shape shape : new Shape[] {Shape.of(2, 1, 4, 5), Shape.of(2, 7, 1, 1)}) {
      assertTrue(Layout.contiguous(shape).isChannelsLast());
      assertTrue(Layout.channelsLast(shape).isContiguous());
      assertEquals(shape.elements(), Layout.channelsLast(shape).extent());
    }
  }
}
