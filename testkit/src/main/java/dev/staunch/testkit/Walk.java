package dev.staunch.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts which of Staunch's methods a piece of work enters, and how often. These are the methods
 * that a reader who follows the work walks through (docs/walks). The work is loaded a second time,
 * by a class loader whose classes count the calls of their methods. Calls of the JDK and of
 * libraries are not counted. Neither are calls on other threads, because those depend on the clock:
 * a separate thread trims memory.
 */
public final class Walk {
  private static final String OURS = "dev.staunch.";
  private static final Map<String, Long> CALLS = new LinkedHashMap<>();

  /** The thread whose calls are counted. */
  private static volatile @Nullable Thread walker;

  /** Calls by method, {@code dev/staunch/ir/Block.java#<init>}, in the order of first calls. */
  private final Map<String, Long> calls;

  private Walk(Map<String, Long> calls) {
    this.calls = calls;
  }

  /**
   * The walk of the second run of the work that {@code preparation} supplies. What happens once per
   * process happens in the first run.
   *
   * @param preparation is instantiated anew, by its constructor without parameters, and called once
   */
  public static synchronized Walk of(Class<? extends Supplier<Runnable>> preparation) {
    Runnable work = prepared(preparation);
    work.run();
    CALLS.clear();
    walker = Thread.currentThread();
    try {
      work.run();
    } finally {
      walker = null;
    }
    String own = preparation.getName().replaceFirst("[$].*", "").replace('.', '/') + ".java#";
    CALLS.keySet().removeIf(method -> method.startsWith(own));
    return new Walk(new LinkedHashMap<>(CALLS));
  }

  @SuppressWarnings("unchecked") // it is a copy of a class that is one
  private static Runnable prepared(Class<? extends Supplier<Runnable>> preparation) {
    try {
      Class<?> copy = new CountingLoader().loadClass(preparation.getName());
      var constructor = copy.getDeclaredConstructor();
      constructor.setAccessible(true);
      return ((Supplier<Runnable>) constructor.newInstance()).get();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(preparation + " cannot be made", e);
    }
  }

  /** Every method of a copied class calls this at its start. */
  public static void enter(String method) {
    if (Thread.currentThread().equals(walker)) {
      CALLS.merge(method, 1L, Long::sum);
    }
  }

  /** The total number of calls. */
  public long calls() {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The source files of the methods. */
  public Set<String> files() {
    return calls.keySet().stream()
        .map(method -> method.substring(0, method.indexOf('#')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The packages of the files; packages that docs/floors.md calls parts count with their rooms. */
  public Set<String> rooms() {
    return files().stream()
        .map(file -> file.substring(0, file.lastIndexOf('/')))
        .map(folder -> folder.replaceFirst("(?<=eager)/operators$|(?<=fault)/jvm$", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** {@code 12 files, 3 rooms, 40 calls}. */
  public String summary() {
    return files().size() + " files, " + rooms().size() + " rooms, " + calls() + " calls";
  }

  /** The summary, followed by each method with its number of calls. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(summary()).append('\n');
    calls.forEach((method, count) -> text.append(count).append(' ').append(method).append('\n'));
    return text.toString();
  }

  private static final class CountingLoader extends ClassLoader {
    private static final MethodTypeDesc TAKES_NAME =
        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

    CountingLoader() {
      super("walk", Walk.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(OURS) || name.startsWith(Walk.class.getName())) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? copied(name) : known;
      }
    }

    private Class<?> copied(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (file == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] counting = counting(file.readAllBytes());
        return defineClass(name, counting, 0, counting.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static byte[] counting(byte[] original) {
      ClassFile classes = ClassFile.of();
      ClassModel model = classes.parse(original);
      String name = model.thisClass().asInternalName();
      int nested = name.indexOf('$');
      String file = (nested < 0 ? name : name.substring(0, nested)) + ".java";
      ClassTransform entering =
          (copy, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
              String called = file + "#" + method.methodName().stringValue();
              copy.transformMethod(method, MethodTransform.transformingCode(entering(called)));
            } else {
              copy.with(element);
            }
          };
      return classes.transformClass(model, entering);
    }

    private static CodeTransform entering(String method) {
      return new CodeTransform() {
        @Override
        public void atStart(CodeBuilder code) {
          code.ldc(method).invokestatic(ClassDesc.of(Walk.class.getName()), "enter", TAKES_NAME);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
          code.with(element);
        }
      };
    }
  }
}
