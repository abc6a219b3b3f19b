package dev.staunch.engine;

import dev.staunch.fault.CallSite;
import dev.staunch.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Asks a task what only it can tell. Its hooks are anybody's code: what one throws is the task's
 * own fault (F11), never the trouble of whoever pushes, waits or cancels.
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

  /** Whether the task is small; one that throws is not, and will not run. */
  static boolean isSmall(Task task) {
    return Boolean.TRUE.equals(answer(task, SMALL));
  }

  /** Whether the task may wait inside; one that throws never comes to that, for it will not run. */
  static boolean mayWait(Task task) {
    return Boolean.TRUE.equals(answer(task, MAY_WAIT));
  }

  /** Whether the task is a look from outside; one that throws is not. */
  static boolean isObserver(Task task) {
    return Boolean.TRUE.equals(Guard.attempt(OBSERVER, task));
  }

  /** What the task uses after all; what it declared if it throws. */
  static Uses usesInTurn(Task task) {
    return Guard.attempt(USES, task) instanceof Uses own ? own : task.uses;
  }

  /** Tells the task that it is put off; one that throws will not run. */
  static void deferred(Task task) {
    answer(task, DEFERRED);
  }

  /** The line that asked for the task; null if it does not know, or throws. */
  static @Nullable CallSite locate(Task task) {
    return Guard.attempt(LOCATE, task) instanceof CallSite site ? site : null;
  }

  /** What messages call the task; the name of its class if it throws. */
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
