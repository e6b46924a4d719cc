package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accounts that wait for the approval of their sign-up. An applicant has a record, its tokens and its claims, all with
 * a time to live, and an entry in the list of applicants; it is in no other list. An application that nobody decides
 * about therefore ends by itself, and its name is free again.
 */
public final class Applicants {
    private static final Logger LOG = LoggerFactory.getLogger(Applicants.class);

    /** State of an account that waits for approval. */
    static final String APPLIED = "applied";

    /** Seconds after which somebody may apply again who found the list full. */
    private static final int FULL_SECONDS = 3600;

    private static final Script LIST = Script.load("apply_list");
    private static final Script APPROVE = Script.load("approve");
    private static final Script REJECT = Script.load("reject");

    private final Redis redis;
    private final Claims claims;

    public Applicants(Redis redis) {
        this.redis = redis;
        this.claims = new Claims(redis);
    }

    /**
     * The request for an account that needs approval.
     *
     * @param reason for moderators
     * @param life how long it waits for a decision: whole seconds
     * @param max applicants that may wait at once
     */
    public record AdmissionRequest(String reason, Duration life, int max) {
        /** Leaves out the reason, so that no log has it. */
        @Override
        public String toString() {
            return "AdmissionRequest[" + life + "]";
        }

        long seconds() {
            return life.toSeconds();
        }
    }

    /**
     * Lists an account that applies; false when as many wait as may.
     *
     * @param life applications that are older have ended
     */
    Future<Boolean> list(long id, Duration life, int max) {
        long oldest = Math.max(Id.EPOCH_MILLIS, Id.epochMillis(id) - life.toMillis());
        return redis.send(LIST.call(List.of(Keys.APPLICANTS), id, Id.of(oldest, 0, 0), max))
                .map(listed -> listed.asLong() == 1);
    }

    static Refusal full() {
        return Refusal.overloaded(
                "Too many people are waiting for approval on this server: try again later.", FULL_SECONDS);
    }

    /** The ids of those that wait, the earliest first; some may have ended since. */
    public Future<List<Long>> earliest(int max) {
        return redis.send(Command.of("ZRANGE", Keys.APPLICANTS, 0, max - 1))
                .map(reply -> reply.items().stream().map(Reply::asLong).toList());
    }

    /** Never fails: an entry without an applicant is not shown, and goes after as long as an application waits. */
    Future<Void> unlist(long id) {
        return redis.send(Command.of("ZREM", Keys.APPLICANTS, id))
                .<Void>mapEmpty()
                .onFailure(cause -> LOG.debug("applicant {} is still listed cause={}", id, cause.toString()))
                .otherwiseEmpty();
    }

    /**
     * Lets an applicant in: from then on the account is an ordinary one, and the tokens of its sign-up are good. Fails
     * with {@code Refusal(FORBIDDEN)} when it is no applicant (any more), with {@code Refusal(NOT_FOUND)} when there is
     * no such account. A process that dies between two steps leaves an applicant, who can be approved again.
     */
    public Future<Void> approve(long id) {
        return names(id).compose(names -> claims.keep(names.claims(), id, Claims.ENDLESS)
                // Rejected by somebody else at this moment.
                .recover(cause ->
                        cause instanceof Refusal ? Future.failedFuture(Refusal.unknown()) : Future.failedFuture(cause))
                .compose(done -> SignUps.enter(redis, names.username(), id))
                .compose(done -> redis.send(
                        APPROVE.call(List.of(Keys.user(id), Keys.counts(Id.shard(id)), Keys.tokens(id)), id)))
                .compose(approved -> approved.asLong() < 0
                        // Rejected meanwhile, or the application has ended.
                        ? leave(names, id).compose(done -> Future.failedFuture(Refusal.unknown()))
                        : Future.succeededFuture())
                .compose(done -> unlist(id)));
    }

    /**
     * Erases an applicant; name and address are free again. Fails as {@link #approve} does. An approval that was cut
     * may have listed the name.
     */
    public Future<Void> reject(long id) {
        return names(id).compose(names -> redis.send(REJECT.call(List.of(Keys.user(id), Keys.tokens(id))))
                .compose(rejected -> switch ((int) rejected.asLong()) {
                    case 1 -> leave(names, id);
                    case 0 -> Future.failedFuture(notPending());
                    default -> Future.failedFuture(Refusal.unknown());
                }));
    }

    private Future<Void> leave(Names names, long id) {
        List<Command> lists = new ArrayList<>(Directory.left(id));
        lists.add(UsernameIndex.remove(names.username(), id));
        return BatchedPipeline.send(redis, lists)
                .compose(done -> claims.drop(names.claims(), id))
                .compose(done -> unlist(id));
    }

    private record Names(String username, String email) {
        List<Claims.Claim> claims() {
            return Claims.of(username, email);
        }
    }

    private Future<Names> names(long id) {
        return redis.send(Command.of("HMGET", Keys.user(id), "state", "name", "email"))
                .map(Reply::items)
                .map(fields -> {
                    if (fields.get(0).isNil()) {
                        throw Refusal.unknown();
                    }
                    if (!APPLIED.equals(fields.get(0).asString())) {
                        throw notPending();
                    }
                    return new Names(
                            fields.get(1).asString(),
                            fields.get(2).isNil() ? "" : fields.get(2).asString());
                });
    }

    /** For a decision about an account that is no applicant. */
    public static Refusal notPending() {
        return new Refusal(Reason.FORBIDDEN, "This action is not allowed: the account is not pending.");
    }
}
