package dev.staunch.engine;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Calls the hooks of a task. They are user code: what a hook throws becomes the task's own fault
 * (F11) and never reaches the thread that pushes, waits or cancels.
 */
final class Hooks {
  private static final Guard.Work<Task> SMALL = Task::isSmall;
  private static final Guard.Work<Task> MAY_WAIT = Task::mayWait;
  private static final Guard.Work<Task> OBSERVER = Task::isObserver;
  private static final Guard.Work<Task> NAME = Task::name;
  private static final Guard.Work<Task> USES = Task::usesInTurn;
  private static final Guard.Work<Task> DEFERRED =
      task -> {
        task.deferred();
        return Task.DONE;
      };
  private static final Guard.Work<Task> LOCATE =
      task -> {
        CallSite site = task.locate();
        return site == null ? Task.DONE : site;
      };

  private Hooks() {}

  /** Whether the task is small; if the hook throws, the task is not small and will not run. */
  static boolean isSmall(Task task) {
    return Boolean.TRUE.equals(answer(task, SMALL));
  }

  /**
   * Whether the task may wait inside; if the hook throws, the task will not run, so it never waits.
   */
  static boolean mayWait(Task task) {
    return Boolean.TRUE.equals(answer(task, MAY_WAIT));
  }

  /** Whether the task only observes from outside; false if the hook throws. */
  static boolean isObserver(Task task) {
    return Boolean.TRUE.equals(Guard.attempt(OBSERVER, task));
  }

  /** What the task really uses; if the hook throws, what it declared. */
  static Uses usesInTurn(Task task) {
    return Guard.attempt(USES, task) instanceof Uses own ? own : task.uses;
  }

  /** Tells the task that it is deferred; if the hook throws, the task will not run. */
  static void deferred(Task task) {
    answer(task, DEFERRED);
  }

  /** The line that asked for the task; null if the task does not know it, or the hook throws. */
  static @Nullable CallSite locate(Task task) {
    return Guard.attempt(LOCATE, task) instanceof CallSite site ? site : null;
  }

  /** The task's name in messages; the name of its class if the hook throws. */
  static String name(Task task) {
    return Guard.attempt(NAME, task) instanceof String name ? name : task.getClass().getName();
  }

  private static Object answer(Task task, Guard.Work<Task> hook) {
    Object answer = Guard.attempt(hook, task);
    if (answer instanceof Fault fault) {
      task.failBeforeRun(fault);
    }
    return answer;
  }
}
