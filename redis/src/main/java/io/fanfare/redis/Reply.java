package io.fanfare.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One RESP reply. Immutable. The {@code as...} methods throw {@link IllegalStateException} on a reply of another shape,
 * and the {@link RedisError} on a {@link Failure}.
 */
public sealed interface Reply {
    /** {@code :n}. */
    record Int(long value) implements Reply {}

    /** {@code $n}; the array is not to be changed. */
    @SuppressWarnings(
            "ArrayRecordComponent") // Compared by nobody; a copy of every value read would cost more than it protects.
    record Bulk(byte[] bytes) implements Reply {}

    /** {@code +text}. */
    record Text(String value) implements Reply {}

    /** {@code *n}. */
    record Items(List<Reply> list) implements Reply {}

    /** {@code $-1} or {@code *-1}. */
    record Nil() implements Reply {}

    /** {@code -ERR ...}, or a command of a pipeline that could not be sent or whose answer did not come. */
    record Failure(RedisError error) implements Reply {}

    @SuppressWarnings("ClassInitializationDeadlock") // Nil has no initializer of its own that could wait for this one.
    Reply NIL = new Nil();

    default boolean isNil() {
        return this instanceof Nil;
    }

    default boolean isFailure() {
        return this instanceof Failure;
    }

    /** An integer, or a decimal string such as a ZSET score without fraction. */
    default long asLong() {
        if (this instanceof Int i) {
            return i.value();
        }
        if (this instanceof Bulk b) {
            return parseLong(b.bytes());
        }
        throw unexpected("an integer");
    }

    /** A string; null for nil. */
    default String asString() {
        if (this instanceof Bulk b) {
            return new String(b.bytes(), StandardCharsets.UTF_8);
        }
        if (this instanceof Text t) {
            return t.value();
        }
        if (this instanceof Int i) {
            return Long.toString(i.value());
        }
        if (this instanceof Nil) {
            return null;
        }
        throw unexpected("a string");
    }

    /** The bytes of a bulk string; null for nil. */
    default byte[] asBytes() {
        if (this instanceof Bulk b) {
            return b.bytes();
        }
        if (this instanceof Nil) {
            return null;
        }
        throw unexpected("a bulk string");
    }

    /** The elements; an empty list for nil. */
    default List<Reply> items() {
        if (this instanceof Items i) {
            return i.list();
        }
        if (this instanceof Nil) {
            return List.of();
        }
        throw unexpected("an array");
    }

    /** The elements in turn, without the pairs into which RESP3 puts members and scores. */
    default List<Reply> flat() {
        List<Reply> items = items();
        if (items.isEmpty() || !(items.get(0) instanceof Items)) {
            return items;
        }
        List<Reply> flat = new ArrayList<>(items.size() * 2);
        items.forEach(pair -> flat.addAll(pair.items()));
        return flat;
    }

    private RuntimeException unexpected(String wanted) {
        return this instanceof Failure f
                ? f.error()
                : new IllegalStateException(
                        "Redis answered " + getClass().getSimpleName() + " where " + wanted + " was due");
    }

    private static long parseLong(byte[] digits) {
        boolean negative = digits.length > 0 && digits[0] == '-';
        long value = 0;
        for (int i = negative ? 1 : 0; i < digits.length; i++) {
            int digit = digits[i] - '0';
            if (digit < 0 || digit > 9) {
                // Scores beyond 2^53 or with a fraction come in other notations; ours never do, but +inf and the like
                // must not pass for numbers.
                throw new IllegalStateException("not a decimal integer: " + new String(digits, StandardCharsets.UTF_8));
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }
}
