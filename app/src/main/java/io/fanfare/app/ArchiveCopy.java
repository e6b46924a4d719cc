package io.fanfare.app;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.Archive.Entry;
import io.fanfare.common.archive.Archive.Row;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;

/**
 * Copies an archive into another one, and then compares every row of both. What the other one has already is not
 * written again, so that a copy that was cut off goes on where it stopped. Blocks: for the thread of a command.
 */
final class ArchiveCopy {
    private static final int PAGE = 500;

    /** Sentences that are kept. */
    private static final int KEPT_MAX = 1000;

    private final Archive from;
    private final Archive to;
    private final LongConsumer progress;
    private final List<String> differences = new ArrayList<>();
    private long rows;
    private long copied;
    private long different;

    /** @param progress is told how many rows have been read, from time to time */
    ArchiveCopy(Archive from, Archive to, LongConsumer progress) {
        this.from = from;
        this.to = to;
        this.progress = progress;
    }

    /**
     * The counts of one copy.
     *
     * @param different rows that still differ afterwards; {@code differences} describes the first of them
     */
    record Result(long rows, long copied, long different, List<String> differences) {}

    /** Fails with {@link Archive#AWAY} when one of the databases does. */
    Result run() {
        copy();
        compare();
        return new Result(rows, copied, different, List.copyOf(differences));
    }

    private void copy() {
        long after = 0;
        for (List<Row> page = page(from, after); !page.isEmpty(); page = page(from, after)) {
            Map<Long, Row> there = await(to.find(page.stream().map(Row::id).toList()));
            List<Row> missing = page.stream()
                    .filter(row -> !isSame(row, there.get(row.id())))
                    .toList();
            await(to.put(missing.stream().filter(row -> !row.deleted()).toList()));
            await(to.delete(missing.stream()
                    .filter(Row::deleted)
                    .map(row -> new Entry(row.id(), row.author()))
                    .toList()));
            rows += page.size();
            copied += missing.size();
            after = page.get(page.size() - 1).id();
            progress.accept(rows);
        }
    }

    /** Both in the order of their ids, side by side. */
    private void compare() {
        Rows ones = new Rows(from);
        Rows others = new Rows(to);
        Row one = ones.next();
        Row other = others.next();
        while (one != null || other != null) {
            if (other == null || (one != null && one.id() < other.id())) {
                differs(one, "is not there");
                one = ones.next();
            } else if (one == null || other.id() < one.id()) {
                differs(other, "is there and not where it should come from");
                other = others.next();
            } else {
                if (!isSame(one, other)) {
                    differs(one, other.deleted() ? "is deleted there" : "differs");
                }
                one = ones.next();
                other = others.next();
            }
        }
    }

    private void differs(Row row, String how) {
        different++;
        if (differences.size() < KEPT_MAX) {
            differences.add("status " + row.id() + " of account " + row.author() + " " + how);
        }
    }

    /** True if the rows are equal. Two deleted rows are equal whatever else they contain. */
    private static boolean isSame(Row row, Row otherOrNull) {
        return row.equals(otherOrNull) || (otherOrNull != null && row.deleted() && otherOrNull.deleted());
    }

    /** All rows of an archive, a page at a time. */
    private static final class Rows {
        private final Archive archive;
        private Iterator<Row> page = List.<Row>of().iterator();
        private long last;

        Rows(Archive archive) {
            this.archive = archive;
        }

        /** Null at the end. */
        Row next() {
            if (!page.hasNext()) {
                page = page(archive, last).iterator();
            }
            Row row = page.hasNext() ? page.next() : null;
            last = row == null ? last : row.id();
            return row;
        }
    }

    private static List<Row> page(Archive archive, long after) {
        return await(archive.page(after, PAGE));
    }

    private static <T> T await(Future<T> answer) {
        try {
            return answer.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException unchecked ? unchecked : e;
        }
    }
}
