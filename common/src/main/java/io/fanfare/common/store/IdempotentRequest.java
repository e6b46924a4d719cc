package io.fanfare.common.store;

import java.util.Arrays;
import java.util.List;

/**
 * A request that makes one status, however often it comes.
 *
 * @param key its Idempotency-Key
 * @param values the parameters as the client sent them, not as the server read them: when the request comes again, a
 *     name or an id may stand for something else, and the author's preferences may be others
 */
public record IdempotentRequest(String key, List<String> values) {

    /** Null without a key: such a request is a new one each time. */
    public static IdempotentRequest of(String key, Object... values) {
        return key == null
                ? null
                : new IdempotentRequest(
                        key, Arrays.stream(values).map(String::valueOf).toList());
    }
}
