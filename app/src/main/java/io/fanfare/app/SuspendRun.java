package io.fanfare.app;

import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Suspends many accounts, a few at a time. One that fails stops no other; many in a row do. To suspend one again
 * changes nothing, so that a run that was interrupted is repeated. For one thread.
 */
final class SuspendRun {
    /** Accounts of one run. */
    static final int MAX = 100_000;

    /** Accounts at once. */
    private static final int BATCH = 16;

    /** After so many failures in a row Redis is away, and nothing else is tried. */
    private static final int FAILURES_MAX = 2 * BATCH;

    private static final int PROGRESS_EVERY = 50 * BATCH;
    private static final int NAME_CHARS_MAX = 60;

    /** The result for one account. */
    enum Outcome {
        SUSPENDED("suspended"),
        WOULD("would be suspended"),
        BEFORE("suspended before"),
        DELETED("deleted"),
        UNKNOWN("unknown"),
        FAILED("failed");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }
    }

    /**
     * One account of a run.
     *
     * @param found id and username, or what was asked for
     */
    private record Line(Outcome outcome, JsonObject found) {}

    private final RemoteStores.Session stores;
    private final boolean dryRun;
    private final String why;
    private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    private final List<Line> lines = new ArrayList<>();
    private int failuresInARow;

    /** @param why the reason, for the log of acts; may be empty */
    SuspendRun(RemoteStores.Session stores, boolean dryRun, String why) {
        this.why = why;
        this.stores = stores;
        this.dryRun = dryRun;
    }

    /** Says on standard error how far it is. */
    void suspend(Collection<String> namesOrIds) {
        List<String> all = List.copyOf(namesOrIds);
        for (int from = 0; from < all.size() && !isStopped(); from += BATCH) {
            List<String> batch = all.subList(from, Math.min(all.size(), from + BATCH));
            List<Line> done = stores.askAccounts(accounts -> Future.all(
                            batch.stream().map(one -> suspend(accounts, one)).toList())
                    .map(lines -> lines.<Line>list()));
            done.forEach(this::count);
            if ((from + BATCH) % PROGRESS_EVERY == 0) {
                System.err.printf(Locale.ROOT, "%,d of %,d%n", from + BATCH, all.size());
            }
        }
    }

    /** Never fails. */
    private Future<Line> suspend(AccountReport accounts, String nameOrId) {
        return accounts.look(nameOrId)
                .compose(found -> {
                    Outcome standing = found.getString("deleted_at") != null
                            ? Outcome.DELETED
                            : found.getString("suspended_at") != null ? Outcome.BEFORE : Outcome.WOULD;
                    // One that was suspended before is made sure of: whoever did it may have been killed.
                    return standing == Outcome.DELETED || dryRun
                            ? Future.succeededFuture(new Line(standing, found))
                            : suspendLogged(accounts, Long.parseLong(found.getString("id")))
                                    .map(done -> new Line(
                                            done.getBoolean("changed") ? Outcome.SUSPENDED : Outcome.BEFORE, found));
                })
                .otherwise(cause -> new Line(
                        Refusal.isFor(Refusal.Reason.NOT_FOUND, cause) ? Outcome.UNKNOWN : Outcome.FAILED,
                        new JsonObject()
                                .put("asked", CommandAudit.logValue(nameOrId, NAME_CHARS_MAX))
                                .put("reason", Terminal.printable(String.valueOf(cause.getMessage())))));
    }

    private Future<JsonObject> suspendLogged(AccountReport accounts, long account) {
        Act act = Act.on(CommandAudit.actor(), "accounts.suspend", account, why);
        return stores.log().during(act, () -> accounts.suspend(account));
    }

    private void count(Line line) {
        Outcome outcome = line.outcome();
        lines.add(line);
        counts.merge(outcome, 1, Integer::sum);
        failuresInARow = outcome == Outcome.FAILED ? failuresInARow + 1 : 0;
        if (outcome == Outcome.SUSPENDED) {
            new CommandAudit("accounts/suspend", "account=" + line.found().getString("id")).note("done");
        } else if (outcome == Outcome.UNKNOWN || outcome == Outcome.FAILED) {
            System.err.println(
                    line.found().getString("asked") + ": " + line.found().getString("reason"));
        }
    }

    /** Whether Redis seems to be away, so that the rest was not tried. */
    private boolean isStopped() {
        return failuresInARow >= FAILURES_MAX;
    }

    /** Whether all of them are suspended, or would be. */
    boolean isComplete() {
        return !isStopped() && count(Outcome.UNKNOWN) == 0 && count(Outcome.FAILED) == 0;
    }

    private int count(Outcome outcome) {
        return counts.getOrDefault(outcome, 0);
    }

    private static String jsonName(Outcome outcome) {
        return outcome.words.replace(' ', '_');
    }

    /** The summary, for programs. */
    JsonObject json(int requested) {
        JsonArray accounts = new JsonArray();
        lines.forEach(line -> accounts.add(new JsonObject()
                .put("id", line.found().getString("id"))
                .put("username", line.found().getString("username"))
                .put("asked", line.found().getString("asked"))
                .put("outcome", jsonName(line.outcome()))));
        JsonObject summary = new JsonObject().put("dry_run", dryRun).put("asked", requested);
        for (Outcome outcome : Outcome.values()) {
            if (outcome != (dryRun ? Outcome.SUSPENDED : Outcome.WOULD)) {
                summary.put(jsonName(outcome), count(outcome));
            }
        }
        return summary.put("not_tried", requested - lines.size()).put("accounts", accounts);
    }

    /** The same for people; of a dry run also each account. */
    String text(int requested) {
        StringBuilder text = new StringBuilder();
        if (dryRun) {
            lines.stream()
                    .filter(line -> line.outcome() == Outcome.WOULD)
                    .forEach(line -> text.append(String.format(
                            Locale.ROOT,
                            "would be suspended: %s @%s%n",
                            line.found().getString("id"),
                            line.found().getString("username"))));
        }
        text.append(String.format(
                Locale.ROOT,
                "of %,d accounts %,d %s, %,d suspended before, %,d deleted, %,d unknown, %,d failed",
                requested,
                count(dryRun ? Outcome.WOULD : Outcome.SUSPENDED),
                dryRun ? "would be suspended" : "suspended now",
                count(Outcome.BEFORE),
                count(Outcome.DELETED),
                count(Outcome.UNKNOWN),
                count(Outcome.FAILED)));
        if (lines.size() < requested) {
            text.append(String.format(
                    Locale.ROOT, ", %,d not tried: run it again when Redis answers", requested - lines.size()));
        }
        return text.toString();
    }
}
