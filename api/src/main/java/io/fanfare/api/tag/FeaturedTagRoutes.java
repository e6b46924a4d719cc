package io.fanfare.api.tag;

import static io.fanfare.api.endpoint.Endpoint.delete;
import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.api.tag.FeaturedTags.Featured;
import io.fanfare.api.tag.FeaturedTags.Use;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.text.Html;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.view.Timestamps;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The hashtags on profiles. */
public final class FeaturedTagRoutes {
    private final String publicUrl;
    private final Accounts accounts;
    private final FeaturedTags tags;
    private final MemoryPressure pressure;
    private final ViewerRelationshipsReader viewerRelationships;
    private final TagRenderer tagRenderer;

    public FeaturedTagRoutes(
            String publicUrl,
            Accounts accounts,
            FeaturedTags tags,
            MemoryPressure pressure,
            ViewerRelationshipsReader viewerRelationships,
            TagRenderer tagRenderer) {
        this.publicUrl = publicUrl;
        this.accounts = accounts;
        this.tags = tags;
        this.pressure = pressure;
        this.viewerRelationships = viewerRelationships;
        this.tagRenderer = tagRenderer;
    }

    /** Fixed paths stand before {@code :id}, which would match them as well. */
    public List<Endpoint> endpoints() {
        Access write = Access.user("write:accounts");
        return List.of(
                get("/api/v1/featured_tags", Access.user("read:accounts"), call -> list(call.viewer())),
                post("/api/v1/featured_tags", write, this::create),
                get("/api/v1/featured_tags/suggestions", Access.user("read:accounts"), this::suggestions),
                delete("/api/v1/featured_tags/:id", write, this::remove),
                get("/api/v1/accounts/:id/featured_tags", Access.viewer("read:accounts"), this::listOf),
                post("/api/v1/tags/:id/feature", write, this::feature).withoutBody(),
                post("/api/v1/tags/:id/unfeature", write, this::unfeature).withoutBody());
    }

    private Future<Answer> listOf(Call call) {
        return accounts.require(call.id())
                .compose(owner -> viewerRelationships.of(call.viewer(), List.of(owner.id())))
                .compose(relationships -> relationships.isBlockedBy(call.id())
                        ? Future.succeededFuture(answer(List.of(), Map.of()))
                        : list(call.id()));
    }

    private Future<Answer> list(long owner) {
        return tags.of(owner)
                .compose(featured -> featured.isEmpty()
                        ? Future.succeededFuture(answer(featured, Map.of()))
                        : tags.uses(owner).map(uses -> answer(featured, uses)));
    }

    private Answer answer(List<Featured> featured, Map<String, Use> uses) {
        return Answer.array(featured, (json, tag) -> write(json, tag, uses));
    }

    /** The Mastodon entity FeaturedTag. */
    private void write(JsonGenerator json, Featured featured, Map<String, Use> uses) throws IOException {
        Use use = uses.getOrDefault(featured.tag(), Use.NONE);
        json.writeStartObject();
        json.writeStringField("id", Long.toString(featured.id()));
        json.writeStringField("name", featured.tag());
        json.writeStringField("url", Html.tagUrl(publicUrl, featured.tag()));
        json.writeStringField("statuses_count", Long.toString(use.count()));
        json.writeStringField("last_status_at", use.last() == 0 ? null : Timestamps.date(Id.epochMillis(use.last())));
        json.writeEndObject();
    }

    private Future<Answer> create(Call call) {
        String tag = checked(call.parameters().text("name", "").strip());
        pressure.check(call.viewer());
        return tags.feature(call.viewer(), tag).compose(featured -> tags.uses(call.viewer())
                .map(uses -> Answer.json(json -> write(json, featured, uses))));
    }

    private static String checked(String name) {
        String tag = TextEntities.tag(name);
        if (tag == null) {
            throw new Refusal(Refusal.Reason.INVALID, "Validation failed: Tag is invalid");
        }
        return tag;
    }

    private Future<Answer> remove(Call call) {
        return tags.remove(call.viewer(), call.id()).map(there -> {
            if (!there) {
                throw Refusal.unknown();
            }
            return Answer.EMPTY_OBJECT;
        });
    }

    private Future<Answer> suggestions(Call call) {
        return tags.suggestions(call.viewer()).compose(suggested -> tagRenderer.list(call.viewer(), suggested));
    }

    private Future<Answer> feature(Call call) {
        String tag = named(call);
        pressure.check(call.viewer());
        return tags.feature(call.viewer(), tag).compose(done -> tagRenderer.answer(call.viewer(), tag));
    }

    private Future<Answer> unfeature(Call call) {
        String tag = named(call);
        return tags.remove(call.viewer(), tag).compose(done -> tagRenderer.answer(call.viewer(), tag));
    }

    private static String named(Call call) {
        String tag = TextEntities.tag(call.pathId());
        if (tag == null) {
            throw Refusal.unknown();
        }
        return tag;
    }
}
