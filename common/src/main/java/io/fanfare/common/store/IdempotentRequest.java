package io.fanfare.common.store;

import java.util.Arrays;
import java.util.List;

/**
 * A request that makes one status, however often it comes.
 *
 * @param key its Idempotency-Key
 * @param asked what it asks for, in its client's words. Never what was made of them: names and ids may stand for
 *     something else, and the author's preferences be others, when it comes again.
 */
public record IdempotentRequest(String key, List<String> asked) {

    /** Null without a key: such a request is a new one each time. */
    public static IdempotentRequest of(String key, Object... asked) {
        return key == null
                ? null
                : new IdempotentRequest(
                        key, Arrays.stream(asked).map(String::valueOf).toList());
    }
}
