package io.fanfare.api.tag;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.FollowedTags.Followed;
import io.fanfare.common.text.TextEntities;
import io.fanfare.core.graph.TagFollows;
import io.vertx.core.Future;
import java.util.List;

/** The hashtags whose statuses stand in one's home. */
public final class FollowedTagRoutes {
    /** As in Mastodon: a page has all, unless fewer are asked for. */
    private static final int LIMIT_MAX = 200;

    private final String publicUrl;
    private final FollowedTags followed;
    private final TagFollows follows;
    private final MemoryPressure pressure;
    private final TagRenderer renderer;

    public FollowedTagRoutes(
            String publicUrl,
            FollowedTags followed,
            TagFollows follows,
            MemoryPressure pressure,
            TagRenderer renderer) {
        this.publicUrl = publicUrl;
        this.followed = followed;
        this.follows = follows;
        this.pressure = pressure;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        Access write = Access.user("write:follows");
        return List.of(
                get("/api/v1/followed_tags", Access.user("read:follows"), this::list),
                post("/api/v1/tags/:id/follow", write, this::follow).withoutBody(),
                post("/api/v1/tags/:id/unfollow", write, this::unfollow).withoutBody());
    }

    private Future<Answer> list(Call call) {
        PageRequest page = call.parameters().page(FollowedTags.MAX, LIMIT_MAX);
        return followed.page(call.viewer(), page).compose(read -> renderer.list(
                        call.viewer(), read.items().stream().map(Followed::tag).toList())
                .map(answer -> answer.link(Links.of(publicUrl, call, read))));
    }

    private Future<Answer> follow(Call call) {
        String tag = named(call);
        pressure.check(call.viewer());
        return follows.follow(call.viewer(), tag).compose(done -> renderer.answer(call.viewer(), tag));
    }

    private Future<Answer> unfollow(Call call) {
        String tag = named(call);
        return follows.unfollow(call.viewer(), tag).compose(done -> renderer.answer(call.viewer(), tag));
    }

    private static String named(Call call) {
        String tag = TextEntities.tag(call.pathId());
        if (tag == null) {
            throw Refusal.unknown();
        }
        return tag;
    }
}
