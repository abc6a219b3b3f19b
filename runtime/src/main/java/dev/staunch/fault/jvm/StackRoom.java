package dev.staunch.fault.jvm;

import static java.lang.classfile.ClassFile.ACC_PUBLIC;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import dev.staunch.fault.Message;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/**
 * Tells a caller whose stack is nearly used up before any work has begun (F11). An overflow between
 * two steps that belong together, such as taking a turn and giving it back, would leave the first
 * without the second forever. Check at the entry points of a package, never between such steps,
 * unless for less than the entry point checked. Immutable.
 *
 * <p>The JVM gives a method as many local variables as it declares, or throws. So this class calls
 * a method that declares as many as the room needs, and does nothing. The method is generated,
 * since no source would declare thousands of variables. It is too long to be inlined, so it stays a
 * call, which costs some three nanoseconds.
 */
public final class StackRoom {
  /** No compiler inlines a method of this length or more. */
  private static final int LONG = 1000;

  /** A method has fewer than 2^16 words for its local variables. */
  private static final int MOST = 0xFFFE * Long.BYTES;

  private final Needy needy;

  /** A method with many local variables. */
  @FunctionalInterface
  interface Needy {
    /**
     * Uses the last of the variables if {@code used}, which is always false but which no compiler
     * can rule out.
     */
    void run(boolean used);
  }

  private StackRoom(Needy needy) {
    this.needy = needy;
  }

  /**
   * Room for {@code bytes}. A frame takes some 50 bytes when compiled, some 150 when interpreted.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative, or half a mebibyte or more, for
   *     which no method can declare enough variables
   */
  public static StackRoom of(int bytes) {
    if (bytes < 0 || bytes > MOST) {
      throw new IllegalArgumentException(
          Message.of("bytes must be from 0 to %d, got %d", MOST, bytes));
    }
    Lookup lookup = MethodHandles.lookup();
    ClassDesc name = ClassDesc.of(StackRoom.class.getPackageName(), "Needs" + bytes);
    byte[] code = ClassFile.of().build(name, made -> fill(made, bytes / Long.BYTES));
    try {
      Class<?> made = lookup.defineHiddenClass(code, /* initialize= */ true).lookupClass();
      return new StackRoom((Needy) made.getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fill(ClassBuilder made, int words) {
    made.withInterfaceSymbols(Needy.class.describeConstable().orElseThrow())
        .withMethodBody(
            INIT_NAME,
            MTD_void,
            ACC_PUBLIC,
            code -> code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
        .withMethodBody(
            "run",
            MethodTypeDesc.of(CD_void, CD_boolean),
            ACC_PUBLIC,
            code -> fillRun(code, words));
  }

  private static void fillRun(CodeBuilder code, int words) {
    Label end = code.newLabel();
    code.iload(1).ifeq(end);
    for (int i = 0; i < LONG; i++) {
      code.nop();
    }
    code.iconst_0().istore(words).aconst_null().athrow().labelBinding(end).return_();
  }

  /**
   * Returns if there is room.
   *
   * @throws StackOverflowError if there is not; the call has had no effect then
   */
  public void require() {
    needy.run(false);
  }
}
