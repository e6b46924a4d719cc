package io.fanfare.api;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/**
 * One line of the route table. A path's variable part, if it has one, is {@code :id}.
 *
 * @param limit what is counted besides the request itself; {@code REQUESTS} = nothing, {@code NONE} = not even that
 */
record Endpoint(HttpMethod method, String path, Access access, Action action, Limit limit) {
    /** What an endpoint does. What it throws, and what its future fails with, is answered by {@code Problems}. */
    @FunctionalInterface
    interface Action {
        Future<Answer> answer(Call call);
    }

    static Endpoint get(String path, Access access, Action action) {
        return new Endpoint(HttpMethod.GET, path, access, action, Limit.REQUESTS);
    }

    /** An answer that is always the same, for anybody: costs nothing, and is not counted. */
    static Endpoint constant(String path, Answer answer) {
        return new Endpoint(HttpMethod.GET, path, Access.OPEN, call -> Future.succeededFuture(answer), Limit.NONE);
    }

    static Endpoint post(String path, Access access, Action action) {
        return new Endpoint(HttpMethod.POST, path, access, action, Limit.REQUESTS);
    }

    static Endpoint put(String path, Access access, Action action) {
        return new Endpoint(HttpMethod.PUT, path, access, action, Limit.REQUESTS);
    }

    static Endpoint patch(String path, Access access, Action action) {
        return new Endpoint(HttpMethod.PATCH, path, access, action, Limit.REQUESTS);
    }

    static Endpoint delete(String path, Access access, Action action) {
        return new Endpoint(HttpMethod.DELETE, path, access, action, Limit.REQUESTS);
    }

    /** The same, counted against this limit too. */
    Endpoint within(Limit other) {
        return new Endpoint(method, path, access, action, other);
    }
}
