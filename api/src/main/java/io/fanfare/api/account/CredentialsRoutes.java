package io.fanfare.api.account;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.patch;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.ProfilePictures;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.oauth.App;
import io.fanfare.api.oauth.Apps;
import io.fanfare.api.oauth.Logins;
import io.fanfare.api.oauth.PasswordRules;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.auth.Tokens.Listed;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.AccountChange;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Accounts.OwnFields;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.common.view.RoleJson;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.media.PictureUse;
import io.fanfare.server.http.AuditLog;
import io.fanfare.server.http.AuditLog.Event;
import io.fanfare.server.http.AuditLog.Reason;
import io.fanfare.server.http.AuditLog.Subject;
import io.fanfare.server.http.UploadedFile;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Endpoints for users to see and change their own account: profile, preferences, password, tokens. An app sees and ends
 * the tokens that it holds itself. Those of other apps, which are the user's other sessions, need the password of the
 * account: a token alone proves that the user let an app in, not that the user is there.
 */
public final class CredentialsRoutes {
    private final Accounts accounts;
    private final Apps apps;
    private final Tokens tokens;
    private final AccountAccess access;
    private final Logins logins;
    private final SecondFactors factors;
    private final PasswordRules passwordRules;
    private final AuditLog audit;
    private final ProfilePictures pictures;
    private final Graph graph;
    private final Views views;

