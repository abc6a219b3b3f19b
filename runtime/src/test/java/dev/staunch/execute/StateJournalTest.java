package dev.staunch.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.staunch.engine.CancelScope;
import dev.staunch.memory.OffHeap;
import dev.staunch.memory.ResourceScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The changes of a run are undone even if the heap has no room left (F11, S6). */
class StateJournalTest {
  private final OutOfMemoryError full = new OutOfMemoryError("of a test");
  private final OffHeap memory = OffHeap.withBudget(1 << 20);
  private final ResourceScope scope = ResourceScope.open(memory, "request");
  private boolean isFull;

  @AfterEach
  void close() {
    scope.close();
  }

  /** A list that needs room to take several elements at once, as the real one does. */
  private final class Elements extends ArrayList<Object> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean addAll(Collection<?> more) {
      if (isFull) {
        throw full;
      }
      return super.addAll(more);
    }
  }

  /** A dict that needs room for each new key. */
  private final class Entries extends LinkedHashMap<Object, Object> {
    private static final long serialVersionUID = 1;

    @Override
    public Object put(Object key, Object value) {
      if (isFull && !containsKey(key)) {
        throw full;
      }
      return super.put(key, value);
    }

    @Override
    public void putAll(Map<?, ?> more) {
      more.forEach(this::put);
    }
  }

  private StateJournal journalOf(Object... state) {
    Set<Object> parts = Collections.newSetFromMap(new IdentityHashMap<>());
    parts.addAll(List.of(state));
    StateJournal journal = new StateJournal(() -> parts, scope, CancelScope.open());
    for (Object part : state) {
      journal.beforeWrite(part);
    }
    return journal;
  }

  @Test
  void f11AListIsUndoneWithoutRoom() {
    List<Object> list = new Elements();
    list.addAll(List.of(1, 2, 3));
    for (List<Object> after :
        List.of(List.<Object>of(), List.<Object>of(7), List.<Object>of(4, 5, 6, 7))) {
      StateJournal journal = journalOf(list);
      list.clear();
      list.addAll(after);
      isFull = true;
      journal.undo();
      isFull = false;
      assertEquals(List.of(1, 2, 3), list);
    }
  }

  @Test
  void f11ADictThatHasItsKeysYetIsUndoneWithoutRoom() {
    Map<Object, Object> dict = new Entries();
    dict.put("a", 1);
    dict.put("b", 2);
    StateJournal journal = journalOf(dict);
    dict.put("a", 3);
    dict.put("c", 4);
    isFull = true;
    journal.undo();
    assertEquals("{a=1, b=2}", dict.toString());
  }

  @Test
  void s6ADictIsUndoneWithTheOrderOfItsKeys() {
    Map<Object, Object> dict = new Entries();
    dict.put("a", 1);
    dict.put("b", 2);
    dict.put("c", 3);
    StateJournal journal = journalOf(dict);
    dict.remove("a");
    dict.put("d", 4);
    dict.put("a", 5);
    dict.remove("b");
    journal.undo();
    assertEquals("{a=1, b=2, c=3}", dict.toString());
  }

  @Test
  void f11WhatCannotBeUndoneKeepsNothingElseFromIt() {
    List<Object> first = new ArrayList<>(List.of(1));
    Map<Object, Object> dict = new Entries();
    dict.put("a", 1);
    dict.put("b", 2);
    StateJournal journal = journalOf(first, dict);
    first.add(2);
    dict.remove("a");
    isFull = true;
    assertSame(full, assertThrows(OutOfMemoryError.class, journal::undo));
    assertEquals(List.of(1), first);
    assertEquals("{b=2}", dict.toString(), "nothing was taken out of it");
    journal.end();
  }
}
