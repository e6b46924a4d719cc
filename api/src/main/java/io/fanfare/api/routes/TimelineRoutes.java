package io.fanfare.api.routes;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.common.feed.Timelines;
import io.fanfare.common.http.Parameters;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.text.TextEntities;
import io.vertx.core.Future;
import java.util.List;

/** Pages of statuses: the home of a reader, the profile of an author. */
public final class TimelineRoutes {
    private static final int LIMIT = 20;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final Timelines timelines;
    private final Accounts accounts;
    private final StatusRenderer renderer;

    public TimelineRoutes(
            Settings.Limits limits, String publicUrl, Timelines timelines, Accounts accounts, StatusRenderer renderer) {
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.timelines = timelines;
        this.accounts = accounts;
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
        // Nothing can be pinned.
        boolean nothing = parameters.flag("pinned", false) || noSuchTag;
        boolean media = parameters.flag("only_media", false);
        boolean replies = !parameters.flag("exclude_replies", false);
        boolean reposts = !parameters.flag("exclude_reblogs", false);
        long began = timelines.moment();
        return accounts.require(call.id())
                .compose(author -> nothing
                        ? Future.succeededFuture(new Page<Status>(List.of(), 0, 0))
                        : timelines.profile(
                                author.id(),
                                call.viewer(),
                                page,
                                status -> (replies || !isReply(status))
                                        && (reposts || !isRepost(status))
                                        && (tag == null || hasTag(status, tag))
                                        && (!media || hasMedia(status))))
                .compose(read -> answer(call, read, began));
    }

    private PageRequest page(Call call) {
        return call.parameters().page(LIMIT, limits.pageMax());
    }

    /** Those to oneself do not count as such, as in Mastodon: they are how threads are written. */
    private static boolean isReply(Status status) {
        Reference replyTo = status.post().replyTo();
        return replyTo != null && replyTo.accountId() != status.authorId();
    }

    /** Quotes are posts, as in Mastodon. */
    private static boolean isRepost(Status status) {
        return status.kind() == Post.Kind.REPOST;
    }

    private static boolean hasMedia(Status status) {
        return !status.post().content().attachments().isEmpty();
    }

    private static boolean hasTag(Status status, String tag) {
        return status.post().content().tags().contains(tag);
    }

    private Future<Answer> answer(Call call, Page<Status> page, long began) {
        return renderer.list(page.items(), call.viewer(), began)
                .map(bytes -> Answer.json(bytes).link(Links.of(publicUrl, call, page)));
    }
}
