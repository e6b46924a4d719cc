package io.fanfare.core.mail;

import io.fanfare.common.auth.Revocations;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.WakeTokens;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.AddressChanges;
import io.fanfare.common.store.AddressChanges.Change;
import io.fanfare.failure.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests for mails, and the links in them. A link has a token of 256 random bits, of which Redis has the digest. It
 * is good once, for the time of its {@link MailKind}, and as long as the account has the password, or the address to be
 * confirmed, that it had when the mail was sent. One event loop.
 */
public final class Mails {
    /** Links of one kind of an account: a mail whose job runs twice has another link each time. */
    private static final int LINKS_MAX = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Mails.class);
    private static final Script REQUEST = Script.load("mail_request");
    private static final Script LINK = Script.load("mail_link");
    private static final Script RESET = Script.load("mail_reset");
    private static final Script CONFIRM = Script.load("mail_confirm");

    private final Redis redis;
    private final WakeTokens wake;

    /** False = the site sends no mails, and requests do nothing. */
    private final boolean sends;

    /** For a site that sends mails. */
    public Mails(Redis redis) {
        this(redis, /* sends= */ true);
    }

    private Mails(Redis redis, boolean sends) {
        this.redis = redis;
        this.wake = new WakeTokens(redis);
        this.sends = sends;
    }

    /** For a site with these settings. Where the site sends no mails, requests do nothing and return false. */
    public static Mails of(Redis redis, Settings settings) {
        return new Mails(redis, settings.mail().isOn());
    }

    /** The account that a mail goes to. */
    public record Recipient(String username, String address) {
        /** The address stays out of logs. */
        @Override
        public String toString() {
            return "Recipient[" + username + "]";
        }
    }

    /** The same as {@link #request} for an act that does not depend on its mail: never fails. */
    public Future<Void> requestSafely(long account, MailKind kind, long subject) {
        return request(account, kind, subject)
                .onFailure(cause -> LOG.warn(
                        "the mail of a warning or an appeal was not enqueued kind={} cause={}",
                        kind.wire(),
                        Reason.kind(cause)))
                .otherwise(false)
                .mapEmpty();
    }

    /**
     * Enqueues a mail. False if the account has no address or may not get this kind: every kind goes to active
     * accounts, some also to suspended ones.
     *
     * @param subject the id of its subject, or 0
     */
    public Future<Boolean> request(long account, MailKind kind, long subject, MailLanguage language) {
        return request(account, kind, subject, language.wire());
    }

    /** The same in the language in which the account posts. */
    public Future<Boolean> request(long account, MailKind kind, long subject) {
        return request(account, kind, subject, "");
    }

    private Future<Boolean> request(long account, MailKind kind, long subject, String language) {
        if (!sends) {
            return Future.succeededFuture(false);
        }
        return redis.send(REQUEST.call(
                        queued(account), "", account, kind.wire(), subject, language, kind.isForSuspended() ? "1" : ""))
                .compose(enqueued -> enqueued.asLong() == 1 ? woken(account).map(true) : Future.succeededFuture(false));
    }

    /** Never fails: without it a worker finds the job when it polls. */
    private Future<Void> woken(long account) {
        return wake.wake(Id.shard(account)).otherwiseEmpty();
    }

    /** Keys of the scripts that enqueue a mail: the account, and its queue. */
    private static List<String> queued(long account) {
        int shard = Id.shard(account);
        return List.of(Keys.user(account), Keys.queueStats(shard), Keys.lane(shard, Lane.LOW.key()));
    }

    /**
     * The recipient of a mail without a link; empty if the account has no address or is not active, nor suspended for a
     * kind that suspended accounts get.
     */
    public Future<Optional<Recipient>> recipient(long account, MailKind kind) {
        return redis.send(Command.of("HMGET", Keys.user(account), "state", "name", "email"))
                .map(Reply::items)
                .map(fields ->
                        gets(kind, fields.get(0).asString()) && !fields.get(2).isNil()
                                ? Optional.of(new Recipient(
                                        fields.get(1).asString(), fields.get(2).asString()))
                                : Optional.empty());
    }

    private static boolean gets(MailKind kind, String state) {
        return "active".equals(state) || (kind.isForSuspended() && "suspended".equals(state));
    }

    /**
     * Stores the link of a mail that is about to be sent; answers as {@link #recipient} does.
     *
     * @param token see {@link #token}
     * @param made when the mail was requested, epoch ms: the link ends {@link MailKind#life} after it
     */
    public Future<Optional<Recipient>> link(long account, MailKind kind, long made, String token) {
        long ends = made + kind.life().toMillis();
        return redis.send(LINK.call(
                        List.of(Keys.user(account), Keys.mailLinks(account), Keys.addressChange(account)),
                        "",
                        kind.wire(),
                        digest(token),
                        made,
                        ends,
                        LINKS_MAX))
                .map(Reply::items)
                .map(fields -> fields.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Recipient(
                                fields.get(0).asString(), fields.get(1).asString())));
    }

    /** The token of a link: the account, and the secret that was drawn for it. */
    public static String token(long account, String secret) {
        return account + "." + secret;
    }

    /** The account of a token, which need not be good; 0 if it has no account. */
    public static long account(String token) {
        int dot = token.indexOf('.');
        long account = dot < 1 || dot > 16 ? 0 : Id.parse(token.substring(0, dot));
        return Math.max(0, account);
    }

    private static String digest(String token) {
        return Secrets.digest(token);
    }

    /**
     * A link that is good.
     *
     * @param change of the address, for a kind that is about one; null = none
     */
    private record Link(MailKind kind, Change change) {}

    /**
     * The kind of a link that is good, in one round trip: for the page that it leads to; empty if it is not good.
     *
     * @param nowMillis epoch ms
     */
    public Future<Optional<MailKind>> kind(String token, long nowMillis) {
        return find(token, nowMillis).map(found -> found.map(Link::kind));
    }

    /** Whether a link is good for this. See {@link #kind}. */
    public Future<Boolean> isGood(MailKind kind, String token, long nowMillis) {
        return kind(token, nowMillis).map(found -> found.isPresent() && found.get() == kind);
    }

    private Future<Optional<Link>> find(String token, long nowMillis) {
        long account = account(token);
        return account == 0
                ? Future.succeededFuture(Optional.empty())
                : redis.pipeline(List.of(
                                Command.of("HGET", Keys.mailLinks(account), digest(token)),
                                Command.of("HMGET", Keys.user(account), "state", "pwrev", Accounts.UNCONFIRMED),
                                Command.of("GET", Keys.addressChange(account))))
                        .map(replies -> replies.get(0).isNil()
                                ? Optional.empty()
                                : good(
                                        replies.get(0).asString().split(" ", -1),
                                        replies.get(1).items(),
                                        Change.of(replies.get(2)).orElse(null),
                                        nowMillis));
    }

    private static Optional<Link> good(String[] link, List<Reply> user, Change change, long nowMillis) {
        MailKind kind = MailKind.of(link[0]);
        if (link.length != 4 || kind == null || Long.parseLong(link[2]) <= nowMillis) {
            return Optional.empty();
        }
        String rev = user.get(1).isNil() ? "0" : user.get(1).asString();
        String bound =
                switch (kind) {
                    case RESET -> rev;
                    case CONFIRM -> user.get(2).asString();
                    case NEW_ADDRESS ->
                        change != null
                                        && change.isWanted()
                                        && Long.toString(change.passwordRev()).equals(rev)
                                ? Long.toString(change.made())
                                : null;
                    case ADDRESS_CHANGED -> change != null && !change.isWanted() ? Long.toString(change.made()) : null;
                    case PASSWORD_CHANGED, SIGN_IN, WARNING, SELECTION_WARNING, APPEAL -> null;
                };
        return link[3].equals(bound) && gets(kind, user.get(0).asString())
                ? Optional.of(new Link(kind, change))
                : Optional.empty();
    }

    /**
     * Gives the account of a link of {@link MailKind#NEW_ADDRESS} the address; false if the link is not good. Fails as
     * {@link AddressChanges#change} does.
     *
     * @param language of the notice to the former address
     */
    public Future<Boolean> changeAddress(AddressChanges changes, String token, long nowMillis, MailLanguage language) {
        return find(token, nowMillis)
                .compose(link -> link.isPresent() && link.get().kind() == MailKind.NEW_ADDRESS
                        ? changes.change(account(token), link.get().change(), digest(token), language.wire())
                        : Future.succeededFuture(false));
    }

    /**
     * Restores the former address of the account of a link of {@link MailKind#ADDRESS_CHANGED}; false if the link is
     * not good. See {@link AddressChanges#undo}.
     */
    public Future<Boolean> restoreAddress(AddressChanges changes, String token, long nowMillis, MailLanguage language) {
        return find(token, nowMillis)
                .compose(link -> link.isPresent() && link.get().kind() == MailKind.ADDRESS_CHANGED
                        ? changes.undo(account(token), link.get().change(), digest(token), language.wire())
                        : Future.succeededFuture(false));
    }

    /**
     * Confirms the address of the account of a link of {@link MailKind#CONFIRM}; false if the link is not good. It ends
     * with its use.
     */
    public Future<Boolean> confirm(String token) {
        long account = account(token);
        return account == 0
                ? Future.succeededFuture(false)
                : redis.send(CONFIRM.call(
                                List.of(Keys.user(account), Keys.mailLinks(account), Keys.tokens(account)),
                                "",
                                digest(token)))
                        .map(done -> done.asLong() == 1);
    }

    /**
     * Gives the account of a link of {@link MailKind#RESET} another password: its account, or empty if the link is not
     * good. In the same step the link ends, all sessions and tokens of the account end, and its notice is enqueued.
     *
     * @param passwordHash of the new password
     */
    public Future<Optional<Long>> reset(String token, String passwordHash, MailLanguage language) {
        long account = account(token);
        if (account == 0) {
            return Future.succeededFuture(Optional.empty());
        }
        int shard = Id.shard(account);
        List<String> keys = List.of(
                Keys.user(account),
                Keys.tokens(account),
                Keys.mailLinks(account),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.LOW.key()));
        return redis.send(RESET.call(keys, "", digest(token), passwordHash, account, language.wire()))
                .compose(done -> done.asLong() == 1
                        ? Future.join(
                                        new Revocations(redis)
                                                .announceAll(account)
                                                .otherwiseEmpty(),
                                        woken(account))
                                .map(Optional.of(account))
                        : Future.succeededFuture(Optional.empty()));
    }
}
