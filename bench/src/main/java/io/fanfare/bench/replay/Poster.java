package io.fanfare.bench.replay;

import io.fanfare.bench.replay.FeedClient.Answer;
import io.fanfare.bench.replay.FeedClient.Call;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Posts everything of a ledger, a bounded number at once. Without a rate each post starts when one before it is
 * answered (closed loop); with one it is due at its time whatever the server does (open loop), and is timed from then
 * even if it must wait for its turn. One event loop.
 */
final class Poster {
    private static final int TITLE_CHARACTERS = 80;

    private final Vertx vertx;
    private final FeedClient client;
    private final Plan plan;
    private final Messages messages;
    private final List<Person> people;
    private final Ledger ledger;
    private final LongSupplier nanos;
    private final IntConsumer onAcknowledged;

    private final Differences differences = new Differences();
    private final Promise<Void> done = Promise.promise();
    private long beginNanos;
    private int next;
    private int underWay;
    private int finished;
    private boolean timerSet;

    /** {@code onAcknowledged} hears the number of each post that was accepted. */
    Poster(
            Vertx vertx,
            FeedClient client,
            Plan plan,
            Messages messages,
            List<Person> people,
            Ledger ledger,
            LongSupplier nanos,
            IntConsumer onAcknowledged) {
        this.vertx = vertx;
        this.client = client;
        this.plan = plan;
        this.messages = messages;
        this.people = people;
        this.ledger = ledger;
        this.nanos = nanos;
        this.onAcknowledged = onAcknowledged;
    }

    /**
     * Completes when every post is answered; fails with {@link FeedClient.ServerAway} when one cannot be. To be called
     * once.
     */
    Future<Void> run() {
        beginNanos = nanos.getAsLong();
        if (ledger.posts() == 0) {
            done.complete();
        }
        startWhatIsDue();
        return done.future();
    }

    /** When the first post was due. */
    long beginNanos() {
        return beginNanos;
    }

    /** Posts that the server refused. */
    Differences differences() {
        return differences;
    }

    private void startWhatIsDue() {
        while (next < ledger.posts()
                && underWay < plan.atOnce()
                && !done.future().isComplete()) {
            long now = nanos.getAsLong();
            long due = plan.rate() > 0 ? beginNanos + (long) (next / plan.rate() * 1e9) : now;
            if (due > now) {
                startLater(due - now);
                return;
            }
            post(next++, due);
        }
    }

    /** One timer at a time: answers that come while it runs find it set. */
    private void startLater(long nanosFromNow) {
        if (!timerSet) {
            timerSet = true;
            vertx.setTimer(Math.max(1, nanosFromNow / 1_000_000), timer -> {
                timerSet = false;
                startWhatIsDue();
            });
        }
    }

    private void post(int number, long due) {
        underWay++;
        ledger.start(number, due);
        int article = number - (ledger.posts() - plan.articles());
        String path = article < 0 ? "/api/v1/statuses" : "/api/v1/articles";
        JsonObject body = article < 0
                ? new JsonObject().put("status", messages.text(number))
                : new JsonObject()
                        .put("title", title(number))
                        .put("groups", new JsonArray().add(VoteRun.group(plan, article)));
        String token = people.get(ledger.author(number)).token();
        client.send(new Call(HttpMethod.POST, path, token, body, "replay-" + plan.run() + "-" + number))
                .onComplete(answer -> answered(number, answer), done::tryFail);
    }

    /** The beginning of a message, on one line. */
    private String title(int number) {
        String line = messages.text(number).replaceAll("\\s+", " ").strip();
        int end = line.offsetByCodePoints(0, Math.min(TITLE_CHARACTERS, line.codePointCount(0, line.length())));
        return "Article " + number + ": " + line.substring(0, end);
    }

    private void answered(int number, Answer answer) {
        if (answer.isOk()) {
            ledger.acknowledge(
                    number, Long.parseLong(answer.body().toJsonObject().getString("id")), nanos.getAsLong());
            onAcknowledged.accept(number);
        } else {
            differences.add("post " + number + " was refused with " + answer.status() + ": "
                    + answer.body().toString());
        }
        underWay--;
        finished++;
        if (finished == ledger.posts()) {
            done.tryComplete();
        } else {
            startWhatIsDue();
        }
    }
}
