package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RouteOrderTest {
    @Test
    void aFixedPathComesBeforeEveryPathThatMatchesIt() {
        assertThat(ordered("/@:name/:id", "/a/:id/b", "/:id", "/a/:id", "/a/x/:id", "/a/new", "/@:id", "/a"))
                .containsExactly("/a", "/a/new", "/a/x/:id", "/a/:id", "/a/:id/b", "/@:id", "/@:name/:id", "/:id");
    }

    @Test
    void pathsOfOneShapeKeepTheOrderInWhichTheyCome() {
        assertThat(ordered("/b/:id", "/a/:id", "/c/:id")).containsExactly("/b/:id", "/a/:id", "/c/:id");
    }

    @Test
    void twoEndpointsThatMatchTheSameRequestsAreRefused() {
        assertThatThrownBy(() -> ordered("/a/:id", "/b", "/a/:name"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("two endpoints match GET /a/:name");
    }

    @Test
    void twoMethodsOfOnePathAreTwoEndpoints() {
        Endpoint read = endpoint("/a");
        Endpoint write = Endpoint.post("/a", Access.OPEN, call -> Future.failedFuture("not called"));
        assertThat(RouteOrder.of(Stream.of(read, write))).containsExactly(read, write);
    }

    private static List<String> ordered(String... paths) {
        return RouteOrder.of(Stream.of(paths).map(RouteOrderTest::endpoint)).stream()
                .map(Endpoint::path)
                .toList();
    }

    private static Endpoint endpoint(String path) {
        return Endpoint.get(path, Access.OPEN, call -> Future.failedFuture("not called"));
    }
}
