package io.fanfare.app;

import io.fanfare.api.oauth.Passwords;
import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.ModerationReport;
import io.fanfare.app.operate.PostReport;
import io.fanfare.app.operate.QueueAccess;
import io.fanfare.app.operate.SelectionReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Meta;
import io.fanfare.core.LoopStores;
import io.fanfare.core.account.SignUpNetworks;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.RedisOptions;
import io.fanfare.server.runtime.StartFailed;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Lends a command the stores of a running service, for one question or several. */
final class RemoteStores {
    /** How long one statement of the archive may take. */
    private static final Duration ARCHIVE_PATIENCE = Duration.ofMinutes(1);

    private RemoteStores() {}

    /** Blocks for the answer; the question runs on the event loop of its link. Fails as the question's future does. */
    static <T> T ask(Settings settings, Function<JobQueue, Future<T>> question) {
        return askRedis(settings, redis -> shards(redis, settings)
                .compose(shards -> question.apply(new JobQueue(redis, shards, settings.queue()))));
    }

    /** The same about accounts. */
    static <T> T askAccounts(Settings settings, Function<AccountReport, Future<T>> question) {
        return askRedis(settings, redis -> shards(redis, settings).compose(shards -> {
            SecureRandom random = new SecureRandom();
            Passwords passwords = new Passwords(Vertx.currentContext().owner(), random, settings.auth());
            return question.apply(new AccountReport(redis, shards, passwords, random))
                    .onComplete(end -> passwords.close());
        }));
    }

    /** The same about posts, those in the archive among them where one is known. */
    static <T> T askPosts(Settings settings, Function<PostReport, Future<T>> question) {
        return askRedis(settings, redis -> shards(redis, settings).compose(shards -> {
            Archive archive = JdbcArchive.of(
                    Vertx.currentContext().owner(),
                    settings.archive().waiting(ARCHIVE_PATIENCE),
                    new SimpleMeterRegistry());
            JobQueue queue = new JobQueue(redis, shards, settings.queue());
            return question.apply(PostReport.of(redis, settings, shards, archive, queue, new SecureRandom()))
                    .eventually(archive::close);
        }));
    }

    /** The same about stores without caches and without an archive, and the queue for their jobs. */
    static <T> T askStores(Settings settings, BiFunction<LoopStores, JobQueue, Future<T>> question) {
        return askRedis(settings, redis -> shards(redis, settings)
                .compose(shards -> question.apply(
                        LoopStores.of(LoopStores.Parts.uncached(
                                redis, settings, shards, Clock.systemUTC(), new SecureRandom())),
                        new JobQueue(redis, shards, settings.queue()))));
    }

    /** The same of the link alone, to a data set of a format that this release reads. */
    static <T> T askRedis(Settings settings, Function<RedisLink, Future<T>> question) {
        return askData(settings.redis().options(), question);
    }

    /** The same as another user. */
    static <T> T askData(RedisOptions options, Function<RedisLink, Future<T>> question) {
        return askRedis(
                options,
                redis -> new Meta(redis, new SecureRandom()).requireFormat().compose(read -> question.apply(redis)));
    }

    /** The same to whatever is there. */
    static <T> T askRedis(RedisOptions options, Function<RedisLink, Future<T>> question) {
        Vertx vertx = newVertx();
        try {
            return await(RedisLink.open(vertx, options)
                    .compose(redis -> question.apply(redis).eventually(redis::close)));
        } finally {
            end(vertx);
        }
    }

    /** Blocks for the answer of a question that needs no Redis. */
    static <T> T askOutside(Function<Vertx, Future<T>> question) {
        Vertx vertx = newVertx();
        try {
            return await(question.apply(vertx));
        } finally {
            end(vertx);
        }
    }

    /** The queue of a running service, for as long as this is not closed. For one thread. */
    static final class Session implements AutoCloseable, QueueAccess {
        private final Vertx vertx = newVertx();
        private final Context context = vertx.getOrCreateContext();
        private RedisLink redis;
        private Shards shards;
        private JobQueue queue;
        private Settings settings;
        private Passwords passwords;

