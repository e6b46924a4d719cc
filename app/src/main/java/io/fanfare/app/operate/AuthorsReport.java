package io.fanfare.app.operate;

import io.fanfare.common.id.Id;
import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.QueuedJobs;
import io.fanfare.core.queue.QueuedJobs.Line;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the waiting jobs by the account that caused them, up to a bound: the jobs of all lanes, of the suspects and of
 * the delayed. A job that moves from one list to another during the count may be missed, or counted twice. For one use,
 * by one thread.
 */
public final class AuthorsReport {
    /** Authors of one answer. */
    public static final int SHOWN_MAX = 100;

    /** The lists that are counted. */
    public static final List<String> LISTS =
            List.of(Lane.HIGH.key(), Lane.NORMAL.key(), Lane.LOW.key(), "suspect", "delayed");

    /** Job lines that one report looks at, in turns of a page of each list, so that a deep one hides no other. */
    private static final int LOOK_MAX = 1_000_000;

    /** The places of the words of a job line that count here: see {@code JobCodec}. */
    private static final int TYPE = 3;

    private static final int AUTHOR = 4;

    private final QueueAccess session;
    private final Map<Long, Author> authors = new HashMap<>();
    private int looked;
    private boolean sawAll = true;

    public AuthorsReport(QueueAccess session) {
        this.session = session;
    }

    /**
     * The jobs of an account.
     *
     * @param byList of {@link #LISTS}, only where there are some
     * @param byType as in the job line, without its version
     */
    public record Author(long id, Map<String, Integer> byList, Map<String, Integer> byType) {
        public int jobs() {
            return byList.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** A list of a shard, and how many of its lines were read. */
    private static final class Reading {
        private final String list;
        private final int shard;
        private int read;

        Reading(int shard, String list) {
            this.shard = shard;
            this.list = list;
        }

        Future<List<Line>> next(QueuedJobs jobs) {
            return list.equals("delayed") ? jobs.delayed(shard, read) : jobs.waiting(shard, list, read);
        }
    }

    /** The authors with the most jobs first, at most {@code max}. */
    public List<Author> run(int max) {
        List<Reading> open = new ArrayList<>();
        for (int shard = 0; shard < session.shardCount(); shard++) {
            for (String list : LISTS) {
                open.add(new Reading(shard, list));
            }
        }
        while (!open.isEmpty()) {
            List<Reading> longer = new ArrayList<>();
            for (Reading reading : open) {
                if (looked >= LOOK_MAX || session.isOver()) {
                    sawAll = false;
                    break;
                }
                List<Line> lines = session.ask(queue -> reading.next(queue.queuedJobs()));
                lines.forEach(line -> count(reading.list, line.text()));
                reading.read += lines.size();
                looked += lines.size();
                if (lines.size() == QueuedJobs.PAGE) {
                    longer.add(reading);
                }
            }
            open = sawAll ? longer : List.of();
        }
        return authors.values().stream()
                .sorted(Comparator.comparingInt(Author::jobs).reversed().thenComparing(Author::id))
                .limit(max)
                .toList();
    }

    private void count(String list, String job) {
        String[] words = job.split(" ", -1);
        long id = words.length > AUTHOR ? Id.parse(words[AUTHOR]) : 0;
        if (id <= 0) {
            return;
        }
        Author author = authors.computeIfAbsent(id, none -> new Author(id, new TreeMap<>(), new TreeMap<>()));
        author.byList().merge(list, 1, Integer::sum);
        author.byType().merge(words[TYPE].replaceFirst("\\..*", ""), 1, Integer::sum);
    }

    /** Whether every job was looked at. */
    public boolean sawAll() {
        return sawAll;
    }

    public int looked() {
        return looked;
    }

    /** Authors with their names, for programs; of one without an account the name is null. */
    public JsonObject json(List<Author> found, Map<Long, String> names) {
        JsonArray all = new JsonArray();
        found.forEach(author -> all.add(new JsonObject()
                .put("id", Long.toString(author.id()))
                .put("username", names.get(author.id()))
                .put("jobs", author.jobs())
                .put("lists", new JsonObject(new TreeMap<>(author.byList())))
                .put("types", new JsonObject(new TreeMap<>(author.byType())))));
        return new JsonObject().put("authors", all).put("looked_at", looked).put("saw_all", sawAll);
    }
}
