package io.fanfare.core.conversation;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventKey;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.model.Account;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.core.conversation.Conversations.Change;
import io.fanfare.core.conversation.Conversations.Shown;
import io.fanfare.core.view.Hydrator;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the events of changed conversations and appends them: each as its account would be shown the conversation at
 * this moment, and none that it would not be shown.
 */
public final class ConversationEvents {
    /** Renderings of one event. Each may show a status that is deleted before the append, and is then repeated. */
    private static final int RENDERINGS_MAX = 5;

    private final EventLog events;
    private final Conversations conversations;
    private final Accounts accounts;
    private final Hydrator hydrator;
    private final EventBodies bodies;

    public ConversationEvents(
            EventLog events, Conversations conversations, Accounts accounts, Hydrator hydrator, Views views) {
        this.events = events;
        this.conversations = conversations;
        this.accounts = accounts;
        this.hydrator = hydrator;
        this.bodies = new EventBodies(views);
    }

    /**
     * Makes sure that an account's streams hear of a change, unless a later one has come, or a status that the account
     * is not shown as the last one.
     */
    public Future<Void> announce(long account, Change change) {
        return announce(account, change, RENDERINGS_MAX);
    }

    private Future<Void> announce(long account, Change change, int renderings) {
        if (change.change() == 0) {
            return Future.succeededFuture();
        }
        if (renderings == 0) {
            return Future.failedFuture("what this shows keeps being deleted: conversation " + change.id());
        }
        return events.missing(List.of(new EventKey(Event.Kind.CONVERSATION, change.change())))
                .compose(missing -> missing.isEmpty() ? Future.succeededFuture(0L) : append(account, change))
                .compose(seq ->
                        seq == EventLog.STALE ? announce(account, change, renderings - 1) : Future.succeededFuture());
    }

    private Future<Long> append(long account, Change change) {
        return conversations.find(account, change.id()).compose(found -> {
            boolean isCurrent = found.isPresent()
                    && found.get().change() == change.change()
                    && (change.added() == 0 || found.get().last().id() == change.added());
            return isCurrent ? append(account, found.get()) : Future.succeededFuture(0L);
        });
    }

    private Future<Long> append(long account, Shown shown) {
        Future<Map<Long, Account>> known = accounts.load(Conversations.people(account, List.of(shown)));
        Future<RenderContext> context = hydrator.load(List.of(shown.last()), account);
        return Future.all(known, context)
                .compose(read -> context.result().covers(shown.last())
                        ? events.append(bodies.conversed(
                                account,
                                shown.change(),
                                shown.id(),
                                shown.unread(),
                                people(account, shown, known.result()),
                                shown.last(),
                                context.result()))
                        : Future.succeededFuture(0L));
    }

    /**
     * The accounts that a conversation names; ids without an account are left out. A conversation without other
     * participants names the account itself.
     */
    public static List<Account> people(long account, Shown shown, Map<Long, Account> known) {
        List<Account> people = new ArrayList<>();
        for (long each : shown.others().isEmpty() ? List.of(account) : shown.others()) {
            if (known.containsKey(each)) {
                people.add(known.get(each));
            }
        }
        return people;
    }
}
