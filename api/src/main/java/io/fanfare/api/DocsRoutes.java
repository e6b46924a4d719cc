package io.fanfare.api;

import static io.fanfare.api.Endpoint.get;

import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The contract as a file, {@code /openapi.yaml}, and as a page, {@code /docs}: Swagger UI from its jar, with a page and a start of our own, so that nothing inline has to be
 * allowed and nothing comes from elsewhere. All of it constant, read once.
 */
final class DocsRoutes {
    /** Scripts, styles and requests of this server alone. Swagger UI's style sheet has its icons as data: URLs. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

    /** The version is that of the root pom; with any other, nothing starts. */
    private static final String SWAGGER_UI = "/META-INF/resources/webjars/swagger-ui/5.34.1/";

    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final String STYLE = "text/css; charset=utf-8";

    private DocsRoutes() {}

    static List<Endpoint> endpoints() {
        return List.of(
                constant("/openapi.yaml", ours("application/yaml", "/openapi.yaml")),
                constant(
                        "/docs",
                        ours("text/html; charset=utf-8", "docs/index.html").header("Content-Security-Policy", POLICY)),
                constant("/docs/start.js", ours(SCRIPT, "docs/start.js")),
                constant("/docs/page.css", ours(STYLE, "docs/page.css")),
                constant("/docs/swagger-ui.css", theirs(STYLE, "swagger-ui.css")),
                constant("/docs/swagger-ui-bundle.js", theirs(SCRIPT, "swagger-ui-bundle.js")),
                constant("/docs/favicon-32x32.png", theirs("image/png", "favicon-32x32.png")));
    }

    private static Endpoint constant(String path, Answer answer) {
        return get(path, Access.OPEN, call -> Future.succeededFuture(answer));
    }

    /** What changes with a version of Fanfare: kept for minutes. */
    private static Answer ours(String type, String name) {
        return Answer.file(type, read(name)).header("Cache-Control", "public, max-age=300");
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
