package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.PushSubscription;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.WakeTokens;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns {@code push} keys: the push subscriptions of accounts, one for each access token, which ends with its token. The
 * scripts that add a notification enqueue a job for each that wants word of it ({@code lib/push}).
 */
public final class PushSubscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(PushSubscriptions.class);

    /** Subscriptions of one account. */
    public static final int MAX = 50;

    /** The lane of pushes: behind what people wait for in an app that they look at. */
    public static final Lane LANE = Lane.NORMAL;

    /** Pushes that are remembered of a subscription while their jobs are put off: the newest notifications. */
    public static final int SENT_MAX = 32;

    private static final String NOTHING = "-";
    private static final Script SUBSCRIBE = Script.load("push_subscribe");
    private static final Script UPDATE = Script.load("push_update");
    private static final Script READ = Script.load("push_read");
    private static final Script NOTE = Script.load("push_note");

    private final Redis redis;
    private final WakeTokens wakes;

    public PushSubscriptions(Redis redis) {
        this.redis = redis;
        this.wakes = new WakeTokens(redis);
    }

    /** How a push went. */
    public enum Verdict {
        SENT("sent"),
        /** It was not taken; the subscription ends when that goes on. */
        FAILED("failed"),
        /** The push service does not know the subscription any more, which ends it. */
        GONE("gone");

        private final String wire;

        Verdict(String wire) {
            this.wire = wire;
        }
    }

    /**
     * One that was found.
     *
     * @param tokenId the access token that it belongs to
     */
    public record Found(String tokenId, PushSubscription subscription) {}

    /**
     * Subscribes an access token, in place of a former subscription of it. Refuses more than {@link #MAX} of an account
     * ({@code INVALID}), an account that is not active ({@code FORBIDDEN}) and a token that was revoked meanwhile
     * ({@code UNAUTHENTICATED}). Answers it with its id.
     *
     * @param wanted its id is not looked at
     */
    public Future<PushSubscription> subscribe(long account, String tokenId, PushSubscription wanted) {
        String rest = rest(wanted);
        List<String> keys = List.of(Keys.user(account), Keys.tokens(account), Keys.push(account));
        return redis.send(SUBSCRIBE.call(keys, tokenId, rest, MAX)).compose(answer -> switch (answer.asString()) {
            case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot do that.");
            case "ended" -> refuse(Reason.UNAUTHENTICATED, "The access token was revoked: log in again.");
            case "full" ->
                refuse(
                        Reason.INVALID,
                        "You have " + MAX
                                + " push subscriptions, which is the most that is allowed: log out of an app that you do not use any more.");
            default -> Future.succeededFuture(of(answer.asString() + " " + rest));
        });
    }

    private static Future<PushSubscription> refuse(Reason reason, String sentence) {
        return Future.failedFuture(new Refusal(reason, sentence));
    }

    /** That of an access token. */
    public Future<Optional<PushSubscription>> find(long account, String tokenId) {
        return redis.send(Command.of("HGET", Keys.push(account), tokenId)).map(PushSubscriptions::optional);
    }

    /** Changes of what it tells; answers it as it is then, empty when the token has none. */
    public Future<Optional<PushSubscription>> update(
            long account, String tokenId, Set<String> alerts, PushSubscription.Policy policy) {
        return redis.send(UPDATE.call(List.of(Keys.push(account)), tokenId, alerts(alerts), policy.wire()))
                .map(PushSubscriptions::optional);
    }

    /** Ends that of an access token; nothing when there is none. */
    public Future<Void> end(long account, String tokenId) {
        return redis.sendSafely(Command.of("HDEL", Keys.push(account), tokenId)).mapEmpty();
    }

    /** One by its id, if its access token is good at this moment. */
    public Future<Optional<Found>> read(long account, long id) {
        return redis.send(READ.call(List.of(Keys.push(account), Keys.tokens(account)), id))
                .map(reply -> reply.items().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Found(
                                reply.items().get(0).asString(),
                                of(reply.items().get(1).asString()))));
    }

    /**
     * Notes how a push went; answers whether the subscription has ended.
     *
     * @param patience for how long a subscription may fail
     * @param sentAside a notification that was sent while its job was put off; 0 = none
     */
    public Future<Boolean> note(long account, Found found, Verdict verdict, Duration patience, long sentAside) {
        return redis.send(NOTE.call(
                        List.of(Keys.push(account)),
                        "",
                        found.tokenId(),
                        found.subscription().id(),
                        verdict.wire,
                        patience.toMillis(),
                        sentAside == 0 ? "" : sentAside,
                        SENT_MAX))
                .map(ended -> ended.asLong() == 1);
    }

    /**
     * Tells waiting workers that the shard of an account may have pushes, if the account has subscriptions. Best
     * effort: a worker finds them in any case when it polls.
     */
    public void wake(long account) {
        redis.send(Command.of("EXISTS", Keys.push(account)))
                .compose(there -> there.asLong() == 1 ? wakes.wake(Id.shard(account)) : Future.succeededFuture())
                .onFailure(cause -> LOG.debug("no worker was woken for pushes cause={}", cause.getMessage()));
    }

    private static Optional<PushSubscription> optional(Reply reply) {
        return reply.isNil() ? Optional.empty() : Optional.of(of(reply.asString()));
    }

    /** Everything behind the id, see {@code push_subscribe.lua}. */
    private static String rest(PushSubscription one) {
        return String.join(
                " ",
                Long.toString(one.failingSince()),
                alerts(one.alerts()),
                one.policy().wire(),
                one.standard() ? "1" : "0",
                NOTHING,
                one.p256dh(),
                one.auth(),
                one.endpoint(),
                one.sealedToken().isEmpty() ? NOTHING : one.sealedToken());
    }

    private static String alerts(Set<String> alerts) {
        return alerts.isEmpty() ? NOTHING : String.join(",", new TreeSet<>(alerts));
    }

    private static PushSubscription of(String line) {
        String[] words = line.split(" ", 10);
        List<Long> sent = new ArrayList<>();
        for (String each : list(words[5])) {
            sent.add(Long.parseLong(each));
        }
        return new PushSubscription(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Set.of(list(words[2])),
                PushSubscription.Policy.of(words[3]),
                words[4].equals("1"),
                sent,
                words[6],
                words[7],
                words[8],
                words[9].equals(NOTHING) ? "" : words[9]);
    }

    private static String[] list(String text) {
        return text.equals(NOTHING) ? new String[0] : text.split(",", -1);
    }
}
