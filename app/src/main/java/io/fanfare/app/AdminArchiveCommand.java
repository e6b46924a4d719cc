package io.fanfare.app;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Meta;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.redis.RedisLink;
import io.fanfare.secret.Secret;
import io.fanfare.server.runtime.DefaultPlaces;
import io.fanfare.server.runtime.StartFailed;
import io.fanfare.verify.ArchiveCheck;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fanfare admin archive}: the SQL archive of old statuses. */
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows, verifies and copies the archive of old statuses.")
final class AdminArchiveCommand {
    private static final String SQLITE = "jdbc:sqlite:";

    /** How long one statement may take: whole tables are counted. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** How often progress is told; a multiple of the rows of a page. */
    private static final long PROGRESS_ROWS = 100_000;

    /** An operation on the archive, run on the event loop of a link. */
    private interface Question<T> {
        Future<T> ask(Vertx vertx, RedisLink redis, Shards shards, Archive archive);
    }

    private static <T> T ask(SettingsOptions options, Question<T> question) {
        Logging.ofCommand();
        Settings settings = options.joining();
        if (!settings.archive().jdbcUrl().isSet()) {
            throw new StartFailed(
                    "no archive is known: name the folder of the service with --data DIR, or set archive.jdbc-url");
        }
        return RemoteStores.askRedis(settings, redis -> {
            Vertx vertx = Vertx.currentContext().owner();
            Archive archive = JdbcArchive.of(vertx, settings.archive().waiting(PATIENCE), new SimpleMeterRegistry());
            return new Meta(redis, new SecureRandom())
                    .join(settings.redis().shards())
                    .compose(shards -> question.ask(vertx, redis, shards, archive))
                    .eventually(archive::close);
        });
    }

    @Command(
            name = "stats",
            mixinStandardHelpOptions = true,
            description = "Shows the number of rows, their bytes, and what waits to be moved.")
    int stats(@Mixin SettingsOptions options) {
        String lines = ask(options, (vertx, redis, shards, archive) -> archive.stats()
                .compose(stats -> new ArchivePass(redis, options.joining(), archive)
                        .waiting(shards.count())
                        .map(waiting -> String.join(
                                System.lineSeparator(),
                                line("live", stats.live(), "statuses"),
                                line("deleted", stats.deleted(), "ids that stay deleted"),
                                line("bytes", stats.bytes(), "of all fields"),
                                line("due", waiting[0], "authors of whom something is to be moved"),
                                line("deletes", waiting[1], "that the archive has not noted")))));
        System.out.println(lines);
        return 0;
    }

    private static String line(String name, long value, String remark) {
        return String.format("%-10s %,12d   %s", name, value, remark);
    }

    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description =
                    "Compares every row with Redis while the service runs: each status is in one place. Exit status 1 when differences are left.")
    int verify(@Mixin SettingsOptions options) {
        ArchiveCheck.Result result = ask(options, (vertx, redis, shards, archive) -> new ArchiveCheck(
                        redis, shards, archive, millis -> vertx.timer(millis, TimeUnit.MILLISECONDS)
                                .mapEmpty())
                .run());
        result.differences().forEach(System.out::println);
        System.out.printf(
                "%,d rows, %,d differences%n",
                result.rows(), result.differences().size());
        return result.differences().isEmpty() ? 0 : 1;
    }

    @Command(
            name = "migrate",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Copies the archive into another database and compares every row.",
                "Run it beside the service first, and again when the service has stopped: it copies only what is missing. Exit status 1 when differences are left."
            })
    int migrate(
            @Option(
                            names = "--data",
                            paramLabel = "DIR",
                            defaultValue = DefaultPlaces.DATA,
                            description = "The data folder whose archive.db is copied. Default: ${DEFAULT-VALUE}.")
                    Path data,
            @Option(names = "--from", paramLabel = "URL", description = "Another database that is copied.")
                    String fromOrNull,
            @Option(
                            names = "--to",
                            paramLabel = "URL",
                            defaultValue = "${env:FANFARE_ARCHIVE_JDBC_URL}",
                            description =
                                    "The database that takes the copy, as archive.jdbc-url names it. Default: FANFARE_ARCHIVE_JDBC_URL of the environment, which other users of the machine do not see.")
                    String toOrNull) {
        Logging.ofCommand();
        String from = fromOrNull != null
                ? fromOrNull
                : SQLITE + data.toAbsolutePath().normalize().resolve("archive.db");
        if (toOrNull == null || toOrNull.isEmpty()) {
            throw new StartFailed("say where the copy goes: --to URL, or FANFARE_ARCHIVE_JDBC_URL");
        }
        if (from.equals(toOrNull)) {
            throw new StartFailed("both are the same database");
        }
        if (from.startsWith(SQLITE) && !Files.exists(Path.of(from.substring(SQLITE.length())))) {
            throw new StartFailed("there is no archive in " + from.substring(SQLITE.length()));
        }
        Vertx vertx = Vertx.vertx();
        Archive source = patient(vertx, "--from", from);
        Archive target = patient(vertx, "--to", toOrNull);
        try {
            ArchiveCopy.Result result = new ArchiveCopy(source, target, AdminArchiveCommand::reportProgress).run();
            result.differences().forEach(System.out::println);
            System.out.printf(
                    "%,d rows, %,d copied, %,d differences%n", result.rows(), result.copied(), result.different());
            return result.different() == 0 ? 0 : 1;
        } catch (Refusal away) {
            throw new StartFailed("a database does not answer; once it does, the same command goes on");
        } finally {
            source.close().eventually(target::close).eventually(vertx::close).onFailure(late -> {});
        }
    }

    private static void reportProgress(long rows) {
        if (rows % PROGRESS_ROWS == 0) {
            System.err.printf("%,d rows read%n", rows);
        }
    }

    private static Archive patient(Vertx vertx, String option, String url) {
        try {
            return JdbcArchive.of(
                    vertx,
                    SettingsLoader.defaultsWith().archive().at(new Secret(url)).waiting(PATIENCE),
                    new SimpleMeterRegistry());
        } catch (IllegalArgumentException e) {
            throw new StartFailed(option + ": " + e.getMessage());
        }
    }
}
