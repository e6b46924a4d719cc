package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefixRoutersTest {
    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/articles, /articles",
        "/tags/redis, /tags",
        "/@ann/42, /@ann",
        "/web/3f/app.js, /web",
        "/.well-known/webfinger, /.well-known",
        "/api/v1/statuses, /api/v1/statuses",
        "/api/v1/statuses/, /api/v1/statuses",
        "/api/v1/statuses/42/context, /api/v1/statuses",
        "/api/v2/search, /api/v2/search",
        "/api/v1, /api/v1",
        "/api/v1/, /api/v1",
        "/api/oembed, /api/oembed",
        "/api/oembed/, /api/oembed",
        "/api/, /api",
        "/apis/v1/statuses, /apis"
    })
    void aPrefixIsTheFirstSegmentAndOfTheApiTheFirstThree(String path, String prefix) {
        assertThat(PrefixRouters.prefix(path)).isEqualTo(prefix);
    }

    @Test
    void pathsOfOneResourceShareARouterAndThoseThatBeginWithAVariableDo() {
        Vertx vertx = Vertx.vertx();
        try {
            PrefixRouters routers = new PrefixRouters(vertx);
            assertThat(routers.of("/api/v1/statuses/:id"))
                    .isSameAs(routers.of("/api/v1/statuses"))
                    .isNotSameAs(routers.of("/api/v1/articles/:id"));
            assertThat(routers.of("/@:id")).isSameAs(routers.of("/@:name/:id"));
            assertThat(routers.of("/tags/:id")).isNotSameAs(routers.of("/@:id"));
        } finally {
            vertx.close().await();
        }
    }
}
