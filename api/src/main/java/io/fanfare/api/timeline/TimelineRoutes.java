package io.fanfare.api.timeline;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.post.Pins;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.text.TextEntities;
import io.fanfare.core.feed.Timelines;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Predicate;

/** Pages of statuses: the home of a reader, the profile of an author. */
public final class TimelineRoutes {
    private static final int LIMIT = 20;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Timelines timelines;
    private final Accounts accounts;
    private final Pins pins;
    private final StatusRenderer renderer;

    public TimelineRoutes(
            Settings.Limits limits,
            String publicUrl,
            Timelines timelines,
            Accounts accounts,
            Pins pins,
            StatusRenderer renderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.timelines = timelines;
        this.accounts = accounts;
        this.pins = pins;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/timelines/home", Access.user("read:statuses"), this::home),
                get("/api/v1/accounts/:id/statuses", Access.viewer("read:statuses"), this::profile));
    }

    private Future<Answer> home(Call call) {
        long began = timelines.moment();
        return timelines.home(call.viewer(), page(call), began).compose(page -> answer(call, page, began));
    }

    private Future<Answer> profile(Call call) {
        PageRequest page = page(call);
        Parameters parameters = call.parameters();
        String tag = parameters.has("tagged") ? TextEntities.tag(parameters.text("tagged", "")) : null;
        boolean noSuchTag = tag == null && parameters.has("tagged");
        boolean pinned = parameters.flag("pinned", false);
        boolean media = parameters.flag("only_media", false);
        boolean replies = !parameters.flag("exclude_replies", false);
        boolean reposts = !parameters.flag("exclude_reblogs", false);
        Predicate<Status> wanted = status -> (replies || !isReply(status))
                && (reposts || !isRepost(status))
                && (tag == null || hasTag(status, tag))
                && (!media || hasMedia(status));
        long began = timelines.moment();
        return accounts.require(call.id())
                .compose(author -> {
                    if (noSuchTag) {
                        return Future.succeededFuture(new Page<Status>(List.of(), 0, 0));
                    }
                    return pinned
                            ? pinned(call, author.id(), page, wanted)
                            : timelines.profile(author.id(), call.viewer(), page, wanted);
                })
                .compose(read -> answer(call, read, began));
    }

    /** All that may be seen of the few there are, so that no page follows; the one pinned last first. */
    private Future<Page<Status>> pinned(Call call, long author, PageRequest page, Predicate<Status> wanted) {
        return pins.of(author)
                .compose(ids -> timelines.profile(
                        author,
                        call.viewer(),
                        ids.stream()
                                .filter(id -> id < page.maxId() && id > page.floor())
                                .toList(),
                        wanted))
                .map(shown -> new Page<>(shown.stream().limit(page.limit()).toList(), 0, 0));
    }

    private PageRequest page(Call call) {
        return call.parameters().page(LIMIT, limits.pageMax());
    }

    /** Replies to oneself do not count as replies, as in Mastodon: they are how threads are written. */
    private static boolean isReply(Status status) {
        Reference replyTo = status.post().replyTo();
        return replyTo != null && replyTo.accountId() != status.authorId();
    }

    /** Quotes are posts, as in Mastodon. */
    private static boolean isRepost(Status status) {
        return status.kind() == Post.Kind.REPOST;
    }

    public static boolean hasMedia(Status status) {
        return !status.post().content().attachments().isEmpty();
    }

    private static boolean hasTag(Status status, String tag) {
        return status.post().content().tags().contains(tag);
    }

    private Future<Answer> answer(Call call, Page<Status> page, long began) {
        return renderer.list(page.items(), call.viewer(), began)
                .map(bytes ->
                        Answer.json(bytes).link(Links.of(publicUrl, call, page)).unlessKnown(call.request()));
    }
}
