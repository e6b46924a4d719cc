package io.fanfare.api.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ExportLimiterTest {
    private static final long ANN = 1;

    private long now;
    private Future<Void> good = Future.succeededFuture();
    private final ExportLimiter gate = new ExportLimiter(() -> now);

    private Future<ChunkSource> begin() {
        return begin(() -> Future.succeededFuture(ChunkSource.of(Buffer.buffer("x"))));
    }

    private Future<ChunkSource> begin(Supplier<Future<ChunkSource>> export) {
        return gate.begin(ANN, () -> good, export);
    }

    @Test
    void anAccountHasOnePlaceUntilItsPiecesAreClosed() {
        ChunkSource first = begin().result();
        assertThat(begin().cause()).isInstanceOf(Refusal.class);
        first.close();
        first.close();
        assertThat(begin().succeeded()).isTrue();
    }

    @Test
    void anExportThatFailsAtOnceFreesItsPlace() {
        assertThat(begin(() -> Future.failedFuture("no")).failed()).isTrue();
        assertThat(begin(() -> {
                            throw new IllegalStateException("no");
                        })
                        .failed())
                .isTrue();
        assertThat(begin().succeeded()).isTrue();
    }

    @Test
    void anArchiveEndsWithItsToken() {
        ChunkSource pieces = begin().result();
        good = Future.failedFuture("revoked");
        assertThat(pieces.next().failed()).isTrue();
    }

    @Test
    void anArchiveEndsAfterAnHour() {
        ChunkSource pieces = begin().result();
        now = Duration.ofHours(1).toNanos();
        assertThat(pieces.next().result()).isEqualTo(Buffer.buffer("x"));
        now++;
        assertThat(pieces.next().failed()).isTrue();
    }
}
