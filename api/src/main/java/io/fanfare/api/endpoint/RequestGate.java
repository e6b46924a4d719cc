package io.fanfare.api.endpoint;

import io.fanfare.common.model.Post;
import io.fanfare.core.posting.PostGate;
import io.vertx.core.Future;

/** The gate for posts of clients: the memory of Redis, and the limits of an author for a day. */
public record RequestGate(MemoryPressure pressure, RateLimits rates) implements PostGate {
    @Override
    public void checkRoom(long author) {
        pressure.check(author);
    }

    @Override
    public Future<Void> count(Post post) {
        return rates.takePost(post);
    }
}
