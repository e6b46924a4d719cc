package io.fanfare.server.http;

import io.fanfare.vertx.VertxInternals;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long nothing may be written to a connection. While a long file comes there is nothing to write, and a slow line
 * would be cut off. Confined to the event loop of the connection.
 */
public final class IdleTime {
    /** The name that Vert.x gives its handler. */
    private static final String HANDLER = "idle";

    /** The connection stays open for so much longer, so that the time-out of a request is answered first. */
    private static final long ANSWER_MILLIS = 1_000;

    private IdleTime() {}

    /**
     * Waits for so long until the request has ended, if that is longer than usual. Until its body is there, something
     * must come within the usual time.
     */
    public static void stretch(RoutingContext ctx, Duration time) {
        ChannelPipeline pipeline = pipeline(ctx);
        if (pipeline.get(HANDLER) instanceof IdleStateHandler usual && usual.getWriterIdleTimeInMillis() > 0) {
            long usualMillis = usual.getWriterIdleTimeInMillis();
            long longer = Math.max(usualMillis, time.toMillis() + ANSWER_MILLIS);
            set(pipeline, usualMillis, longer);
            ctx.request()
                    .end()
                    .onComplete(
                            whole -> {
                                if (!ctx.response().ended()) {
                                    set(pipeline, 0, longer);
                                }
                            },
                            abandoned -> {});
            int unused = ctx.addEndHandler(end -> set(pipeline, 0, usualMillis));
        }
    }

    /** Until the body is there its speed is watched, and nothing else ends the connection. After {@link #stretch}. */
    public static void suspend(RoutingContext ctx) {
        set(pipeline(ctx), 0, 0);
    }

    private static ChannelPipeline pipeline(RoutingContext ctx) {
        return VertxInternals.handler(ctx.request().connection()).pipeline();
    }

    private static void set(ChannelPipeline pipeline, long readMillis, long writeMillis) {
        if (pipeline.get(HANDLER) != null) {
            Object unused = pipeline.replace(
                    HANDLER, HANDLER, new IdleStateHandler(readMillis, writeMillis, 0, TimeUnit.MILLISECONDS));
        }
    }
}
