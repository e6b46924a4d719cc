package io.fanfare.web;

import io.fanfare.common.text.Html;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Pages that can be read without scripts: what everybody may see, from the entities of the API. The scripts of the web
 * client take over where there are any. Immutable.
 */
public final class PageRenderer {
    /** The path of the manifest below the public URL. */
    public static final String MANIFEST_PATH = "/manifest.webmanifest";

    /** The path of the service worker below the public URL: it is for all pages below the folder that it lies in. */
    public static final String WORKER_PATH = "/sw.js";

    /** The path of the page that the service worker shows when there is no connection. */
    public static final String OFFLINE_PATH = "/offline";

    /** All that the page without a connection needs. */
    private static final List<String> OFFLINE_FILES = List.of("theme.js", "offline.js", "app.css", "icon.svg");

    /** A page of Open Graph that is one status. */
    private static final String POST = "article";

    /** A title has at most this many characters of a text. */
    private static final int TITLE_CHARS = 70;

    private static final int DESCRIPTION_CHARS = 200;

    /** About what a status takes as HTML. */
    private static final int POST_CHARS = 1200;

    private final WebFiles files;
    private final String publicUrl;
    private final String base;
    private final String title;
    private final String description;
    private final String policy;
    private final boolean worker;

    /** Links to all modules but that of a language. */
    private final String modules;

    /**
     * @param publicUrl base of absolute URLs, without a trailing slash
     * @param title of the server
     * @param description of the server, plain text
     * @param pictures origin to which addresses of pictures and videos lead; empty = none but this server
     * @param worker whether browsers of those who are logged in have a service worker
     */
    public PageRenderer(
            WebFiles files, String publicUrl, String title, String description, String pictures, boolean worker) {
        this.files = files;
        this.worker = worker;
        this.publicUrl = publicUrl;
        this.base = URI.create(publicUrl).getRawPath();
        this.title = title;
        this.description = description;
        this.modules = WebFiles.MODULES.stream().map(this::preload).collect(Collectors.joining());
        String origin = publicUrl.substring(0, publicUrl.length() - base.length());
        // Pictures have absolute addresses, which differ from 'self' for somebody who has opened localhost. A text
        // becomes HTML in one function of ours only, of which trusted-types makes sure.
        String places = origin + (pictures.isEmpty() ? "" : " " + pictures);
        this.policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: " + places
                + "; media-src 'self' blob: " + places
                + "; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
                + "require-trusted-types-for 'script'; trusted-types fanfare";
    }

    /** The Content-Security-Policy of every page. */
    public String policy() {
        return policy;
    }

    /**
     * The Web Application Manifest (W3C), by which a browser installs the web client, as JSON. The icons fill their
     * square, so that a system may cut them to its own shape.
     */
    public String manifest() {
        String home = base + "/";
        return new JsonObject()
                .put("name", title)
                .put("short_name", title)
                .put("description", description)
                .put("id", home)
                .put("start_url", home)
                .put("scope", home)
                .put("display", "standalone")
                .put("background_color", "#f6f5f2")
                .put("theme_color", "#5a3fd6")
                .put("icons", new JsonArray().add(icon(192)).add(icon(512)))
                .encode();
    }

    /**
     * The script of the service worker. It differs from that of another version of the files, so that browsers replace
     * theirs. Without one it is a script that ends those that browsers have.
     */
    public String worker() {
        // Several sites may have one origin, and a path each.
        String prefix = "fanfare:" + base + ":";
        JsonObject served = new JsonObject()
                .put("on", worker)
                .put("prefix", prefix)
                .put("cache", prefix + files.version())
                .put("home", base + "/")
                .put("offline", base + OFFLINE_PATH)
                .put(
                        "files",
                        OFFLINE_FILES.stream()
                                .map(name -> base + files.path(name))
                                .toList());
        String script = new String(files.find("worker.js").orElseThrow().body(), StandardCharsets.UTF_8);
        return "const SERVED = " + served.encode() + ";\n" + script;
    }

    /** The page that the service worker shows when there is no connection: in all languages, of which one is shown. */
    public String offline(Messages shown) {
        StringBuilder sections = new StringBuilder();
        for (Messages words : Messages.all()) {
            sections.append("<section lang=\"")
                    .append(words.tag())
                    .append(words.equals(shown) ? "\"><h1>" : "\" hidden><h1>")
                    .append(Html.escaped(words.text("offline.title")))
                    .append("</h1><p>")
                    .append(Html.escaped(words.text("offline.why")))
                    .append("</p><p><a class=\"button primary\" href=\"\">")
                    .append(Html.escaped(words.text("again")))
                    .append("</a></p></section>");
        }
        return "<!doctype html><html lang=\"" + shown.tag() + "\"><head><meta charset=\"utf-8\"><title>"
                + Html.escaped(shown.text("offline.title"))
                + "</title><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">"
                + "<script src=\"" + file("theme.js") + "\"></script><script defer src=\"" + file("offline.js")
                + "\"></script><link rel=\"stylesheet\" href=\"" + file("app.css") + "\"><link rel=\"icon\" href=\""
                + file("icon.svg") + "\"></head><body><main class=\"offline\"><img src=\"" + file("icon.svg")
                + "\" alt=\"\" width=\"60\" height=\"60\">" + sections + "</main></body></html>";
    }

