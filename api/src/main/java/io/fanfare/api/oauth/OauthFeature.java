package io.fanfare.api.oauth;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.SignUpCheck;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.account.SignUpNetworks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Apps, tokens, sign-ups and sessions. Other features take from it what they need to check a password or to sign
 * somebody up.
 */
public final class OauthFeature implements ApiFeature {
    private final Apps apps;
    private final Logins logins;
    private final KnownSignUps knownSignUps;
    private final ReservedNames reserved;
    private final PasswordRules passwordRules;
    private final SignUps signUps;
    private final Vertx vertx;
    private final OAuthRoutes tokens;
    private final AuthorizeRoutes authorizations;
    private final SessionRoutes sessions;
    private boolean offersMails;

    /** @param logins of the event loop, see {@link #logins(ApiLoop, Passwords)} */
    public OauthFeature(
            ApiLoop loop, Logins logins, SecondFactors factors, Supplier<String> vapidKey, SignUpCheck signUpCheck) {
        CommonPasswords.load();
        Settings settings = loop.settings();
        this.vertx = loop.vertx();
        this.apps = new Apps(loop.redis());
        this.logins = logins;
        LoginTickets tickets = new LoginTickets(loop.keys(), loop.clock(), loop.random());
        this.knownSignUps =
                new KnownSignUps(new SignUpSwitch(loop.redis()), settings.auth().registrations());
        this.reserved = new ReservedNames(settings.auth());
        this.passwordRules = new PasswordRules(settings.auth());
        this.signUps = new SignUps(
                knownSignUps,
                settings.auth(),
                reserved,
                loop.accounts(),
                apps,
                loop.tokens(),
                logins,
                passwordRules,
                loop.rates(),
                loop.audit(),
                loop.addresses(),
                new SignUpNetworks(loop.redis(), loop.keys(), settings.auth().signUpAddressDays()),
                new Invitations(loop.redis(), loop.random()),
                signUpCheck);
        AuthorizationCodes codes = new AuthorizationCodes(loop.redis(), loop.random());
        this.tokens = new OAuthRoutes(
                settings.auth(),
                loop.publicUrl(),
                apps,
                loop.tokens(),
                logins,
                loop.rates(),
                codes,
                loop.audit(),
                loop.clock(),
                loop.random(),
                vapidKey);
        this.authorizations = new AuthorizeRoutes(
                loop.publicUrl(), apps, logins, factors, tickets, codes, loop.clock(), loop.random());
        this.sessions = new SessionRoutes(
                loop.sessions(),
                logins,
                factors,
                tickets,
                signUps,
                loop.pressure(),
                loop.tokens(),
                loop.accounts(),
                loop.audit(),
                loop.addresses(),
                loop.views());
    }

    /** The log-ins of an event loop, which other features need before this one is made. */
    public static Logins logins(ApiLoop loop, Passwords passwords) {
        return new Logins(
                loop.accounts(),
                passwords,
                loop.rates(),
                loop.audit(),
                loop.settings().hashWait(),
                loop.nanos());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(tokens.endpoints(), authorizations.endpoints(), sessions.endpoints())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Future<Void> start() {
        return knownSignUps.start(vertx);
    }

    /** Offers the page that resets a forgotten password on the pages of the log-in; its path. */
    public void offerPasswordReset(String path) {
        offersMails = true;
        authorizations.offerPasswordReset(path);
        sessions.offerPasswordReset();
    }

    /** Whether this build has the pages that links of mails lead to. */
    public boolean offersMails() {
        return offersMails;
    }

    public Apps apps() {
        return apps;
    }

    public Logins logins() {
        return logins;
    }

    public SignUps signUps() {
        return signUps;
    }

    public KnownSignUps knownSignUps() {
        return knownSignUps;
    }

    public ReservedNames reservedNames() {
        return reserved;
    }

    public PasswordRules passwordRules() {
        return passwordRules;
    }
}
