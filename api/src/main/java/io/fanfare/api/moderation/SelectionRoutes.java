package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.feature.Reasons;
import io.fanfare.api.feature.SecondFactors;
import io.fanfare.api.feature.Staff;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Selection;
import io.fanfare.core.moderation.SelectionSearch;
import io.fanfare.core.moderation.SelectionSearch.Criteria;
import io.fanfare.core.moderation.Selections;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.server.http.AuditLog;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Moderators select many accounts, act on them in one step, and undo that. Of our own. */
final class SelectionRoutes {
    private static final Access READ = Access.user("admin:read:accounts");
    private static final Access WRITE = Access.user("admin:write:accounts");

    private final Staff staff;
    private final Selections selections;
    private final Supplier<SelectionSearch> searches;
    private final AdminAccounts people;
    private final Accounts accounts;
    private final JobQueue queue;
    private final AuditLog audit;
    private final SelectionJson view;

    SelectionRoutes(
            Staff staff,
            Selections selections,
            Supplier<SelectionSearch> searches,
            AdminAccounts people,
            Accounts accounts,
            JobQueue queue,
            AuditLog audit,
            SelectionJson view) {
        this.staff = staff;
        this.selections = selections;
        this.searches = searches;
        this.people = people;
        this.accounts = accounts;
        this.queue = queue;
        this.audit = audit;
        this.view = view;
    }

    List<Endpoint> endpoints() {
        String all = "/api/v1/admin/selections";
        return List.of(
                get(all, READ, this::list),
                post(all, WRITE, this::select),
                get(all + "/:id", READ, call -> staff.require(call, Role.Permission.MANAGE_USERS)
                        .compose(may -> selections.require(call.id()))
                        .compose(this::answer)),
                post(all + "/:id/act", WRITE, this::act),
                post(all + "/:id/undo", WRITE, this::undo));
    }

    private Future<Answer> list(Call call) {
        return staff.require(call, Role.Permission.MANAGE_USERS)
                .compose(may -> selections.list())
                .map(found -> Answer.array(found, (json, one) -> view.write(json, one, List.of())));
    }

    private Future<Answer> select(Call call) {
        NewSelection wanted = NewSelection.of(call.parameters());
        return staff.require(call, Role.Permission.MANAGE_USERS)
                .compose(may -> named(wanted.usernames()))
                .compose(named -> {
                    Criteria criteria = wanted.criteria(named);
                    return searches.get()
                            .run(criteria)
                            .compose(found ->
                                    selections.add(call.viewer(), criteria.words(), found.accounts(), found.found()));
                })
                .compose(selections::require)
                .compose(this::answer);
    }

    private Future<Set<Long>> named(Set<String> usernames) {
        return usernames.isEmpty()
                ? Future.succeededFuture(Set.of())
                : accounts.idsByUsername(usernames).map(found -> {
                    List<String> unknown = usernames.stream()
                            .filter(name -> !found.containsKey(name))
                            .sorted()
                            .toList();
                    NewSelection.refuseUnknown(unknown);
                    return Set.copyOf(found.values());
                });
    }

    private Future<Answer> act(Call call) {
        String text = Reasons.of(call.parameters(), "text");
        String why = Reasons.why(call.parameters(), text);
        return staff.require(call, Role.Permission.MANAGE_USERS)
                .compose(may -> {
                    Action action = type(call);
                    return confirmed(call, action).compose(done -> {
                        note(call);
                        return selections.act(call.id(), action, Actor.account(call.viewer()), text, why, queue);
                    });
                })
                .compose(this::answer);
    }

    /** As for one account. */
    private Future<Void> confirmed(Call call, Action action) {
        return action == Action.SUSPEND
                ? staff.requireConfirmed(call, SecondFactors.CONFIRMED_STAFF)
                : Future.succeededFuture();
    }

    private Future<Answer> undo(Call call) {
        String why = Reasons.of(call.parameters(), "why");
        return staff.require(call, Role.Permission.MANAGE_USERS)
                .compose(may -> {
                    note(call);
                    return selections.undo(call.id(), Actor.account(call.viewer()), why, queue);
                })
                .compose(this::answer);
    }

    private void note(Call call) {
        audit.note(call.request(), AuditLog.Event.MODERATED, AuditLog.Subject.of(call.principal()));
    }

    private static Action type(Call call) {
        String type = call.parameters().text("type", "");
        if (!List.of("sensitive", "silence", "suspend").contains(type)) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("type", "ERR_INCLUSION", "must be sensitive, silence or suspend");
            throw errors.refusal();
        }
        return Action.of(type);
    }

    private Future<Answer> answer(Selection selection) {
        return selections.first(selection.number(), SelectionJson.SHOWN).compose(ids -> people.load(ids)
                .map(known -> Answer.json(json -> view.write(
                        json,
                        selection,
                        ids.stream().filter(known::containsKey).map(known::get).toList()))));
    }
}
