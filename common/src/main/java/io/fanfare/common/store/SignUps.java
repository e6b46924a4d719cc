package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Detail;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps by which accounts come into being. Name, address and account lie in three slots, so no script does all:
 * claims with a time to live, the account as joining, the claims for ever, the name in the index, the account active. A
 * sign-up may die between any two; what it leaves runs out, or is finished by whoever meets one of its claims.
 */
final class SignUps {
    private static final Logger LOG = LoggerFactory.getLogger(SignUps.class);

    private static final String TAKEN = "has already been taken";

    private static final Script DRAW_ID = Script.load("account_id");
    private static final Script KEEP = Script.load("claim_keep");
    private static final Script DROP = Script.load("claim_drop");
    private static final Script ACTIVATE = Script.load("activate");

    private static final Script SIGN_UP = Script.load("sign_up");
    private static final Script RELEASE = Script.load("address_release");

    /** How long a claim holds that a crashed sign-up leaves behind, s. */
    private static final int CLAIM_SECONDS = 60;

    /**
     * How long an account waits for the end of its sign-up, s: much longer than any process stands still between two
     * steps.
     */
    private static final int JOINING_SECONDS = 86_400;

    /** How long the Idempotency-Key of a sign-up is remembered, s. */
    private static final int ONCE_SECONDS = 3600;

    /** How long an address is claimed that waits for a confirmation. */
    private static final long UNCONFIRMED_MILLIS = Duration.ofDays(1).toMillis();

    /** The account waits for the end of its sign-up. */
    private static final String JOINING = "joining";

    /** The same in older versions, whose accounts do not go by themselves. */
    private static final String PENDING = "pending";

    private final Redis redis;
    private final Shards shards;
    private final RandomGenerator random;
    private final boolean confirmed;

    /** @param confirmed see {@link Accounts} */
    SignUps(Redis redis, Shards shards, RandomGenerator random, boolean confirmed) {
        this.confirmed = confirmed;
        this.redis = redis;
        this.shards = shards;
        this.random = random;
    }

    /** {@link Accounts#signUp}. */
    Future<Account> signUp(String username, String email, String passwordHash, IdempotentRequest once) {
        return id(username, once).compose(id -> signUp(id, username, email, passwordHash));
    }

    private Future<Account> signUp(long id, String username, String email, String passwordHash) {
        List<Claim> claims = claims(username, email);
        return claim(claims, 0, id)
                .compose(done -> redis.send(joining(id, username, email, passwordHash, confirmed)))
                .compose(written -> written.asLong() == 1
                        ? Future.succeededFuture()
                        : Future.failedFuture(taken(claims.subList(0, 1))))
                .compose(done -> keep(claims, id))
                .compose(done -> enter(username, id))
                .compose(done -> redis.send(active(id)))
                .compose(active -> active.asLong() < 0
                        ? Future.failedFuture(new IllegalStateException("a sign-up took longer than a day"))
                        : Future.succeededFuture(new Account(id, username, "", "", 0, 0, 0, 0)));
    }

    /**
     * The id of the account that this request makes. A repeated request uses the id of an attempt that has claimed the
     * name and ended before it wrote the account: otherwise that claim would refuse the repetition for a minute.
     *
     * @param once null = it has no Idempotency-Key
     */
    private Future<Long> id(String username, IdempotentRequest once) {
        if (once == null) {
            return drawIds(1).map(ids -> ids.get(0));
        }
        return redis.send(Command.of("GET", Keys.login(username)))
                .compose(owner -> owner.isNil()
                        ? draw(once)
                        : redis.send(Command.of("GET", idempotency(owner.asLong(), once)))
                                .map(record -> isOf(record, owner.asLong(), once))
                                .compose(begun -> begun ? Future.succeededFuture(owner.asLong()) : draw(once)));
    }

    /** Draws an id and stores that it is this request's, before anything is claimed with it. */
    private Future<Long> draw(IdempotentRequest once) {
        return drawIds(1).compose(ids -> {
            long id = ids.get(0);
            return redis.send(Command.of("SET", idempotency(id, once), record(id, once), "EX", ONCE_SECONDS))
                    .map(id);
        });
    }

