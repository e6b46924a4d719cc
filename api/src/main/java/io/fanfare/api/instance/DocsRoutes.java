package io.fanfare.api.instance;

import static io.fanfare.api.endpoint.Endpoint.constant;

import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.text.Html;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The contract as a file, {@code /openapi.yaml}, and as a page, {@code /docs}: Swagger UI from its jar, with a page and
 * a start of our own, so that nothing inline has to be allowed and nothing comes from elsewhere. All of it constant,
 * read once.
 */
public final class DocsRoutes {
    /** Scripts, styles and requests of this server alone. Swagger UI's style sheet has its icons as data: URLs. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

    /** The version is that of the root pom; with any other, nothing starts. */
    private static final String SWAGGER_UI = "/META-INF/resources/webjars/swagger-ui/5.34.1/";

    /** The cache of files that change with a version of Fanfare: kept for minutes. */
    private static final String OUR_CACHE = "public, max-age=300";

    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    private DocsRoutes() {}

    /**
     * The routes of the API reference and of openapi.yaml.
     *
     * @param publicUrl a proxy may serve it from below a path of its own, where the page must find its files
     */
    public static List<Endpoint> endpoints(String publicUrl) {
        String path = URI.create(publicUrl).getRawPath();
        String page = new String(read("docs/index.html"), StandardCharsets.UTF_8)
                .replace("=\"/", "=\"" + Html.escaped(path) + "/");
        return List.of(
                constant("/openapi.yaml", ours("application/yaml", "/openapi.yaml")),
                constant(
                        "/docs",
                        Answer.file("text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8))
                                .header("Cache-Control", OUR_CACHE)
                                .header("Content-Security-Policy", POLICY)),
                constant("/docs/start.js", ours(SCRIPT, "docs/start.js")),
                constant("/docs/page.css", ours(STYLE, "docs/page.css")),
                constant("/docs/swagger-ui.css", theirs(STYLE, "swagger-ui.css")),
                constant("/docs/swagger-ui-bundle.js", theirs(SCRIPT, "swagger-ui-bundle.js")),
                constant("/docs/favicon-32x32.png", theirs("image/png", "favicon-32x32.png")));
    }

    private static Answer ours(String type, String name) {
        return Answer.file(type, read(name)).header("Cache-Control", OUR_CACHE);
    }

    private static Answer theirs(String type, String name) {
        return Answer.file(type, read(SWAGGER_UI + name));
    }

    private static byte[] read(String name) {
        try (InputStream in = DocsRoutes.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
