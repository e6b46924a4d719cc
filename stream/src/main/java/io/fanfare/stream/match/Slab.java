package io.fanfare.stream.match;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Things by small numbers from 0 on; a number that is free is given again. Confined to one event loop. */
final class Slab<T> {
    private final List<T> things = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();

    /** Answers its number. */
    int add(T thing) {
        if (free.isEmpty()) {
            things.add(thing);
            return things.size() - 1;
        }
        int number = free.pop();
        things.set(number, thing);
        return number;
    }

    T get(int number) {
        return things.get(number);
    }

    /** Puts another thing in its place. */
    void set(int number, T thing) {
        things.set(number, thing);
    }

    void remove(int number) {
        things.set(number, null);
        free.push(number);
    }
}
