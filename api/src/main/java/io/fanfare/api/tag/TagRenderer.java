package io.fanfare.api.tag;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.feature.ApiLoop;
import io.fanfare.common.model.TagHistory;
import io.fanfare.common.model.TagStanding;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.view.Views;
import io.fanfare.core.feed.TagTrends;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes hashtags with how they were used lately, and how they stand to the viewer. Confined to one event loop. */
public final class TagRenderer {
    private final TagTrends trends;
    private final FollowedTags followed;
    private final FeaturedTags featured;
    private final Views views;

    public TagRenderer(TagTrends trends, FollowedTags followed, FeaturedTags featured, Views views) {
        this.trends = trends;
        this.followed = followed;
        this.featured = featured;
        this.views = views;
    }

    /** One of an event loop; keeps nothing, so that any number of them are alike. */
    public static TagRenderer of(ApiLoop loop) {
        return new TagRenderer(
                loop.stores().publicTimelines().trends(),
                new FollowedTags(loop.redis(), loop.settings()),
                new FeaturedTags(loop.redis(), loop.statuses()),
                loop.views());
    }

    /** The data to render some tags. */
    public final class Known {
        private final Map<String, TagHistory> histories;
        private final boolean viewed;
        private final Set<String> following;
        private final Set<String> featuring;

        private Known(Map<String, TagHistory> histories, boolean viewed, Set<String> following, Set<String> featuring) {
            this.histories = histories;
            this.viewed = viewed;
            this.following = following;
            this.featuring = featuring;
        }

        /** Writes one of them. */
        public void write(JsonGenerator json, String tag) throws IOException {
            TagStanding standing = viewed ? new TagStanding(following.contains(tag), featuring.contains(tag)) : null;
            views.tags().write(json, tag, histories.get(tag), standing);
        }
    }

    /**
     * Reads what there is to say of these tags, which must be folded.
     *
     * @param viewer 0 = anonymous
     */
    public Future<Known> read(long viewer, Collection<String> tags) {
        return tags.isEmpty()
                ? Future.succeededFuture(new Known(Map.of(), viewer != 0, Set.of(), Set.of()))
                : trends.histories(tags).compose(histories -> known(viewer, histories));
    }

    /** The same of tags whose use is known. */
    public Future<Known> known(long viewer, Map<String, TagHistory> histories) {
        if (viewer == 0) {
            return Future.succeededFuture(new Known(histories, false, Set.of(), Set.of()));
        }
        Future<List<String>> following = followed.of(viewer);
        Future<List<FeaturedTags.Featured>> featuring = featured.of(viewer);
        return Future.all(following, featuring)
                .map(both -> new Known(
                        histories,
                        true,
                        Set.copyOf(following.result()),
                        featuring.result().stream()
                                .map(FeaturedTags.Featured::tag)
                                .collect(Collectors.toSet())));
    }

    /** The entity of one tag. */
    public Future<Answer> answer(long viewer, String tag) {
        return read(viewer, List.of(tag)).map(known -> Answer.json(json -> known.write(json, tag)));
    }

    /** An array of entities, in their order. */
    public Future<Answer> list(long viewer, List<String> tags) {
        return read(viewer, tags).map(known -> Answer.array(tags, known::write));
    }
}
