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

    private DocsRoutes() {}

    static List<Endpoint> endpoints() {
        return List.of(
                constant("/openapi.yaml", "application/yaml", read("/openapi.yaml")),
                page("/docs", read("docs/index.html")),
                constant("/docs/start.js", "text/javascript; charset=utf-8", read("docs/start.js")),
                constant("/docs/page.css", "text/css; charset=utf-8", read("docs/page.css")),
                constant("/docs/swagger-ui.css", "text/css; charset=utf-8", swagger("swagger-ui.css")),
                constant(
                        "/docs/swagger-ui-bundle.js",
                        "text/javascript; charset=utf-8",
                        swagger("swagger-ui-bundle.js")),
                constant("/docs/favicon-32x32.png", "image/png", swagger("favicon-32x32.png")));
    }

    private static Endpoint constant(String path, String type, byte[] content) {
        Answer answer = Answer.file(type, content);
        return get(path, Access.OPEN, call -> Future.succeededFuture(answer));
    }

    private static Endpoint page(String path, byte[] html) {
        Answer answer = Answer.file("text/html; charset=utf-8", html);
        return get(path, Access.OPEN, call -> {
            call.request().response().putHeader("Content-Security-Policy", POLICY);
            return Future.succeededFuture(answer);
        });
    }

    private static byte[] swagger(String name) {
        return read(SWAGGER_UI + name);
    }

    private static byte[] read(String name) {
        try (InputStream in = DocsRoutes.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
