package io.fanfare.app.operate;

import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Meta;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.secret.Secret;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.Verifier.Watcher;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One {@link Verifier} with links of its own to the Redis of a running service. To be called on an event loop. */
public final class VerifyRun {
    private static final String SQLITE = "jdbc:sqlite:";

    /** How long one statement of the archive may take: what an author has is counted. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final Settings settings;
    private final Optional<Secret> administrator;

    /**
     * @param settings those of the service
     * @param administrator where Redis takes its administrator, who alone may list keys; empty = {@code redis.url} does
     */
    public VerifyRun(Vertx vertx, Settings settings, Optional<Secret> administrator) {
        this.vertx = vertx;
        this.settings = settings;
        this.administrator = administrator;
    }

    /**
     * The administrator's address of the redis-server that {@code up} has started on a data folder; empty = none runs.
     */
    public static Optional<Secret> administratorOf(Path data) {
        return RedisProcess.running(data.resolve("redis")).map(RedisProcess::url);
    }

    /**
     * Verifies, and repairs if asked to; of everything the rows of the archive too, if the settings name one. Fails
     * when Redis is not there or holds another data set.
     */
    public Future<Report> run(Scope scope, boolean repair, Watcher watcher) {
        Archive archive = archive();
        return with(
                        settings.redis().options(),
                        redis -> with(
                                administrator
                                        .map(settings.redis().options()::at)
                                        .orElse(settings.redis().options()),
                                lister -> new Meta(redis, new SecureRandom())
                                        .join(settings.redis().shards())
                                        .compose(shards -> new Verifier(
                                                        redis,
                                                        lister,
                                                        shards,
                                                        settings,
                                                        archive,
                                                        this::pause,
                                                        watcher,
                                                        scope,
                                                        repair)
                                                .run())))
                .eventually(archive::close);
    }

    /** None where nothing has moved yet: to look into a file that is not there would make it. */
    private Archive archive() {
        String url = settings.archive().jdbcUrl().reveal();
        boolean absent = url.startsWith(SQLITE) && !Files.exists(Path.of(url.substring(SQLITE.length())));
        return absent
                ? Archive.none()
                : JdbcArchive.of(vertx, settings.archive().waiting(PATIENCE), new SimpleMeterRegistry());
    }

    /** The account of a user name in lower case; empty when nobody has it. */
    public Future<Optional<Long>> account(String username) {
        return with(settings.redis().options(), redis -> {
            SecureRandom random = new SecureRandom();
            return new Meta(redis, random)
                    .join(settings.redis().shards())
                    .compose(shards -> new Accounts(redis, shards, random).idByUsername(username));
        });
    }

    private Future<Void> pause(long millis) {
        return vertx.timer(millis, TimeUnit.MILLISECONDS).mapEmpty();
    }

    private <T> Future<T> with(RedisOptions where, Function<RedisLink, Future<T>> step) {
        return RedisLink.open(vertx, where).compose(redis -> step.apply(redis).eventually(redis::close));
    }
}
