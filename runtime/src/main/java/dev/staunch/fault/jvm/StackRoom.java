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
 * Sees to it that a caller whose stack is nearly used up hears so before anything has begun (F11):
 * an overflow between two steps that belong together, such as taking a turn and giving it back,
 * would leave the first without the second for ever. Asked at the doors of a room, never between
 * such steps, unless for less than was asked for at the door. Immutable.
 *
 * <p>The JVM gives a method as many local variables as it declares, or throws. So there is a method
 * that declares as many as the room needs, and does nothing. It is made here, for no source would
 * declare thousands; too long to be inlined, it stays a call, which costs some three nanoseconds.
 */
public final class StackRoom {
  /** From this length on no compiler inlines a method. */
  private static final int LONG = 1000;

  /** A method has fewer than 2^16 words for its local variables. */
  private static final int MOST = 0xFFFE * Long.BYTES;

  private final Needy needy;

  /** Has a method with many local variables. */
  @FunctionalInterface
  interface Needy {
    /** Uses the last of them if {@code used}, which never happens and cannot be ruled out. */
    void run(boolean used);
  }

  private StackRoom(Needy needy) {
    this.needy = needy;
  }

  /**
   * Room for {@code bytes}; a frame takes some 50 when compiled, some 150 when interpreted.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative, or half a mebibyte and more, for
   *     which no method can declare enough
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
   * @throws StackOverflowError if there is not; nothing has happened then
   */
  public void require() {
    needy.run(false);
  }
}
