package io.fanfare.api.export;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Function;

/**
 * Bytes that are made as they are taken: whoever reads asks for the next piece when it has room for it. One event loop.
 */
public interface ChunkSource {
    /** The next piece, which may be empty; null = there are no more. To be asked when the last one has come. */
    Future<Buffer> next();

    /** Lets go of what is held, at the end too; may be called more than once. */
    default void close() {}

    /** These bytes, in one piece. */
    static ChunkSource of(Buffer whole) {
        return walk(0, state -> Future.succeededFuture(new Step<>(whole, null)));
    }

    /**
     * The result of a step of a walk.
     *
     * @param next where the walk goes on; null = nowhere
     */
    record Step<S>(Buffer piece, S next) {}

    /**
     * The pieces of a walk through pages.
     *
     * @param from where it begins
     * @param step reads a page
     */
    static <S> ChunkSource walk(S from, Function<S, Future<Step<S>>> step) {
        return new Walk<>(from, step);
    }

    /** One after the other. */
    static ChunkSource all(List<ChunkSource> parts) {
        return walk(
                0,
                at -> at == parts.size()
                        ? Future.succeededFuture(new Step<>(Buffer.buffer(), null))
                        : parts.get(at)
                                .next()
                                .map(piece ->
                                        piece == null ? new Step<>(Buffer.buffer(), at + 1) : new Step<>(piece, at)));
    }

    /** The same, whose first piece has been made: what fails at once fails here. */
    static Future<ChunkSource> begun(ChunkSource pieces) {
        return Future.succeededFuture()
                .compose(begin -> pieces.next())
                .<ChunkSource>map(first -> new PrefetchedChunks(first, pieces))
                .onFailure(cause -> pieces.close());
    }
}
