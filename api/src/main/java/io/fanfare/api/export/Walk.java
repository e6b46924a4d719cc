package io.fanfare.api.export;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.function.Function;

/** See {@link ChunkSource#walk}. */
final class Walk<S> implements ChunkSource {
    private final Function<S, Future<Step<S>>> step;
    private S at;

    Walk(S from, Function<S, Future<Step<S>>> step) {
        this.at = from;
        this.step = step;
    }

    @Override
    public Future<Buffer> next() {
        return at == null
                ? Future.succeededFuture()
                : step.apply(at).map(found -> {
                    at = found.next();
                    return found.piece();
                });
    }
}
