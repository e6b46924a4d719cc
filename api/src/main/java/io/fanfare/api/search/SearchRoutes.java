package io.fanfare.api.search;

import static io.fanfare.api.endpoint.Endpoint.get;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ResourceLinks;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.api.tag.TagRenderer;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.UsernameIndex;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.view.Views;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.feed.Timelines;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Search by name: the beginning of a name finds accounts and hashtags in use, and a URL of this server finds an account
 * or a status. {@link StatusSearch} finds statuses by their words. A search finds nothing that the viewer may not see.
 */
public final class SearchRoutes {
    private static final int LIMIT = 20;
    private static final int LIMIT_MAX = 40;
    private static final int PEOPLE_LIMIT = 40;
    private static final int PEOPLE_LIMIT_MAX = 80;
    private static final int OFFSET_MAX = 1000;

    /** How many names are looked at for those that the viewer follows. */
    private static final int CANDIDATES = 400;

    private final Accounts accounts;
    private final UsernameIndex usernames;
    private final ViewerRelationshipsReader viewerRelationships;
    private final Statuses statuses;
    private final Timelines timelines;
    private final PublicTimelines publicTimelines;
    private final TagRenderer tagRenderer;
    private final StatusRenderer renderer;
    private final Views views;
    private final ResourceLinks resourceLinks;
    private final StatusSearch texts;

