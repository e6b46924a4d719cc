package io.fanfare.api.mail;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.oauth.OauthFeature;
import java.util.List;
import java.util.stream.Stream;

/**
 * Resets of forgotten passwords, and confirmations and changes of addresses, by mail, and notices of log-ins. May be
 * left out of a build.
 */
public final class MailFeature implements ApiFeature {
    private final PasswordResetRoutes resets;
    private final ConfirmationRoutes confirmations;

    public MailFeature(ApiLoop loop, OauthFeature oauth) {
        this.resets = new PasswordResetRoutes(loop, oauth);
        this.confirmations = new ConfirmationRoutes(loop, oauth.signUps());
        oauth.offerPasswordReset(PasswordResetRoutes.REQUEST_PATH);
        SignInNotices notices = new SignInNotices(loop);
        oauth.signUps().listen((request, account, clientId) -> {
            confirmations.signedUp(request, account);
            notices.signedUp(request, account, clientId);
        });
        oauth.logins().listen(notices::loggedIn);
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(resets.endpoints(), confirmations.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
