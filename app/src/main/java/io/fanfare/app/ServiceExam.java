package io.fanfare.app;

import static io.fanfare.app.Finding.error;
import static io.fanfare.app.Finding.ok;
import static io.fanfare.app.Finding.warning;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.archive.SqliteSnapshot;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.BackupStamp;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.StartFailed;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The doctor's look at the certificate, the archive and the last backup. */
final class ServiceExam {
    private static final Duration BACKUP_AGE_MAX = Duration.ofDays(2);
    private static final Duration CERTIFICATE_ENDS_SOON = Duration.ofDays(14);

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
        String what = "the certificate of http.tls ends " + end;
        return end.minus(CERTIFICATE_ENDS_SOON).isBefore(now)
                ? warning("tls", what + ", in less than " + CERTIFICATE_ENDS_SOON.toDays() + " days", "renew it")
                : ok("tls", what);
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
        String remedy = "run `fanfare backup` each day, and copy the file to another machine"
                + " (docs/operate/backup.md); ignore this where other means copy the data";
        if (last.isEmpty()) {
            return warning("backup", "`fanfare backup` has made no backup of this service", remedy);
        }
        Duration age = Duration.between(last.get(), now);
        String what = "the last backup is of " + last.get() + ", " + Math.max(0, age.toHours()) + " hours ago";
        return age.compareTo(BACKUP_AGE_MAX) > 0 ? warning("backup", what, remedy) : ok("backup", what);
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
