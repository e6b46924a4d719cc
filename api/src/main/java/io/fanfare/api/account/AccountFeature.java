package io.fanfare.api.account;

import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.ApiFeature;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.api.feature.ProfilePictures;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.oauth.OauthFeature;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.store.Directory;
import java.util.List;
import java.util.stream.Stream;

/** Accounts: the public ones and the own one, notes, endorsements, suggestions and the directory. */
public final class AccountFeature implements ApiFeature {
    private final AccountRoutes accounts;
    private final CredentialsRoutes credentials;
    private final AddressRoutes address;
    private final NoteRoutes notes;
    private final EndorsementRoutes endorsements;
    private final SuggestionRoutes suggestions;
    private final DirectoryRoutes directory;

    public AccountFeature(ApiLoop loop, OauthFeature oauth, SecondFactors factors, ProfilePictures pictures) {
        this.accounts = new AccountRoutes(
                loop.publicUrl(),
                loop.accounts(),
                oauth.signUps(),
                oauth.reservedNames(),
                loop.pressure(),
                loop.views());
        this.credentials = new CredentialsRoutes(
                loop.accounts(),
                oauth.apps(),
                loop.tokens(),
                new AccountAccess(loop.redis()),
                oauth.logins(),
                factors,
                oauth.passwordRules(),
                loop.audit(),
                pictures,
                loop.stores().graph(),
                loop.views());
        this.address = new AddressRoutes(
                loop,
                oauth.signUps(),
                credentials::requireOwner,
                () -> loop.settings().mail().isOn() && oauth.offersMails());
        this.notes =
                new NoteRoutes(loop.accounts(), new Notes(loop.redis()), loop.pressure(), loop.viewerRelationships());
        this.endorsements = new EndorsementRoutes(
                loop.limits(),
                loop.accounts(),
                new Endorsements(loop.redis()),
                loop.pressure(),
                loop.viewerRelationships(),
                loop.accountRenderer());
        this.suggestions = new SuggestionRoutes(
                loop.accounts(),
                new Suggestions(
                        loop.redis(),
                        loop.accounts(),
                        loop.stores().publicTimelines(),
                        loop.viewerRelationships(),
                        loop.clock()),
                loop.views());
        this.directory = new DirectoryRoutes(
                new Directory(loop.redis(), loop.accounts(), loop.viewerRelationships()), loop.views());
    }

    @Override
    public List<Endpoint> endpoints() {
        return Stream.of(
                        accounts.endpoints(),
                        credentials.endpoints(),
                        address.endpoints(),
                        notes.endpoints(),
                        endorsements.endpoints(),
                        suggestions.endpoints(),
                        directory.endpoints())
                .flatMap(List::stream)
                .toList();
    }
}
