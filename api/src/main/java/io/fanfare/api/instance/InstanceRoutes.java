package io.fanfare.api.instance;

import static io.fanfare.api.endpoint.Endpoint.constant;
import static io.fanfare.api.endpoint.Endpoint.get;

import com.fasterxml.jackson.core.JsonGenerator;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ImmutableFile;
import io.fanfare.api.endpoint.RateLimit;
import io.fanfare.api.feature.SiteFacts;
import io.fanfare.api.oauth.KnownSignUps;
import io.fanfare.api.oauth.SignUps;
import io.fanfare.api.post.NewStatus;
import io.fanfare.api.post.Pins;
import io.fanfare.api.tag.FeaturedTags;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.ClipFormat;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Registrations;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.KnownSwitches;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.PublicUrls;
import io.fanfare.common.view.Views;
import io.fanfare.core.site.RuleJson;
import io.fanfare.core.site.Site;
import io.fanfare.media.Identicon;
import io.fanfare.media.PictureFormat;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The instance documents: properties and features of this server. */
public final class InstanceRoutes {
    /** That of Mastodon 4.5, as far as one server goes: see docs/contract.md. */
    private static final int API_VERSION = 7;

    /** Frames a second that apps make of a video before they send it, as for Mastodon; more is no mistake here. */
    private static final int FRAME_RATE = 120;

    private static final String PNG = ".png";

    private static final byte[] HEALTHY = "OK".getBytes(StandardCharsets.US_ASCII);

    /** Drawn pictures that are kept for who comes next, about 1 KB each. */
    private static final int AVATARS_KEPT = 2_000;

    private final Settings settings;
    private final InstanceStats instanceStats;
    private final String publicUrl;
    private final Identicon identicon = new Identicon();
    private final Cache<Long, Answer> avatars = Caffeine.newBuilder()
            .maximumSize(AVATARS_KEPT)
            .executor(Runnable::run)
            .build();
    private final String version;
    private final Supplier<String> vapidKey;
    private final KnownSignUps signUps;
    private final KnownSwitches switches;
    private final SiteFacts site;
    private final Views views;
    private Shown shown;
    private Answer v2;

    /** The state that the second version of the document shows. */
    private record Shown(
            Registrations mode, boolean membersOnly, Site site, Optional<Account> contact, int announcements) {}

