package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Detail;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The claims of accounts on their names and addresses: {@code login} and {@code email} keys, each in its own slot. */
final class Claims {
    /** The life of the claim that a crashed sign-up leaves behind, s. */
    static final int SECONDS = 60;

    /** Life of a claim that is kept for ever, for {@link #keep}. */
    static final int ENDLESS = 0;

    private static final String TAKEN = "has already been taken";

    private static final Script KEEP = Script.load("claim_keep");
    private static final Script DROP = Script.load("claim_drop");

    private final Redis redis;

    Claims(Redis redis) {
        this.redis = redis;
    }

    /**
     * The key that makes a name or an address one account's own.
     *
     * @param address null = that of a name
     */
    record Claim(String field, String key, String address) {
        Command take(long id) {
            return Command.of("SET", key, id, "NX", "EX", SECONDS);
        }

        /** @param life s; {@link #ENDLESS} = for ever */
        Command keep(long id, long life) {
            return KEEP.call(List.of(key), id, life == ENDLESS ? "" : life);
        }

        Command drop(long id) {
            return DROP.call(List.of(key), id, "");
        }

        /** Gives it back after so many seconds. */
        Command dropAfter(long id, long seconds) {
            return DROP.call(List.of(key), id, seconds);
        }
    }

    static Claim username(String username) {
        return new Claim("username", Keys.login(username), null);
    }

    /** @param email empty = none */
    static List<Claim> of(String username, String email) {
        return email.isEmpty() ? List.of(username(username)) : List.of(username(username), address(email));
    }

    /** @param email never empty */
    static Claim address(String email) {
        return new Claim("email", Keys.email(email), email);
    }

    /** Gives back what was claimed before {@code lost}, and says of every field whether it is taken. */
    Future<Void> refuse(List<Claim> claims, int lost, long id) {
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            commands.add(
                    i < lost
                            ? claims.get(i).drop(id)
                            : Command.of("EXISTS", claims.get(i).key()));
        }
        return BatchedPipeline.send(redis, commands).compose(replies -> {
            List<Claim> taken = new ArrayList<>();
            for (int i = lost; i < claims.size(); i++) {
                if (i == lost || replies.get(i).asLong() == 1) {
                    taken.add(claims.get(i));
                }
            }
            return Future.failedFuture(taken(taken));
        });
    }

    static Refusal taken(List<Claim> claims) {
        Map<String, List<Detail>> details = new LinkedHashMap<>();
        for (Claim claim : claims) {
            details.put(claim.field(), List.of(new Detail("ERR_TAKEN", TAKEN)));
        }
        String each = String.join(" " + TAKEN + ", ", details.keySet());
        return new Refusal(Reason.INVALID, "Validation failed: " + each + " " + TAKEN + ".", details);
    }

    /** Gives all of them back that are still this account's. */
    Future<Void> drop(List<Claim> claims, long id) {
        return BatchedPipeline.send(
                        redis, claims.stream().map(claim -> claim.drop(id)).toList())
                .mapEmpty();
    }

    /**
     * Fails when one of the claims has run out: then the account never becomes active, and what is still claimed is
     * given back.
     *
     * @param life s; {@link #ENDLESS} = for ever
     */
    Future<Void> keep(List<Claim> claims, long id, long life) {
        return BatchedPipeline.send(
                        redis,
                        claims.stream().map(claim -> claim.keep(id, life)).toList())
                .compose(kept -> areKept(kept) ? Future.succeededFuture() : abandon(claims, kept, id));
    }

    static boolean areKept(List<Reply> kept) {
        return kept.stream().allMatch(one -> one.asLong() == 1);
    }

    /**
     * The account is removed last: while it exists, the next sign-up that meets one of its claims finishes the removal.
     * A claim without an account would never be given back.
     */
    private Future<Void> abandon(List<Claim> claims, List<Reply> kept, long id) {
        List<Claim> lost = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            if (kept.get(i).asLong() == 0) {
                lost.add(claims.get(i));
            }
        }
        return drop(claims, id)
                .compose(done -> redis.send(Command.of("DEL", Keys.user(id))))
                .compose(done -> Future.failedFuture(taken(lost)));
    }

    /**
     * Gives back a claim whose account is not there, if it lives longer than that of a sign-up under way: it was kept
     * after its account was written. So the account is looked for once more behind the claim: one that is not there
     * then has never been active, or is gone. Whether that has freed the claim.
     */
    Future<Boolean> dropIfLeft(String key, long id) {
        return isKept(key)
                .compose(kept -> kept
                        ? redis.send(Command.of("HEXISTS", Keys.user(id), "state"))
                                .compose(there -> there.asLong() == 1
                                        ? Future.succeededFuture(false)
                                        : redis.send(DROP.call(List.of(key), id, ""))
                                                .map(dropped -> dropped.asLong() == 1))
                        : Future.succeededFuture(false));
    }

    /** Whether a claim lives longer than that of a sign-up under way. */
    Future<Boolean> isKept(String key) {
        return redis.send(Command.of("TTL", key)).map(life -> life.asLong() == -1 || life.asLong() > SECONDS);
    }
}
