package io.fanfare.app;

import io.fanfare.api.export.AccountExport;
import io.fanfare.api.export.ChunkSource;
import io.fanfare.app.operate.AccountReport;
import io.fanfare.app.operate.Terminal;
import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Meta;
import io.fanfare.core.LoopStores;
import io.fanfare.core.emoji.Emojis;
import io.fanfare.core.emoji.KnownEmojis;
import io.fanfare.media.MediaStore;
import io.fanfare.redis.RedisLink;
import io.fanfare.server.runtime.StartFailed;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;

/** Writes the archive of an account to a file. For one thread. */
final class ExportRun {
    /** How long one statement of the archive may take. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Settings settings;
    private final SecureRandom random = new SecureRandom();

    ExportRun(Settings settings) {
        this.settings = settings;
    }

    /** The temporary name of the file until the export is complete. */
    static Path part(Path file) {
        return Path.of(file + ".part");
    }

    /** Blocks until the file is whole: its length. Neither it nor its {@link #part} may be there before. */
    long write(String nameOrId, Path file) {
        return RemoteStores.askRedis(settings, redis -> {
            Vertx vertx = Vertx.currentContext().owner();
            Archive archive = settings.archive().jdbcUrl().isSet()
                    ? JdbcArchive.of(vertx, settings.archive().waiting(PATIENCE), new SimpleMeterRegistry())
                    : Archive.none();
            return new Meta(redis, random)
                    .join(settings.redis().shards())
                    .compose(shards -> export(vertx, redis, shards, archive, nameOrId))
                    .compose(pieces -> written(vertx, pieces, file).eventually(() -> {
                        pieces.close();
                        return Future.succeededFuture();
                    }))
                    .eventually(archive::close);
        });
    }

    private Future<ChunkSource> export(Vertx vertx, RedisLink redis, Shards shards, Archive archive, String nameOrId) {
        MediaStore media =
                settings.media().isOffered() ? MediaStore.of(vertx, settings.media(), random, Clock.systemUTC()) : null;
        KnownEmojis emojis = new KnownEmojis(new Emojis(redis));
        LoopStores stores =
                LoopStores.of(LoopStores.Parts.uncached(redis, settings, shards, emojis, Clock.systemUTC(), random)
                        .with(archive));
        AccountExport export = new AccountExport(vertx, stores, media);
        return id(stores.accounts(), nameOrId).compose(id -> export.of(id, AccountExport.Reader.OPERATOR));
    }

    private static Future<Long> id(Accounts accounts, String nameOrId) {
        long id = Id.parse(nameOrId);
        return id > 0
                ? Future.succeededFuture(id)
                : accounts.holderByUsername(AccountReport.name(nameOrId))
                        .map(found -> found.orElseThrow(
                                () -> new StartFailed("no account has the name " + Terminal.printable(nameOrId))));
    }

    /** Under another name until it is whole, so that nobody takes a part of it for all. */
    private static Future<Long> written(Vertx vertx, ChunkSource pieces, Path path) {
        OpenOptions created = new OpenOptions().setCreateNew(true).setPerms("rw-------");
        String part = part(path).toString();
        return vertx.fileSystem().open(part, created).compose(file -> new Writing(pieces, file, Vertx.currentContext())
                .run()
                .compose(bytes -> file.flush().map(bytes))
                .eventually(file::close)
                .compose(bytes -> vertx.fileSystem().move(part, path.toString()).map(bytes))
                .recover(cause -> Future.<Long>failedFuture(cause)
                        .eventually(() -> vertx.fileSystem().delete(part))));
    }

    /** One piece after the other. */
    private static final class Writing {
        private final ChunkSource pieces;
        private final AsyncFile file;
        private final Context context;
        private final Promise<Long> done = Promise.promise();
        private long bytes;

        Writing(ChunkSource pieces, AsyncFile file, Context context) {
            this.pieces = pieces;
            this.file = file;
            this.context = context;
        }

        Future<Long> run() {
            step();
            return done.future();
        }

        private void step() {
            Future.succeededFuture().compose(begin -> pieces.next()).onComplete(this::write, done::fail);
        }

        private void write(Buffer piece) {
            if (piece == null) {
                done.complete(bytes);
                return;
            }
            bytes += piece.length();
            file.write(piece).onComplete(written -> context.runOnContext(next -> step()), done::fail);
        }
    }
}
