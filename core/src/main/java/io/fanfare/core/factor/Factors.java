package io.fanfare.core.factor;

import io.fanfare.common.auth.Login;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Detail;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Owns {@code factor:{s}:u}: the second factor of an account. Each use of a code is decided by one script in the slot
 * of the account, so that a time step and a recovery code are accepted once, and wrong codes are counted, whatever
 * arrives at the same time. Confined to one event loop.
 *
 * <p>Fields of the HASH:
 *
 * <dl>
 *   <dt>{@code secret}
 *   <dd>of the codes, sealed with {@link #SEALED}
 *   <dt>{@code on}
 *   <dd>epoch second at which it was enabled; absent = it waits for its first code, and the key ends by itself
 *   <dt>{@code step}
 *   <dd>the last time step whose code was accepted: no earlier one is
 *   <dt>{@code wrong}, {@code wait}
 *   <dd>wrong codes of log-ins since the last right one; epoch second until which codes are not looked at
 *   <dt>{@code token-wrong}, {@code token-wait}
 *   <dd>the same of those who have a token, who must not make log-ins wait: an app need not know the password
 *   <dt>{@code code:<digest>}
 *   <dd>a recovery code that was not used
 *   <dt>{@code removed}
 *   <dd>epoch second at which an operator removed the factor, until a new one is enabled
 * </dl>
 */
public final class Factors {
    /** Purpose of the sealed secrets. */
    public static final String SEALED = "second-factor";

    /** Longer texts are no code. */
    public static final int CODE_CHARS_MAX = 64;

    /** Wrong codes in a row after which an account must wait. */
    static final int WRONG_MAX = 5;

    /** The first wait in seconds; each further wrong code doubles it. */
    static final int WAIT_SECONDS = 900;

    static final int WAIT_SECONDS_MAX = 86_400;

    /** How long a secret waits for its first code. */
    private static final int PENDING_SECONDS = 600;

    private static final Pattern TOTP = Pattern.compile("\\d{" + Totp.DIGITS + "}");
    private static final String RECOVERY = "code:";

    private static final Script BEGIN = Script.load("factor_begin");
    private static final Script ENABLE = Script.load("factor_enable");
    private static final Script USE = Script.load("factor_use");
    private static final Script REMOVE = Script.load("factor_remove");

    private final Redis redis;
    private final SealedTexts sealed;
    private final InstantSource clock;
    private final SecureRandom random;

    /** @param sealed by the signing keys for {@link #SEALED} */
    public Factors(Redis redis, SealedTexts sealed, InstantSource clock, SecureRandom random) {
        this.redis = redis;
        this.sealed = sealed;
        this.clock = clock;
        this.random = random;
    }

    /**
     * The second factor of an account, without its secrets.
     *
     * @param since null = there is none
     * @param recoveryCodes unused ones
     * @param removedAt when an operator removed it, until there is another one; null = none did
     */
    public record State(Instant since, int recoveryCodes, Instant removedAt) {
        public boolean isEnabled() {
            return since != null;
        }
    }

    /** The act that a code permits. */
    public enum Act {
        /** A log-in, while the account has the password that was right. */
        LOG_IN,
        /** The holder of a token confirms that it is them. */
        CONFIRM,
        /** New recovery codes take the place of the old ones. */
        RENEW,
        /** The factor is removed. */
        REMOVE
    }

    /**
     * A code that was right.
     *
     * @param byRecoveryCode whether it was a recovery code
     * @param renewed the new recovery codes of {@link Act#RENEW}, else none
     */
    public record Used(boolean byRecoveryCode, List<String> renewed) {}

    public Future<State> state(long account) {
        return redis.send(Command.of("HGETALL", Keys.factor(account))).map(reply -> {
            Instant since = null;
            Instant removedAt = null;
            int codes = 0;
            List<Reply> flat = reply.items();
            for (int i = 0; i < flat.size(); i += 2) {
                String field = flat.get(i).asString();
                if (field.equals("on")) {
                    since = Instant.ofEpochSecond(flat.get(i + 1).asLong());
                } else if (field.equals("removed")) {
                    removedAt = Instant.ofEpochSecond(flat.get(i + 1).asLong());
                } else if (field.startsWith(RECOVERY)) {
                    codes++;
                }
            }
            return new State(since, codes, removedAt);
        });
    }

    /** Whether log-ins of the account need a code. */
    public Future<Boolean> isEnabled(long account) {
        return redis.send(Command.of("HGET", Keys.user(account), "factor")).map(flag -> !flag.isNil());
    }

    /**
     * Draws a secret, which waits ten minutes for its first code: its text in Base32. A second call draws another one.
     * Fails with {@code Refusal(INVALID)} when the account has a factor already.
     */
    public Future<String> begin(long account) {
        byte[] secret = new byte[Totp.SECRET_BYTES];
        random.nextBytes(secret);
        String hex = HexFormat.of().formatHex(secret);
        return redis.send(BEGIN.call(List.of(Keys.factor(account)), sealed.seal(hex, account, random), PENDING_SECONDS))
                .map(begun -> {
                    if (begun.asLong() == 0) {
                        throw new Refusal(
                                Reason.INVALID, "The account has a second factor: remove it before you add another.");
                    }
                    return Base32.encode(secret);
                });
    }

    /**
     * Enables the factor by its first code: its recovery codes. From then on no log-in that was begun with the password
     * alone is worth a token. Fails with {@code Refusal(INVALID)} when the code is wrong, or no secret waits for one.
     */
    public Future<List<String>> enable(Principal principal, String code) {
        long account = principal.userId();
        return redis.send(Command.of("HMGET", Keys.factor(account), "secret", "on"))
                .compose(fields -> {
                    Optional<byte[]> secret = secret(fields.items().get(0), account);
                    if (secret.isEmpty() || !fields.items().get(1).isNil()) {
                        return Future.failedFuture(nothingWaits());
                    }
                    OptionalLong step = Totp.stepOf(secret.get(), typed(code), now());
                    if (step.isEmpty()) {
                        return Future.failedFuture(wrong());
                    }
                    List<String> codes = RecoveryCodes.draw(random);
                    List<Object> arguments = new ArrayList<>(
                            List.of(now(), fields.items().get(0).asString(), step.getAsLong(), principal.tokenId()));
                    codes.forEach(one -> arguments.add(RecoveryCodes.digest(one)));
                    return redis.send(ENABLE.call(keys(principal), arguments.toArray()))
                            .map(enabled -> {
                                if (enabled.asLong() == 0) {
                                    throw nothingWaits();
                                }
                                return codes;
                            });
                });
    }

    /**
     * Checks the code of a log-in whose password was right. Fails as {@link #use} does, and with
     * {@code Refusal(UNAUTHENTICATED)} when the account has another password or factor by now.
     */
    public Future<Used> logIn(Login login, String code) {
        Principal nobody = new Principal(login.userId(), "", "", "", Set.of());
        return use(nobody, Long.toString(login.passwordRev()), code, Act.LOG_IN);
    }

    /**
     * Uses a code for an act of the holder of a token. Fails with {@code Refusal(INVALID)} when the code is wrong or
     * was used before, and when the account has no factor or the token has ended; with {@code TOO_MANY} while the
     * account must wait.
     */
    public Future<Used> use(Principal principal, String code, Act act) {
        return use(principal, "", code, act);
    }

    private Future<Used> use(Principal principal, String passwordRev, String code, Act act) {
        long account = principal.userId();
        if (code.length() > CODE_CHARS_MAX) {
            return Future.failedFuture(wrong());
        }
        return redis.send(Command.of("HGET", Keys.factor(account), "secret")).compose(stored -> {
            String typed = typed(code);
            boolean byTime = TOTP.matcher(typed).matches();
            // Without the key that has sealed the secret, only recovery codes are right.
            OptionalLong step = byTime
                    ? secret(stored, account)
                            .map(secret -> Totp.stepOf(secret, typed, now()))
                            .orElse(OptionalLong.empty())
                    : OptionalLong.empty();
            List<String> renewed = act == Act.RENEW ? RecoveryCodes.draw(random) : List.of();
            List<Object> arguments = new ArrayList<>(List.of(
                    now(),
                    stored.isNil() ? "" : stored.asString(),
                    step.isPresent() ? step.getAsLong() : "",
                    byTime ? "" : RecoveryCodes.digest(typed),
                    passwordRev,
                    act.name(),
                    principal.tokenId(),
                    step.isPresent() ? resealed(stored.asString(), account) : "",
                    WRONG_MAX,
                    WAIT_SECONDS,
                    WAIT_SECONDS_MAX));
            renewed.forEach(one -> arguments.add(RecoveryCodes.digest(one)));
            return redis.send(USE.call(keys(principal), arguments.toArray())).map(answer -> used(act, answer, renewed));
        });
    }

    private static Used used(Act act, Reply answer, List<String> renewed) {
        String verdict = answer.items().get(0).asString();
        return switch (verdict) {
            case "code", "recovery" -> new Used(verdict.equals("recovery"), renewed);
            case "used" -> throw invalid("was used before: wait for the next one", "ERR_TAKEN");
            case "wrong" -> throw wrong();
            case "wait" -> {
                long seconds = answer.items().get(1).asLong();
                throw Refusal.tooMany(
                        "Too many wrong codes were sent: wait " + (seconds + 59) / 60
                                + " minutes, or use a recovery code.",
                        seconds);
            }
            default ->
                throw act == Act.LOG_IN
                        ? new Refusal(
                                Reason.UNAUTHENTICATED,
                                "The password or the second factor was changed meanwhile: log in again.")
                        : invalid("is of no use: the account has no second factor", "ERR_INVALID");
        };
    }

    /** Removes the factor of an account for its operator; false when there is none. Needs no key. */
    public static Future<Boolean> remove(Redis redis, long account) {
        return redis.send(REMOVE.call(List.of(Keys.factor(account), Keys.user(account)), ""))
                .map(removed -> removed.asLong() == 1);
    }

    private static List<String> keys(Principal principal) {
        return List.of(Keys.factor(principal.userId()), Keys.user(principal.userId()), Tokens.listOf(principal));
    }

    private Optional<byte[]> secret(Reply stored, long account) {
        return stored.isNil()
                ? Optional.empty()
                : sealed.open(stored.asString(), account).map(HexFormat.of()::parseHex);
    }

    /** With the key that signs now, so that a former key can be taken out of the list later; empty = it is. */
    private String resealed(String stored, long account) {
        return sealed.isOutdated(stored, account)
                ? sealed.open(stored, account)
                        .map(secret -> sealed.seal(secret, account, random))
                        .orElse("")
                : "";
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Apps show codes in two groups of three digits. */
    private static String typed(String code) {
        return code.replaceAll("\\s", "");
    }

    private static Refusal wrong() {
        return invalid("is wrong", "ERR_INVALID");
    }

    private static Refusal nothingWaits() {
        return invalid("is for a secret that is too old: begin again", "ERR_INVALID");
    }

    private static Refusal invalid(String description, String error) {
        return new Refusal(
                Reason.INVALID,
                "Validation failed: code " + description + ".",
                Map.of("code", List.of(new Detail(error, description))));
    }
}
