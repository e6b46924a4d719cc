package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.Accounts.Confirmation;
import io.fanfare.common.store.Applicants.AdmissionRequest;
import io.fanfare.common.store.Claims.Claim;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps by which accounts come into being. Name, address and account lie in three slots, so no script does all:
 * claims with a time to live, the account as joining, the claims for ever, the name in the index, the account active. A
 * sign-up may die between any two; what it leaves runs out, or is finished by whoever meets one of its claims.
 */
final class SignUps {
    private static final Logger LOG = LoggerFactory.getLogger(SignUps.class);

    private static final Script DRAW_ID = Script.load("account_id");
    private static final Script ACTIVATE = Script.load("activate");
    private static final Script APPLY = Script.load("apply");
    private static final Script SIGN_UP = Script.load("sign_up");
    private static final Script RELEASE = Script.load("address_release");

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

    /** The account waits for the end of its sign-up, and then for approval. Older versions do not finish it. */
    private static final String APPLYING = "applying";

    /** Field: how long the account waits for approval, s. */
    private static final String WAIT = "wait";

    private static final int SHARDS_COMPARED = 4;

    private final Redis redis;
    private final Claims claims;
    private final Applicants applicants;
    private final Shards shards;
    private final RandomGenerator random;
    private final Confirmation confirmation;

    SignUps(Redis redis, Shards shards, RandomGenerator random, Confirmation confirmation) {
        this.confirmation = confirmation;
        this.redis = redis;
        this.claims = new Claims(redis);
        this.applicants = new Applicants(redis);
        this.shards = shards;
        this.random = random;
    }

    /** {@link Accounts#signUp}. */
    Future<Account> signUp(String username, String email, String passwordHash, Long inviter, IdempotentRequest once) {
        return id(username, once)
                .compose(id -> claimAndWrite(id, username, email, joining(id, username, email, passwordHash, inviter))
                        .compose(done -> claims.keep(Claims.of(username, email), id, Claims.ENDLESS))
                        .compose(done -> enter(redis, username, id))
                        .compose(done -> redis.send(active(id)))
                        .compose(active -> ended(active, id, username)));
    }

    /** {@link Accounts#apply}. */
    Future<Account> apply(
            String username, String email, String passwordHash, AdmissionRequest request, IdempotentRequest once) {
        List<Claim> own = Claims.of(username, email);
        return id(username, once)
                .compose(id -> claimAndWrite(id, username, email, applying(id, username, email, passwordHash, request))
                        .compose(done -> applicants.list(id, request.life(), request.max()))
                        .compose(listed -> listed ? Future.succeededFuture() : giveUp(own, id))
                        .compose(done -> claims.keep(own, id, claimed(request.seconds())))
                        .compose(done -> redis.send(applied(id)))
                        .compose(applied -> ended(applied, id, username)));
    }

    private Future<Void> giveUp(List<Claim> own, long id) {
        return claims.drop(own, id)
                .compose(done -> redis.send(Command.of("DEL", Keys.user(id))))
                .compose(done -> Future.failedFuture(Applicants.full()));
    }

    private Future<Void> claimAndWrite(long id, String username, String email, Command write) {
        List<Claim> own = Claims.of(username, email);
        return claim(own, 0, id)
                .compose(done -> redis.send(write))
                .compose(written -> written.asLong() == 1
                        ? Future.succeededFuture()
                        : Future.failedFuture(Claims.taken(own.subList(0, 1))));
    }

    private static Future<Account> ended(Reply done, long id, String username) {
        return done.asLong() < 0
                ? Future.failedFuture(new IllegalStateException("a sign-up took longer than a day"))
                : Future.succeededFuture(new Account(id, username, "", "", 0, 0, 0, 0));
    }

    /** A claim outlives the application, so that no other account gets the name before this one is gone. */
    private static long claimed(long waitSeconds) {
        return waitSeconds + Claims.SECONDS;
    }

