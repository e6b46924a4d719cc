package io.fanfare.api.site;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.text.Html;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.view.Timestamps;
import io.fanfare.common.view.Views;
import io.fanfare.core.site.Announcement;
import io.fanfare.core.site.Dismissals;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Announcements to accounts, which dismiss them. Without any, a request reads nothing. Confined to one event loop. */
final class AnnouncementRoutes {
    private final SiteFacts facts;
    private final Dismissals dismissals;
    private final Supplier<CustomEmojis> emojis;
    private final Views views;
    private final String publicUrl;
    private final InstantSource clock;

    /** The contents of the announcements of one version of the site, as HTML. */
    private final Map<Long, String> contents = new HashMap<>();

    private long rendered;

    AnnouncementRoutes(
            SiteFacts facts,
            Dismissals dismissals,
            Supplier<CustomEmojis> emojis,
            Views views,
            String publicUrl,
            InstantSource clock) {
        this.facts = facts;
        this.dismissals = dismissals;
        this.emojis = emojis;
        this.views = views;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/announcements", Access.user(""), this::list),
                post("/api/v1/announcements/:id/dismiss", Access.user("write:accounts"), this::dismiss)
                        .withoutBody());
    }

    private Future<Answer> list(Call call) {
        boolean withDismissed = call.parameters().flag("with_dismissed", false);
        List<Announcement> shown = shown();
        Future<Set<Long>> dismissed = shown.isEmpty() ? Future.succeededFuture(Set.of()) : dismissals.of(call.viewer());
        return dismissed.map(read -> Answer.array(
                shown.stream()
                        .filter(one -> withDismissed || !read.contains(one.id()))
                        .toList(),
                (json, one) -> write(json, one, read.contains(one.id()))));
    }

    private List<Announcement> shown() {
        return facts.site().shown(clock.millis());
    }

    private Future<Answer> dismiss(Call call) {
        long id = call.id();
        if (shown().stream().noneMatch(one -> one.id() == id)) {
            throw Refusal.unknown();
        }
        return dismissals.add(call.viewer(), id).map(done -> Answer.EMPTY_OBJECT);
    }

    /** The entity Announcement of Mastodon. Accounts and posts in its text are no links, and nobody reacts to it. */
    private void write(JsonGenerator json, Announcement one, boolean read) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", Long.toString(one.id()));
        json.writeStringField("content", content(one));
        json.writeStringField("starts_at", time(one.period().startMillis()));
        json.writeStringField("ends_at", time(one.period().endMillis()));
        json.writeBooleanField("all_day", one.period().allDay());
        json.writeStringField("published_at", time(one.publishedMillis()));
        json.writeStringField("updated_at", time(one.updatedMillis()));
        json.writeBooleanField("read", read);
        empty(json, "mentions");
        empty(json, "statuses");
        json.writeArrayFieldStart("tags");
        for (String tag : tags(one)) {
            json.writeStartObject();
            json.writeStringField("name", tag);
            json.writeStringField("url", Html.tagUrl(publicUrl, tag));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("emojis");
        for (CustomEmoji emoji : emojis.get().in(Stream.of(one.text()))) {
            views.emojis().write(json, emoji);
        }
        json.writeEndArray();
        empty(json, "reactions");
        json.writeEndObject();
    }

    private static void empty(JsonGenerator json, String field) throws IOException {
        json.writeArrayFieldStart(field);
        json.writeEndArray();
    }

    private static List<String> tags(Announcement one) {
        return TextEntities.in(one.text()).stream()
                .filter(entity -> entity.kind() == TextEntities.Kind.TAG)
                .map(TextEntities.Entity::name)
                .distinct()
                .toList();
    }

    private String content(Announcement one) {
        if (rendered != facts.site().version()) {
            rendered = facts.site().version();
            contents.clear();
        }
        return contents.computeIfAbsent(one.id(), id -> Html.ofNote(one.text(), publicUrl));
    }

    private static String time(long millis) {
        return millis == 0 ? null : Timestamps.time(millis);
    }
}