    /** {@link Accounts#signedUp}. */
    Future<Optional<Long>> earlier(String username, IdempotentRequest once) {
        String claim = Keys.login(username);
        return redis.send(Command.of("GET", claim))
                .compose(owner -> owner.isNil()
                        ? Future.succeededFuture(Optional.empty())
                        : earlier(claim, owner.asLong(), once));
    }

    private Future<Optional<Long>> earlier(String claim, long owner, IdempotentRequest once) {
        return redis.send(Command.of("HGET", Keys.user(owner), "state")).compose(state -> {
            if (state.isNil()) {
                return finishLeft(claim).map(Optional.empty());
            }
            Future<Boolean> finished =
                    isJoining(state.asString()) ? finish(claim, owner) : Future.succeededFuture(false);
            return finished.compose(freed -> freed ? Future.succeededFuture(Optional.empty()) : ofRequest(owner, once));
        });
    }

    /** The account if this request has made it. */
    private Future<Optional<Long>> ofRequest(long id, IdempotentRequest once) {
        return redis.send(Command.of("GET", idempotency(id, once))).map(record -> {
            if (record.isNil()) {
                return Optional.empty();
            }
            if (!isOf(record, id, once)) {
                throw new Refusal(
                        Reason.INVALID,
                        "This Idempotency-Key was used for another sign-up with this user name within the last hour: use a new one.");
            }
            return Optional.of(id);
        });
    }

    /** The value of the Idempotency-Key: the account and a digest of the request without its password. */
    private static String record(long id, IdempotentRequest once) {
        return id + " " + Statuses.digest(once.values());
    }

    private static boolean isOf(Reply record, long id, IdempotentRequest once) {
        return !record.isNil() && record.asString().equals(record(id, once));
    }

    /** Never the key of a status: the account may use the same words for one. */
    private static String idempotency(long id, IdempotentRequest once) {
        return Keys.idempotency(id, Statuses.digest(List.of("sign-up", once.key())));
    }

    /** Into the lists in which accounts are looked for. */
    private Future<Void> enter(String username, long id) {
        return enter(List.of(UsernameIndex.add(username, id)), List.of(id));
    }

    /** A directory that is away keeps nobody from signing up: an account enters it when it posts, too. */
    private Future<Void> enter(List<Command> named, List<Long> ids) {
        Future<Void> listed = BatchedPipeline.sendEach(redis, Directory.joined(ids))
                .compose(replies -> BatchedPipeline.check(replies))
                .onFailure(cause -> LOG.debug("{} new accounts are not in the directory", ids.size(), cause))
                .otherwiseEmpty();
        return Future.join(BatchedPipeline.send(redis, named), listed).mapEmpty();
    }

    /**
     * The key that makes a name or an address one account's own.
     *
     * @param address null = that of a name
     */
    private record Claim(String field, String key, String address) {
        static Claim ofName(String username) {
            return new Claim("username", Keys.login(username), null);
        }

        static Claim ofAddress(String email) {
            return new Claim("email", Keys.email(email), email);
        }

        Command take(long id) {
            return Command.of("SET", key, id, "NX", "EX", CLAIM_SECONDS);
        }

        Command keep(long id) {
            return KEEP.call(List.of(key), id);
        }

        Command drop(long id) {
            return DROP.call(List.of(key), id);
        }
    }

    private static List<Claim> claims(String username, String email) {
        List<Claim> claims = new ArrayList<>(List.of(Claim.ofName(username)));
        if (!email.isEmpty()) {
            claims.add(Claim.ofAddress(email));
        }
        return claims;
    }

