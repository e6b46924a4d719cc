package io.fanfare.api.endpoint;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.KnownSwitches;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.vertx.core.http.HttpMethod;
import java.util.Set;

/** Refuses the requests that the switches of the site exclude. Confined to one event loop. */
public final class SiteGate {
    /** After this time a client may write again, about. */
    private static final int RETRY_SECONDS = 60;

    /** Writes that are possible on a site which is read-only: people log in and out, and end sessions. */
    private static final Set<String> LOG_INS = Set.of(
            "/api/v1/session",
            "/api/v1/session/code",
            "/api/v1/apps",
            "/oauth/authorize",
            "/oauth/token",
            "/oauth/revoke",
            "/api/v1/tokens/list",
            "/api/v1/tokens/:id",
            "/api/v1/tokens/:id/revoke");

    /** Answers that nobody needs an account for: what the site is, and how to get in. */
    private static final Set<String> FOR_ANYBODY = Set.of(
            "/api/v1/instance",
            "/api/v1/instance/activity",
            "/api/v1/custom_emojis",
            "/api/v1/session",
            "/api/v1/session/code",
            "/api/v1/session/sign_up",
            "/api/v1/accounts/available",
            "/api/v1/accounts/challenge",
            "/api/v1/apps",
            "/api/v1/apps/verify_credentials",
            "/oauth/authorize",
            "/oauth/token",
            "/oauth/revoke",
            "/auth/password/new",
            "/auth/password",
            "/auth/password/edit",
            "/auth/confirmation",
            "/auth/address",
            "/nodeinfo/2.0");

    private final KnownSwitches switches;

    public SiteGate(KnownSwitches switches) {
        this.switches = switches;
    }

    /** Throws {@link Refusal} for a request to an endpoint that nobody may use now. */
    public void check(Endpoint endpoint) {
        if (switches.isOn(Switch.READ_ONLY)
                && !endpoint.method().equals(HttpMethod.GET)
                && !LOG_INS.contains(endpoint.path())) {
            throw Refusal.overloaded(
                    "This server is read-only at the moment: nothing can be written. Try again later.", RETRY_SECONDS);
        }
        if (switches.isOn(Switch.NO_UPLOADS) && endpoint.files() == Endpoint.Files.ANY) {
            throw noUploads();
        }
    }

    /** Throws {@link Refusal} for files that come with a request whose other fields may be changed. */
    public void checkFiles(boolean hasFiles) {
        if (hasFiles && switches.isOn(Switch.NO_UPLOADS)) {
            throw noUploads();
        }
    }

    private static Refusal noUploads() {
        return new Refusal(Reason.FORBIDDEN, "Uploads are switched off on this server at the moment.");
    }

    /** Whether a request to this endpoint needs an account, though the endpoint itself does not. */
    public boolean needsAccount(Endpoint endpoint) {
        boolean signUp =
                endpoint.path().equals("/api/v1/accounts") && endpoint.method().equals(HttpMethod.POST);
        return switches.isOn(Switch.MEMBERS_ONLY)
                && !endpoint.isConstant()
                && !signUp
                && !FOR_ANYBODY.contains(endpoint.path());
    }

    /** Throws {@link Refusal} when the caller has no account where one is needed; an app has none. */
    public void checkReader(Endpoint endpoint, Principal principal) {
        if ((principal == null || principal.userId() == 0) && needsAccount(endpoint)) {
            throw new Refusal(
                    Reason.UNAUTHENTICATED, "This server is for its members only at the moment: log in to read it.");
        }
    }
}
