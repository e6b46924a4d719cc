package io.fanfare.common.store;

import io.fanfare.common.auth.Revocations;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.WakeTokens;
import io.fanfare.common.store.Claims.Claim;
import io.fanfare.common.view.Timestamps;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Changes of the e-mail address of an account. A wanted address is claimed only when its link is used, so that nobody
 * keeps an address from its owner by wanting it. The address and its claim lie in two slots: the new one is claimed,
 * then the account changes, then the former claim ends. A change may die between any two; the next sign-up or change
 * that meets a claim whose account does not have the address drops it ({@code address_release}). One event loop.
 */
public final class AddressChanges {
    /** How long the link to a wanted address is good. */
    public static final Duration WANTED = Duration.ofDays(1);

    /** How long a former address can be restored. The address cannot be changed again before. */
    public static final Duration RESTORABLE = Duration.ofDays(7);

    /** The claim on a former address ends after the link that restores it. */
    private static final long FORMER_SECONDS = RESTORABLE.plusHours(1).toSeconds();

    private static final Script REQUEST = Script.load("address_request");
    private static final Script CHANGE = Script.load("address_change");
    private static final Script UNDO = Script.load("address_undo");

    private final Redis redis;
    private final SignUps signUps;
    private final WakeTokens wake;

    AddressChanges(Redis redis, SignUps signUps) {
        this.redis = redis;
        this.signUps = signUps;
        this.wake = new WakeTokens(redis);
    }

    /**
     * The address of an account and its change.
     *
     * @param address empty = none
     * @param unconfirmedSince when a sign-up that must confirm it claimed it; null = it needs no confirmation
     * @param held whether the account cannot be used before its address is confirmed
     * @param wanted the address whose link was requested and is not used yet; empty = none
     * @param fixedUntil until when the former address can be restored and no other one wanted; null = that is over
     */
    public record State(String address, Instant unconfirmedSince, boolean held, String wanted, Instant fixedUntil) {
        /** Addresses stay out of logs. */
        @Override
        public String toString() {
            return "State[" + unconfirmedSince + ", " + fixedUntil + "]";
        }
    }

    /** The address of an account, in one round trip. */
    public Future<State> state(long account) {
        return redis.pipeline(List.of(
                        Command.of("HMGET", Keys.user(account), "email", Accounts.UNCONFIRMED, "held", "pwrev"),
                        Command.of("GET", Keys.addressChange(account))))
                .map(replies -> {
                    List<Reply> fields = replies.get(0).items();
                    Optional<Change> change = Change.of(replies.get(1));
                    long rev = fields.get(3).isNil() ? 0 : fields.get(3).asLong();
                    return new State(
                            fields.get(0).isNil() ? "" : fields.get(0).asString(),
                            fields.get(1).isNil()
                                    ? null
                                    : Instant.ofEpochMilli(fields.get(1).asLong()),
                            !fields.get(2).isNil(),
                            change.filter(one -> one.isWanted() && one.passwordRev() == rev)
                                    .map(Change::address)
                                    .orElse(""),
                            change.filter(one -> !one.isWanted())
                                    .map(one -> Instant.ofEpochMilli(one.made()).plus(RESTORABLE))
                                    .orElse(null));
                });
    }

    /**
     * The stored change.
     *
     * @param made epoch ms
     * @param passwordRev of the account then: with another password it does not get a wanted address any more
     */
    public record Change(boolean isWanted, long made, long passwordRev, String address) {
        /** Empty for nil. */
        public static Optional<Change> of(Reply stored) {
            if (stored.isNil()) {
                return Optional.empty();
            }
            String[] words = stored.asString().split(" ", 4);
            return Optional.of(new Change(
                    words[0].equals("wanted"), Long.parseLong(words[1]), Long.parseLong(words[2]), words[3]));
        }

        /** Addresses stay out of logs. */
        @Override
        public String toString() {
            return "Change[" + isWanted + ", " + made + "]";
        }
    }

    /**
     * Notes that an account wants an address, and enqueues the mail with its link. Fails with {@code Refusal(INVALID)}
     * ({@code ERR_TAKEN}) when another account has it, and with {@code FORBIDDEN} while a former address can be
     * restored.
     *
     * @param address acceptable, in lower case
     * @param language of the mail, as in jobs
     */
    public Future<Void> request(long account, String address, String language) {
        return request(account, address, language, /* over= */ false).compose(made -> woken(account));
    }

