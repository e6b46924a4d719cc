package io.fanfare.web;

import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.text.Html;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * Statuses and accounts of the API as HTML, with the classes that the scripts use as well. Only {@code content} and
 * {@code note} are HTML already, which the API has escaped; everything else is escaped here.
 */
final class PostHtml {
    private PostHtml() {}

    /** The display name of an account, or its user name. */
    static String name(JsonObject account) {
        String name = account.getString("display_name");
        return Html.escaped(name.isEmpty() ? account.getString("username") : name);
    }

    /** The same to be shown, with its emojis. */
    private static String shownName(JsonObject account) {
        return pictured(name(account), account.getJsonArray("emojis"));
    }

    /** HTML with the custom emojis of its entity as pictures, but within links. */
    static String pictured(String html, JsonArray emojis) {
        if (emojis.isEmpty()) {
            return html;
        }
        Map<String, String> urls = new HashMap<>();
        for (int i = 0; i < emojis.size(); i++) {
            JsonObject emoji = emojis.getJsonObject(i);
            urls.put(emoji.getString("shortcode"), emoji.getString("url"));
        }
        StringBuilder out = new StringBuilder(html.length() + 200);
        boolean link = false;
        int from = 0;
        while (from < html.length()) {
            int next = html.indexOf('<', from);
            int tag = next < 0 ? html.length() : next;
            String text = html.substring(from, tag);
            out.append(link ? text : pictured(text, urls));
            int close = html.indexOf('>', tag);
            from = close < 0 ? html.length() : close + 1;
            out.append(html, tag, from);
            link = html.startsWith("<a ", tag) || (link && !html.startsWith("</a>", tag));
        }
        return out.toString();
    }

    private static String pictured(String text, Map<String, String> urls) {
        StringBuilder out = new StringBuilder();
        int[] done = {0};
        CustomEmojis.scan(text, (from, to) -> {
            String url = urls.get(text.substring(from + 1, to - 1));
            if (url != null) {
                String code = text.substring(from, to);
                out.append(text, done[0], from)
                        .append("<img class=\"emoji\" loading=\"lazy\" src=\"")
                        .append(Html.escaped(url))
                        .append("\" alt=\"")
                        .append(code)
                        .append("\" title=\"")
                        .append(code)
                        .append("\">");
                done[0] = to;
            }
        });
        return out.append(text, done[0], text.length()).toString();
    }

    static String profile(Messages words, JsonObject account) {
        return "<section class=\"profile\"><div class=\"profile-head\">" + avatar(account) + "<div><h1 dir=\"auto\">"
                + shownName(account) + "</h1><p class=\"handle\">@" + Html.escaped(account.getString("username"))
                + "</p></div></div><div class=\"text\" dir=\"auto\">"
                + pictured(account.getString("note"), account.getJsonArray("emojis"))
                + "</div><p class=\"figures\">"
                + Html.escaped(words.count("profile.posts", account.getLong("statuses_count"))) + " · "
                + Html.escaped(words.count("profile.following", account.getLong("following_count"))) + " · "
                + Html.escaped(words.count("profile.followers", account.getLong("followers_count")))
                + "</p></section>";
    }

    /** @param base path of the public URL */
    static void append(StringBuilder html, Messages words, String base, JsonObject status) {
        if (status.getJsonObject("account") == null) {
            return;
        }
        JsonObject account = status.getJsonObject("account");
        String profile = Html.escaped(base + "/@" + account.getString("username"));
        html.append("<article class=\"post\"><a class=\"face\" href=\"")
                .append(profile)
                .append("\" tabindex=\"-1\" aria-hidden=\"true\">")
                .append(avatar(account))
                .append("</a><div class=\"post-body\"><p class=\"post-head\"><a class=\"author\" href=\"")
                .append(profile)
                .append("\"><bdi class=\"name\">")
                .append(shownName(account))
                .append("</bdi> <span class=\"handle\">@")
                .append(Html.escaped(account.getString("username")))
                .append("</span></a> <a class=\"when\" href=\"")
                .append(profile)
                .append('/')
                .append(Html.escaped(status.getString("id")))
                .append("\"><time datetime=\"")
                .append(Html.escaped(status.getString("created_at")))
                .append("\">")
                .append(Html.escaped(day(status.getString("created_at"))))
                .append("</time></a></p>");
        words(html, words, status);
        html.append("<p class=\"figures\">")
                .append(Html.escaped(words.count("post.replies", status.getLong("replies_count"))))
                .append(" · ")
                .append(Html.escaped(words.count("post.boosts", status.getLong("reblogs_count"))))
                .append(" · ")
                .append(Html.escaped(words.count("post.likes", status.getLong("favourites_count"))))
                .append("</p></div></article>");
    }

