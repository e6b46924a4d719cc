package io.fanfare.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.VertxHttpObject;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.internal.net.RFC3986;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Access to the parts of Vert.x's connections, buffers and messages that its public API does not give. */
public final class VertxInternals {
    private VertxInternals() {}

    /** The handler through which a connection of a server reads and writes; its channel is the socket. */
    public static ChannelHandlerContext handler(HttpConnection ofServer) {
        return ((HttpServerConnection) ofServer).channelHandlerContext();
    }

    /** A buffer of these bytes, which are not copied and must not change. */
    public static Buffer wrap(byte[] bytes) {
        return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
    }

    /** A buffer of these one behind the other, which are not copied and must not change. */
    public static Buffer join(List<Buffer> parts) {
        ByteBuf[] bytes = parts.stream().map(VertxInternals::bytes).toArray(ByteBuf[]::new);
        return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes.length, bytes));
    }

    /** The bytes of a buffer, not copied. */
    public static ByteBuf bytes(Buffer buffer) {
        return ((BufferInternal) buffer).getByteBuf();
    }

    /** Whether a message that passes the pipeline of a connection is the end of an HTTP response. */
    public static boolean endsResponse(Object message) {
        return message instanceof VertxHttpObject part && part.isEnded();
    }

    /**
     * Decodes percent-encoded UTF-8 and {@code +}. Throws {@link IllegalArgumentException} when an escape is not
     * complete.
     */
    public static String decodeFormComponent(String escaped) {
        return RFC3986.decodeURIComponent(escaped, /* plus= */ true);
    }

    /**
     * The addresses of a name, as the system's servers and file of names have them; no thread waits for them. Completes
     * on the context of the caller, and fails when there are none.
     */
    public static Future<List<InetAddress>> addresses(Vertx vertx, String name) {
        Promise<List<InetSocketAddress>> found =
                ((VertxInternal) vertx).getOrCreateContext().promise();
        ((VertxInternal) vertx).nameResolver().resolveAll(name, result -> {
            if (result.succeeded()) {
                found.complete(result.result());
            } else {
                found.fail(result.cause());
            }
        });
        return found.future()
                .map(all -> all.stream().map(InetSocketAddress::getAddress).toList());
    }

    /** From now on Vert.x runs this in place of its warning, about once a second for each thread that is blocked. */
    public static void whenThreadIsBlocked(Vertx vertx, Runnable task) {
        ((VertxInternal) vertx).blockedThreadChecker().setThreadBlockedHandler(blocked -> task.run());
    }

    /** From now on Vert.x logs which threads are blocked, with their stacks, as it does by default. */
    public static void logBlockedThreads(Vertx vertx) {
        ((VertxInternal) vertx).blockedThreadChecker().setThreadBlockedHandler(null);
    }

    /** All event loops of a process, those that accept connections last. */
    public static List<EventExecutor> eventLoops(Vertx vertx) {
        List<EventExecutor> loops = new ArrayList<>();
        ((VertxInternal) vertx).nettyEventLoopGroup().forEach(loops::add);
        ((VertxInternal) vertx).acceptorEventLoopGroup().forEach(loops::add);
        return loops;
    }
}
