package io.fanfare.app;

import static io.fanfare.app.Finding.error;
import static io.fanfare.app.Finding.ok;
import static io.fanfare.app.Finding.warning;

import io.fanfare.api.oauth.SignUpSwitch;
import io.fanfare.api.report.Reports;
import io.fanfare.app.operate.Concern;
import io.fanfare.app.operate.DiskForecast;
import io.fanfare.app.operate.DiskForecast.Room;
import io.fanfare.app.operate.Minutes;
import io.fanfare.archive.JdbcArchive;
import io.fanfare.archive.SqliteSnapshot;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Registrations;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.BackupStamp;
import io.fanfare.common.store.Meta;
import io.fanfare.common.store.SiteSwitches;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.StartFailed;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The doctor's look at the certificate, the archive, the last backup and the work that waits. */
final class ServiceExam {
    private ServiceExam() {}

    /** Nothing where no TLS is spoken. Blocks: reads the files. */
    static Optional<Finding> certificate(Settings.Http settings, Instant now) {
        if (!settings.tls().isSet()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ofCertificate(ServerTls.end(settings, now), now));
        } catch (StartFailed e) {
            return Optional.of(error("tls", e.getMessage(), "correct http.tls.certificate and http.tls.key"));
        }
    }

    static Finding ofCertificate(Instant end, Instant now) {
        return Concern.ofCertificate(end, now)
                .map(concern -> warning("tls", concern))
                .orElseGet(() -> ok("tls", "the certificate of http.tls ends " + end));
    }

    /** The moment of the last backup, of any service on this Redis. */
    static Future<List<Finding>> backup(RedisLink redis, Instant now) {
        return new BackupStamp(redis)
                .read()
                .map(last -> List.of(ofBackup(last, now)))
                // Redis answers none of the questions before this one either.
                .otherwise(List.of());
    }

    static Finding ofBackup(Optional<Instant> last, Instant now) {
        return Concern.ofBackup(last, now)
                .map(concern -> warning("backup", concern))
                .orElseGet(() -> {
                    Instant then = last.orElseThrow();
                    long hours = Math.max(0, Duration.between(then, now).toHours());
                    return ok("backup", "the last backup is of " + then + ", " + hours + " hours ago");
                });
    }

    /** The work that waits for the operator: queue, reports of users, and the disk. Nothing of a Redis without data. */
    static Future<List<Finding>> waiting(RedisLink redis, Settings settings, Instant now) {
        Meta meta = new Meta(redis, new SecureRandom());
        return meta.format()
                .compose(mark -> mark.isEmpty()
                        ? Future.succeededFuture(List.<Finding>of())
                        : meta.join(settings.redis().shards())
                                .compose(shards -> waiting(redis, shards, settings.queue(), now)))
                // Redis answers none of the questions before this one either.
                .otherwise(List.of());
    }

    private static Future<List<Finding>> waiting(RedisLink redis, Shards shards, Settings.Queue settings, Instant now) {
        long hour = now.getEpochSecond() / Duration.ofHours(1).toSeconds();
        Future<List<Concern>> queue =
                new JobQueue(redis, shards, settings).stats().map(stats -> Concern.ofQueue(stats, now.toEpochMilli()));
        Future<Long> reports = new Reports(redis).count();
        Future<Long> held = HeldStatuses.count(redis);
        Future<List<Room>> rooms = new Minutes(redis)
                .read(hour - Minutes.KEPT.toHours(), hour)
                .map(minutes -> minutes.stream().map(Room::of).toList());
        return Future.all(queue, reports, held, rooms)
                .map(all -> waiting(
                        queue.result(), reports.result(), held.result(), DiskForecast.full(rooms.result(), now), now));
    }

    static List<Finding> waiting(List<Concern> queue, long reports, long held, Optional<Instant> full, Instant now) {
        List<Finding> findings = queue.stream()
                .map(concern -> warning("queue", concern))
                .collect(Collectors.toCollection(ArrayList::new));
        if (findings.isEmpty()) {
            findings.add(ok(
                    "queue",
                    "no lane is paused, no job has waited for more than " + Concern.WAIT_MAX.toSeconds()
                            + " s, and there are no dead letters"));
        }
        findings.add(Concern.ofReports(reports)
                .map(concern -> warning("reports", concern))
                .orElseGet(() -> ok("reports", "no report of a user is open")));
        Concern.ofHeld(held).map(concern -> warning("reports", concern)).ifPresent(findings::add);
        // Without a forecast the look at the machine says enough.
        Concern.ofDisk(full, now).map(concern -> warning("machine", concern)).ifPresent(findings::add);
        return findings;
    }

    /** The switches of the site and the mode of sign-ups; nothing when Redis does not answer. */
    static Future<List<Finding>> site(RedisLink redis, Registrations registrations) {
        Future<Map<Switch, Long>> switches = new SiteSwitches(redis).read();
        Future<Optional<SignUpSwitch.Choice>> choice = new SignUpSwitch(redis).read();
        return Future.all(switches, choice)
                .map(read -> site(
                        switches.result(),
                        choice.result().map(SignUpSwitch.Choice::mode).orElse(registrations)))
                .otherwise(List.of());
    }

    static List<Finding> site(Map<Switch, Long> on, Registrations mode) {
        List<Finding> findings = new ArrayList<>();
        on.forEach((one, since) -> {
            String what = one.label() + " is on since " + Instant.ofEpochMilli(since);
            // A site may be for its members for good.
            findings.add(
                    one == Switch.MEMBERS_ONLY
                            ? ok("site", what)
                            : warning("site", what, "when it is over: fanfare admin site off " + one.label()));
        });
        findings.add(
                ok("site", (on.isEmpty() ? "no switch is on, " : "") + "the mode of sign-ups is " + mode.spelling()));
        return findings;
    }

    /** Nothing where there is no archive, or its file is not made yet. */
    static Optional<Finding> archive(Settings.Archive settings) {
        if (!settings.jdbcUrl().isSet()) {
            return Optional.empty();
        }
        Path file = SqliteSnapshot.file(settings.jdbcUrl().reveal());
        if (file != null && !Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(RemoteStores.askOutside(vertx -> {
            Archive archive = JdbcArchive.of(vertx, settings, new SimpleMeterRegistry());
            return archive.page(0, 1)
                    .map(ok("archive", "the database of old statuses answers"))
                    .otherwise(error(
                            "archive",
                            "the database of old statuses does not answer",
                            "start it, or correct archive.jdbc-url; the log of the service has the reason"))
                    .eventually(archive::close);
        }));
    }
}