    /**
     * The id of the account that this request makes. A repeated request uses the id of an attempt that has claimed the
     * name and ended before it wrote the account: otherwise that claim would refuse the repetition for a minute.
     *
     * @param once null = it has no Idempotency-Key
     */
    private Future<Long> id(String username, IdempotentRequest once) {
        if (once == null) {
            return drawId();
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
        return drawId().compose(
                        id -> redis.send(Command.of("SET", idempotency(id, once), record(id, once), "EX", ONCE_SECONDS))
                                .map(id));
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
    static Future<Void> enter(Redis redis, String username, long id) {
        return enter(redis, List.of(UsernameIndex.add(username, id)), List.of(id));
    }

    /** A directory that is away keeps nobody from signing up: an account enters it when it posts, too. */
    private static Future<Void> enter(Redis redis, List<Command> named, List<Long> ids) {
        Future<Void> listed = BatchedPipeline.sendEach(redis, Directory.joined(ids))
                .compose(replies -> BatchedPipeline.check(replies))
                .onFailure(cause -> LOG.debug("{} new accounts are not in the directory", ids.size(), cause))
                .otherwiseEmpty();
        return Future.join(BatchedPipeline.send(redis, named), listed).mapEmpty();
    }

    private Future<Long> drawId() {
        return drawShard().compose(shard -> redis.send(drawId(shard))).map(Reply::asLong);
    }

    private Future<List<Long>> drawIds(int count) {
        List<Command> draws = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            draws.add(drawId(shards.draw(random)));
        }
        return BatchedPipeline.send(redis, draws).map(SignUps::longs);
    }

    private static Command drawId(int shard) {
        return DRAW_ID.call(List.of(Keys.ids(shard)), Script.CHECKED_NOW, shard);
    }

    /**
     * The shard of a new account: the one with the fewest posts of a few random ones, so that added shards fill first.
     * One that does not answer takes no new account unless none of them does.
     */
    private Future<Integer> drawShard() {
        List<Integer> drawn = IntStream.range(0, SHARDS_COMPARED)
                .mapToObj(i -> shards.draw(random))
                .toList();
        if (drawn.stream().distinct().count() == 1) {
            return Future.succeededFuture(drawn.get(0));
        }
        return redis.pipeline(drawn.stream()
                        .map(shard -> Command.of("HGET", Keys.counts(shard), "statuses"))
                        .toList())
                .map(posts -> drawn.get(IntStream.range(0, drawn.size())
                        .boxed()
                        .min(Comparator.comparingLong(i -> posts(posts.get(i))))
                        .orElseThrow()));
    }

    private static long posts(Reply count) {
        return count.isFailure() ? Long.MAX_VALUE : count.isNil() ? 0 : count.asLong();
    }

    private static List<Long> longs(List<Reply> replies) {
        return replies.stream().map(Reply::asLong).toList();
    }

    /**
     * One after the other and always in this order, so that of many sign-ups with the same name and address one gets
     * both, rather than two getting one each.
     */
    private Future<Void> claim(List<Claim> own, int from, long id) {
        if (from == own.size()) {
            return Future.succeededFuture();
        }
        return redis.send(own.get(from).take(id))
                .compose(taken -> taken.isNil() ? claimed(own, from, id) : claim(own, from + 1, id));
    }

    /** The claim is there: unless an attempt of this request made it, or nobody owns it, the sign-up is refused. */
    private Future<Void> claimed(List<Claim> own, int from, long id) {
        String key = own.get(from).key();
        return redis.send(Command.of("GET", key))
                .compose(owner -> !owner.isNil() && owner.asLong() == id
                        ? claim(own, from + 1, id)
                        : freed(own.get(from), owner)
                                .compose(freed -> freed ? claim(own, from, id) : claims.refuse(own, from, id)));
    }

    /**
     * Takes an address from an account that has not confirmed it in time, or does not have it any more: whether that
     * has freed the claim. The account gives it up first. If this dies in between, the claim names an account without
     * the address, and the next sign-up with it goes on here.
     */
    private Future<Boolean> release(Claim claim, long id) {
        return redis.send(Command.of("TTL", claim.key()))
                .compose(life -> life.asLong() == -1
                        ? release(claim, id, confirmation == Confirmation.NONE ? "" : UNCONFIRMED_MILLIS)
                        : Future.succeededFuture(false));
    }

    /** @param life of an unconfirmed address, ms; empty = it does not end */
    private Future<Boolean> release(Claim claim, long id, Object life) {
        return redis.send(RELEASE.call(List.of(Keys.user(id), Keys.addressChange(id)), "", claim.address(), life))
                .compose(released -> released.asLong() == 1
                        ? redis.send(claim.drop(id)).map(dropped -> dropped.asLong() == 1)
                        : Future.succeededFuture(false));
    }

    /**
     * Claims an address for an account that is there. Fails with {@code Refusal(INVALID)} when another account has it.
     */
    Future<Void> claim(Claim address, long id) {
        return claim(List.of(address), 0, id);
    }

    /** Gives back the claim on an address that the account does not have, nor is about to get. */
    Future<Void> dropIfNotHad(Claim address, long id) {
        return release(address, id, "").mapEmpty();
    }

    /** Whether nobody else has an address, or only somebody who has not confirmed it in time and loses it now. */
    Future<Boolean> isFreeFor(Claim address, long id) {
        return redis.send(Command.of("GET", address.key()))
                .compose(owner ->
                        owner.isNil() || owner.asLong() == id ? Future.succeededFuture(true) : freed(address, owner));
    }

    private Future<Boolean> freed(Claim claim, Reply owner) {
        return finishOwner(claim.key())
                .compose(freed -> freed || owner.isNil() || claim.address() == null
                        ? Future.succeededFuture(freed)
                        : release(claim, owner.asLong()));
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
     * The same for whoever asks whose a claim is: one that outlives a sign-up must be an account's or nobody's. A
     * sign-up that still may go on is left alone.
     */
    Future<Void> finishLeft(String claim) {
        return claims.isKept(claim)
                .compose(kept -> kept ? finishOwner(claim) : Future.succeededFuture(false))
                .mapEmpty();
    }

    private static boolean isJoining(String state) {
        return JOINING.equals(state) || PENDING.equals(state) || APPLYING.equals(state);
    }

    private Future<Boolean> finish(String claim, long id) {
        return redis.send(Command.of("HMGET", Keys.user(id), "state", "name", "email", WAIT))
                .map(Reply::items)
                .compose(fields -> {
                    if (fields.get(0).isNil()) {
                        return claims.dropIfLeft(claim, id);
                    }
                    String email = fields.get(2).isNil() ? "" : fields.get(2).asString();
                    return isJoining(fields.get(0).asString())
                            ? finish(id, fields.get(1).asString(), email, fields.get(3))
                            : Future.succeededFuture(false);
                });
    }

    /** @param wait nil = it needs no approval */
    private Future<Boolean> finish(long id, String username, String email, Reply wait) {
        List<Claim> own = Claims.of(username, email);
        Future<Reply> end = wait.isNil()
                ? claims.keep(own, id, Claims.ENDLESS)
                        .compose(done -> enter(redis, username, id))
                        .compose(done -> redis.send(active(id)))
                : applicants
                        .list(id, Duration.ofSeconds(wait.asLong()), Integer.MAX_VALUE)
                        .compose(listed -> claims.keep(own, id, claimed(wait.asLong())))
                        .compose(done -> redis.send(applied(id)));
        return end.map(false)
                .recover(cause -> cause instanceof Refusal ? Future.succeededFuture(true) : Future.failedFuture(cause));
    }

    private Command applying(long id, String username, String email, String passwordHash, AdmissionRequest request) {
        return write(id, APPLYING, username, email, passwordHash, WAIT, request.seconds(), "reason", request.reason());
    }

    /** @param inviter null = nobody has invited the account */
    private Command joining(long id, String username, String email, String passwordHash, Long inviter) {
        return inviter == null
                ? write(id, JOINING, username, email, passwordHash)
                : write(id, JOINING, username, email, passwordHash, Accounts.INVITER, inviter);
    }

    private Command write(long id, String state, String username, String email, String passwordHash, Object... more) {
        List<Object> arguments = new ArrayList<>(List.of(JOINING_SECONDS, state, "name", username, "pw", passwordHash));
        if (!email.isEmpty()) {
            arguments.addAll(List.of("email", email));
            if (confirmation != Confirmation.NONE) {
                arguments.addAll(List.of(Accounts.UNCONFIRMED, Id.epochMillis(id)));
            }
            if (confirmation == Confirmation.REQUIRED) {
                arguments.addAll(List.of("held", 1));
            }
        }
        arguments.addAll(List.of(more));
        return SIGN_UP.call(List.of(Keys.user(id)), arguments.toArray());
    }

    private static Command applied(long id) {
        return APPLY.call(List.of(Keys.user(id)));
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
            commands.add(Claims.username(usernames.get(i)).take(ids.get(i)));
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
                joining.add(joining(id, usernames.get(i), "", "", null));
                keep.add(Claims.username(usernames.get(i)).keep(id, Claims.ENDLESS));
                named.add(UsernameIndex.add(usernames.get(i), id));
                active.add(active(id));
                joined.add(id);
            }
        }
        return BatchedPipeline.send(redis, joining)
                .compose(done -> BatchedPipeline.send(redis, keep))
                .compose(kept -> Claims.areKept(kept)
                        ? enter(redis, named, joined).compose(done -> BatchedPipeline.send(redis, active))
                        : Future.failedFuture(new IllegalStateException(
                                "names were lost: signing up took longer than " + Claims.SECONDS + " s")))
                .map(owners);
    }
}
