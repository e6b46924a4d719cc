package io.fanfare.app.console;

import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.AuthorsReport;
import io.fanfare.app.operate.DeadSweep;
import io.fanfare.app.operate.DelayedReport;
import io.fanfare.app.operate.FailuresReport;
import io.fanfare.app.operate.JobSearch;
import io.fanfare.app.operate.LanesReport;
import io.fanfare.app.operate.QueueReport;
import io.fanfare.app.operate.WorkersReport;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.queue.DeadLetters;
import io.fanfare.core.queue.DeadLetters.Filter;
import io.fanfare.core.queue.JobQueue;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The queue and its dead letters: what {@code fanfare admin queue} shows and does. One event loop, with the operations
 * of many steps on the thread of {@link Stores}.
 */
final class QueueOperations {
    private static final int SHOWN = 100;
    private static final int SHOWN_MAX = 1000;
    private static final int AUTHORS_SHOWN = 10;

    /** Letters that one action is about; the page offers the next ones. */
    private static final int TAKEN_MAX = 10_000;

    private static final int NAME_CHARS_MAX = 100;

    /** Which letters, and how many of them. */
    private static final List<String> LETTERS = List.of("type", "author", "error", "job", "max");

    private final Stores stores;
    private final Shards shards;
    private final SecureRandom random;

    QueueOperations(Stores stores, Shards shards, SecureRandom random) {
        this.stores = stores;
        this.shards = shards;
        this.random = random;
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("queue", List.of(), given -> stores.queue().compose(QueueOperations::show)),
                Operation.post("queue/pause", List.of("lane"), given -> pause(given, true)),
                Operation.post("queue/resume", List.of("lane"), given -> pause(given, false)),
                Operation.get("queue/job", List.of("id"), this::job),
                Operation.get("queue/failures", List.of(), given -> failures()),
                Operation.get("queue/authors", List.of("max"), this::authors),
                Operation.get("queue/delayed", List.of("max"), this::delayed),
                Operation.post("queue/delayed/now", List.of("job", "max"), this::hurry),
                Operation.get("dead", LETTERS, this::dead),
                Operation.post("dead/replay", LETTERS, this::replay),
                Operation.post("dead/drop", LETTERS, this::drop));
    }

    private static Future<JsonObject> show(JobQueue queue) {
        return queue.stats().compose(stats -> queue.batchesInFlight()
                .list(WorkersReport.BATCHES_MAX)
                .map(found -> new JsonObject()
                        .put("stats", QueueReport.json(stats))
                        .put("lanes", LanesReport.json(stats).getJsonArray("lanes"))
                        .put("in_flight", WorkersReport.json(found))));
    }

    private Future<JsonObject> pause(Arguments given, boolean paused) {
        String name = given.text("lane");
        Lane lane = Stream.of(Lane.values())
                .filter(each -> each.key().equals(name))
                .findFirst()
                .orElseThrow(() -> Arguments.malformed("lane must be high, normal or low."));
        return stores.queue().compose(queue -> queue.lanePause()
                .set(lane, paused)
                .map(result -> LanesReport.json(lane, paused, result, queue.shardCount())));
    }

    private Future<JsonObject> job(Arguments given, WorkLimit limit) {
        long id = Id.parse(given.text("id"));
        if (id <= 0) {
            throw Arguments.malformed("id must be the number of a status or an account.");
        }
        return stores.onThread(limit, queue -> {
            JobSearch search = new JobSearch(queue, id);
            List<JobSearch.Place> unused = search.run();
            return search.json();
        });
    }

    private Future<JsonObject> failures() {
        return stores.queue().compose(JobQueue::lastFailures).map(FailuresReport::json);
    }

    private Future<JsonObject> authors(Arguments given, WorkLimit limit) {
        int max = given.number("max", AUTHORS_SHOWN, 1, AuthorsReport.SHOWN_MAX);
        return stores.onThread(limit, queue -> {
                    AuthorsReport report = new AuthorsReport(queue);
                    return new Counted(report, report.run(max));
                })
                .compose(counted ->
                        names(counted.authors()).map(names -> counted.report().json(counted.authors(), names)));
    }

    /** A report that has run, and what it has found. */
    private record Counted(AuthorsReport report, List<AuthorsReport.Author> authors) {}

    private Future<Map<Long, String>> names(List<AuthorsReport.Author> authors) {
        return stores.link()
                .compose(redis -> new Accounts(redis, shards, random)
                        .load(authors.stream().map(AuthorsReport.Author::id).toList()))
                .map(found -> found.values().stream().collect(Collectors.toMap(Account::id, Account::username)));
    }

    private Future<JsonObject> delayed(Arguments given, WorkLimit limit) {
        int max = given.number("max", SHOWN, 1, SHOWN_MAX);
        return stores.onThread(limit, queue -> new JsonObject()
                .put("delayed", DelayedReport.json(new DelayedReport(queue).first(max))));
    }

    private Future<JsonObject> hurry(Arguments given, WorkLimit limit) {
        String job = given.text("job");
        int max = given.number("max", SHOWN, 1, SHOWN_MAX);
        return stores.onThread(limit, queue -> {
            DelayedReport report = new DelayedReport(queue);
            return DelayedReport.hurried(job.isEmpty() ? report.hurry(max) : report.hurry(job));
        });
    }

    private Future<JsonObject> dead(Arguments given, WorkLimit limit) {
        int max = given.number("max", SHOWN, 1, SHOWN_MAX);
        return filter(given)
                .compose(filter -> stores.onThread(limit, queue -> {
                    DeadSweep sweep = new DeadSweep(queue, filter);
                    JsonObject letters = new JsonObject().put("letters", DeadSweep.json(sweep.newest(max)));
                    return letters.put("more", sweep.more()).put("saw_all", sweep.sawAll());
                }));
    }

    private Future<JsonObject> replay(Arguments given, WorkLimit limit) {
        int max = given.number("max", TAKEN_MAX, 1, TAKEN_MAX);
        return take(given, limit, DeadLetters::replay, max, "replayed");
    }

    /** Drops dead letters. It cannot be undone, so {@code max} is required. */
    private Future<JsonObject> drop(Arguments given, WorkLimit limit) {
        return take(given, limit, DeadLetters::drop, given.requiredNumber("max", 1, TAKEN_MAX), "dropped");
    }

    private Future<JsonObject> take(Arguments given, WorkLimit limit, DeadSweep.Action action, int max, String done) {
        return filter(given)
                .compose(filter -> stores.onThread(limit, queue -> {
                    DeadSweep sweep = new DeadSweep(queue, filter);
                    int count = sweep.take(action, max, 0, new CountDownLatch(1));
                    return sweep.json(done, count);
                }));
    }

    private Future<Filter> filter(Arguments given) {
        String type = given.matching("type", "[a-z_]*", "a word such as fan_out");
        String author = AccountReport.name(given.text("author"));
        String error = given.text("error");
        String job = given.text("job");
        long id = author.isEmpty() ? 0 : Id.parse(author);
        if (id >= 0) {
            return Future.succeededFuture(new Filter(type, id, error, job));
        }
        if (author.length() > NAME_CHARS_MAX) {
            throw Arguments.malformed("author must be the name or the number of an account.");
        }
        return stores.link()
                .compose(redis -> new Accounts(redis, shards, random).holderByUsername(author))
                .map(found -> new Filter(
                        type,
                        found.orElseThrow(
                                () -> new Refusal(Refusal.Reason.NOT_FOUND, "No account has the name of author.")),
                        error,
                        job));
    }
}