    /**
     * @param version of Fanfare; clients read of which Mastodon it is the like
     * @param vapidKey public key of Web Push; empty = push is not offered
     */
    public InstanceRoutes(
            Settings settings,
            InstanceStats instanceStats,
            KnownSignUps signUps,
            KnownSwitches switches,
            SiteFacts site,
            Views views,
            String publicUrl,
            String version,
            Supplier<String> vapidKey) {
        this.settings = settings;
        this.instanceStats = instanceStats;
        this.signUps = signUps;
        this.switches = switches;
        this.site = site;
        this.views = views;
        this.publicUrl = publicUrl;
        this.vapidKey = vapidKey;
        this.version = "4.5.0 (compatible; Fanfare " + version + ")";
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/instance", Access.OPEN, this::v1).despite(Switch.MEMBERS_ONLY),
                constant("/api/v2/instance", this::v2),
                get("/api/v1/instance/activity", Access.OPEN, this::activity).despite(Switch.MEMBERS_ONLY),
                constant("/api/v1/instance/languages", Answer.json(InstanceRoutes::languageNames)),
                constant(
                        "/health",
                        Answer.file("text/plain; charset=utf-8", HEALTHY).header("Cache-Control", "no-store")),
                constant("/favicon.ico", Answer.file("image/x-icon", image("favicon.ico"))),
                constant(PublicUrls.AVATAR_PATH, Answer.file("image/png", image("avatar.png"))),
                constant(PublicUrls.HEADER_PATH, Answer.file("image/png", image("header.png"))),
                get(PublicUrls.AVATARS_PATH + ":id", Access.OPEN, this::avatar).within(RateLimit.NONE));
    }

    /** That of any id: whether there is such an account is not looked up, and nobody learns it. */
    private Future<Answer> avatar(Call call) {
        String name = call.pathId();
        long account = name.endsWith(PNG) ? Id.parse(name.substring(0, name.length() - PNG.length())) : -1;
        if (account < 0) {
            throw Refusal.unknown();
        }
        return Future.succeededFuture(
                ImmutableFile.kept(call, name, Identicon.TYPE, () -> avatars.get(account, this::drawn)));
    }

    private Answer drawn(long account) {
        return Answer.file(Identicon.TYPE, identicon.png(account));
    }

    /** Numbers as text, as in Mastodon. */
    private Future<Answer> activity(Call call) {
        return instanceStats
                .weeks()
                .map(weeks -> Answer.array(weeks, (json, week) -> {
                    json.writeStartObject();
                    json.writeStringField("week", Long.toString(week.begin()));
                    json.writeStringField("statuses", Long.toString(week.posts()));
                    json.writeStringField("logins", Long.toString(week.logins()));
                    json.writeStringField("registrations", Long.toString(week.registrations()));
                    json.writeEndObject();
                }));
    }

    private static void languageNames(JsonGenerator json) throws IOException {
        json.writeStartArray();
        json.writeStartObject();
        json.writeStringField("code", "en");
        json.writeStringField("name", "English");
        json.writeEndObject();
        json.writeEndArray();
    }

    /** Rendered and compressed once until something in it changes. */
    private Answer v2() {
        Shown now = new Shown(
                signUps.shown(), switches.isOn(Switch.MEMBERS_ONLY), site.site(), site.contact(), site.announcements());
        if (!now.equals(shown)) {
            shown = now;
            v2 = Answer.json(json -> v2(json, now)).kept();
        }
        return v2;
    }

    private Future<Answer> v1(Call call) {
        return instanceStats.sums().map(sums -> Answer.json(json -> v1(json, sums)));
    }

    private void v1(JsonGenerator json, InstanceStats.Sums sums) throws IOException {
        json.writeStartObject();
        json.writeStringField("uri", URI.create(publicUrl).getAuthority());
        json.writeStringField("title", settings.instance().title());
        json.writeStringField("short_description", settings.instance().description());
        json.writeStringField("description", settings.instance().description());
        json.writeStringField("email", settings.instance().contactEmail());
        json.writeStringField("version", version);
        object(json, "urls", urls -> urls.writeStringField("streaming_api", streaming()));
        object(json, "stats", stats -> {
            stats.writeNumberField("user_count", sums.users());
            stats.writeNumberField("status_count", sums.statuses());
            // Itself: it talks to no others.
            stats.writeNumberField("domain_count", 1);
        });
        json.writeStringField("thumbnail", publicUrl + PublicUrls.HEADER_PATH);
        languages(json);
        json.writeBooleanField("registrations", signUps.shown().isOpen());
        json.writeBooleanField("approval_required", signUps.shown() == Registrations.APPROVAL);
        json.writeBooleanField("invites_enabled", settings.auth().userInvitations());
        object(json, "configuration", this::configuration);
        json.writeFieldName("contact_account");
        contact(json, site.contact());
        json.writeFieldName("rules");
        RuleJson.write(json, site.site().rules());
        json.writeEndObject();
    }

    private static String message(Registrations mode) {
        return switch (mode) {
            case OPEN, APPROVAL -> null;
            case INVITATION -> SignUps.INVITATION;
            case CLOSED -> SignUps.CLOSED;
        };
    }

    private void v2(JsonGenerator json, Shown now) throws IOException {
        json.writeStartObject();
        json.writeStringField("domain", URI.create(publicUrl).getAuthority());
        json.writeStringField("title", settings.instance().title());
        json.writeStringField("version", version);
        json.writeStringField("source_url", publicUrl);
        json.writeStringField("description", settings.instance().description());
        object(json, "usage", usage -> object(usage, "users", users -> users.writeNumberField("active_month", 0)));
        object(json, "thumbnail", thumbnail -> thumbnail.writeStringField("url", publicUrl + PublicUrls.HEADER_PATH));
        json.writeArrayFieldStart("icon");
        json.writeEndArray();
        languages(json);
        object(json, "configuration", configuration -> {
            object(configuration, "urls", urls -> urls(urls, now.site()));
            object(configuration, "vapid", vapid -> vapid.writeStringField("public_key", vapidKey.get()));
            configuration(configuration);
            configuration.writeBooleanField("limited_federation", true);
            object(configuration, "translation", translation -> translation.writeBooleanField("enabled", false));
            object(configuration, "timelines_access", timelines -> timelinesAccess(timelines, now.membersOnly()));
        });
        object(json, "registrations", registrations -> {
            Registrations mode = now.mode();
            boolean approval = mode == Registrations.APPROVAL;
            registrations.writeBooleanField("enabled", mode.isOpen());
            registrations.writeBooleanField("approval_required", approval);
            registrations.writeBooleanField("reason_required", approval);
            registrations.writeStringField("message", message(mode));
            registrations.writeNullField("min_age");
            registrations.writeNullField("url");
        });
        object(json, "api_versions", versions -> versions.writeNumberField("mastodon", API_VERSION));
        object(json, "contact", contact -> {
            contact.writeStringField("email", settings.instance().contactEmail());
            contact.writeFieldName("account");
            contact(contact, now.contact());
        });
        json.writeFieldName("rules");
        RuleJson.write(json, now.site().rules());
        json.writeNumberField("announcements", now.announcements());
        json.writeEndObject();
    }

    private void contact(JsonGenerator json, Optional<Account> account) throws IOException {
        if (account.isPresent()) {
            views.accounts().write(json, account.get());
        } else {
            json.writeNull();
        }
    }

    private void urls(JsonGenerator json, Site published) throws IOException {
        json.writeStringField("streaming", streaming());
        json.writeNullField("status");
        json.writeStringField("about", publicUrl + "/about");
        json.writeStringField(
                "privacy_policy", published.texts().containsKey(Site.Text.PRIVACY) ? publicUrl + "/privacy" : null);
        json.writeStringField("terms_of_service", published.terms().isEmpty() ? null : publicUrl + "/terms");
    }

    /** The limits in the documents of both versions. */
    private void configuration(JsonGenerator json) throws IOException {
        object(json, "accounts", accounts -> {
            accounts.writeNumberField("max_featured_tags", FeaturedTags.MAX);
            accounts.writeNumberField("max_pinned_statuses", Pins.MAX);
        });
        object(json, "statuses", statuses -> {
            statuses.writeNumberField("max_characters", settings.limits().textMax());
            statuses.writeNumberField("max_media_attachments", settings.media().isOffered() ? Attachment.MAX : 0);
            statuses.writeNumberField("characters_reserved_per_url", NewStatus.ADDRESS_CHARS);
        });
        object(json, "media_attachments", media -> {
            boolean offered = settings.media().isOffered();
            media.writeArrayFieldStart("supported_mime_types");
            for (PictureFormat format : PictureFormat.values()) {
                if (offered) {
                    media.writeString(format.type());
                }
            }
            for (ClipFormat format : ClipFormat.values()) {
                for (String type : settings.media().takesClips() ? format.types() : List.<String>of()) {
                    media.writeString(type);
                }
            }
            media.writeEndArray();
            media.writeNumberField("description_limit", offered ? Attachment.DESCRIPTION_MAX : 0);
            media.writeNumberField(
                    "image_size_limit", offered ? settings.media().bytesMax() : 0);
            media.writeNumberField(
                    "image_matrix_limit", offered ? settings.media().pixelsMax() : 0);
            boolean clips = settings.media().takesClips();
            media.writeNumberField("video_size_limit", clips ? settings.media().videoBytesMax() : 0);
            media.writeNumberField("video_frame_rate_limit", clips ? FRAME_RATE : 0);
            media.writeNumberField(
                    "video_matrix_limit", clips ? settings.media().pixelsMax() : 0);
        });
        object(json, "polls", polls -> {
            polls.writeNumberField("max_options", Poll.OPTIONS_MAX);
            polls.writeNumberField("max_characters_per_option", Poll.OPTION_CHARS_MAX);
            polls.writeNumberField("min_expiration", Poll.SECONDS_MIN);
            polls.writeNumberField("max_expiration", Poll.SECONDS_MAX);
        });
    }

    /** Nothing comes from other servers, and no links trend. */
    private static void timelinesAccess(JsonGenerator json, boolean membersOnly) throws IOException {
        access(json, "live_feeds", membersOnly ? "authenticated" : "public");
        access(json, "hashtag_feeds", membersOnly ? "authenticated" : "public");
        access(json, "trending_link_feeds", "disabled");
    }

    private static void access(JsonGenerator json, String feeds, String local) throws IOException {
        object(json, feeds, access -> {
            access.writeStringField("local", local);
            access.writeStringField("remote", "disabled");
        });
    }

    /**
     * The address of the streams, as a ws URL although they are server-sent events: Mastodon documents the field so,
     * libraries for WebSockets accept nothing else, and Mastodon.py turns it into http for its event stream and gives
     * up on any other scheme.
     */
    private String streaming() {
        return publicUrl.replaceFirst("^http", "ws");
    }

    private static void languages(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("languages");
        json.writeString("en");
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
