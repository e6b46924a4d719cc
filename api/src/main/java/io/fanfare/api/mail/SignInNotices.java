package io.fanfare.api.mail;

import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.oauth.App;
import io.fanfare.common.auth.Device;
import io.fanfare.core.mail.SignInPlaces;
import io.fanfare.failure.Reason;
import io.fanfare.server.http.ClientAddress;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests the mail about a log-in from a new place. No answer waits for it. Confined to one event loop. */
final class SignInNotices {
    private static final Logger LOG = LoggerFactory.getLogger(SignInNotices.class);

    private final boolean on;
    private final SignInPlaces places;
    private final ClientAddress addresses;

    SignInNotices(ApiLoop loop) {
        this.on = loop.settings().mail().isOn() && loop.settings().mail().signInNotices();
        this.places = new SignInPlaces(loop.redis(), loop.keys(), loop.random());
        this.addresses = loop.addresses();
    }

    /** See {@link io.fanfare.api.oauth.Logins.Listener}. */
    void loggedIn(HttpServerRequest request, long account, App app, boolean byPage) {
        if (on) {
            Device device = device(request);
            String name = app == null ? "" : app.name();
            noted(
                    byPage
                            ? places.noteBrowser(account, device, name)
                            : places.noteApp(account, device.network(), app.clientId(), name));
        }
    }

    /** See {@link io.fanfare.api.oauth.SignUps.Listener}. */
    void signedUp(HttpServerRequest request, long account, String clientId) {
        if (on) {
            noted(places.noteSignUp(account, device(request), clientId));
        }
    }

    private Device device(HttpServerRequest request) {
        return Device.of(request.getHeader(HttpHeaders.USER_AGENT), addresses.shownNetwork(request));
    }

    private static void noted(Future<Boolean> note) {
        note.onFailure(cause -> LOG.warn("the place of a log-in was not noted cause={}", Reason.kind(cause)));
    }
}
