package io.fanfare.api.export;

import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Lets few archives be made at a time, and of an account one. Confined to one event loop. */
final class ExportLimiter {
    /**
     * Each holds about a megabyte for as long as its reader takes, and of an account with 50,000 pictures 28 MB at its
     * end.
     */
    private static final int AT_ONCE = 8;

    private static final long RETRY_SECONDS = 60;

    /** Longer none may take: slow readers would keep the others out. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final LongSupplier nanos;
    private final Set<Long> running = new HashSet<>();

    /** @param nanos elapsed time */
    ExportLimiter(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Begins one; refuses when too many are running. The place is free again when the pieces are closed.
     *
     * @param good asked before each piece: whether whoever takes it still may
     */
    Future<ChunkSource> begin(long account, Supplier<Future<Void>> good, Supplier<Future<ChunkSource>> export) {
        if (running.contains(account) || running.size() >= AT_ONCE) {
            return Future.failedFuture(Refusal.overloaded(
                    running.contains(account)
                            ? "An archive of this account is being made already: wait until it has come."
                            : "Too many archives are being made at the moment: try again in a minute.",
                    RETRY_SECONDS));
        }
        boolean unused = running.add(account);
        return Future.succeededFuture()
                .compose(begin -> export.get())
                .onFailure(cause -> running.remove(account))
                .map(pieces -> new Held(account, good, pieces));
    }

    private final class Held implements ChunkSource {
        private final long account;
        private final long began = nanos.getAsLong();
        private final Supplier<Future<Void>> good;
        private final ChunkSource pieces;
        private boolean closed;

        private Held(long account, Supplier<Future<Void>> good, ChunkSource pieces) {
            this.account = account;
            this.good = good;
            this.pieces = pieces;
        }

        @Override
        public Future<Buffer> next() {
            return nanos.getAsLong() - began > LONGEST.toNanos()
                    ? Future.failedFuture("it took longer than " + LONGEST)
                    : good.get().compose(still -> pieces.next());
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                boolean unused = running.remove(account);
                pieces.close();
            }
        }
    }
}