    private static void words(StringBuilder html, Messages words, JsonObject status) {
        String warning = status.getString("spoiler_text");
        if (!warning.isEmpty()) {
            html.append("<details class=\"warned\"><summary dir=\"auto\">")
                    .append(pictured(Html.escaped(warning), status.getJsonArray("emojis")))
                    .append("</summary>");
        }
        JsonObject article = status.getJsonObject("article");
        if (article != null) {
            title(html, article);
        }
        html.append("<div class=\"text\" dir=\"auto\"");
        if (status.getString("language") != null) {
            html.append(" lang=\"")
                    .append(Html.escaped(status.getString("language")))
                    .append('"');
        }
        html.append('>')
                .append(pictured(status.getString("content"), status.getJsonArray("emojis")))
                .append("</div>");
        poll(html, words, status.getJsonObject("poll"));
        pictures(html, status.getJsonArray("media_attachments"));
        if (!warning.isEmpty()) {
            html.append("</details>");
        }
    }

    private static void title(StringBuilder html, JsonObject article) {
        String link = article.getString("link");
        html.append("<h2 class=\"title\" dir=\"auto\">");
        if (link != null) {
            html.append("<a rel=\"nofollow noopener noreferrer\" href=\"")
                    .append(Html.escaped(link))
                    .append("\">");
        }
        html.append(Html.escaped(article.getString("title")))
                .append(link == null ? "" : "</a>")
                .append("</h2>");
    }

    /** @param poll null = none */
    private static void poll(StringBuilder html, Messages words, JsonObject poll) {
        if (poll == null) {
            return;
        }
        html.append("<ul class=\"poll\">");
        JsonArray options = poll.getJsonArray("options");
        for (int i = 0; i < options.size(); i++) {
            JsonObject option = options.getJsonObject(i);
            Long votes = option.getLong("votes_count");
            html.append("<li><bdi>")
                    .append(pictured(Html.escaped(option.getString("title")), poll.getJsonArray("emojis")))
                    .append("</bdi>")
                    .append(votes == null ? "" : " · " + Html.escaped(words.count("article.votes", votes)))
                    .append("</li>");
        }
        html.append("</ul>");
    }

    private static void pictures(StringBuilder html, JsonArray media) {
        if (media.isEmpty()) {
            return;
        }
        html.append("<div class=\"media media-").append(media.size()).append("\">");
        for (int i = 0; i < media.size(); i++) {
            JsonObject picture = media.getJsonObject(i);
            String text = picture.getString("description");
            if (!picture.getString("type", "image").equals("image")) {
                player(html, picture, text);
                continue;
            }
            html.append("<a href=\"")
                    .append(Html.escaped(picture.getString("url")))
                    .append("\"><img loading=\"lazy\" src=\"")
                    .append(Html.escaped(picture.getString("preview_url")))
                    .append("\" alt=\"")
                    .append(Html.escaped(text == null ? "" : text))
                    .append('"');
            size(html, picture);
            html.append("></a>");
        }
        html.append("</div>");
    }

    /** Without it what stands below moves when the picture arrives. */
    private static void size(StringBuilder html, JsonObject picture) {
        JsonObject meta = picture.getJsonObject("meta");
        JsonObject small = meta == null ? null : meta.getJsonObject("small");
        if (small != null) {
            html.append(" width=\"")
                    .append(small.getInteger("width"))
                    .append("\" height=\"")
                    .append(small.getInteger("height"))
                    .append('"');
        }
    }

    /** The player of a video or sound, which loads nothing before somebody plays it. */
    private static void player(StringBuilder html, JsonObject clip, String textOrNull) {
        String element = clip.getString("type").equals("audio") ? "audio" : "video";
        html.append('<').append(element).append(" controls preload=\"none\" src=\"");
        html.append(Html.escaped(clip.getString("url"))).append('"');
        if (element.equals("video") && clip.getString("preview_url") != null) {
            html.append(" poster=\"")
                    .append(Html.escaped(clip.getString("preview_url")))
                    .append('"');
        }
        if (textOrNull != null) {
            String text = Html.escaped(textOrNull);
            html.append(" aria-label=\"")
                    .append(text)
                    .append("\" title=\"")
                    .append(text)
                    .append('"');
        }
        html.append("></").append(element).append('>');
    }

    /** Their picture, be it the drawn one. */
    private static String avatar(JsonObject account) {
        return "<img class=\"avatar\" alt=\"\" width=\"44\" height=\"44\" loading=\"lazy\" src=\""
                + Html.escaped(account.getString("avatar")) + "\">";
    }

    /** {@code 2026-01-02 03:04}. */
    private static String day(String time) {
        return time.substring(0, 16).replace('T', ' ');
    }
}