    private Future<List<Long>> drawIds(int count) {
        List<Command> draws = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int shard = shards.draw(random);
            draws.add(DRAW_ID.call(List.of(Keys.ids(shard)), Script.CHECKED_NOW, shard));
        }
        return BatchedPipeline.send(redis, draws).map(SignUps::longs);
    }

    private static List<Long> longs(List<Reply> replies) {
        return replies.stream().map(Reply::asLong).toList();
    }

    /**
     * One after the other and always in this order, so that of many sign-ups with the same name and address one gets
     * both, rather than two getting one each.
     */
    private Future<Void> claim(List<Claim> claims, int from, long id) {
        if (from == claims.size()) {
            return Future.succeededFuture();
        }
        return redis.send(claims.get(from).take(id))
                .compose(taken -> taken.isNil() ? claimed(claims, from, id) : claim(claims, from + 1, id));
    }

    /** The claim is there: unless an attempt of this request made it, or nobody owns it, the sign-up is refused. */
    private Future<Void> claimed(List<Claim> claims, int from, long id) {
        String key = claims.get(from).key();
        return redis.send(Command.of("GET", key))
                .compose(owner -> !owner.isNil() && owner.asLong() == id
                        ? claim(claims, from + 1, id)
                        : finishOwner(key)
                                .compose(freed ->
                                        freed ? Future.succeededFuture(true) : release(claims.get(from), owner))
                                .compose(freed -> freed ? claim(claims, from, id) : refuse(claims, from, id)));
    }

    /**
     * Takes an address from an account that has not confirmed it in time: whether that has freed the claim. The account
     * gives it up first. If this dies in between, the claim names an account without the address, and the next sign-up
     * with it goes on here.
     */
    private Future<Boolean> release(Claim claim, Reply owner) {
        if (!confirmed || owner.isNil() || claim.address() == null) {
            return Future.succeededFuture(false);
        }
        long id = owner.asLong();
        return redis.send(Command.of("TTL", claim.key()))
                .compose(life -> life.asLong() == -1
                        ? redis.send(RELEASE.call(List.of(Keys.user(id)), "", claim.address(), UNCONFIRMED_MILLIS))
                                .map(Reply::asLong)
                        : Future.succeededFuture(0L))
                .compose(released -> released == 1
                        ? redis.send(claim.drop(id)).map(dropped -> dropped.asLong() == 1)
                        : Future.succeededFuture(false));
    }

    /**
     * A sign-up that died before its account was active would keep the name for nobody: whoever comes after it finishes
     * it. Whether that has freed the claim.
     */
    private Future<Boolean> finishOwner(String claim) {
        return redis.send(Command.of("GET", claim))
                .compose(owner -> owner.isNil() ? Future.succeededFuture(false) : finish(claim, owner.asLong()));
    }

    /**
     * The same for whoever asks whose a claim is: one that does not run out any more must be an account's or nobody's.
     * A sign-up that still may go on is left alone.
     */
    Future<Void> finishLeft(String claim) {
        return redis.send(Command.of("TTL", claim))
                .compose(life -> life.asLong() == -1 ? finishOwner(claim) : Future.succeededFuture(false))
                .mapEmpty();
    }

    private static boolean isJoining(String state) {
        return JOINING.equals(state) || PENDING.equals(state);
    }

    private Future<Boolean> finish(String claim, long id) {
        return redis.send(Command.of("HMGET", Keys.user(id), "state", "name", "email"))
                .map(Reply::items)
                .compose(fields -> {
                    if (fields.get(0).isNil()) {
                        return dropIfLeft(claim, id);
                    }
                    return isJoining(fields.get(0).asString())
                            ? finish(
                                    id,
                                    fields.get(1).asString(),
                                    fields.get(2).isNil() ? "" : fields.get(2).asString())
                            : Future.succeededFuture(false);
                });
    }

    /**
     * A claim that does not run out was kept after its account was written. So the account is looked for once more
     * behind the claim: one that is not there then has never been active. Whether that has freed the claim.
     */
    private Future<Boolean> dropIfLeft(String claim, long id) {
        return redis.send(Command.of("TTL", claim))
                .compose(life -> life.asLong() == -1
                        ? redis.send(Command.of("HEXISTS", Keys.user(id), "state"))
                                .compose(there -> there.asLong() == 1
                                        ? Future.succeededFuture(false)
                                        : redis.send(DROP.call(List.of(claim), id))
                                                .map(dropped -> dropped.asLong() == 1))
                        : Future.succeededFuture(false));
    }

    private Future<Boolean> finish(long id, String username, String email) {
        return keep(claims(username, email), id)
                .compose(done -> enter(username, id))
                .compose(done -> redis.send(active(id)))
                .map(false)
                .recover(cause -> cause instanceof Refusal ? Future.succeededFuture(true) : Future.failedFuture(cause));
    }

    /** Gives back what was claimed before {@code lost}, and says of every field whether it is taken. */
    private Future<Void> refuse(List<Claim> claims, int lost, long id) {
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

    private static Refusal taken(List<Claim> claims) {
        Map<String, List<Detail>> details = new LinkedHashMap<>();
        for (Claim claim : claims) {
            details.put(claim.field(), List.of(new Detail("ERR_TAKEN", TAKEN)));
        }
        String each = String.join(" " + TAKEN + ", ", details.keySet());
        return new Refusal(Reason.INVALID, "Validation failed: " + each + " " + TAKEN + ".", details);
    }

    /**
     * Fails when one of the claims has run out: then the account never becomes active, and what is still claimed is
     * given back.
     */
    private Future<Void> keep(List<Claim> claims, long id) {
        List<Command> commands = new ArrayList<>();
        for (Claim claim : claims) {
            commands.add(claim.keep(id));
        }
        return BatchedPipeline.send(redis, commands)
                .compose(kept -> allKept(kept) ? Future.succeededFuture() : abandon(claims, kept, id));
    }

    private static boolean allKept(List<Reply> kept) {
        return longs(kept).stream().allMatch(one -> one == 1);
    }

    /**
     * The account goes last: as long as it is there, whoever meets one of its claims finishes this. A claim without an
     * account would never be given back.
     */
    private Future<Void> abandon(List<Claim> claims, List<Reply> kept, long id) {
        List<Command> drops = new ArrayList<>();
        List<Claim> lost = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            drops.add(claims.get(i).drop(id));
            if (kept.get(i).asLong() == 0) {
                lost.add(claims.get(i));
            }
        }
        return BatchedPipeline.send(redis, drops)
                .compose(done -> redis.send(Command.of("DEL", Keys.user(id))))
                .compose(done -> Future.failedFuture(taken(lost)));
    }

    private static Command joining(long id, String username, String email, String passwordHash, boolean confirmed) {
        List<Object> arguments = new ArrayList<>(List.of(JOINING_SECONDS, "name", username, "pw", passwordHash));
        if (!email.isEmpty()) {
            arguments.addAll(List.of("email", email));
            if (confirmed) {
                arguments.addAll(List.of(Accounts.UNCONFIRMED, Id.epochMillis(id)));
            }
        }
        return SIGN_UP.call(List.of(Keys.user(id)), arguments.toArray());
    }

    private static Command active(long id) {
        return ACTIVATE.call(List.of(Keys.user(id), Keys.counts(Id.shard(id))), id);
    }

    /** {@link Accounts#signUpAll}. */
    Future<List<Long>> signUpAll(List<String> usernames) {
        return drawIds(usernames.size())
                .compose(ids -> claimAll(usernames, ids).compose(owners -> createAll(usernames, ids, owners)));
    }

    /** The owner of each name now: the drawn id, or that of an account that was there (or came earlier in the list). */
    private Future<List<Long>> claimAll(List<String> usernames, List<Long> ids) {
        List<Command> commands = new ArrayList<>(usernames.size() * 2);
        for (int i = 0; i < usernames.size(); i++) {
            commands.add(Claim.ofName(usernames.get(i)).take(ids.get(i)));
        }
        for (String username : usernames) {
            commands.add(Command.of("GET", Keys.login(username)));
        }
        return BatchedPipeline.send(redis, commands)
                .map(replies -> longs(replies.subList(usernames.size(), replies.size())));
    }

    private Future<List<Long>> createAll(List<String> usernames, List<Long> ids, List<Long> owners) {
        List<Command> joining = new ArrayList<>();
        List<Command> keep = new ArrayList<>();
        List<Command> named = new ArrayList<>();
        List<Command> active = new ArrayList<>();
        List<Long> joined = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            long id = ids.get(i);
            if (owners.get(i) == id) {
                joining.add(joining(id, usernames.get(i), "", "", /* confirmed= */ false));
                keep.add(Claim.ofName(usernames.get(i)).keep(id));
                named.add(UsernameIndex.add(usernames.get(i), id));
                active.add(active(id));
                joined.add(id);
            }
        }
        return BatchedPipeline.send(redis, joining)
                .compose(done -> BatchedPipeline.send(redis, keep))
                .compose(kept -> allKept(kept)
                        ? enter(named, joined).compose(done -> BatchedPipeline.send(redis, active))
                        : Future.failedFuture(new IllegalStateException(
                                "names were lost: signing up took longer than " + CLAIM_SECONDS + " s")))
                .map(owners);
    }
}
