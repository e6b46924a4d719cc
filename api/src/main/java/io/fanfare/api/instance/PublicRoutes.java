package io.fanfare.api.instance;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.api.tag.TagRenderer;
import io.fanfare.api.timeline.TimelineRoutes;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.text.TextEntities;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.feed.PublicTimelines.Tags;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The public timelines: that of everybody, those of tags, and tags themselves. */
public final class PublicRoutes {
    private static final int LIMIT = 20;

    /**
     * Tags that each of the parameters {@code any}, {@code all} and {@code none} may name, as in Mastodon; further ones
     * are left out.
     */
    private static final int TAGS_MAX = 4;

    private final Settings.Limits limits;
    private final String publicUrl;
    private final PublicTimelines timelines;
    private final TagRenderer tagRenderer;
    private final StatusRenderer renderer;

    public PublicRoutes(
            Settings.Limits limits,
            String publicUrl,
            PublicTimelines timelines,
            TagRenderer tagRenderer,
            StatusRenderer renderer) {
        this.tagRenderer = tagRenderer;
        this.limits = limits;
        this.publicUrl = publicUrl;
        this.timelines = timelines;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/timelines/public", Access.viewer("read:statuses"), this::all),
                get("/api/v1/timelines/tag/:id", Access.viewer("read:statuses"), this::tagged),
                get("/api/v1/tags/:id", Access.viewer("read"), this::tag));
    }

    private Future<Answer> all(Call call) {
        PageRequest page = page(call);
        return isRemote(call)
                ? nothing(call)
                : timelines.all(call.viewer(), page, wanted(call)).compose(read -> answer(call, read));
    }

    /** The timeline of tags. A text that cannot be a tag stands in no status. */
    private Future<Answer> tagged(Call call) {
        PageRequest page = page(call);
        Set<String> any = tags(call, "any");
        String named = TextEntities.tag(call.pathId());
        if (named != null) {
            any.add(named);
        }
        Tags tags = new Tags(any, tags(call, "all"), tags(call, "none"));
        return isRemote(call) || any.isEmpty()
                ? nothing(call)
                : timelines.tagged(tags, call.viewer(), page, wanted(call)).compose(read -> answer(call, read));
    }

    private Future<Answer> tag(Call call) {
        String name = TextEntities.tag(call.pathId());
        if (name == null) {
            throw Refusal.unknown();
        }
        return tagRenderer.answer(call.viewer(), name);
    }

    private static Set<String> tags(Call call, String parameter) {
        Set<String> tags = new HashSet<>();
        for (String name : call.parameters().all(parameter)) {
            String tag = TextEntities.tag(name);
            if (tag != null && tags.size() < TAGS_MAX) {
                tags.add(tag);
            }
        }
        return tags;
    }

    /** There are no other servers here. */
    private static boolean isRemote(Call call) {
        return call.parameters().flag("remote", false);
    }

    private static Predicate<Status> wanted(Call call) {
        return call.parameters().flag("only_media", false) ? TimelineRoutes::hasMedia : status -> true;
    }

    private Future<Answer> nothing(Call call) {
        return answer(call, new Page<>(List.of(), 0, 0));
    }

    private PageRequest page(Call call) {
        return call.parameters().page(LIMIT, limits.pageMax());
    }

    private Future<Answer> answer(Call call, Page<Status> page) {
        return renderer.list(page.items(), call.viewer())
                .map(bytes -> Answer.json(bytes).link(Links.of(publicUrl, call, page)));
    }
}
