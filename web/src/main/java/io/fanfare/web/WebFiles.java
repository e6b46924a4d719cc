package io.fanfare.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files of the web client, read once. All of them lie below a path that has a digest of all of them, so that the
 * modules import each other by name, and a browser may keep each for good. Immutable.
 */
public final class WebFiles {
    /** Every file of the folder; a test compares. */
    static final List<String> NAMES = List.of(
            "app.css",
            "icon.svg",
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
            "people.js",
            "compose.js",
            "timeline.js",
            "front.js",
            "views.js",
            "profile.js",
            "articles.js",
            "settings.js",
            "streams.js",
            "map.js",
            "keys.js");

    private static final int VERSION_CHARS = 12;

    private static final WebFiles LOADED = new WebFiles();

    private final Map<String, WebFile> files = new LinkedHashMap<>();
    private final String version;

    /**
     * A file.
     *
     * @param body must not be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared or changed.
    public record WebFile(String name, String type, byte[] body) {}

    private WebFiles() {
        MessageDigest digest = sha256();
        for (String name : NAMES) {
            byte[] body = read(name);
            digest.update(body);
            files.put(name, new WebFile(name, type(name), body));
        }
        this.version = HexFormat.of().formatHex(digest.digest()).substring(0, VERSION_CHARS);
    }

    /** The files of this build: the same for everybody. */
    public static WebFiles load() {
        return LOADED;
    }

    /** Changes whenever a file does. */
    public String version() {
        return version;
    }

    public Optional<WebFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }

    /** Where a file is, below the public URL. */
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
