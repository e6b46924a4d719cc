package io.fanfare.api.mail;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.oauth.OauthFeature;
import java.util.List;

/** Resets of forgotten passwords by mail. May be left out of a build. */
public final class MailFeature implements ApiFeature {
    private final PasswordResetRoutes resets;

    public MailFeature(ApiLoop loop, OauthFeature oauth) {
        this.resets = new PasswordResetRoutes(loop, oauth);
    }

    @Override
    public List<Endpoint> endpoints() {
        return resets.endpoints();
    }
}
