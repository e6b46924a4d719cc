package io.fanfare.app;

import io.fanfare.app.backup.BackupReader;
import io.fanfare.app.backup.Manifest;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Moves;
import io.fanfare.redis.Command;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ServerInfo;
import io.fanfare.redis.embedded.PrivateFiles;
import io.fanfare.redis.embedded.RedisProcess;
import io.fanfare.redis.embedded.RedisProcess.AppendSync;
import io.fanfare.redis.embedded.ServerBinary;
import io.fanfare.secret.Secret;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Makes {@code DATA/redis} from the snapshots of a backup: the first becomes the base of an append-only file, and a
 * redis-server that is started on it for a moment takes the keys of the others. Snapshots have whole servers: keys
 * outside the namespace of the site are deleted. Then the event log begins a new epoch, for clients may hold numbers
 * that it gives out again. Blocking.
 */
final class RestoredRedis {
    private static final String BASE = "appendonly.aof.1.base.rdb";

    /** Keys that go over in one step. */
    private static final String PAGE = "500";

    /** A large key takes its time to be written on both sides. */
    private static final Duration HAND_OVER_MAX = Duration.ofMinutes(2);

    /** A rewrite writes the whole data set. */
    private static final Duration REWRITE_MAX = Duration.ofMinutes(30);

    private static final Duration REWRITE_POLL = Duration.ofMillis(100);

    /**
     * Deletes the keys of one page of SCAN that do not begin with ARGV[2]; answers the next cursor and their number. A
     * script, since keys of others may be no text.
     */
    private static final String DELETE_OTHERS = """
            local page = redis.call('SCAN', ARGV[1], 'COUNT', ARGV[3])
            local deleted = 0
            for _, key in ipairs(page[2]) do
              if string.sub(key, 1, #ARGV[2]) ~= ARGV[2] then
                deleted = deleted + redis.call('UNLINK', key)
              end
            end
            return { page[1], deleted }
            """;

    private RestoredRedis() {}

    /** Answers the new epoch. Fails with an {@link IllegalStateException}, among others when a server is too old. */
    static String fill(BackupReader backup, Path data, Consumer<String> progress) throws IOException {
        Manifest manifest = backup.manifest();
        Namespace namespace = Namespace.of(manifest.namespace());
        Path dir = data.resolve("redis");
        Path files = dir.resolve("appendonlydir");
        PrivateFiles.createDirectories(files);
        backup.extract(manifest.redis().get(0).part(), files.resolve(BASE));
        Path list = files.resolve("appendonly.aof.manifest");
        PrivateFiles.create(list);
        Files.writeString(list, "file " + BASE + " seq 1 type b\n", StandardCharsets.US_ASCII);
        progress.accept(
                "redis: loading a snapshot of " + manifest.redis().get(0).version());
        Secret password = new Secret(EmbeddedRedis.randomPassword());
        RedisProcess.Options options =
                RedisProcess.Options.in(dir).appendSync(AppendSync.EVERYSEC).password(password);
        // Every write is on the disk when it stops.
        try (RedisProcess server = start(options, manifest.redis().get(0))) {
            for (Manifest.RedisPart other :
                    manifest.redis().subList(1, manifest.redis().size())) {
                progress.accept("redis: adding the snapshot of " + other.node());
                add(backup, other, namespace, data.resolve("redis-of-backup"), server.port(), password);
            }
            long deleted = deleteOthers(server, namespace);
            if (deleted > 0) {
                progress.accept("redis: " + deleted + " keys of other sites or programs are left out");
                rewrite(server);
            }
            return begin(server, manifest);
        }
    }