    private JsonObject icon(int side) {
        return new JsonObject()
                .put("src", base + files.path("icon-" + side + ".png"))
                .put("sizes", side + "x" + side)
                .put("type", "image/png")
                .put("purpose", "any maskable");
    }

    /** A page that the scripts fill. */
    public String shell(Messages words) {
        String main = "<noscript><p class=\"notice\">" + Html.escaped(words.text("page.scripts")) + "</p></noscript>";
        return page(words, new Head(Html.escaped(title), "", "", "website").hidden(), main);
    }

    /** The page for an address without anything public; the scripts look for something that its user may see. */
    public String missing(Messages words) {
        String main = "<h1>" + Html.escaped(words.text("error.missing")) + "</h1><p>"
                + Html.escaped(words.text("error.missing.why")) + "</p><p class=\"more\">"
                + button("/", words, "nav.start")
                + " " + button("/search", words, "nav.search") + "</p>";
        return page(words, new Head(Html.escaped(title), "", "", "website").hidden(), main);
    }

    private String button(String path, Messages words, String key) {
        return "<a class=\"button\" href=\"" + Html.escaped(base) + path + "\">" + Html.escaped(words.text(key))
                + "</a>";
    }

    /** The page about the site: its description, contact and rules. */
    public String about(Messages words, SiteHtml.About about) {
        return site(words, "site.about", "/about", html -> {
            html.append("<p dir=\"auto\">").append(Html.escaped(description)).append("</p>");
            SiteHtml.about(html, words, base, about);
        });
    }

    /**
     * A text of the operator as a page.
     *
     * @param safe HTML that needs no check
     */
    public String text(Messages words, String titleKey, String path, String safe) {
        return site(words, titleKey, path, html -> SiteHtml.text(html, safe));
    }

    /**
     * The terms of service of a day as a page.
     *
     * @param all the days of all versions
     * @param safe HTML that needs no check
     */
    public String terms(Messages words, LocalDate day, List<LocalDate> all, String safe) {
        return site(words, "site.terms", "/terms/" + day, html -> SiteHtml.terms(html, words, base, day, all, safe));
    }

    private String site(Messages words, String titleKey, String path, Consumer<StringBuilder> content) {
        String name = Html.escaped(words.text(titleKey, "title", title));
        StringBuilder html = new StringBuilder().append("<h1>").append(name).append("</h1>");
        content.accept(html);
        Head head = new Head(name, Html.escaped(description), path, "website");
        return page(words, head, "<article class=\"card site\">" + html + "</article>");
    }

    /** The landing page: a description of the server, and its newest public statuses. */
    public String landing(Messages words, JsonArray statuses) {
        String main = "<section class=\"hero\"><h1>" + Html.escaped(title) + "</h1><p dir=\"auto\">"
                + Html.escaped(description) + "</p><p class=\"hero-actions\"><a class=\"button primary\" href=\"" + base
                + "/signup\">" + Html.escaped(words.text("nav.signup")) + "</a> <a class=\"button\" href=\"" + base
                + "/login\">" + Html.escaped(words.text("nav.login")) + "</a></p></section><section><h2>"
                + Html.escaped(words.text("landing.newest")) + "</h2>" + list(words, statuses) + "</section>";
        Head head = new Head(Html.escaped(title), Html.escaped(description), "/", "website");
        return page(words, head.withImage(publicUrl + files.path("icon-512.png")), main);
    }

    /**
     * An account and its statuses.
     *
     * @param next where the list goes on, {@code ?max_id=...}; empty = nowhere
     */
    public String profile(Messages words, JsonObject account, JsonArray statuses, String next) {
        String name = PostHtml.name(account);
        String path = "/@" + account.getString("username");
        Head head = new Head(
                        name + " (@" + account.getString("username") + ") - " + Html.escaped(title),
                        snippet(account.getString("note"), DESCRIPTION_CHARS),
                        path,
                        "profile")
                .withImage(account.getString("avatar"))
                .withFeed(path + ".rss");
        String main = PostHtml.profile(words, account) + list(words, statuses) + older(words, next);
        return page(words, account.getBoolean("noindex") ? head.hidden() : head, main);
    }