        private Session() {}

        /** Blocks for the answer of a question about accounts. */
        <T> T askAccounts(Function<AccountReport, Future<T>> question) {
            return onLoop(() -> {
                SecureRandom random = new SecureRandom();
                if (passwords == null) {
                    passwords = new Passwords(vertx, random, settings.auth());
                }
                return question.apply(new AccountReport(redis, shards, passwords, random));
            });
        }

        /** Blocks for the answer of a question about roles and the log of acts. */
        <T> T askModeration(Function<ModerationReport, Future<T>> question) {
            return onLoop(() -> question.apply(new ModerationReport(redis, shards, settings, new SecureRandom())));
        }

        /** Blocks for the answer of a question about selections of accounts. */
        <T> T askSelections(Function<SelectionReport, Future<T>> question) {
            return onLoop(() -> question.apply(
                    new SelectionReport(redis, shards, settings, new SecureRandom(), Clock.systemUTC())));
        }

        /** The log of acts; for its event loop. */
        ModerationLog log() {
            return new ModerationLog(redis, settings.log().auditEntries());
        }

        /** The networks of sign-ups; fails when the signing key is not known. */
        SignUpNetworks signUpNetworks() {
            SigningKeys keys = onLoop(() -> new Meta(redis, new SecureRandom()).signingKeys(settings.auth()));
            return new SignUpNetworks(redis, keys, settings.auth().signUpAddressDays());
        }

        @Override
        public int shardCount() {
            return shards.count();
        }

        /** The account of an id, or of a name with or without an @ before it; fails when nobody has the name. */
        long account(String idOrName) {
            long id = Id.parse(idOrName);
            if (id > 0) {
                return id;
            }
            String name = AccountReport.name(idOrName);
            return ask(unused -> new Accounts(redis, shards, new SecureRandom()).holderByUsername(name))
                    .orElseThrow(() -> new StartFailed("no account has the name " + Terminal.printable(idOrName)));
        }

        /** The names of accounts; none of one that there is not. */
        Map<Long, String> names(List<Long> ids) {
            return ask(unused -> new Accounts(redis, shards, new SecureRandom()).load(ids)).values().stream()
                    .collect(Collectors.toMap(Account::id, Account::username));
        }

        /** Blocks for the answer of a question to the link. */
        <T> T askRedis(Function<RedisLink, Future<T>> question) {
            return onLoop(() -> question.apply(redis));
        }

        /** Waits so many ms on the event loop. */
        Future<Void> pause(long millis) {
            return vertx.timer(millis).mapEmpty();
        }

        /** Blocks for the answer, as {@link RemoteStores#ask}. */
        @Override
        public <T> T ask(Function<JobQueue, Future<T>> question) {
            return onLoop(() -> question.apply(queue));
        }

        /** On the event loop of the link, which is opened there. */
        private <T> T onLoop(Supplier<Future<T>> step) {
            Promise<T> promise = Promise.promise();
            context.runOnContext(
                    run -> Future.succeededFuture().compose(none -> step.get()).onComplete(promise));
            return await(promise.future());
        }

        @Override
        public void close() {
            if (passwords != null) {
                passwords.close();
            }
            if (redis != null) {
                Void unused = onLoop(redis::close);
            }
            end(vertx);
        }
    }

    static Session open(Settings settings) {
        Session session = new Session();
        session.settings = settings;
        try {
            session.redis = session.onLoop(
                    () -> RedisLink.open(session.vertx, settings.redis().options()));
            session.shards = session.onLoop(() -> shards(session.redis, settings));
            session.queue = new JobQueue(session.redis, session.shards, settings.queue());
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    static Future<Shards> shards(RedisLink redis, Settings settings) {
        return new Meta(redis, new SecureRandom()).join(settings.redis().shards());
    }

    private static Vertx newVertx() {
        return Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    }

    private static <T> T await(Future<T> answer) {
        try {
            return answer.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException unchecked ? unchecked : e;
        }
    }

    private static void end(Vertx vertx) {
        // Its threads end with it; the answer does not wait for them.
        vertx.close().onFailure(late -> {});
    }
}
