package dev.staunch.kernel.loop;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.MemorySegment;

/**
 * A loop over float32 rows that lie without gaps; each has a method of its own, so that C2 sees one
 * operation and vectorises it.
 */
public interface FloatRun {
  /** Combines two rows. */
  void rows(
      MemorySegment a, long fromA, MemorySegment b, long fromB, MemorySegment out, long to, int n);

  /** Combines a row and a number. */
  void number(MemorySegment a, long fromA, float b, MemorySegment out, long to, int n);

  /** a + b. */
  final class Add implements FloatRun {
    @Override
    public void rows(
        MemorySegment a,
        long fromA,
        MemorySegment b,
        long fromB,
        MemorySegment out,
        long to,
        int n) {
      for (int i = 0; i < n; i++) {
        float sum = a.getAtIndex(JAVA_FLOAT, fromA + i) + b.getAtIndex(JAVA_FLOAT, fromB + i);
        out.setAtIndex(JAVA_FLOAT, to + i, sum);
      }
    }

    @Override
    public void number(MemorySegment a, long fromA, float b, MemorySegment out, long to, int n) {
      for (int i = 0; i < n; i++) {
        out.setAtIndex(JAVA_FLOAT, to + i, a.getAtIndex(JAVA_FLOAT, fromA + i) + b);
      }
    }
  }

  /** a - b. */
  final class Subtract implements FloatRun {
    @Override
    public void rows(
        MemorySegment a,
        long fromA,
        MemorySegment b,
        long fromB,
        MemorySegment out,
        long to,
        int n) {
      for (int i = 0; i < n; i++) {
        float off = a.getAtIndex(JAVA_FLOAT, fromA + i) - b.getAtIndex(JAVA_FLOAT, fromB + i);
        out.setAtIndex(JAVA_FLOAT, to + i, off);
      }
    }

    @Override
    public void number(MemorySegment a, long fromA, float b, MemorySegment out, long to, int n) {
      for (int i = 0; i < n; i++) {
        out.setAtIndex(JAVA_FLOAT, to + i, a.getAtIndex(JAVA_FLOAT, fromA + i) - b);
      }
    }
  }

  /** a * b. */
  final class Multiply implements FloatRun {
    @Override
    public void rows(
        MemorySegment a,
        long fromA,
        MemorySegment b,
        long fromB,
        MemorySegment out,
        long to,
        int n) {
      for (int i = 0; i < n; i++) {
        float product = a.getAtIndex(JAVA_FLOAT, fromA + i) * b.getAtIndex(JAVA_FLOAT, fromB + i);
        out.setAtIndex(JAVA_FLOAT, to + i, product);
      }
    }

    @Override
    public void number(MemorySegment a, long fromA, float b, MemorySegment out, long to, int n) {
      for (int i = 0; i < n; i++) {
        out.setAtIndex(JAVA_FLOAT, to + i, a.getAtIndex(JAVA_FLOAT, fromA + i) * b);
      }
    }
  }

  /** a / b. */
  final class Divide implements FloatRun {
    @Override
    public void rows(
        MemorySegment a,
        long fromA,
        MemorySegment b,
        long fromB,
        MemorySegment out,
        long to,
        int n) {
      for (int i = 0; i < n; i++) {
        float part = a.getAtIndex(JAVA_FLOAT, fromA + i) / b.getAtIndex(JAVA_FLOAT, fromB + i);
        out.setAtIndex(JAVA_FLOAT, to + i, part);
      }
    }

    @Override
    public void number(MemorySegment a, long fromA, float b, MemorySegment out, long to, int n) {
      for (int i = 0; i < n; i++) {
        out.setAtIndex(JAVA_FLOAT, to + i, a.getAtIndex(JAVA_FLOAT, fromA + i) / b);
      }
    }
  }

  /** The greater of a and b, NaN if one is. */
  final class Greater implements FloatRun {
    @Override
    public void rows(
        MemorySegment a,
        long fromA,
        MemorySegment b,
        long fromB,
        MemorySegment out,
        long to,
        int n) {
      for (int i = 0; i < n; i++) {
        float x = a.getAtIndex(JAVA_FLOAT, fromA + i);
        float most = Math.max(x, b.getAtIndex(JAVA_FLOAT, fromB + i));
        out.setAtIndex(JAVA_FLOAT, to + i, most);
      }
    }

    @Override
    public void number(MemorySegment a, long fromA, float b, MemorySegment out, long to, int n) {
      for (int i = 0; i < n; i++) {
        out.setAtIndex(JAVA_FLOAT, to + i, Math.max(a.getAtIndex(JAVA_FLOAT, fromA + i), b));
      }
    }
  }
}
