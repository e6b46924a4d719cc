package io.fanfare.common.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jwt.JWTClaimsSet;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Refusal;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access tokens: JWT (HS256, {@code typ} at+jwt, {@code kid}, {@code iss} fanfare, {@code aud} fanfare, {@code jti},
 * {@code sub}, {@code scope}, {@code client_id}), listed in {@code tokens:{s}:u} so that they can be revoked; a revoked
 * one is refused within a second everywhere. Who holds more than {@value #TOKENS_MAX} of them loses the oldest.
 * Confined to one event loop.
 */
public final class Tokens {
    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);

    private static final String ISSUER = "fanfare";
    private static final String AUDIENCE = "fanfare";
    private static final int TOKENS_MAX = 200;
    private static final int TOKEN_CHARS_MAX = 4096;
    private static final int HASHED_CHARS = 12;

    /** How long an answer of Redis is trusted: the bound on how late a revocation is noticed. */
    private static final Duration TRUST = Duration.ofMillis(900);

    private static final int TRUSTED_MAX = 20_000;

    /** Tokens whose signature is not looked at again; about 1 KB each. */
    private static final int KNOWN_MAX = 10_000;

    /** A use within this time of the one that was noted is not noted: a token costs one write an hour. */
    private static final Duration USE_NOTED_EVERY = Duration.ofHours(1);

    /** After a use that was not noted, be it that another process has noted one: how long until the next try. */
    private static final Duration USE_RETRIED_AFTER = Duration.ofMinutes(5);

    /** The script's answer when the oldest token had to go. */
    private static final int PUSHED_OUT = 2;

    private static final Script ISSUE = Script.load("issue_token");
    private static final Script NOTE_USE = Script.load("note_token_use");
    private static final Script REVOKE_OF_CLIENT = Script.load("revoke_of_client");
    private static final Script REVOKE_OTHERS = Script.load("revoke_others");
    private static final Script CHANGE_PASSWORD = Script.load("change_password");

    private final Redis redis;
    private final Revocations revocations;
    private final Jwt jwt;
    private final SealedTexts networks;
    private final Clock clock;
    private final SecureRandom random;
    private final Cache<Key, Future<Principal>> trusted;
    private final Cache<Key, Claim> known;
    /** Until when no use of a token is noted, by its id, as elapsed time. */
    private final Cache<String, Long> noted;

    private final LongSupplier nanos;

    /** @param nanos elapsed time: what is trusted must not live longer because the wall clock was set back */
    public Tokens(Redis redis, SigningKeys keys, Clock clock, LongSupplier nanos, SecureRandom random) {
        this.redis = redis;
        this.revocations = new Revocations(redis);
        this.jwt = new Jwt(keys);
        this.networks = new SealedTexts(keys, "session-network");
        this.clock = clock;
        this.random = random;
        this.trusted = Caffeine.newBuilder()
                .maximumSize(TRUSTED_MAX)
                .expireAfterWrite(TRUST)
                .ticker(nanos::getAsLong)
                .executor(Runnable::run)
                .build();
        this.nanos = nanos;
        this.noted = Caffeine.newBuilder()
                .maximumSize(TRUSTED_MAX)
                .executor(Runnable::run)
                .build();
        this.known = Caffeine.newBuilder()
                .maximumSize(KNOWN_MAX)
                .executor(Runnable::run)
                .build();
    }

    /**
     * The content of a token that is signed by us and meant for us: as long as the key lasts. Says nothing about
     * whether it was revoked.
     *
     * @param expires null = never
     */
    private record Claim(Principal principal, Instant expires) {}

    /**
     * A token as it is looked up: by the end of its signature, which is as good as random, rather than by all of its
     * characters. Only good ones come into a table.
     */
    private record Key(String token) {
        @Override
        public int hashCode() {
            return token.substring(Math.max(0, token.length() - HASHED_CHARS)).hashCode();
        }
    }

    /**
     * A token, and when it was made.
     *
     * @param userId 0 = of an app
     * @param tokenId what it is listed under
     */
    public record Issued(String token, long userId, String tokenId, Set<String> scopes, Instant at) {}

    /**
     * A new token.
     *
     * @param userId 0 = for the app itself
     * @param clientId of a registered app; empty = none (sign-up without an app)
     * @param application what statuses posted with it show; null = nothing
     */
    public Future<Issued> issue(long userId, String clientId, Application application, Set<String> scopes) {
        Principal principal = new Principal(userId, drawId(), clientId, application, scopes);
        Instant now = clock.instant();
        return redis.send(ISSUE.call(
                        List.of(listOf(principal)),
                        principal.tokenId(),
                        listing(principal, now, Device.UNKNOWN, /* confirmed= */ false),
                        TOKENS_MAX))
                .compose(done -> done.asLong() == PUSHED_OUT ? announceRevoked(principal) : Future.succeededFuture())
                .map(done -> issued(principal, now));
    }

    /** The same for an app without a website; the name may be empty. */
    public Future<Issued> issue(long userId, String clientId, String clientName, Set<String> scopes) {
        return issue(userId, clientId, Application.of(clientName, null), scopes);
    }

    /**
     * A new token for somebody whose password was right; empty when the account has another password by now, or is
     * suspended.
     */
    public Future<Optional<Issued>> issue(Login login, String clientId, Application application, Set<String> scopes) {
        return issue(drawId(), login, clientId, application, scopes, Device.UNKNOWN);
    }

    /** The same without an app, for somebody at this device. */
    public Future<Optional<Issued>> issue(Login login, Device device, Set<String> scopes) {
        return issue(drawId(), login, "", null, scopes, device);
    }

    /** The same for an app without a website; the name may be empty. */
    public Future<Optional<Issued>> issue(Login login, String clientId, String clientName, Set<String> scopes) {
        return issue(login, clientId, Application.of(clientName, null), scopes);
    }

    /** The id of a token that is going to be issued. */
    public String drawId() {
        return Secrets.draw(random, 16);
    }

    /** The same with an id that has been drawn before. */
    public Future<Optional<Issued>> issue(
            String tokenId, Login login, String clientId, Application application, Set<String> scopes, Device device) {
        if (!login.isGood()) {
            throw new IllegalArgumentException("a token for a log-in that is not complete");
        }
        Principal principal = new Principal(login.userId(), tokenId, clientId, application, scopes);
        Instant now = clock.instant();
        return redis.send(ISSUE.call(
                        List.of(listOf(principal), Keys.user(login.userId()), Keys.counts(Id.shard(login.userId()))),
                        principal.tokenId(),
                        listing(principal, now, device, login.factor() == Login.Factor.PROVEN),
                        TOKENS_MAX,
                        login.passwordRev()))
                .compose(done -> done.asLong() == PUSHED_OUT
                        ? announceRevoked(principal).map(done)
                        : Future.succeededFuture(done))
                .map(done -> done.asLong() > 0 ? Optional.of(issued(principal, now)) : Optional.empty());
    }

    private String listing(Principal principal, Instant now, Device device, boolean confirmed) {
        String issued = now.getEpochSecond() + " " + principal.clientId() + " "
                + String.join(" ", new TreeSet<>(principal.scopes()));
        String at = Long.toString(now.getEpochSecond());
        String network = device.network().isEmpty() ? "" : networks.seal(device.network(), principal.userId(), random);
        return String.join("\t", issued, device.browser(), device.system(), at, confirmed ? at : "", network);
    }

    private Issued issued(Principal principal, Instant now) {
        return new Issued(
                jwt.sign(claims(principal, now)), principal.userId(), principal.tokenId(), principal.scopes(), now);
    }

    /**
     * The owner of the token; fails with {@code Refusal(UNAUTHENTICATED)} for a token that is forged, expired or
     * revoked, with {@link #suspended} for one of a suspended account, with {@link #applied} for one of an account that
     * waits for approval, and with {@code Refusal(UNCONFIRMED)} for one of an account whose address has to be confirmed
     * first.
     */
    public Future<Principal> verify(String token) {
        Key key = new Key(token);
        Future<Principal> verified = trusted.getIfPresent(key);
        return verified == null ? ask(key) : verified;
    }

    private Future<Principal> ask(Key key) {
        Claim claim = claim(key);
        if (claim == null || isOver(claim)) {
            return Future.failedFuture(refused());
        }
        Future<Principal> verified = listed(claim.principal());
        // Remembered while the question is on its way, so that a burst of requests asks once. An outage is nobody's
        // verdict.
        trusted.put(key, verified);
        return verified.onFailure(cause -> {
            if (!(cause instanceof Refusal)) {
                trusted.invalidate(key);
            }
        });
    }

    /**
     * Null for what is no token of ours. Only good ones are remembered, so that nobody can push them out with others.
     */
    private Claim claim(Key key) {
        Claim remembered = known.getIfPresent(key);
        if (remembered != null) {
            return remembered;
        }
        String token = key.token();
        JWTClaimsSet claims = token.length() > TOKEN_CHARS_MAX ? null : jwt.verify(token);
        Claim claim = claims == null ? null : claim(claims);
        if (claim != null && !isOver(claim)) {
            known.put(key, claim);
        }
        return claim;
    }

    private boolean isOver(Claim claim) {
        return claim.expires() != null && !claim.expires().isAfter(clock.instant());
    }

    /** The token is refused from now on; at once on this event loop. Revoking twice does nothing. */
    public Future<Void> revoke(Principal principal) {
        return redis.send(drop(listOf(principal), principal.tokenId()))
                .onSuccess(done -> trusted.invalidateAll())
                .compose(done -> announceRevoked(principal));
    }

    /** The account may have been suspended a moment ago: then the token must not come back with it. */
    private static Command drop(String list, String tokenId) {
        return Command.of(
                "HDEL",
                list,
                tokenId,
                AccountAccess.SUSPENDED + tokenId,
                AccountAccess.APPLIED + tokenId,
                AccountAccess.HELD + tokenId,
                AccountAccess.SUSPENDED + AccountAccess.HELD + tokenId,
                AccountAccess.APPLIED + AccountAccess.HELD + tokenId);
    }

    /** Never fails: the tokens are gone already, and a process that misses the notice finds out within a minute. */
    private Future<Void> announceRevoked(Principal principal) {
        return principal.userId() == 0
                ? revocations.announce(listOf(principal)).otherwiseEmpty()
                : announceAllRevoked(principal.userId());
    }

    private Future<Void> announceAllRevoked(long userId) {
        return revocations.announceAll(userId).otherwiseEmpty();
    }

    /**
     * One of somebody's tokens.
     *
     * @param clientId empty = made without an app
     * @param usedAt when it was used last, to the hour; null = unknown
     * @param confirmedAt when its holder has given a code of the second factor; null = never
     */
    public record Listed(
            String tokenId,
            String clientId,
            Set<String> scopes,
            Instant issuedAt,
            Device device,
            Instant usedAt,
            Instant confirmedAt) {}

    /** Every token of the principal's user, newest first. */
    public Future<List<Listed>> list(Principal principal) {
        return AccountAccess.list(redis, listOf(principal), text -> networks.open(text, principal.userId())
                .orElse(""));
    }

    /** @param open reads a sealed network */
    static Listed listed(String tokenId, String stored, UnaryOperator<String> open) {
        String[] fields = stored.split("\t", -1);
        String[] issued = fields[0].split(" ", 3);
        boolean isKnown = fields.length > 3;
        return new Listed(
                tokenId,
                issued[1],
                Scopes.parse(issued[2]),
                Instant.ofEpochSecond(Long.parseLong(issued[0])),
                isKnown
                        ? new Device(fields[1], fields[2], fields.length > 5 ? open.apply(fields[5]) : "")
                        : Device.UNKNOWN,
                isKnown ? Instant.ofEpochSecond(Long.parseLong(fields[3])) : null,
                fields.length > 4 && !fields[4].isEmpty() ? Instant.ofEpochSecond(Long.parseLong(fields[4])) : null);
    }

    /** Whether the holder of a listed token has given a code of the second factor within this time. */
    public Future<Boolean> isConfirmed(Principal principal, Duration within) {
        return redis.send(Command.of("HGET", listOf(principal), principal.tokenId()))
                .map(stored -> stored.isNil()
                        ? null
                        : listed(principal.tokenId(), stored.asString(), network -> "")
                                .confirmedAt())
                .map(at -> at != null && !at.plus(within).isBefore(clock.instant()));
    }

    /** Revokes a token of a user; false when there is no such token. */
    public Future<Boolean> revoke(long userId, String tokenId) {
        return redis.send(drop(Keys.tokens(userId), tokenId))
                .onSuccess(done -> trusted.invalidateAll())
                .compose(done -> announceAllRevoked(userId).map(done.asLong() == 1));
    }

    /** Revokes a token that nobody has been given. */
    public Future<Void> discard(Issued issued) {
        return revoke(issued.userId(), issued.tokenId()).mapEmpty();
    }

    /**
     * Revokes a token of the principal's user that its app holds as well; false when there is no such token, be it that
     * another app has it.
     */
    public Future<Boolean> revokeOfSameApp(Principal principal, String tokenId) {
        return redis.send(REVOKE_OF_CLIENT.call(List.of(listOf(principal)), tokenId, principal.clientId()))
                .onSuccess(done -> trusted.invalidateAll())
                .compose(done ->
                        done.asLong() == 1 ? announceRevoked(principal).map(true) : Future.succeededFuture(false));
    }

    /**
     * Ends every other token of the principal's user: how many there were. Fails with {@code Refusal(UNAUTHENTICATED)}
     * when this one was revoked meanwhile.
     */
    public Future<Long> revokeOthers(Principal principal) {
        return redis.send(REVOKE_OTHERS.call(List.of(listOf(principal)), principal.tokenId()))
                .onSuccess(ended -> trusted.invalidateAll())
                .compose(ended -> ended.asLong() < 0
                        ? Future.failedFuture(refused())
                        : announceRevoked(principal).map(ended.asLong()));
    }

    /**
     * Gives the principal's user another password. From then on every other token is refused, and no {@link Login} with
     * the password before is worth one. Fails with {@code Refusal(UNAUTHENTICATED)} when the token was revoked
     * meanwhile, be it by another change.
     */
    public Future<Void> changePassword(Principal principal, String passwordHash) {
        List<String> keys = List.of(Keys.user(principal.userId()), listOf(principal));
        return redis.send(CHANGE_PASSWORD.call(keys, passwordHash, principal.tokenId()))
                .onSuccess(done -> trusted.invalidateAll())
                .compose(done -> done.asLong() == 1 ? announceRevoked(principal) : Future.failedFuture(refused()));
    }

    private Future<Principal> listed(Principal principal) {
        return stands(principal)
                .compose(stands -> stands ? Future.succeededFuture(principal) : refuse(principal))
                .onSuccess(this::noteUse);
    }

    /** Nobody waits for it, and no request fails for it. */
    private void noteUse(Principal principal) {
        long now = nanos.getAsLong();
        Long until = noted.getIfPresent(principal.tokenId());
        if (principal.userId() == 0 || (until != null && now < until)) {
            return;
        }
        noted.put(principal.tokenId(), now + USE_RETRIED_AFTER.toNanos());
        redis.send(NOTE_USE.call(
                        List.of(listOf(principal)),
                        principal.tokenId(),
                        clock.instant().getEpochSecond(),
                        USE_NOTED_EVERY.toSeconds()))
                .onSuccess(done -> {
                    if (done.asLong() == 1) {
                        noted.put(principal.tokenId(), now + USE_NOTED_EVERY.toNanos());
                    }
                })
                .onFailure(cause -> LOG.debug("use of a token not noted cause={}", cause.toString()));
    }

    private Future<Principal> refuse(Principal principal) {
        String token = principal.tokenId();
        return redis.send(Command.of(
                        "HMGET",
                        listOf(principal),
                        AccountAccess.SUSPENDED + token,
                        AccountAccess.SUSPENDED + AccountAccess.HELD + token,
                        AccountAccess.APPLIED + token,
                        AccountAccess.APPLIED + AccountAccess.HELD + token,
                        AccountAccess.HELD + token))
                .map(Reply::items)
                .compose(marked -> Future.failedFuture(refusal(marked)));
    }

    /** @param marked the fields of the token with each mark; nil = it has another one or none */
    private static Refusal refusal(List<Reply> marked) {
        if (!marked.get(0).isNil() || !marked.get(1).isNil()) {
            return suspended();
        }
        if (!marked.get(2).isNil() || !marked.get(3).isNil()) {
            return applied();
        }
        return marked.get(4).isNil() ? refused() : unconfirmed();
    }

    /**
     * The owner of the token as {@link #verify} has it, also while the address of the account waits for a confirmation
     * without which nothing else can be used.
     */
    public Future<Principal> verifyUnconfirmed(String token) {
        return verify(token).recover(cause -> {
            Claim claim = cause instanceof Refusal ? claim(new Key(token)) : null;
            return claim == null || isOver(claim)
                    ? Future.failedFuture(cause)
                    : redis.send(Command.of(
                                    "HMGET",
                                    listOf(claim.principal()),
                                    AccountAccess.HELD + claim.principal().tokenId(),
                                    AccountAccess.APPLIED
                                            + AccountAccess.HELD
                                            + claim.principal().tokenId()))
                            .compose(held -> held.items().stream().allMatch(Reply::isNil)
                                    ? Future.failedFuture(cause)
                                    : Future.succeededFuture(claim.principal()));
        });
    }

    /** Whether a token that was verified once is not revoked at this moment; says nothing about its age. */
    public Future<Boolean> stands(Principal principal) {
        return redis.send(Command.of("HEXISTS", listOf(principal), principal.tokenId()))
                .map(reply -> reply.asLong() == 1);
    }

    /** A token that was trusted a moment ago is known to be revoked: this event loop checks all of them again. */
    public void trustNoLonger() {
        trusted.invalidateAll();
    }

    /** When a token that was verified expires; empty = never. */
    public Optional<Instant> expiry(String token) {
        Claim claim = claim(new Key(token));
        return Optional.ofNullable(claim == null ? null : claim.expires());
    }

    /** How long it is until then; zero or less = it is over. */
    public Duration left(Instant until) {
        return Duration.between(clock.instant(), until);
    }

    /** Null when a claim is missing or not of its type, or not for us. */
    private static Claim claim(JWTClaimsSet claims) {
        try {
            String user = claims.getSubject() == null ? "" : claims.getSubject();
            long userId = user.equals("0") ? 0 : Id.parse(user);
            String tokenId = claims.getJWTID();
            boolean ours =
                    ISSUER.equals(claims.getIssuer()) && List.of(AUDIENCE).equals(claims.getAudience());
            if (!ours || userId < 0 || tokenId == null) {
                return null;
            }
            Principal principal = new Principal(
                    userId,
                    tokenId,
                    orEmpty(claims.getStringClaim("client_id")),
                    Application.of(claims.getStringClaim("client_name"), claims.getStringClaim("client_website")),
                    Scopes.parse(orEmpty(claims.getStringClaim("scope"))));
            Date expires = claims.getExpirationTime();
            return new Claim(principal, expires == null ? null : expires.toInstant());
        } catch (ParseException e) {
            return null;
        }
    }

    private static JWTClaimsSet claims(Principal principal, Instant now) {
        Application application = principal.application();
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject(Long.toString(principal.userId()))
                .jwtID(principal.tokenId())
                .claim("client_id", principal.clientId())
                .claim("client_name", application == null ? "" : application.name())
                // Null leaves it out.
                .claim("client_website", application == null ? null : application.website())
                .claim("scope", String.join(" ", new TreeSet<>(principal.scopes())))
                .issueTime(Date.from(now))
                .build();
    }

    private static String orEmpty(String claim) {
        return claim == null ? "" : claim;
    }

    /** Key of the list that the token stands in, as {@link Revocations} names it. */
    public static String listOf(Principal principal) {
        return principal.userId() == 0 ? Keys.appTokens(principal.clientId()) : Keys.tokens(principal.userId());
    }

    /** For somebody who logs in to an account that is deleted. */
    public static Refusal deleted() {
        return new Refusal(Refusal.Reason.DELETED, "This account has been deleted: nobody can log in to it any more.");
    }

    /** For somebody who has a token or the password of a suspended account; begins as Mastodon says it. */
    public static Refusal suspended() {
        return new Refusal(
                Refusal.Reason.FORBIDDEN,
                "Your login is currently disabled: the account is suspended. Ask the operator of this server.");
    }

    /**
     * For somebody who has a token or the password of an account that waits for approval; begins as Mastodon says it.
     */
    public static Refusal applied() {
        return new Refusal(
                Refusal.Reason.PENDING,
                "Your login is currently pending approval: a moderator of this server decides about your account.");
    }

    /** For a token of an account whose address has to be confirmed first; Mastodon's sentence. */
    private static Refusal unconfirmed() {
        return new Refusal(Refusal.Reason.UNCONFIRMED, "Your login is missing a confirmed e-mail address");
    }

    static Refusal refused() {
        return new Refusal(
                Refusal.Reason.UNAUTHENTICATED, "The access token is invalid, expired or revoked: log in again.");
    }
}