    /** One status. */
    public String status(Messages words, JsonObject status) {
        JsonObject account = status.getJsonObject("account");
        String path = "/@" + account.getString("username") + "/" + status.getString("id");
        JsonArray media = status.getJsonArray("media_attachments");
        String warning = status.getString("spoiler_text");
        String visible = warning.isEmpty() ? status.getString("content") : Html.escaped(warning);
        // A video or a sound may have none.
        String preview = media.isEmpty() || !warning.isEmpty()
                ? null
                : media.getJsonObject(0).getString("preview_url");
        Head head = new Head(
                        PostHtml.name(account) + ": " + snippet(visible, TITLE_CHARS),
                        snippet(visible, DESCRIPTION_CHARS),
                        path,
                        POST)
                .withImage(preview == null ? account.getString("avatar") : preview);
        return page(
                words,
                account.getBoolean("noindex") ? head.hidden() : head,
                "<h1 class=\"visually-hidden\">" + Html.escaped(words.text("thread.title")) + "</h1>"
                        + list(words, new JsonArray().add(status)));
    }

    /** The statuses with a tag. */
    public String tag(Messages words, String tag, JsonArray statuses, String next) {
        String path = Html.tagUrl("", tag);
        String name = Html.escaped("#" + tag);
        Head head = new Head(name + " - " + Html.escaped(title), name, path, "website").withFeed(path + ".rss");
        return page(words, head, "<h1 dir=\"auto\">" + name + "</h1>" + list(words, statuses) + older(words, next));
    }

    /** Articles, highest score first. */
    public String articles(Messages words, JsonArray articles, String next) {
        String name = Html.escaped(words.text("nav.articles"));
        Head head = new Head(name + " - " + Html.escaped(title), Html.escaped(description), "/articles", "website");
        return page(words, head, "<h1>" + name + "</h1>" + list(words, articles) + older(words, next));
    }

    /** The feed of an account. */
    public String profileFeed(JsonObject account, JsonArray statuses) {
        String name = account.getString("display_name").isEmpty()
                ? "@" + account.getString("username")
                : account.getString("display_name");
        return Rss.of(name, publicUrl + "/@" + account.getString("username"), account.getString("note"), statuses);
    }

    /** The feed of a tag. */
    public String tagFeed(String tag, JsonArray statuses) {
        return Rss.of("#" + tag, Html.tagUrl(publicUrl, tag), Html.escaped(title), statuses);
    }

    private String list(Messages words, JsonArray statuses) {
        StringBuilder html = new StringBuilder(POST_CHARS * (statuses.size() + 1)).append("<div class=\"posts\">");
        for (int i = 0; i < statuses.size(); i++) {
            PostHtml.append(html, words, base, statuses.getJsonObject(i));
        }
        return html.append("</div>").toString();
    }

    private static String older(Messages words, String next) {
        return next.isEmpty()
                ? ""
                : "<p class=\"more\"><a class=\"button\" rel=\"next\" href=\"" + Html.escaped(next) + "\">"
                        + Html.escaped(words.text("list.older")) + "</a></p>";
    }

    /**
     * The words of some HTML of ours, in one line, still escaped: what looks like a tag there is one.
     *
     * @param max about so many characters
     */
    static String snippet(String html, int max) {
        String text = html.replaceAll("<p class=\"quote-inline\">.*?</p>", "")
                .replaceAll("</?(?:a|span)\\b[^>]*>", "")
                .replaceAll("<[^>]*>", " ")
                .replaceAll("\\s+", " ")
                .strip();
        if (text.length() <= max) {
            return text;
        }
        // Not within a character, nor within an escape of one.
        int end = text.offsetByCodePoints(0, text.codePointCount(0, max));
        int escape = text.lastIndexOf('&', end);
        return text.substring(0, escape >= 0 && text.indexOf(';', escape) >= end ? escape : end) + "…";
    }

    /**
     * The head of a page.
     *
     * @param title HTML
     * @param description HTML
     * @param path of the page, below the public URL
     * @param type of OpenGraph
     * @param image absolute URL; empty = none
     * @param feed its path; empty = none
     * @param indexed whether search engines may list it
     */
    private record Head(
            String title, String description, String path, String type, String image, String feed, boolean indexed) {
        Head(String title, String description, String path, String type) {
            this(title, description, path, type, "", "", true);
        }

        Head withImage(String url) {
            return new Head(title, description, path, type, url, feed, indexed);
        }

        Head withFeed(String other) {
            return new Head(title, description, path, type, image, other, indexed);
        }

        boolean isPost() {
            return type.equals(POST);
        }

        Head hidden() {
            return new Head(title, description, path, type, image, feed, false);
        }
    }