    public CredentialsRoutes(
            Accounts accounts,
            Apps apps,
            Tokens tokens,
            AccountAccess access,
            Logins logins,
            SecondFactors factors,
            PasswordRules passwordRules,
            AuditLog audit,
            ProfilePictures pictures,
            Graph graph,
            Views views) {
        this.graph = graph;
        this.accounts = accounts;
        this.apps = apps;
        this.tokens = tokens;
        this.access = access;
        this.logins = logins;
        this.factors = factors;
        this.passwordRules = passwordRules;
        this.audit = audit;
        this.pictures = pictures;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/accounts/verify_credentials", Access.user("profile"), this::verifyCredentials),
                patch("/api/v1/accounts/update_credentials", Access.user("write:accounts"), this::update)
                        .withPictures(),
                delete(
                        "/api/v1/profile/avatar",
                        Access.user("write:accounts"),
                        call -> removePicture(call, change -> change.avatar(""))),
                delete(
                        "/api/v1/profile/header",
                        Access.user("write:accounts"),
                        call -> removePicture(call, change -> change.header(""))),
                get("/api/v1/preferences", Access.user("read:accounts"), this::preferences),
                post("/api/v1/accounts/password", Access.user("write:accounts"), this::changePassword)
                        .hashing(),
                post("/api/v1/accounts/delete", Access.user("write:accounts"), this::deleteAccount)
                        .hashing(),
                get("/api/v1/tokens", Access.user("read:accounts"), this::listOwnTokens),
                post("/api/v1/tokens/list", Access.user("read:accounts"), this::listAllTokens)
                        .hashing()
                        .despite(Switch.READ_ONLY),
                post("/api/v1/tokens/revoke_others", Access.user("write:accounts"), this::revokeOtherTokens)
                        .hashing()
                        .despite(Switch.READ_ONLY),
                delete("/api/v1/tokens/:id", Access.user("write:accounts"), this::revokeOwnToken)
                        .despite(Switch.READ_ONLY),
                post("/api/v1/tokens/:id/revoke", Access.user("write:accounts"), this::revokeAnyToken)
                        .hashing()
                        .despite(Switch.READ_ONLY));
    }

    private Future<Answer> verifyCredentials(Call call) {
        return credentials(call.viewer());
    }

    private Future<Answer> update(Call call) {
        NewProfile profile = NewProfile.of(call.parameters());
        AccountChange change = profile.change();
        return picture(call, "avatar", PictureUse.AVATAR, change::avatar)
                .compose(done -> picture(call, "header", PictureUse.HEADER, change::header))
                .compose(done -> change.isEmpty() ? Future.succeededFuture() : accounts.update(call.viewer(), change))
                .compose(done -> credentials(call.viewer()));
    }

    private Future<Void> picture(Call call, String name, PictureUse use, Consumer<String> into) {
        UploadedFile file = call.parameters().file(name);
        return file == null
                ? Future.succeededFuture()
                : pictures.profile(call, file, use).map(kept -> {
                    into.accept(kept);
                    return null;
                });
    }

    private Future<Answer> removePicture(Call call, Consumer<AccountChange> what) {
        AccountChange change = new AccountChange();
        what.accept(change);
        return accounts.update(call.viewer(), change).compose(done -> credentials(call.viewer()));
    }

    private Future<Answer> credentials(long user) {
        Future<Preferences> preferences = accounts.preferences(user);
        Future<Account> account = accounts.require(user);
        Future<Long> requests = graph.requestCount(user);
        Future<OwnFields> own = accounts.ownFields(user);
        return Future.all(account, preferences, requests, own)
                .map(all -> Answer.json(json ->
                        credentials(json, account.result(), preferences.result(), requests.result(), own.result())));
    }

    private Future<Answer> preferences(Call call) {
        return accounts.preferences(call.viewer())
                .map(preferences -> Answer.json(json -> {
                    json.writeStartObject();
                    json.writeStringField(
                            "posting:default:visibility",
                            preferences.visibility().wire());
                    json.writeBooleanField("posting:default:sensitive", preferences.sensitive());
                    json.writeStringField("posting:default:language", preferences.language());
                    json.writeStringField(
                            "posting:default:quote_policy",
                            preferences.quotePolicy().wire());
                    json.writeStringField("reading:expand:media", "default");
                    json.writeBooleanField("reading:expand:spoilers", false);
                    json.writeBooleanField("reading:autoplay:gifs", false);
                    json.writeBooleanField("reading:aggregate:reblogs", preferences.foldsReposts());
                    json.writeEndObject();
                }));
    }

    /**
     * Changes the password. All other tokens end within a second, open streams included: a password is often changed
     * because somebody else knows it.
     */
    private Future<Answer> changePassword(Call call) {
        String wanted = call.parameters().text("password", "");
        ValidationErrors errors = new ValidationErrors();
        passwordRules.check(errors, wanted);
        errors.refuseIfAny();
        return accounts.names(call.viewer())
                .map(names -> {
                    PasswordRules.checkOwner(errors, wanted, names.username(), names.email());
                    errors.refuseIfAny();
                    return names;
                })
                .compose(names -> requireOwner(call))
                .compose(right -> logins.hash(call.request(), wanted, /* known= */ true))
                .compose(hash -> tokens.changePassword(call.principal(), hash))
                .onSuccess(changed -> audit.note(call.request(), Event.PASSWORD_CHANGED, Subject.of(call.principal())))
                .map(Answer.EMPTY_OBJECT);
    }

    /** For good: a token alone, which an app may have lost, is not enough. */
    private Future<Answer> deleteAccount(Call call) {
        return requireOwner(call)
                .compose(right -> access.delete(call.principal()))
                .onSuccess(done -> {
                    tokens.trustNoLonger();
                    audit.note(call.request(), Event.ACCOUNT_DELETED, Subject.of(call.principal()));
                })
                .map(Answer.EMPTY_OBJECT);
    }

    /**
     * Fails unless the body has the password of the account and, where it has a second factor, the session has given a
     * code of it a short while ago.
     */
    Future<Void> requireOwner(Call call) {
        return logins.requireOwn(call)
                .compose(login -> login.needsCode()
                        ? factors.requireConfirmed(call.principal(), SecondFactors.CONFIRMED)
                        : Future.succeededFuture());
    }

    private Future<Answer> listOwnTokens(Call call) {
        String own = call.principal().clientId();
        return tokens.list(call.principal())
                .map(all -> all.stream()
                        .filter(token -> token.clientId().equals(own))
                        .toList())
                .compose(listed -> show(call.principal(), listed));
    }

    private Future<Answer> listAllTokens(Call call) {
        return logins.requireOwn(call)
                .compose(right -> tokens.list(call.principal()))
                .compose(listed -> show(call.principal(), listed));
    }

    private Future<Answer> show(Principal viewer, List<Listed> listed) {
        return clients(listed)
                .map(clients -> Answer.array(listed, (json, token) -> token(json, token, clients, viewer.tokenId())));
    }

    /** The apps of these tokens by client id. */
    private Future<Map<String, App>> clients(List<Listed> tokens) {
        List<Future<Optional<App>>> found =
                tokens.stream().map(Listed::clientId).distinct().map(apps::find).toList();
        return Future.all(found).map(all -> found.stream()
                .flatMap(app -> app.result().stream())
                .collect(Collectors.toMap(App::clientId, app -> app)));
    }

    private static void token(JsonGenerator json, Listed token, Map<String, App> clients, String current)
            throws IOException {
        App client = clients.get(token.clientId());
        json.writeStartObject();
        json.writeStringField("id", token.tokenId());
        json.writeStringField("client", client == null ? null : client.name());
        json.writeStringField("scopes", String.join(" ", new TreeSet<>(token.scopes())));
        json.writeStringField("created_at", Timestamps.time(token.issuedAt().toEpochMilli()));
        json.writeStringField("browser", orNull(token.device().browser()));
        json.writeStringField("system", orNull(token.device().system()));
        json.writeStringField("network", orNull(token.device().network()));
        json.writeStringField(
                "last_used_at",
                token.usedAt() == null ? null : Timestamps.time(token.usedAt().toEpochMilli()));
        json.writeBooleanField("current", token.tokenId().equals(current));
        json.writeEndObject();
    }

    private static String orNull(String name) {
        return name.isEmpty() ? null : name;
    }

    private Future<Answer> revokeOwnToken(Call call) {
        return tokens.revokeOfSameApp(call.principal(), call.pathId()).map(known -> revoked(call, known));
    }

    private Future<Answer> revokeAnyToken(Call call) {
        return logins.requireOwn(call)
                .compose(right -> tokens.revoke(call.principal().userId(), call.pathId()))
                .map(known -> revoked(call, known));
    }

    private Future<Answer> revokeOtherTokens(Call call) {
        return logins.requireOwn(call)
                .compose(right -> tokens.revokeOthers(call.principal()))
                .onSuccess(ended ->
                        audit.note(call.request(), Event.TOKEN_REVOKED, Reason.OTHERS, Subject.of(call.principal())))
                .map(Answer.EMPTY_OBJECT);
    }

    private Answer revoked(Call call, boolean known) {
        if (!known) {
            throw Refusal.unknown();
        }
        Principal by = call.principal();
        audit.note(call.request(), Event.TOKEN_REVOKED, new Subject(by.userId(), call.pathId(), by.clientId()));
        return Answer.EMPTY_OBJECT;
    }

    /** The Mastodon entity CredentialAccount. */
    private void credentials(JsonGenerator json, Account account, Preferences preferences, long requests, OwnFields own)
            throws IOException {
        json.writeStartObject();
        views.accounts().fields(json, account);
        json.writeObjectFieldStart("source");
        json.writeStringField("privacy", preferences.visibility().wire());
        json.writeBooleanField("sensitive", preferences.sensitive());
        json.writeStringField("language", preferences.language() == null ? "" : preferences.language());
        json.writeStringField("note", account.note());
        json.writeArrayFieldStart("fields");
        for (ProfileSettings.Field field : account.profileSettings().fields()) {
            json.writeStartObject();
            json.writeStringField("name", field.name());
            json.writeStringField("value", field.value());
            json.writeNullField("verified_at");
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("follow_requests_count", requests);
        json.writeStringField("quote_policy", preferences.quotePolicy().wire());
        json.writeBooleanField("aggregate_reblogs", preferences.foldsReposts());
        json.writeBooleanField("hide_collections", account.profileSettings().hidesFollows());
        json.writeBooleanField("discoverable", account.profileSettings().discoverable());
        json.writeBooleanField("indexable", account.profileSettings().indexable());
        json.writeArrayFieldStart("attribution_domains");
        for (String domain : own.domains()) {
            json.writeString(domain);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeFieldName("role");
        RoleJson.write(json, own.role());
        json.writeEndObject();
    }
}
