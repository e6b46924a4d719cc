package io.fanfare.core.queue;

import io.fanfare.common.id.Id;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The fields of one job line, read from left to right: words of ASCII with single spaces between them. A field that is
 * missing or has another form ends the reading with {@link Malformed}. Not thread-safe.
 */
final class JobFields {
    /** The line holds no job. Carries no stack trace, so that a malformed line costs no more than its length. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Malformed() {
            super("malformed", null, false, false);
        }
    }

    private final String[] words;
    private int next;

    /** @param first the index of the first field */
    JobFields(String[] words, int first) {
        this.words = words;
        this.next = first;
    }

    /** An id, from 1 on. */
    long id() {
        return atLeast(1, Id.parse(next()));
    }

    /** A whole number from 0 to 2^53 - 1. */
    long number() {
        return atLeast(0, number(next()));
    }

    /** A field of an earlier form that has no meaning and is always 0. */
    void zero() {
        require(number() == 0);
    }

    /** Shards with commas between them, or {@code -} for none. */
    Set<Integer> shards() {
        String field = next();
        Set<Integer> shards = new LinkedHashSet<>();
        for (String part : field.equals("-") ? new String[0] : field.split(",", -1)) {
            long shard = number(part);
            require(shard >= 0 && shard < Id.SHARDS_MAX);
            shards.add((int) shard);
        }
        return shards;
    }

    /** One field as it stands. */
    String next() {
        require(hasNext());
        return words[next++];
    }

    boolean hasNext() {
        return next < words.length;
    }

    /** Every field was read. */
    void end() {
        require(!hasNext());
    }

    static void require(boolean holds) {
        if (!holds) {
            throw new Malformed();
        }
    }

    private static long atLeast(long least, long number) {
        require(number >= least);
        return number;
    }

    /** -1 when these digits are no number from 0 to 2^53 - 1. */
    static long number(String digits) {
        return digits.equals("0") ? 0 : Id.parse(digits);
    }

    /** The fields of most jobs. */
    static String line(long... numbers) {
        return LongStream.of(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    /** As {@link #shards()} reads them, ascending. */
    static String list(Set<Integer> shards) {
        return shards.isEmpty()
                ? "-"
                : shards.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    }
}
