package io.fanfare.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The files of the web client, or of the operator's console, read once. All of them lie below a path that has a digest
 * of all of them, so that the modules import each other by name, and a browser may keep each for good. Immutable.
 */
public final class WebFiles {
    /** Every file of the web client's folder; a test compares. */
    static final List<String> NAMES = List.of(
            "app.css",
            "icon.svg",
            "icon-192.png",
            "icon-512.png",
            "actions.png",
            "theme.js",
            "main.js",
            "dom.js",
            "icons.js",
            "i18n.js",
            "en.js",
            "zh.js",
            "api.js",
            "live.js",
            "text.js",
            "status.js",
            "poll.js",
            "people.js",
            "compose.js",
            "gallery.js",
            "focus.js",
            "completion.js",
            "drafts.js",
            "viewer.js",
            "timeline.js",
            "front.js",
            "views.js",
            "notifications.js",
            "warning.js",
            "sheets.js",
            "profile.js",
            "articles.js",
            "lists.js",
            "blocks.js",
            "moderation.js",
            "waiting.js",
            "selection.js",
            "invitations.js",
            "announcements.js",
            "messages.js",
            "filters.js",
            "factor.js",
            "address.js",
            "settings.js",
            "streams.js",
            "map.js",
            "keys.js",
            "background.js",
            "push.js",
            "worker.js",
            "proof.js",
            "offline.js",
            "emoji.js");

    /** Every file of the console's folder; a test compares. */
    static final List<String> CONSOLE = List.of(
            "console.css",
            "main.js",
            "api.js",
            "parts.js",
            "state.js",
            "chart.js",
            "overview.js",
            "queue.js",
            "jobs.js",
            "dead.js",
            "streams.js",
            "redis.js",
            "reports.js",
            "moderation.js",
            "site.js",
            "list.js",
            "notes.js",
            "signups.js",
            "held.js",
            "appeals.js",
            "blocks.js",
            "selections.js",
            "invitations.js",
            "accounts.js",
            "settings.js",
            "en.js",
            "zh.js");

    /** Files of the web client that the console has as well. */
    static final List<String> SHARED = List.of("icon.svg", "theme.js", "dom.js", "i18n.js");

    /** Scripts that are no modules of the page's bundle: they run by themselves, or are words. */
    static final Set<String> LOOSE = Set.of("theme.js", "en.js", "zh.js", "worker.js", "proof.js", "offline.js");

    /** Modules that are imported when somebody opens what they are for. */
    static final Set<String> LATER = Set.of(
            "address.js",
            "announcements.js",
            "blocks.js",
            "emoji.js",
            "factor.js",
            "focus.js",
            "invitations.js",
            "lists.js",
            "map.js",
            "messages.js",
            "moderation.js",
            "push.js",
            "selection.js",
            "settings.js",
            "streams.js",
            "viewer.js",
            "waiting.js",
            "warning.js");

    /** The folder of the modules that {@code web/pom.xml} joins and minifies; absent in a build that does not. */
    static final String BUNDLE_FOLDER = "bundle/";

    static final boolean BUNDLED = WebFiles.class.getResource(BUNDLE_FOLDER + "main.js") != null;

    /**
     * The files that pages load. A bundle takes the place of its parts, which are served all the same, for those who
     * look for a fault.
     */
    static final List<String> NEEDED = NAMES.stream()
            .filter(name -> !BUNDLED || !isModule(name) || inBundle(name))
            .toList();

    /** Modules that every page of the web client imports, whatever its language. */
    static final List<String> MODULES = NEEDED.stream()
            .filter(name -> isModule(name) && !LATER.contains(name))
            .toList();

    static final String CONSOLE_FOLDER = "console/";

    private static final int VERSION_CHARS = 12;

    private static final WebFiles LOADED = new WebFiles("", NAMES, List.of());

    /** Read at its first use: the console is opened after a start, if at all. */
    private static final class ConsoleFiles {
        private static final WebFiles LOADED = new WebFiles(CONSOLE_FOLDER, CONSOLE, SHARED);
    }

    private final Map<String, WebFile> files = new LinkedHashMap<>();
    private final String version;

    /**
     * A file.
     *
     * @param body must not be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared or changed.
    public record WebFile(String name, String type, byte[] body) {}

    /** @param shared names of files beside the folder */
    private WebFiles(String folder, List<String> names, List<String> shared) {
        MessageDigest digest = sha256();
        names.forEach(name -> add(digest, name, folder.isEmpty() ? source(name) : read(folder + name)));
        shared.forEach(name -> add(digest, name, read(name)));
        this.version = HexFormat.of().formatHex(digest.digest()).substring(0, VERSION_CHARS);
        if (folder.isEmpty()) {
            files.replaceAll((name, file) -> linked(file));
        }
    }

    private void add(MessageDigest digest, String name, byte[] body) {
        digest.update(body);
        files.put(name, new WebFile(name, type(name), body));
    }

    private static boolean isModule(String name) {
        return name.endsWith(".js") && !LOOSE.contains(name);
    }

    private static boolean inBundle(String name) {
        return WebFiles.class.getResource(BUNDLE_FOLDER + name) != null;
    }

    private static byte[] source(String name) {
        return read(inBundle(name) ? BUNDLE_FOLDER + name : name);
    }

    /**
     * A bundle's modules import each other by names such as {@code a}, which mean something else in another version.
     * During an upgrade a browser may get files of both. With a name of the version, which one exports and the others
     * import, such files do not link, and the page says so rather than doing something else.
     */
    private WebFile linked(WebFile file) {
        if (!inBundle(file.name())) {
            return file;
        }
        String script = new String(file.body(), StandardCharsets.UTF_8);
        String mark = "version_" + version;
        String marked = file.name().equals("main.js")
                ? script + "export const " + mark + "=0;\n"
                : "import{" + mark + "}from\"./main.js\";" + script;
        return new WebFile(file.name(), file.type(), marked.getBytes(StandardCharsets.UTF_8));
    }

    /** The files of the web client of this build: the same for everybody. */
    public static WebFiles load() {
        return LOADED;
    }

    /** The files of the operator's console, which has a language file and a style sheet of its own. */
    public static WebFiles console() {
        return ConsoleFiles.LOADED;
    }

    /** Changes whenever a file does. */
    public String version() {
        return version;
    }

    public Optional<WebFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    /** The path of a file, below the public URL. */
    String path(String name) {
        if (!files.containsKey(name)) {
            throw new IllegalArgumentException(name);
        }
        return "/web/" + version + "/" + name;
    }

    private static String type(String name) {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "png" -> "image/png";
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static byte[] read(String name) {
        try (InputStream in = WebFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
