package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.model.Conversation;
import io.fanfare.client.model.Search;
import io.fanfare.client.model.Status;
import io.fanfare.client.model.Tag;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Homes, public timelines, lists of statuses, and the search. */
public final class Timelines {
    /** The largest page of statuses. */
    private static final String PAGE = "40";

    private final Api api;

    Timelines(Api api) {
        this.api = api;
    }

    public Pages<Status> home() {
        return api.pages("/api/v1/timelines/home", Status.class);
    }

    /** Public posts of this server, newest first. */
    public Pages<Status> everyone() {
        return api.pages("/api/v1/timelines/public", Status.class);
    }

    public Pages<Status> tag(String name) {
        return api.pages("/api/v1/timelines/tag/" + Accounts.tag(name), Status.class);
    }

    public Pages<Status> list(String listId) {
        return api.pages("/api/v1/timelines/list/" + Arguments.id(listId), Status.class);
    }

    public Pages<Status> favourites() {
        return api.pages("/api/v1/favourites", Status.class);
    }

    public Pages<Status> bookmarks() {
        return api.pages("/api/v1/bookmarks", Status.class);
    }

    /** Direct messages, a page of conversations at a time. */
    public Pages<Conversation> conversations() {
        return api.pages("/api/v1/conversations", Conversation.class);
    }

    public Conversation readConversation(String id) {
        return api.repeat("/api/v1/conversations/" + Arguments.id(id) + "/read", Conversation.class);
    }

    public void deleteConversation(String id) {
        api.delete("/api/v1/conversations/" + Arguments.id(id));
    }

    public Search search(String words) {
        return api.get("/api/v2/search?" + Api.query("q", Arguments.text(words, "the words", 1000)), Search.class);
    }

    public List<Tag> trendingTags() {
        return api.list("/api/v1/trends/tags", Tag.class);
    }

    /**
     * Fills the gap of a stream {@code home}: the statuses of the home that are newer than one, newest first. Edits and
     * deletes in the gap cannot be had; a status that the stream sends after the gap may be among these.
     *
     * @param statusId {@code afterStatusId} of the gap, or the newest status that you have stored
     */
    public Stream<Status> homeAfter(String statusId) {
        return after("/api/v1/timelines/home", Arguments.id(statusId));
    }

    /**
     * Fills the gap of a filter that follows accounts: their statuses that are newer than one, account by account,
     * newest first. Answers of others to them, edits and deletes cannot be had. The gap of a filter by words or places,
     * of the sample and of the firehose cannot be filled over REST.
     */
    public Stream<Status> byAuthorsAfter(Collection<String> accountIds, String statusId) {
        String after = Arguments.id(statusId);
        List<String> authors = Arguments.notEmpty(accountIds, "the accounts").stream()
                .map(Arguments::id)
                .toList();
        return authors.stream().flatMap(author -> after("/api/v1/accounts/" + author + "/statuses", after));
    }

    /** The links of further pages do not have the lower end. */
    private Stream<Status> after(String path, String statusId) {
        return api.pages(path, Status.class, "limit", PAGE).stream()
                .takeWhile(status -> isNewer(status.id(), statusId));
    }

    /** Ids are numbers that rise, as decimal texts. */
    private static boolean isNewer(String id, String than) {
        return id.length() != than.length() ? id.length() > than.length() : id.compareTo(than) > 0;
    }
}