    private static RedisProcess start(RedisProcess.Options options, Manifest.RedisPart part) {
        ServerBinary program = ServerBinary.find();
        try {
            return RedisProcess.start(program, options);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "the snapshot of " + part.version() + " cannot be loaded by " + program
                            + "; if that is older, install the same version or a newer one: " + e.getMessage(),
                    e);
        }
    }

    /** By a server of its own, which hands over the keys of the namespace. */
    private static void add(
            BackupReader backup, Manifest.RedisPart part, Namespace namespace, Path dir, int port, Secret password)
            throws IOException {
        PrivateFiles.createDirectories(dir);
        backup.extract(part.part(), dir.resolve("dump.rdb"));
        RedisProcess.Options options =
                RedisProcess.Options.in(dir).appendSync(AppendSync.OFF).password(password);
        try (RedisProcess source = start(options, part)) {
            String cursor = "0";
            do {
                List<Reply> page = answer(source, "SCAN", cursor, "MATCH", namespace.pattern(), "COUNT", PAGE)
                        .items();
                cursor = page.get(0).asString();
                handOver(source, page.get(1).items(), port, password);
            } while (!cursor.equals("0"));
        }
        PrivateFiles.remove(dir);
    }

    private static long deleteOthers(RedisProcess server, Namespace namespace) throws IOException {
        long deleted = 0;
        String cursor = "0";
        do {
            List<Reply> page = answer(server, "EVAL", DELETE_OTHERS, "0", cursor, namespace.prefix(), PAGE)
                    .items();
            cursor = page.get(0).asString();
            deleted += page.get(1).asLong();
        } while (!cursor.equals("0"));
        return deleted;
    }

    /** Waits until the append-only file has no deleted data any more. */
    private static void rewrite(RedisProcess server) throws IOException {
        Reply unused = answer(server, "BGREWRITEAOF");
        long until = System.nanoTime() + REWRITE_MAX.toNanos();
        ServerInfo info = persistence(server);
        while (info.number("aof_rewrite_in_progress") + info.number("aof_rewrite_scheduled") > 0) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("the append-only file was not rewritten within "
                        + REWRITE_MAX.toMinutes() + " minutes: restore to a faster disk");
            }
            LockSupport.parkNanos(REWRITE_POLL.toNanos());
            info = persistence(server);
        }
        if (!info.text("aof_last_bgrewrite_status").equals("ok")) {
            throw new IllegalStateException(
                    "the append-only file cannot be rewritten: look for room on the disk, and restore again");
        }
    }

    private static ServerInfo persistence(RedisProcess server) throws IOException {
        return ServerInfo.of(answer(server, "INFO", "persistence").asString());
    }

    private static void handOver(RedisProcess source, List<Reply> keys, int port, Secret password) throws IOException {
        if (keys.isEmpty()) {
            return;
        }
        List<String> words = new ArrayList<>(List.of(
                "MIGRATE",
                "127.0.0.1",
                Integer.toString(port),
                "",
                "0",
                Long.toString(HAND_OVER_MAX.toMillis()),
                "COPY",
                "REPLACE",
                "AUTH",
                password.reveal(),
                "KEYS"));
        keys.forEach(key -> words.add(key.asString()));
        Reply unused = answer(source, words.toArray(String[]::new));
    }

    private static Reply answer(RedisProcess server, String... command) throws IOException {
        Reply reply = server.ask(HAND_OVER_MAX, command);
        if (reply instanceof Reply.Failure failure) {
            throw failure.error();
        }
        return reply;
    }

    private static String begin(RedisProcess server, Manifest manifest) {
        Settings settings = SettingsLoader.defaultsWith(
                "redis.shards=" + manifest.shards(), "redis.namespace=" + manifest.namespace());
        return RemoteStores.askRedis(settings.redis().options().at(server.url()), redis -> {
            EventLog events = new EventLog(redis, new SecureRandom(), settings.stream());
            return newGenerations(redis, manifest)
                    .compose(begun -> events.state())
                    .compose(state -> events.renewEpoch(state.epoch()));
        });
    }

    /**
     * The snapshots of several servers are moments apart: a home may lack what was delivered between, so each is built
     * anew when it is read.
     */
    private static Future<Void> newGenerations(RedisLink redis, Manifest manifest) {
        List<Command> commands = new ArrayList<>();
        if (manifest.redis().size() > 1) {
            for (int shard = 0; shard < manifest.shards(); shard++) {
                commands.add(Command.of("INCR", Keys.homeGeneration(shard)));
            }
        }
        // A backup of a Redis that the data have left is a site again.
        commands.add(Command.of("HDEL", Keys.META, Moves.FIELDS.toArray()));
        return BatchedPipeline.send(redis, commands).mapEmpty();
    }
}
