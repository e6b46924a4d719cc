package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.view.Timestamps;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.account.Invitations.Invitation;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.moderation.Roles;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Invitations of accounts with a role, and where {@code auth.user-invitations} is set, of all accounts. Everybody sees
 * and revokes their own, and with the permission Manage Users those of all others.
 */
final class InvitationRoutes {
    /** Invitations of one answer. */
    private static final int LISTED_MAX = 500;

    private final Roles roles;
    private final SecondFactors factors;
    private final Invitations invitations;
    private final ModerationLog log;
    private final boolean everybody;
    private final String publicUrl;
    private final Clock clock;

    /** @param everybody {@code auth.user-invitations} */
    InvitationRoutes(
            Roles roles,
            SecondFactors factors,
            Invitations invitations,
            ModerationLog log,
            boolean everybody,
            String publicUrl,
            Clock clock) {
        this.factors = factors;
        this.roles = roles;
        this.invitations = invitations;
        this.log = log;
        this.everybody = everybody;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/invitations", Access.user("read:accounts"), this::list),
                post("/api/v1/invitations", Access.user("write:accounts"), this::make),
                delete("/api/v1/invitations/:name", Access.user("write:accounts"), this::revoke));
    }

    private Future<Answer> list(Call call) {
        boolean all = call.parameters().flag("all", false);
        return role(call)
                .compose(role -> {
                    if (all && !role.may(Role.Permission.MANAGE_USERS)) {
                        throw notAllowed();
                    }
                    return all ? invitations.all() : invitations.of(call.viewer());
                })
                .map(found -> Answer.array(found.stream().limit(LISTED_MAX).toList(), this::write));
    }

    private Future<Answer> make(Call call) {
        ValidationErrors errors = new ValidationErrors();
        int uses = number(call, errors, "max_uses", Invitations.USES_MAX);
        int seconds = number(call, errors, "expires_in", (int) Invitations.LIFE_MAX.toSeconds());
        String comment = call.parameters().text("comment", "").strip();
        if (comment.codePointCount(0, comment.length()) > Invitations.COMMENT_MAX) {
            errors.add("comment", "ERR_TOO_LONG", "is too long (at most " + Invitations.COMMENT_MAX + " characters)");
        }
        errors.refuseIfAny();
        return role(call)
                .compose(role -> invitations.make(call.viewer(), Duration.ofSeconds(seconds), uses, comment))
                .map(made -> Answer.json(json -> write(json, made)));
    }

    private static int number(Call call, ValidationErrors errors, String name, int max) {
        String text = call.parameters().text(name, "");
        if (text.isEmpty()) {
            return 0;
        }
        if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= max) {
            return Integer.parseInt(text);
        }
        errors.add(name, "ERR_INVALID", "must be a whole number from 1 to " + max + ", or be left out");
        return 0;
    }

    /** That of somebody else is an act of moderation. */
    private Future<Answer> revoke(Call call) {
        String code = call.pathName();
        return roleOf(call).compose(role -> invitations
                .revoke(code, call.viewer())
                .compose(revoked -> revoked || !role.may(Role.Permission.MANAGE_USERS)
                        ? Future.succeededFuture(revoked)
                        : log.during(
                                Act.on(Actor.account(call.viewer()), "invitations.revoke", 0, ""),
                                () -> invitations.revoke(code)))
                .map(revoked -> {
                    if (!revoked) {
                        throw Refusal.unknown();
                    }
                    return Answer.EMPTY_OBJECT;
                }));
    }

    /** The role of the caller, who may invite. */
    private Future<Role> role(Call call) {
        return roleOf(call).map(role -> {
            if (!everybody && !role.may(Role.Permission.INVITE_USERS)) {
                throw notAllowed();
            }
            return role;
        });
    }

    /** A role that lacks a second factor which it needs counts as none. */
    private Future<Role> roleOf(Call call) {
        return roles.of(call.viewer()).compose(role -> factors.requireEnrolled(call.viewer())
                .map(role)
                .recover(cause -> Refusal.isFor(Refusal.Reason.FORBIDDEN, cause)
                        ? Future.succeededFuture(Role.USER)
                        : Future.failedFuture(cause)));
    }

    private static Refusal notAllowed() {
        return new Refusal(
                Refusal.Reason.FORBIDDEN,
                "This action is not allowed: on this server accounts with a role invite people.");
    }

    private void write(JsonGenerator json, Invitation invitation) throws IOException {
        json.writeStartObject();
        json.writeStringField("code", invitation.code());
        json.writeStringField("url", publicUrl + "/invite/" + invitation.code());
        json.writeStringField("account_id", invitation.inviter() == 0 ? null : Long.toString(invitation.inviter()));
        json.writeStringField("created_at", Timestamps.time(invitation.madeMillis()));
        json.writeStringField(
                "expires_at", invitation.endsMillis() == 0 ? null : Timestamps.time(invitation.endsMillis()));
        if (invitation.usesMax() == 0) {
            json.writeNullField("max_uses");
        } else {
            json.writeNumberField("max_uses", invitation.usesMax());
        }
        json.writeNumberField("uses", invitation.uses());
        json.writeBooleanField("valid", invitation.isGood(clock.millis()));
        json.writeStringField("comment", invitation.comment());
        json.writeEndObject();
    }
}