    private Future<Long> request(long account, String address, String language, boolean over) {
        int shard = Id.shard(account);
        List<String> keys = List.of(
                Keys.user(account),
                Keys.addressChange(account),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.LOW.key()));
        return signUps.isFreeFor(Claims.address(address), account)
                .compose(free -> free
                        ? redis.send(
                                REQUEST.call(keys, "", account, address, WANTED.toMillis(), language, over ? "1" : ""))
                        : Future.failedFuture(taken(address)))
                .map(Reply::asLong)
                .map(made -> {
                    if (made == 0) {
                        throw Refusal.unknown();
                    }
                    if (made < 0) {
                        throw new Refusal(
                                Reason.FORBIDDEN,
                                "The address was changed a short while ago: it can be changed again from "
                                        + Timestamps.time(-made + RESTORABLE.toMillis())
                                        + ", or by the link in the mail to the former address.");
                    }
                    return made;
                });
    }

    private static Refusal taken(String address) {
        return Claims.taken(List.of(Claims.address(address)));
    }

    /**
     * Changes the address at once, without a mail: where none are sent, and for an operator. Fails as {@link #request}
     * does.
     *
     * @param over whether a former address that can still be restored is given up
     */
    public Future<Void> changeNow(long account, String address, boolean over) {
        return request(account, address, "", over)
                .compose(made -> change(account, address, made, "", Duration.ZERO, ""))
                .compose(
                        done -> done
                                ? Future.succeededFuture()
                                : Future.failedFuture(
                                        new Refusal(
                                                Reason.INVALID,
                                                "The address or the password of the account was changed at the same time: try again.")));
    }

    /**
     * Changes the address by a link; false when it is not good. Fails with {@code Refusal(INVALID)} when another
     * account has the address by now.
     *
     * @param digest of the token of the link
     * @param language of the notice to the former address, as in jobs
     */
    public Future<Boolean> change(long account, Change wanted, String digest, String language) {
        return change(account, wanted.address(), wanted.made(), digest, RESTORABLE, language);
    }

    private Future<Boolean> change(
            long account, String address, long made, String digest, Duration restorable, String language) {
        Claim claim = Claims.address(address);
        return signUps.claim(claim, account)
                // For ever before the account has it: otherwise an account could have an address that is free again.
                .compose(done -> redis.send(claim.keep(account, Claims.ENDLESS)))
                .compose(kept -> kept.asLong() == 1
                        ? redis.send(CHANGE.call(
                                keys(account), "", account, address, made, digest, restorable.toMillis(), language))
                        : Future.failedFuture(taken(address)))
                .map(Reply::items)
                .compose(former -> former.isEmpty()
                        ? signUps.dropIfNotHad(claim, account).map(false)
                        : changed(
                                        account,
                                        address,
                                        former.get(0).asString(),
                                        !former.get(1).asString().isEmpty())
                                .map(true));
    }

    private static List<String> keys(long account) {
        int shard = Id.shard(account);
        return List.of(
                Keys.user(account),
                Keys.addressChange(account),
                Keys.tokens(account),
                Keys.mailLinks(account),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.LOW.key()));
    }

    /** @param former empty = none */
    private Future<Void> changed(long account, String address, String former, boolean restorable) {
        Future<Void> ended = former.isEmpty() || former.equals(address)
                ? Future.succeededFuture()
                : end(Claims.address(former), account, restorable);
        // A late step of the change before may have ended the claim on the address that the account has now.
        return ended.compose(done -> keepHad(account, address))
                .compose(done -> restorable ? woken(account) : Future.succeededFuture());
    }

    /** Never fails: without it a worker finds the job when it polls. */
    private Future<Void> woken(long account) {
        return wake.wake(Id.shard(account)).otherwiseEmpty();
    }

    /** Never fails: the address is changed, and a claim that is left over is found. */
    private Future<Void> end(Claim former, long account, boolean restorable) {
        return redis.send(restorable ? former.dropAfter(account, FORMER_SECONDS) : former.drop(account))
                .compose(done -> keepHad(account, former.address()))
                .otherwiseEmpty();
    }

    /**
     * Claims an address again if the account has it. Two changes may run at once, and one of them may end a claim that
     * the other one needs: each looks after its last step. Never fails.
     */
    private Future<Void> keepHad(long account, String address) {
        Claim claim = Claims.address(address);
        return redis.send(Command.of("HGET", Keys.user(account), "email"))
                .compose(email -> email.isNil() || !email.asString().equals(address)
                        ? Future.succeededFuture()
                        : signUps.claim(claim, account)
                                .compose(done -> redis.send(claim.keep(account, Claims.ENDLESS)))
                                .<Void>mapEmpty())
                .otherwiseEmpty();
    }

    /**
     * Restores the former address of an account by a link, ends its sessions and its password, and enqueues the mail by
     * which its owner chooses another one; false when the link is not good.
     *
     * @param digest of the token of the link
     * @param language of the mail, as in jobs
     */
    public Future<Boolean> undo(long account, Change former, String digest, String language) {
        Claim claim = Claims.address(former.address());
        return signUps.claim(claim, account)
                .compose(done -> redis.send(claim.keep(account, Claims.ENDLESS)))
                .compose(kept -> kept.asLong() == 1
                        ? redis.send(UNDO.call(keys(account), "", account, digest, language))
                        : Future.failedFuture(taken(former.address())))
                .compose(undone -> undone.isNil()
                        ? signUps.dropIfNotHad(claim, account).map(false)
                        : Future.join(
                                        changed(account, former.address(), undone.asString(), /* restorable= */ false),
                                        woken(account),
                                        new Revocations(redis)
                                                .announceAll(account)
                                                .otherwiseEmpty())
                                .map(true));
    }
}
