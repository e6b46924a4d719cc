package io.fanfare.app.operate;

import io.fanfare.common.queue.Lane;
import io.fanfare.core.queue.QueueStats;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A state of a service that needs its operator. The console, {@code fanfare top} and {@code fanfare doctor} share these
 * rules and their bounds.
 *
 * @param kind for programs
 * @param facts for programs: the figures of the sentence
 * @param what is the case, in English
 * @param remedy the operator's next step, in English
 */
public record Concern(String kind, JsonObject facts, String what, String remedy) {
    /** A job that waits longer has no worker, or too few. */
    public static final Duration WAIT_MAX = Duration.ofSeconds(60);

    /** A day, and what a daily backup may take or be late. */
    public static final Duration BACKUP_AGE_MAX = Duration.ofHours(26);

    public static final Duration CERTIFICATE_ENDS_SOON = Duration.ofDays(14);
    public static final Duration DISK_FULL_SOON = Duration.ofDays(7);

    /** Paused lanes, jobs that wait and dead letters. */
    public static List<Concern> ofQueue(List<QueueStats> shards, long nowMillis) {
        List<Concern> concerns = new ArrayList<>();
        List<Lane> paused = QueueReport.paused(shards);
        if (!paused.isEmpty()) {
            String lanes = paused.stream().map(Lane::key).collect(Collectors.joining(", "));
            concerns.add(new Concern(
                    "paused",
                    new JsonObject().put("lanes", QueueReport.pausedKeys(shards)),
                    "paused: " + lanes,
                    "run `fanfare admin queue resume LANE` when the reason is gone"));
        }
        long oldest = QueueReport.oldestSeconds(shards, nowMillis);
        if (oldest > WAIT_MAX.toSeconds()) {
            concerns.add(new Concern(
                    "waits",
                    new JsonObject().put("seconds", oldest),
                    "a job has been waiting for " + oldest + " s",
                    "see with `fanfare top` whether workers run, and start more"));
        }
        long dead = QueueReport.sum(shards, QueueStats::dead);
        if (dead > 0) {
            concerns.add(new Concern(
                    "dead",
                    new JsonObject().put("n", dead),
                    String.format(Locale.ROOT, "%,d dead letters (fanfare admin queue dead list)", dead),
                    "read their errors, and replay or drop them"));
        }
        return concerns;
    }

    /** Reports of users that nobody has closed. */
    public static Optional<Concern> ofReports(long open) {
        return open == 0
                ? Optional.empty()
                : Optional.of(new Concern(
                        "reports",
                        new JsonObject().put("n", open),
                        String.format(Locale.ROOT, "%,d reports of users are open (fanfare admin reports)", open),
                        "decide about them, and close them"));
    }

    /** Posts that wait for a moderator. */
    public static Optional<Concern> ofHeld(long waiting) {
        return waiting == 0
                ? Optional.empty()
                : Optional.of(new Concern(
                        "held",
                        new JsonObject().put("n", waiting),
                        String.format(Locale.ROOT, "%,d posts wait for a moderator (fanfare admin held)", waiting),
                        "approve or reject them: each ends after 14 days"));
    }

    /**
     * A backup that is old, or was never made.
     *
     * @param last moment of the last backup; empty = no backup was made
     */
    public static Optional<Concern> ofBackup(Optional<Instant> last, Instant now) {
        if (last.isPresent() && Duration.between(last.get(), now).compareTo(BACKUP_AGE_MAX) <= 0) {
            return Optional.empty();
        }
        return Optional.of(new Concern(
                "backup",
                new JsonObject().put("last", last.map(Instant::toEpochMilli).orElse(null)),
                last.map(then -> "the last backup is of " + then + ", "
                                + Duration.between(then, now).toHours() + " hours ago")
                        .orElse("`fanfare backup` has made no backup of this service"),
                "run `fanfare backup` each day, and copy the file to another machine"
                        + " (docs/operate/backup.md); ignore this where other means copy the data"));
    }

    /**
     * A certificate that ends soon.
     *
     * @param end of the certificate of {@code http.tls}
     */
    public static Optional<Concern> ofCertificate(Instant end, Instant now) {
        return end.minus(CERTIFICATE_ENDS_SOON).isAfter(now)
                ? Optional.empty()
                : Optional.of(new Concern(
                        "certificate",
                        new JsonObject().put("ends", end.toEpochMilli()),
                        "the certificate of http.tls ends " + end + ", in less than " + CERTIFICATE_ENDS_SOON.toDays()
                                + " days",
                        "renew it"));
    }

    /**
     * A disk that will be full soon.
     *
     * @param full when the disk with the least room is full, see {@link DiskForecast}; empty = not within sight
     */
    public static Optional<Concern> ofDisk(Optional<Instant> full, Instant now) {
        return full.filter(then -> then.isBefore(now.plus(DISK_FULL_SOON)))
                .map(then -> new Concern(
                        "disk_full",
                        new JsonObject().put("at", then.toEpochMilli()),
                        "at the growth of the last days, uploads are refused for want of disk from " + then + " on",
                        "make room, or give the service a larger disk"));
    }

    /** For programs. */
    public JsonObject json() {
        return facts.copy().put("kind", kind);
    }
}
