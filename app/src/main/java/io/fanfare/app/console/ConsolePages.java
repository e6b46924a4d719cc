package io.fanfare.app.console;

import io.fanfare.common.settings.Settings;
import io.fanfare.web.WebFiles;
import io.fanfare.web.WebFiles.WebFile;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URI;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of the console, which its scripts fill, and its files. They say nothing about the server. Immutable. */
final class ConsolePages {
    /** A year: another version has another path. */
    private static final String FOR_GOOD = "public, max-age=31536000, immutable";

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
                    + " trusted-types fanfare; img-src 'self'";

    private final WebFiles files = WebFiles.console();
    private final String policy;
    private final Buffer shell;
    private final String shellTag;

    ConsolePages(Settings settings) {
        // Pictures of accounts are on the public server, or in its bucket.
        this.policy = Stream.of(
                        POLICY,
                        origin(settings.http().publicUrl()),
                        settings.media().s3().publicOrigin())
                .filter(source -> !source.isEmpty())
                .collect(Collectors.joining(" "));
        String folder = Console.PATH + "/files/" + files.version() + "/";
        this.shell = Buffer.buffer("<!doctype html>\n<html lang=\"en\" data-base=\"\" data-title=\"Fanfare\">"
                + "<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<meta name=\"robots\" content=\"noindex\"><title>Fanfare console</title>"
                + "<link rel=\"icon\" href=\"" + folder + "icon.svg\"><link rel=\"stylesheet\" href=\"" + folder
                + "console.css\"><script src=\"" + folder + "theme.js\"></script><script type=\"module\" src=\""
                + folder + "main.js\"></script></head><body><div id=\"app\"><noscript>"
                + "<p>The console needs JavaScript. The same without it: fanfare admin --help.</p>"
                + "</noscript></div></body></html>\n");
        this.shellTag = "\"" + files.version() + "\"";
    }

    private static String origin(String url) {
        return url.isEmpty()
                ? ""
                : url.substring(0, url.length() - URI.create(url).getRawPath().length());
    }

    /** Answers a request for the page. */
    void shell(HttpServerRequest request) {
        request.response()
                .putHeader("Content-Security-Policy", policy)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        send(request, "text/html; charset=utf-8", shell, shellTag);
    }

    /** Answers a request for a file; false = there is none. A page of another version gets that of this one. */
    boolean file(HttpServerRequest request, String versionAndName) {
        int slash = versionAndName.indexOf('/');
        Optional<WebFile> file = files.find(versionAndName.substring(slash + 1));
        if (slash < 0 || file.isEmpty()) {
            return false;
        }
        boolean current = versionAndName.substring(0, slash).equals(files.version());
        request.response().putHeader(HttpHeaders.CACHE_CONTROL, current ? FOR_GOOD : "no-store");
        send(request, file.get().type(), Buffer.buffer(file.get().body()), shellTag);
        return true;
    }

    /** Sets the security headers that every answer of the console has. */
    static void headers(HttpServerResponse response) {
        response.putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    private static void send(HttpServerRequest request, String type, Buffer body, String tag) {
        HttpServerResponse response = request.response().putHeader(HttpHeaders.ETAG, tag);
        if (tag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(304).end().onFailure(gone -> {});
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, type);
            ConsoleHttp.end(request, body);
        }
    }
}
