package io.fanfare.api.endpoint;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.server.http.Parameters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * One request as an endpoint sees it: authenticated, its body read.
 *
 * @param query the parameters of the URL alone
 * @param principal null = nobody in particular; never null where the endpoint's access asks for a token
 * @param pathId the part of the path that stands for {@code :id}; null when it has none
 * @param pathName the part of the path that stands for {@code :name}; null when it has none
 */
public record Call(
        HttpServerRequest request,
        MultiMap query,
        Principal principal,
        Parameters parameters,
        String pathId,
        String pathName) {
    private static final CharSequence IDEMPOTENCY_KEY = HttpHeaders.createOptimized("Idempotency-Key");
    private static final int IDEMPOTENCY_KEY_CHARS_MAX = 255;

    /** The user's id; 0 when nobody is logged in. */
    public long viewer() {
        return principal == null ? 0 : principal.userId();
    }

    /** The id in the path; what cannot be an id is as unknown as an id that nothing has. */
    public long id() {
        long id = Id.parse(pathId);
        if (id <= 0) {
            throw Refusal.unknown();
        }
        return id;
    }

    /** The Idempotency-Key; null when there is none. */
    public String idempotencyKey() {
        String key = request.getHeader(IDEMPOTENCY_KEY);
        if (key == null || key.isBlank()) {
            return null;
        }
        if (key.length() > IDEMPOTENCY_KEY_CHARS_MAX) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED,
                    "The Idempotency-Key must have at most " + IDEMPOTENCY_KEY_CHARS_MAX + " characters.");
        }
        return key;
    }

    /** The same call with one more parameter in its URL: for links that lead on from its answer. */
    public Call with(String name, long value) {
        MultiMap more = MultiMap.caseInsensitiveMultiMap().addAll(query).set(name, Long.toString(value));
        return new Call(request, more, principal, parameters, pathId, pathName);
    }
}
