package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.put;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.Reasons;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.Staff;
import io.fanfare.common.model.Role;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.RoleJson;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Roles;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Gives roles to accounts. */
final class RoleRoutes {
    private final Staff staff;
    private final Roles roles;
    private final Accounts accounts;
    private final AuditLog audit;

    RoleRoutes(Staff staff, Roles roles, Accounts accounts, AuditLog audit) {
        this.staff = staff;
        this.roles = roles;
        this.accounts = accounts;
        this.audit = audit;
    }

    List<Endpoint> endpoints() {
        return List.of(put("/api/v1/admin/accounts/:id/role", Access.user("admin:write:accounts"), this::set));
    }

    /** The script decides once more, at the moment of the change, who may give which role. */
    private Future<Answer> set(Call call) {
        boolean own = call.id() == call.viewer();
        // Everybody may give up a role.
        return (own
                        ? staff.require(call, Role.Permission.VIEW_AUDIT_LOG)
                        : staff.require(call, Role.Permission.MANAGE_ROLES))
                .compose(may -> staff.requireConfirmed(call, SecondFactors.CONFIRMED))
                .compose(may -> accounts.require(call.id()))
                .compose(account -> {
                    Role role = role(call);
                    String why = Reasons.of(call.parameters(), "why");
                    return roles.set(Act.on(Actor.account(call.viewer()), "role.set", account.id(), why), role)
                            .map(before -> {
                                audit.note(
                                        call.request(),
                                        AuditLog.Event.MODERATED,
                                        AuditLog.Subject.of(call.principal()));
                                return Answer.json(json -> RoleJson.write(json, role));
                            });
                });
    }

    private static Role role(Call call) {
        Optional<Role> role = Role.of(call.parameters().text("role", ""));
        if (role.isEmpty()) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("role", "ERR_INCLUSION", "must be user, moderator, admin or owner");
            throw errors.refusal();
        }
        return role.get();
    }
}