    /** @param index null = texts are not searched */
    public SearchRoutes(
            String publicUrl,
            Accounts accounts,
            UsernameIndex usernames,
            ViewerRelationshipsReader viewerRelationships,
            Statuses statuses,
            Timelines timelines,
            PublicTimelines publicTimelines,
            TagRenderer tagRenderer,
            StatusRenderer renderer,
            SearchIndex index,
            Views views) {
        this.accounts = accounts;
        this.usernames = usernames;
        this.viewerRelationships = viewerRelationships;
        this.statuses = statuses;
        this.timelines = timelines;
        this.publicTimelines = publicTimelines;
        this.tagRenderer = tagRenderer;
        this.renderer = renderer;
        this.views = views;
        this.resourceLinks = new ResourceLinks(publicUrl);
        this.texts = new StatusSearch(index, resourceLinks, accounts, statuses, viewerRelationships);
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v2/search", Access.viewer("read:search"), this::everything),
                get("/api/v1/accounts/search", Access.user("read:accounts"), this::people));
    }

    private Future<Answer> everything(Call call) {
        Parameters parameters = call.parameters();
        String query = query(parameters);
        String type = parameters.text("type", "");
        int limit = parameters.number("limit", LIMIT, 1, LIMIT_MAX);
        // As in Mastodon: further pages are those of one type.
        int offset = type.isEmpty() ? 0 : parameters.number("offset", 0, 0, OFFSET_MAX);
        boolean following = parameters.flag("following", false);

        Future<List<Account>> people = wanted(type, "accounts")
                ? accounts(call, query, following, offset, limit)
                : Future.succeededFuture(List.of());
        Future<byte[]> posts = (wanted(type, "statuses")
                        ? statuses(call, query, type, offset, limit)
                        : Future.succeededFuture(List.<Status>of()))
                .compose(found -> renderer.list(found, call.viewer()));
        Future<List<String>> hashtags = wanted(type, "hashtags")
                ? hashtags(call.viewer(), query, offset, limit)
                : Future.succeededFuture(List.of());
        Future<TagRenderer.Known> known = hashtags.compose(found -> tagRenderer.read(call.viewer(), found));
        return Future.all(people, posts, known)
                .map(found -> Answer.json(
                        json -> found(json, people.result(), posts.result(), hashtags.result(), known.result())));
    }

    /** Hashtags in use that begin with the query. */
    private Future<List<String>> hashtags(long viewer, String query, int offset, int limit) {
        String prefix = TextEntities.tagPrefix(query);
        return prefix == null
                ? Future.succeededFuture(List.of())
                : publicTimelines
                        .tagsBeginningWith(prefix, viewer)
                        .map(found -> found.stream().skip(offset).limit(limit).toList());
    }

    private static boolean wanted(String type, String kind) {
        return type.isEmpty() || type.equals(kind);
    }

    private static String query(Parameters parameters) {
        String query = parameters.text("q", "").strip();
        if (query.isEmpty()) {
            throw new Refusal(Refusal.Reason.MALFORMED, "The parameter q is missing: send what to look for.");
        }
        return query;
    }

    private Future<Answer> people(Call call) {
        Parameters parameters = call.parameters();
        int limit = parameters.number("limit", PEOPLE_LIMIT, 1, PEOPLE_LIMIT_MAX);
        int offset = parameters.number("offset", 0, 0, OFFSET_MAX);
        boolean following = parameters.flag("following", false);
        return accounts(call, query(parameters), following, offset, limit)
                .map(found -> Answer.json(json -> array(json, found)));
    }

    /**
     * A name of this host finds every name that begins so, itself first; with the host behind it, or as a URL, only
     * itself.
     */
    private Future<List<Account>> accounts(Call call, String query, boolean following, int offset, int limit) {
        Optional<String> name = resourceLinks.username(query);
        if (name.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        String handle = query.startsWith("@") ? query.substring(1) : query;
        boolean whole = !handle.equalsIgnoreCase(name.get());
        Future<List<Long>> ids = whole
                ? accounts.idByUsername(name.get()).map(id -> id.stream().toList())
                : following
                        ? usernames.beginningWith(name.get(), 0, CANDIDATES)
                        : usernames.beginningWith(name.get(), offset, limit);
        return ids.compose(found ->
                        following ? followed(call.viewer(), found, offset, limit) : Future.succeededFuture(found))
                .compose(found -> load(call.viewer(), found));
    }

    private Future<List<Long>> followed(long viewer, List<Long> ids, int offset, int limit) {
        return viewerRelationships.of(viewer, ids).map(relationships -> ids.stream()
                .filter(id -> relationships.relation(id).following())
                .skip(offset)
                .limit(limit)
                .toList());
    }

    /**
     * In the order of the ids. Names of accounts that are not active (yet) lead nowhere, and who blocks the viewer is
     * not found; whom the viewer blocks or mutes is, to be able to end it.
     */
    private Future<List<Account>> load(long viewer, List<Long> ids) {
        Future<Map<Long, Account>> loaded = accounts.load(ids);
        Future<ViewerRelationships> relationships = viewerRelationships.of(viewer, ids);
        return Future.all(loaded, relationships).map(both -> ids.stream()
                .filter(id -> !relationships.result().isBlockedBy(id))
                .map(loaded.result()::get)
                .filter(Objects::nonNull)
                .toList());
    }

    /** The one of an address, or those of which the texts match. */
    private Future<List<Status>> statuses(Call call, String query, String type, int offset, int limit) {
        OptionalLong id = resourceLinks.statusId(query);
        if (id.isPresent()) {
            return offset == 0
                    ? status(call, id).map(found -> found.stream().toList())
                    : Future.succeededFuture(List.of());
        }
        Parameters parameters = call.parameters();
        long below = bound(parameters, "max_id");
        StatusSearch.Window window = new StatusSearch.Window(
                Math.max(0, parameters.id("account_id")),
                bound(parameters, "min_id"),
                below == 0 ? Id.MAX : below,
                offset,
                limit);
        if (parameters.id("account_id") < 0) {
            return Future.succeededFuture(List.of());
        }
        if (type.isEmpty()) {
            // What else is found is worth an answer when texts cannot be searched, or the query is none of their
            // language.
            return Future.succeededFuture(query)
                    .compose(parsed -> texts.find(call.viewer(), parsed, window))
                    .recover(cause ->
                            cause instanceof Refusal ? Future.succeededFuture(List.of()) : Future.failedFuture(cause));
        }
        return texts.find(call.viewer(), query, window);
    }

    private static long bound(Parameters parameters, String name) {
        return Math.max(0, parameters.id(name));
    }

    private Future<Optional<Status>> status(Call call, OptionalLong id) {
        return statuses.find(id.getAsLong())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(found)
                        : timelines.maySee(call.viewer(), found.get()).map(sees -> sees ? found : Optional.empty()));
    }

    private void found(
            JsonGenerator json, List<Account> people, byte[] posts, List<String> hashtags, TagRenderer.Known known)
            throws IOException {
        json.writeStartObject();
        json.writeFieldName("accounts");
        array(json, people);
        json.writeFieldName("statuses");
        json.writeRawValue(new String(posts, StandardCharsets.UTF_8));
        json.writeArrayFieldStart("hashtags");
        for (String hashtag : hashtags) {
            known.write(json, hashtag);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void array(JsonGenerator json, List<Account> people) throws IOException {
        json.writeStartArray();
        for (Account account : people) {
            views.accounts().write(json, account);
        }
        json.writeEndArray();
    }
}
