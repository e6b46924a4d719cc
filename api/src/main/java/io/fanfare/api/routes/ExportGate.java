package io.fanfare.api.routes;

import io.fanfare.common.export.Pieces;
import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/** Lets few archives be made at a time, and of an account one. Confined to one event loop. */
final class ExportGate {
    /** Each holds about a megabyte, for as long as its reader takes. */
    private static final int AT_ONCE = 8;

    private static final long RETRY_SECONDS = 60;

    private final Set<Long> running = new HashSet<>();

    /** Begins one; refuses when too many are running. The place is free again when the pieces are closed. */
    Future<Pieces> begin(long account, Supplier<Future<Pieces>> export) {
        if (running.contains(account) || running.size() >= AT_ONCE) {
            return Future.failedFuture(Refusal.overloaded(
                    running.contains(account)
                            ? "An archive of this account is being made already: wait until it has come."
                            : "Too many archives are being made at the moment: try again in a minute.",
                    RETRY_SECONDS));
        }
        boolean unused = running.add(account);
        return export.get().onFailure(cause -> running.remove(account)).map(pieces -> new Held(account, pieces));
    }

    private final class Held implements Pieces {
        private final long account;
        private final Pieces pieces;
        private boolean closed;

        private Held(long account, Pieces pieces) {
            this.account = account;
            this.pieces = pieces;
        }

        @Override
        public Future<Buffer> next() {
            return pieces.next();
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
