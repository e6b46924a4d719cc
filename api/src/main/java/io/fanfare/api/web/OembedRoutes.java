package io.fanfare.api.web;

import static io.fanfare.api.endpoint.Endpoint.get;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ResourceLinks;
import io.fanfare.api.render.StatusRenderer;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.text.Html;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.OptionalLong;

/**
 * Posts in pages of other sites, by <a href="https://oembed.com/">oEmbed</a>: a quotation with a link, without a script
 * or a frame, of what everybody may see. Anything else is unknown, as in Mastodon. Immutable.
 */
public final class OembedRoutes {
    /** That of Mastodon. */
    private static final int WIDTH = 400;

    private static final int SIDE_MAX = 10_000;

    /** Short, since an edit or a delete must reach the copies: Mastodon's, of a day, show no text. */
    private static final int CACHE_SECONDS = 300;

    private final String publicUrl;
    private final String host;
    private final ResourceLinks resourceLinks;
    private final VisibleStatuses visible;
    private final StatusRenderer renderer;

    public OembedRoutes(String publicUrl, VisibleStatuses visible, StatusRenderer renderer) {
        this.publicUrl = publicUrl;
        this.host = URI.create(publicUrl).getAuthority();
        this.resourceLinks = new ResourceLinks(publicUrl);
        this.visible = visible;
        this.renderer = renderer;
    }

    public List<Endpoint> endpoints() {
        return List.of(get("/api/oembed", Access.OPEN, this::show));
    }

    private Future<Answer> show(Call call) {
        OptionalLong id =
                resourceLinks.statusId(call.parameters().text("url", "").strip());
        int width = call.parameters().number("maxwidth", WIDTH, 1, SIDE_MAX);
        int height = call.parameters().number("maxheight", 0, 0, SIDE_MAX);
        return visible.subject(0, id.orElseThrow(Refusal::unknown))
                .compose(status -> renderer.one(status, 0))
                .map(body -> new JsonObject(Buffer.buffer(body)))
                .map(status -> Answer.json(json -> document(json, status, width, height)));
    }

    private void document(JsonGenerator json, JsonObject status, int width, int height) throws IOException {
        JsonObject account = status.getJsonObject("account");
        String display = account.getString("display_name");
        String name = display.isEmpty() ? account.getString("username") : display;
        json.writeStartObject();
        json.writeStringField("type", "rich");
        json.writeStringField("version", "1.0");
        json.writeStringField("author_name", name);
        json.writeStringField("author_url", account.getString("url"));
        json.writeStringField("provider_name", host);
        json.writeStringField("provider_url", publicUrl + "/");
        json.writeNumberField("cache_age", CACHE_SECONDS);
        json.writeStringField("html", html(status, account, name, width));
        json.writeNumberField("width", width);
        if (height > 0) {
            json.writeNumberField("height", height);
        } else {
            json.writeNullField("height");
        }
        json.writeEndObject();
    }

    /** The text is HTML of ours already; behind a warning it is left out. */
    private String html(JsonObject status, JsonObject account, String name, int width) {
        String url = Html.escaped(status.getString("url"));
        String warning = status.getString("spoiler_text");
        String text = warning.isEmpty() ? status.getString("content") : "<p>" + Html.escaped(warning) + "</p>";
        String language = status.getString("language");
        String spoken = language == null ? "" : " lang=\"" + Html.escaped(language) + "\"";
        String day = status.getString("created_at").substring(0, "2024-01-31".length());
        return "<blockquote class=\"fanfare-embed\" cite=\"" + url + "\" style=\"max-width:" + width
                + "px\"><div dir=\"auto\""
                + spoken + ">" + text + "</div><p>— <a href=\"" + Html.escaped(account.getString("url"))
                + "\" target=\"_blank\" rel=\"noopener\"><bdi>" + Html.escaped(name) + "</bdi> (@"
                + Html.escaped(account.getString("username") + "@" + host) + ")</a>, <a href=\"" + url
                + "\" target=\"_blank\" rel=\"noopener\"><time datetime=\""
                + Html.escaped(status.getString("created_at")) + "\">" + day + "</time></a></p></blockquote>";
    }
}
