package io.fanfare.api;

import static io.fanfare.api.Endpoint.get;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.Views;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;

/** What this server is and offers; all of it constant. */
final class InstanceRoutes {
    private static final String TITLE = "Fanfare";
    private static final String DESCRIPTION = "A self-hosted social-feed server.";

    private final Settings settings;
    private final String publicUrl;
    private final String version;

    /** @param version of Fanfare; clients read of which Mastodon it is the like */
    InstanceRoutes(Settings settings, String publicUrl, String version) {
        this.settings = settings;
        this.publicUrl = publicUrl;
        this.version = "4.5.0 (compatible; Fanfare " + version + ")";
    }

    List<Endpoint> endpoints() {
        return List.of(
                constant("/api/v1/instance", Answer.json(this::v1)),
                constant("/api/v2/instance", Answer.json(this::v2)),
                constant("/health", Answer.json(InstanceRoutes::health)),
                constant(Views.AVATAR_PATH, Answer.file("image/png", image("avatar.png"))),
                constant(Views.HEADER_PATH, Answer.file("image/png", image("header.png"))));
    }

    private static Endpoint constant(String path, Answer answer) {
        return get(path, Access.OPEN, call -> Future.succeededFuture(answer));
    }

    private static void health(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("status", "UP");
        json.writeEndObject();
    }

    private void v1(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("uri", URI.create(publicUrl).getAuthority());
        json.writeStringField("title", TITLE);
        json.writeStringField("short_description", DESCRIPTION);
        json.writeStringField("description", DESCRIPTION);
        json.writeStringField("email", "");
        json.writeStringField("version", version);
        object(json, "urls", urls -> urls.writeStringField("streaming_api", streaming()));
        object(json, "stats", stats -> {
            stats.writeNumberField("user_count", 0);
            stats.writeNumberField("status_count", 0);
            stats.writeNumberField("domain_count", 1);
        });
        json.writeStringField("thumbnail", publicUrl + Views.HEADER_PATH);
        languages(json);
        json.writeBooleanField("registrations", settings.auth().registrations());
        json.writeBooleanField("approval_required", false);
        json.writeBooleanField("invites_enabled", false);
        object(json, "configuration", this::configuration);
        json.writeNullField("contact_account");
        noRules(json);
        json.writeEndObject();
    }

    private void v2(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("domain", URI.create(publicUrl).getAuthority());
        json.writeStringField("title", TITLE);
        json.writeStringField("version", version);
        json.writeStringField("source_url", publicUrl);
        json.writeStringField("description", DESCRIPTION);
        object(json, "usage", usage -> object(usage, "users", users -> users.writeNumberField("active_month", 0)));
        object(json, "thumbnail", thumbnail -> thumbnail.writeStringField("url", publicUrl + Views.HEADER_PATH));
        json.writeArrayFieldStart("icon");
        json.writeEndArray();
        languages(json);
        object(json, "configuration", configuration -> {
            object(configuration, "urls", urls -> urls.writeStringField("streaming", streaming()));
            object(configuration, "vapid", vapid -> vapid.writeStringField("public_key", ""));
            configuration(configuration);
            object(configuration, "translation", translation -> translation.writeBooleanField("enabled", false));
            object(configuration, "timelines_access", InstanceRoutes::noPublicTimelines);
        });
        object(json, "registrations", registrations -> {
            registrations.writeBooleanField("enabled", settings.auth().registrations());
            registrations.writeBooleanField("approval_required", false);
            registrations.writeNullField("message");
            registrations.writeNullField("url");
        });
        // Not that of 4.5: clients take a 2 for grouped notifications, and a 7 for quotes, which are not offered yet.
        object(json, "api_versions", versions -> versions.writeNumberField("mastodon", 1));
        object(json, "contact", contact -> {
            contact.writeStringField("email", "");
            contact.writeNullField("account");
        });
        noRules(json);
        json.writeEndObject();
    }

    /** What both versions say of limits. Media and polls are not offered; clients still want their limits. */
    private void configuration(JsonGenerator json) throws IOException {
        object(json, "accounts", accounts -> {
            accounts.writeNumberField("max_featured_tags", 0);
            accounts.writeNumberField("max_pinned_statuses", 0);
        });
        object(json, "statuses", statuses -> {
            statuses.writeNumberField("max_characters", settings.limits().textMax());
            statuses.writeNumberField("max_media_attachments", 0);
            statuses.writeNumberField("characters_reserved_per_url", 23);
        });
        object(json, "media_attachments", media -> {
            media.writeArrayFieldStart("supported_mime_types");
            media.writeEndArray();
            media.writeNumberField("description_limit", 0);
            media.writeNumberField("image_size_limit", 0);
            media.writeNumberField("image_matrix_limit", 0);
            media.writeNumberField("video_size_limit", 0);
            media.writeNumberField("video_frame_rate_limit", 0);
            media.writeNumberField("video_matrix_limit", 0);
        });
        object(json, "polls", polls -> {
            polls.writeNumberField("max_options", 0);
            polls.writeNumberField("max_characters_per_option", 0);
            polls.writeNumberField("min_expiration", 0);
            polls.writeNumberField("max_expiration", 0);
        });
    }

    private static void noPublicTimelines(JsonGenerator json) throws IOException {
        for (String feeds : new String[] {"live_feeds", "hashtag_feeds", "trending_link_feeds"}) {
            object(json, feeds, access -> {
                access.writeStringField("local", "disabled");
                access.writeStringField("remote", "disabled");
            });
        }
    }

    /**
     * Where streams are, as a ws URL although they are server-sent events: Mastodon documents the field so, libraries for WebSockets take nothing else, and Mastodon.py turns it
     * into http for its event stream and gives up on any other scheme.
     */
    private String streaming() {
        return publicUrl.replaceFirst("^http", "ws");
    }

    private static void languages(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("languages");
        json.writeString("en");
        json.writeEndArray();
    }

    private static void noRules(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("rules");
        json.writeEndArray();
    }

    private static void object(JsonGenerator json, String name, Json.Body fields) throws IOException {
        json.writeObjectFieldStart(name);
        fields.write(json);
        json.writeEndObject();
    }

    private static byte[] image(String name) {
        try (InputStream in = InstanceRoutes.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
