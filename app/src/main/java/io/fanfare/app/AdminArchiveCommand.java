package io.fanfare.app;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.archive.JdbcArchive;
import io.fanfare.common.id.Shards;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.runtime.StartFailed;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.ArchivePass;
import io.fanfare.common.store.Meta;
import io.fanfare.common.verify.ArchiveCheck;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code fanfare admin archive}: the SQL archive of old statuses. */
@Command(
        name = "archive",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Look into the archive of old statuses.")
final class AdminArchiveCommand {
    /** What is asked, on the event loop of a link. */
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
            Archive archive = JdbcArchive.of(vertx, settings.archive(), new SimpleMeterRegistry());
            return new Meta(redis, new SecureRandom())
                    .join(settings.redis().shards())
                    .compose(shards -> question.ask(vertx, redis, shards, archive))
                    .eventually(archive::close);
        });
    }

    @Command(
            name = "stats",
            mixinStandardHelpOptions = true,
            description = "Rows, their bytes, and what waits to be moved.")
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
}
