package dev.perdure.robust.pm;

import java.util.Arrays;

/** A set of numbers from 0 on that only grows, and that can be read by position while it does. */
final class IntSet {
  private static final int ABSENT = -1;

  private int[] members = new int[4];
  private int[] slots = new int[8];
  private int size;

  IntSet() {
    Arrays.fill(slots, ABSENT);
  }

  int size() {
    return size;
  }

  /** The members in the order in which they came. */
  int get(int position) {
    return members[position];
  }

  boolean contains(int member) {
    return slots[slot(member)] != ABSENT;
  }

  boolean add(int member) {
    int slot = slot(member);
    if (slots[slot] != ABSENT) {
      return false;
    }
    if (size == members.length) {
      members = Arrays.copyOf(members, 2 * size);
    }
    members[size] = member;
    slots[slot] = size++;
    if (2 * size > slots.length) {
      rehash();
    }
    return true;
  }

  private int slot(int member) {
    int mask = slots.length - 1;
    int slot = member * 0x9e3779b9 >>> 7 & mask;
    while (slots[slot] != ABSENT && members[slots[slot]] != member) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void rehash() {
    slots = new int[2 * slots.length];
    Arrays.fill(slots, ABSENT);
    for (int i = 0; i < size; i++) {
      slots[slot(members[i])] = i;
    }
  }
}
