package io.fanfare.api.account;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;

/**
 * Owns {@code notes} keys: what accounts have noted about others, which they alone see.
 * {@code ViewerRelationshipsReader.details} reads them.
 */
public final class Notes {
    /** Accounts that one may have notes about. */
    public static final int MAX = 500;

    private static final Script SET = Script.load("set_note");

    private final Redis redis;

    public Notes(Redis redis) {
        this.redis = redis;
    }

    /**
     * Sets the note of an account about another, which the caller has made sure exists; an empty text ends it. Refuses
     * notes about more than {@link #MAX} accounts ({@code INVALID}), and an account that is not active
     * ({@code FORBIDDEN}).
     *
     * @param text of a length that the caller has checked
     */
    public Future<Void> set(long account, long about, String text) {
        if (text.isEmpty()) {
            return redis.sendSafely(Command.of("HDEL", Keys.notes(account), about))
                    .mapEmpty();
        }
        return redis.send(SET.call(List.of(Keys.user(account), Keys.notes(account)), about, text, MAX))
                .compose(answer -> switch (answer.asString()) {
                    case "set" -> Future.succeededFuture();
                    case "inactive" ->
                        Future.failedFuture(new Refusal(Reason.FORBIDDEN, "This account cannot do that."));
                    case "full" ->
                        Future.failedFuture(new Refusal(
                                Reason.INVALID,
                                "You have notes about " + MAX
                                        + " accounts, which is the most that is allowed: empty one first."));
                    default -> throw new IllegalStateException("set_note answered " + answer);
                });
    }
}
