package io.fanfare.server.runtime;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * Pages of the management server below a path of their own, which decide themselves who may see them: they need no
 * {@code management.token}, which no browser sends. Confined to the management server's event loop.
 */
public interface ManagementSite {
    /** The path without a slash at its end; everything below it is the site's, too. */
    String path();

    /**
     * Begins to work, once the process has joined its data set.
     *
     * @param parts of the process
     */
    Future<?> start(Vertx vertx, List<Component> parts);

    /**
     * Answers a request for the path. The head has come; nothing has been read of the body yet, and a body that does
     * not come within seconds ends the connection.
     */
    void handle(HttpServerRequest request);

    /** Ends what it does by itself. */
    Future<?> stop();
}
