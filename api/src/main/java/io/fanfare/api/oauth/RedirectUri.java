package io.fanfare.api.oauth;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place where an app receives authorization codes: a web site by https, a program on the user's machine by http on
 * a loopback address, an app that has a URI scheme of its own (RFC 8252, section 7), or the page for the user to copy.
 * Other schemes are refused: browsers run them, systems handle them, or they travel unencrypted. Which of them real
 * clients use, and why a scheme needs no dot, is in docs/adr/0014-redirect-uris.md.
 *
 * @param text letter by letter as the app has registered it
 * @param origin of a web address; of an app its scheme with the colon; empty for a code that is shown
 */
public record RedirectUri(String text, Target target, String origin) {
    /** Shows the authorization code instead of sending the user somewhere. */
    static final String OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";

    /** The addresses that may be registered, for messages. */
    public static final String ACCEPTED =
            "https addresses, http addresses of the user's own machine (localhost, 127.0.0.1, [::1]), addresses with a scheme of the app's own such as com.example.app:/callback, or "
                    + OUT_OF_BAND;

    /** RFC 3986 without the fragment; what is outside of ASCII must be percent-encoded. */
    private static final Pattern SYNTAX =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):((?:[A-Za-z0-9._~:/?\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\]");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * Schemes that browsers run or that systems open with a program of theirs, and protocols: no app can have these for
     * its own.
     */
    private static final Set<String> FOREIGN_SCHEMES = Set.of(
            // Run or shown by browsers.
            "about",
            "blob",
            "brave",
            "chrome",
            "cid",
            "data",
            "edge",
            "feed",
            "file",
            "filesystem",
            "jar",
            "javascript",
            "jscript",
            "livescript",
            "mhtml",
            "mid",
            "mocha",
            "opera",
            "res",
            "resource",
            "vbscript",
            "view-source",
            "wyciwyg",
            // Opened by the system, or lead from one app into any other.
            "android-app",
            "app-prefs",
            "app-settings",
            "callto",
            "content",
            "facetime",
            "facetime-audio",
            "geo",
            "help",
            "intent",
            "maps",
            "market",
            "mailto",
            "mms",
            "onenote",
            "package",
            "prefs",
            "search",
            "search-ms",
            "shell",
            "shortcuts",
            "sip",
            "sips",
            "skype",
            "sms",
            "smsto",
            "tel",
            "webcal",
            "xmpp",
            // Protocols and names.
            "acct",
            "did",
            "dns",
            "ftp",
            "ftps",
            "git",
            "gopher",
            "http",
            "https",
            "imap",
            "irc",
            "ircs",
            "ldap",
            "ldaps",
            "magnet",
            "news",
            "nfs",
            "nntp",
            "pop",
            "rsync",
            "rtsp",
            "sftp",
            "smb",
            "ssh",
            "tag",
            "telnet",
            "urn",
            "vnc",
            "ws",
            "wss");

    /** Families of such schemes, as ms-settings and itms-apps. */
    private static final List<String> FOREIGN_FAMILIES =
            List.of("chrome-", "com.apple.", "itms", "moz-", "ms-", "safari-", "web+", "x-apple", "x-web-");

    /** The kind of place a code goes to. */
    public enum Target {
        PAGE,
        WEB_SITE,
        OWN_MACHINE,
        APP
    }

    /** Empty for a text that no app may have its codes sent to. */
    public static Optional<RedirectUri> of(String text) {
        if (text.equals(OUT_OF_BAND)) {
            return Optional.of(new RedirectUri(text, Target.PAGE, ""));
        }
        Matcher parts = SYNTAX.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        return scheme.equals("https") || scheme.equals("http") ? web(text, scheme) : ofApp(text, scheme);
    }

    private static Optional<RedirectUri> web(String text, String scheme) {
        URI uri = parsed(text);
        String host = uri == null || uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
        // What stands before an @ looks like the host and is none.
        if (!HOST.matcher(host).matches() || uri.getRawUserInfo() != null) {
            return Optional.empty();
        }
        String origin = scheme + "://" + host + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
        boolean ownMachine = LOOPBACK.contains(host);
        return ownMachine || scheme.equals("https")
                ? Optional.of(new RedirectUri(text, ownMachine ? Target.OWN_MACHINE : Target.WEB_SITE, origin))
                : Optional.empty();
    }

    private static URI parsed(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException notAnAddress) {
            return null;
        }
    }

    /** By text alone: {@code icecubesapp://}, which a large client uses, is no URI to {@link URI}. */
    private static Optional<RedirectUri> ofApp(String text, String scheme) {
        boolean foreign =
                FOREIGN_SCHEMES.contains(scheme) || FOREIGN_FAMILIES.stream().anyMatch(scheme::startsWith);
        return foreign ? Optional.empty() : Optional.of(new RedirectUri(text, Target.APP, scheme + ":"));
    }

    /** The target as a source of a Content-Security-Policy, which knows no IPv6 addresses; empty for none. */
    public String policySource() {
        return origin.contains("[") ? origin.substring(0, origin.indexOf("//")) : origin;
    }

    /** The place where a code goes, in words that end a sentence. */
    public String place() {
        return switch (target) {
            case PAGE -> "this page, for you to copy";
            case WEB_SITE -> "the web site " + origin.substring("https://".length());
            case OWN_MACHINE -> "a program on your own machine (" + origin.substring(origin.indexOf("//") + 2) + ")";
            case APP -> "the app on your device that opens " + origin + " links";
        };
    }
}