    private String page(Messages words, Head head, String main) {
        StringBuilder html = new StringBuilder(main.length() + 4096)
                .append("<!doctype html><html lang=\"")
                .append(words.tag())
                .append("\" data-base=\"")
                .append(Html.escaped(base))
                .append("\" data-url=\"")
                .append(Html.escaped(publicUrl))
                .append("\" data-title=\"")
                .append(Html.escaped(title))
                .append(worker ? "\" data-worker=\"" + Html.escaped(base + WORKER_PATH) : "")
                .append("\"><head><meta charset=\"utf-8\"><title>")
                .append(head.title())
                .append("</title><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .append("<meta name=\"color-scheme\" content=\"light dark\">")
                .append("<script src=\"")
                .append(file("theme.js"))
                .append("\"></script><link rel=\"stylesheet\" href=\"")
                .append(file("app.css"))
                .append("\"><link rel=\"icon\" type=\"image/svg+xml\" href=\"")
                .append(file("icon.svg"))
                .append("\"><link rel=\"apple-touch-icon\" href=\"")
                .append(file("icon-192.png"))
                .append("\"><link rel=\"manifest\" href=\"")
                .append(Html.escaped(base + MANIFEST_PATH))
                .append("\">");
        // Without these a browser learns of the modules in five rounds: what a module imports stands in the module.
        html.append(modules).append(preload(words.file()));
        html.append("<script type=\"module\" src=\"").append(file("main.js")).append("\"></script>");
        meta(html, head);
        return html.append("</head><body><a class=\"skip\" href=\"#main\">")
                .append(Html.escaped(words.text("nav.skip")))
                .append("</a><div id=\"app\" class=\"frame out plain\">")
                .append(rail(words))
                .append("<main id=\"main\" tabindex=\"-1\">")
                .append(main)
                // The scripts fill the same columns, so that nothing moves.
                .append("<footer class=\"side-foot\"><a href=\"")
                .append(Html.escaped(base))
                .append("/about\">")
                .append(Html.escaped(words.text("site.about", "title", title)))
                .append("</a></footer></main><aside class=\"side\"></aside></div></body></html>")
                .toString();
    }

    private String rail(Messages words) {
        return "<nav class=\"rail\" aria-label=\"" + Html.escaped(words.text("nav.main"))
                + "\"><a class=\"brand\" href=\""
                + Html.escaped(base) + "/\" aria-label=\"" + Html.escaped(title) + "\"><img src=\"" + file("icon.svg")
                + "\" alt=\"\" width=\"30\" height=\"30\"><span class=\"rail-text\">" + Html.escaped(title)
                + "</span></a>" + link("/articles", words, "nav.articles") + link("/login", words, "nav.login")
                + "</nav>";
    }

    private String link(String path, Messages words, String key) {
        return "<a class=\"rail-link\" href=\"" + Html.escaped(base) + path + "\">" + Html.escaped(words.text(key))
                + "</a>";
    }

    private String preload(String name) {
        return "<link rel=\"modulepreload\" href=\"" + file(name) + "\">";
    }

    private String file(String name) {
        return Html.escaped(base + files.path(name));
    }

    private void meta(StringBuilder html, Head head) {
        if (!head.indexed()) {
            html.append("<meta name=\"robots\" content=\"noindex\">");
        }
        if (head.path().isEmpty()) {
            return;
        }
        String url = Html.escaped(publicUrl + head.path());
        html.append("<link rel=\"canonical\" href=\"").append(url).append("\">");
        if (!head.feed().isEmpty()) {
            html.append("<link rel=\"alternate\" type=\"application/rss+xml\" href=\"")
                    .append(Html.escaped(publicUrl + head.feed()))
                    .append("\">");
        }
        if (head.isPost()) {
            html.append("<link rel=\"alternate\" type=\"application/json+oembed\" href=\"")
                    .append(Html.escaped(publicUrl + "/api/oembed?format=json&url="
                            + URLEncoder.encode(publicUrl + head.path(), StandardCharsets.UTF_8)))
                    .append("\">");
        }
        property(html, "name=\"description\"", head.description());
        property(html, "property=\"og:title\"", head.title());
        property(html, "property=\"og:description\"", head.description());
        property(html, "property=\"og:type\"", head.type());
        property(html, "property=\"og:url\"", url);
        property(html, "property=\"og:site_name\"", Html.escaped(title));
        if (!head.image().isEmpty()) {
            property(html, "property=\"og:image\"", Html.escaped(head.image()));
            property(html, "name=\"twitter:card\"", "summary");
        }
    }

    /** @param content HTML */
    private static void property(StringBuilder html, String name, String content) {
        html.append("<meta ").append(name).append(" content=\"").append(content).append("\">");
    }
}
