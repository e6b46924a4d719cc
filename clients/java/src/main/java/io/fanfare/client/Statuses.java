package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.http.Call;
import io.fanfare.client.model.Account;
import io.fanfare.client.model.Context;
import io.fanfare.client.model.Poll;
import io.fanfare.client.model.ScheduledStatus;
import io.fanfare.client.model.Status;
import io.fanfare.client.model.StatusEdit;
import io.fanfare.client.model.StatusSource;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Posts, replies, comments, reposts, likes and polls. */
public final class Statuses {
    private static final String STATUSES = "/api/v1/statuses/";

    private final Api api;

    Statuses(Api api) {
        this.api = api;
    }

    /** Posts a text; see {@link #post(NewStatus)}. */
    public Status post(String text) {
        return post(NewStatus.text(text));
    }

    /** Posts once, also when an answer is lost and the call is repeated. */
    public Status post(NewStatus status) {
        Arguments.present(status, "the status");
        return api.keyed("/api/v1/statuses", status.fields(), status.keyOrNull(), Status.class);
    }

    /** Posts at a later time, at least five minutes from now. */
    public ScheduledStatus schedule(NewStatus status, Instant time) {
        Fields fields = Arguments.present(status, "the status")
                .fields()
                .with("scheduled_at", Arguments.present(time, "the time").toString());
        return api.keyed("/api/v1/statuses", fields, status.keyOrNull(), ScheduledStatus.class);
    }

    public Status get(String id) {
        return api.get(STATUSES + Arguments.id(id), Status.class);
    }

    /** The statuses that exist of these; others are left out. */
    public List<Status> get(Collection<String> ids) {
        return api.list("/api/v1/statuses?" + Api.ids("id[]", ids), Status.class);
    }

    /** Replaces the text; the history keeps the former one. */
    public Status edit(String id, NewStatus status) {
        return api.put(
                STATUSES + Arguments.id(id),
                Arguments.present(status, "the status").fields(),
                Status.class);
    }

    /** Deletes a status of the account of the token. */
    public void delete(String id) {
        api.delete(STATUSES + Arguments.id(id));
    }

    /** The text as its author wrote it. */
    public StatusSource source(String id) {
        return api.get(STATUSES + Arguments.id(id) + "/source", StatusSource.class);
    }

    /** All versions, oldest first. */
    public List<StatusEdit> history(String id) {
        return api.list(STATUSES + Arguments.id(id) + "/history", StatusEdit.class);
    }

    /** The statuses above and below it. */
    public Context context(String id) {
        return api.get(STATUSES + Arguments.id(id) + "/context", Context.class);
    }

    public Status favourite(String id) {
        return api.status(id, "/favourite");
    }

    public Status unfavourite(String id) {
        return api.status(id, "/unfavourite");
    }

    public Status bookmark(String id) {
        return api.status(id, "/bookmark");
    }

    public Status unbookmark(String id) {
        return api.status(id, "/unbookmark");
    }

    public Status pin(String id) {
        return api.status(id, "/pin");
    }

    public Status unpin(String id) {
        return api.status(id, "/unpin");
    }

    /** No more notifications of its thread. */
    public Status mute(String id) {
        return api.status(id, "/mute");
    }

    public Status unmute(String id) {
        return api.status(id, "/unmute");
    }

    /** Reposts it once. */
    public Status reblog(String id) {
        return api.keyed(STATUSES + Arguments.id(id) + "/reblog", Fields.NONE, null, Status.class);
    }

    public Status unreblog(String id) {
        return api.status(id, "/unreblog");
    }

    /** Comments on it once. A comment is in the thread, not in homes. */
    public Status comment(String id, String text) {
        return api.keyed(
                STATUSES + Arguments.id(id) + "/comments", Fields.NONE.withText("text", text), null, Status.class);
    }

    public Pages<Status> comments(String id) {
        return api.pages(STATUSES + Arguments.id(id) + "/comments", Status.class);
    }

    public Pages<Account> favouritedBy(String id) {
        return api.pages(STATUSES + Arguments.id(id) + "/favourited_by", Account.class);
    }

    public Pages<Account> rebloggedBy(String id) {
        return api.pages(STATUSES + Arguments.id(id) + "/reblogged_by", Account.class);
    }

    public Pages<Status> quotes(String id) {
        return api.pages(STATUSES + Arguments.id(id) + "/quotes", Status.class);
    }

    public Poll poll(String id) {
        return api.get("/api/v1/polls/" + Arguments.id(id), Poll.class);
    }

    /**
     * Votes; a lost answer is a failure, because the server refuses a second vote. {@link #poll} shows the result.
     *
     * @param choices numbers of options, from 0
     */
    public Poll vote(String pollId, Collection<Integer> choices) {
        Fields fields = Fields.NONE.with("choices", List.copyOf(Arguments.notEmpty(choices, "choices")));
        return api.once("/api/v1/polls/" + Arguments.id(pollId) + "/votes", fields, Poll.class);
    }

    public Pages<ScheduledStatus> scheduled() {
        return api.pages("/api/v1/scheduled_statuses", ScheduledStatus.class);
    }

    public ScheduledStatus reschedule(String id, Instant time) {
        Fields fields = Fields.NONE.with(
                "scheduled_at", Arguments.present(time, "the time").toString());
        return api.send(
                Call.of("PUT", "/api/v1/scheduled_statuses/" + Arguments.id(id), true)
                        .json(fields.values()),
                ScheduledStatus.class);
    }

    public void unschedule(String id) {
        api.delete("/api/v1/scheduled_statuses/" + Arguments.id(id));
    }
}
