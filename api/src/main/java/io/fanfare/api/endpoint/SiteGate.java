package io.fanfare.api.endpoint;

import io.fanfare.common.auth.Principal;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.store.KnownSwitches;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.vertx.core.http.HttpMethod;

/** Refuses the requests that the switches of the site exclude. Confined to one event loop. */
public final class SiteGate {
    /** After this time a client may write again, about. */
    private static final int RETRY_SECONDS = 60;

    private final KnownSwitches switches;

    public SiteGate(KnownSwitches switches) {
        this.switches = switches;
    }

    /** Throws {@link Refusal} for a request to an endpoint that nobody may use now. */
    public void check(Endpoint endpoint) {
        if (switches.isOn(Switch.READ_ONLY)
                && !endpoint.method().equals(HttpMethod.GET)
                && !endpoint.despite().contains(Switch.READ_ONLY)) {
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
        return switches.isOn(Switch.MEMBERS_ONLY)
                && !endpoint.isConstant()
                && !endpoint.despite().contains(Switch.MEMBERS_ONLY);
    }

    /** Throws {@link Refusal} when the caller has no account where one is needed; an app has none. */
    public void checkReader(Endpoint endpoint, Principal principal) {
        if ((principal == null || principal.userId() == 0) && needsAccount(endpoint)) {
            throw new Refusal(
                    Reason.UNAUTHENTICATED, "This server is for its members only at the moment: log in to read it.");
        }
    }
}
