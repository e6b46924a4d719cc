package io.fanfare.core.account;

import io.fanfare.common.auth.Secrets;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Owns {@code {invitations}} keys: the codes with which people sign up who were invited. A sign-up takes a use before
 * it makes the account, and gives it back when the account is refused. A process that dies between the two loses the
 * use: there are never more accounts than uses. One event loop.
 */
public final class Invitations {
    /** Invitations of one inviter, those that have ended lately among them. */
    public static final int OWN_MAX = 100;

    /** Invitations of all accounts together: about 3 MB. */
    public static final int ALL_MAX = 10_000;

    /** The longest comment, characters, as in Mastodon. */
    public static final int COMMENT_MAX = 420;

    /** Uses of one invitation. */
    public static final int USES_MAX = 10_000;

    /** The longest life of an invitation. */
    public static final Duration LIFE_MAX = Duration.ofDays(365);

    /** Inviter of the invitations that an operator makes. */
    public static final long OPERATOR = 0;

    /** An invitation is shown after its end for as long. */
    private static final Duration KEPT = Duration.ofDays(30);

    /** Random bytes of a code. */
    private static final int CODE_BYTES = 12;

    private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_-]{16}");

    private static final Script ADD = Script.load("invitation_add");
    private static final Script USE = Script.load("invitation_use");
    private static final Script DROP = Script.load("invitation_drop");

    private static final List<String> KEYS = List.of(Keys.INVITATION_CODES, Keys.INVITATIONS_OWN, Keys.INVITATION_ENDS);

    private final Redis redis;
    private final SecureRandom random;
    private final int ownMax;
    private final int allMax;

    public Invitations(Redis redis, SecureRandom random) {
        this(redis, random, OWN_MAX, ALL_MAX);
    }

    Invitations(Redis redis, SecureRandom random, int ownMax, int allMax) {
        this.redis = redis;
        this.random = random;
        this.ownMax = ownMax;
        this.allMax = allMax;
    }

    /**
     * An invitation.
     *
     * @param inviter account; {@link #OPERATOR} = an operator has made it
     * @param madeMillis Unix time
     * @param endsMillis Unix time; 0 = never
     * @param usesMax 0 = no bound
     * @param uses how often somebody has signed up with it
     */
    public record Invitation(
            String code, long inviter, long madeMillis, long endsMillis, int usesMax, int uses, String comment) {
        private static Invitation of(String code, String stored) {
            String[] parts = stored.split(" ", 6);
            return new Invitation(
                    code,
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    Integer.parseInt(parts[3]),
                    Integer.parseInt(parts[4]),
                    parts[5]);
        }

        /** Whether somebody can sign up with it at this moment, Unix time in ms. */
        public boolean isGood(long now) {
            return (endsMillis == 0 || now < endsMillis) && (usesMax == 0 || uses < usesMax);
        }
    }

    /** Whether a text may be a code; nothing else is looked up. */
    public static boolean isCode(String text) {
        return CODE.matcher(text).matches();
    }

    /**
     * Makes an invitation with a code of 96 random bits. Fails with {@code Refusal(INVALID)} when the inviter, or all
     * together, have as many as may be.
     *
     * @param life zero = it never ends
     * @param usesMax 0 = no bound
     * @param comment for moderators and the inviter, of a length that is checked
     */
    public Future<Invitation> make(long inviter, Duration life, int usesMax, String comment) {
        String code = Secrets.draw(random, CODE_BYTES);
        return redis.send(ADD.call(
                        KEYS, "", code, inviter, life.toMillis(), usesMax, comment, ownMax, allMax, KEPT.toMillis()))
                .map(Reply::asString)
                .map(line -> switch (line) {
                    case "0" -> throw full("You have " + ownMax + " invitations, which is the most: revoke one first.");
                    case "-1" ->
                        throw full("This server has " + allMax
                                + " invitations, which is the most: a moderator must revoke some first.");
                    default -> Invitation.of(code, line);
                });
    }

    private static Refusal full(String sentence) {
        return new Refusal(Reason.INVALID, sentence);
    }

    /** The invitations of an inviter, the newest first. */
    public Future<List<Invitation>> of(long inviter) {
        return load(Command.of("ZRANGE", Keys.INVITATIONS_OWN, inviter, inviter, "BYSCORE", "LIMIT", 0, OWN_MAX));
    }

    /** Invitations of all inviters, as many as one may have; the newest first. */
    public Future<List<Invitation>> all() {
        return load(Command.of("ZRANGE", Keys.INVITATIONS_OWN, 0, ALL_MAX - 1));
    }

    private Future<List<Invitation>> load(Command codes) {
        return redis.send(codes).map(Reply::items).compose(found -> {
            Object[] fields = found.stream().map(Reply::asString).toArray();
            return fields.length == 0
                    ? Future.succeededFuture(List.of())
                    : redis.send(Command.of("HMGET", Keys.INVITATION_CODES, fields))
                            .map(lines -> read(fields, lines.items()));
        });
    }

    private static List<Invitation> read(Object[] codes, List<Reply> lines) {
        List<Invitation> invitations = new ArrayList<>();
        for (int i = 0; i < codes.length; i++) {
            if (!lines.get(i).isNil()) {
                invitations.add(Invitation.of((String) codes[i], lines.get(i).asString()));
            }
        }
        invitations.sort(Comparator.comparingLong(Invitation::madeMillis).reversed());
        return List.copyOf(invitations);
    }

    /** The inviter of a code with which somebody can sign up now; empty for any other text. */
    public Future<Optional<Long>> look(String code) {
        return use(code, 0);
    }

    /** Takes a use; the inviter, or empty when there is none. */
    public Future<Optional<Long>> take(String code) {
        return use(code, 1);
    }

    /** Gives a use back that was taken for an account which is not there. */
    public Future<Void> giveBack(String code) {
        return use(code, -1).mapEmpty();
    }

    private Future<Optional<Long>> use(String code, int change) {
        if (!isCode(code)) {
            return Future.succeededFuture(Optional.empty());
        }
        return redis.send(USE.call(List.of(Keys.INVITATION_CODES, Keys.INVITATION_ENDS), "", code, change))
                .map(inviter -> inviter.isNil() ? Optional.empty() : Optional.of(inviter.asLong()));
    }

    /** Revokes an invitation of this inviter; false when it has none with this code. */
    public Future<Boolean> revoke(String code, long inviter) {
        return drop(code, Long.toString(inviter));
    }

    /** Revokes an invitation of anybody. */
    public Future<Boolean> revoke(String code) {
        return drop(code, "");
    }

    private Future<Boolean> drop(String code, String inviter) {
        return isCode(code)
                ? redis.send(DROP.call(KEYS, inviter, code)).map(dropped -> dropped.asLong() == 1)
                : Future.succeededFuture(false);
    }

    /** The step of a deletion that revokes all invitations of an account; harmless when it has none. */
    public static Command left(long account) {
        return DROP.call(KEYS, account, "");
    }
}
