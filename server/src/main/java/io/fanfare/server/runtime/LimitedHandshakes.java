package io.fanfare.server.runtime;

import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.runtime.PendingHandshakes.Begun;
import io.fanfare.server.runtime.PendingHandshakes.Handshake;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.Future;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The JDK's TLS, with a bound on handshakes under way, of all event loops together: {@link #MAX} at once, of one IPv4
 * address or IPv6 /56 {@link #ADDRESS_MAX}. A connection beyond the second bound is closed without a response; at the
 * first one the oldest makes room ({@link PendingHandshakes}). The first record has to come within
 * {@link #RECORD_MILLIS} ms. Vert.x reports a connection once its handshake has ended, so that its other limits
 * ({@code http.connections-max}, {@code http.per-address-max}) do not count it before, and a silent client would cost
 * memory and a file descriptor each time. Trusted proxies and the machine itself count for no address. Safe for every
 * thread.
 */
final class LimitedHandshakes extends JdkSSLEngineOptions {
    static final int MAX = 1024;
    static final int ADDRESS_MAX = 64;

    /** A ClientHello is one packet or two, and a client sends it as soon as it is connected. */
    static final int RECORD_MILLIS = 2000;

    private final ClientAddress addresses;
    private final Closings closings;
    private final PendingHandshakes pending;
    private final int recordMillis;
    private final boolean countsOwn;

    /**
     * Called for the connections that are closed here, on any event loop.
     *
     * @param refused of one that its address has too many of
     * @param silent of one that made room, or sent no record in time
     */
    record Closings(Runnable refused, Runnable silent) {}

    /** @param addresses knows the trusted proxies */
    LimitedHandshakes(ClientAddress addresses, Closings closings) {
        this(addresses, closings, new PendingHandshakes(MAX, ADDRESS_MAX), RECORD_MILLIS, /* countsOwn= */ false);
    }

    /** @param countsOwn whether the machine itself is counted by address, as a test needs it */
    LimitedHandshakes(
            ClientAddress addresses,
            Closings closings,
            PendingHandshakes pending,
            int recordMillis,
            boolean countsOwn) {
        this.addresses = addresses;
        this.closings = closings;
        this.pending = pending;
        this.recordMillis = recordMillis;
        this.countsOwn = countsOwn;
    }

    /** The same one: all servers of a process count together. */
    @Override
    public JdkSSLEngineOptions copy() {
        return this;
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return new DefaultSslContextFactory(SslProvider.JDK, /* sslSessionCacheEnabled= */ false) {
            @Override
            public SslContext create() throws SSLException {
                return new Limited(super.create());
            }
        };
    }

    private final class Limited extends DelegatingSslContext {
        Limited(SslContext context) {
            super(context);
        }

        @Override
        protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls, Executor tasks) {
            return new Counted(newEngine(allocator), startTls, tasks);
        }

        @Override
        protected SslHandler newHandler(
                ByteBufAllocator allocator, String host, int port, boolean startTls, Executor tasks) {
            return new Counted(newEngine(allocator, host, port), startTls, tasks);
        }

        @Override
        protected void initEngine(SSLEngine engine) {
            // Vert.x sets the protocols from its own options.
        }
    }

    private final class Counted extends SslHandler {
        private Handshake handshake;
        private Future<?> deadline;
        private boolean greeted;

        Counted(SSLEngine engine, boolean startTls, Executor tasks) {
            super(engine, startTls, tasks);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) throws Exception {
            super.handlerAdded(context);
            handshake = new Handshake(address(context.channel()), () -> makeRoom(context));
            Begun begun = pending.begin(handshake);
            if (begun == Begun.REFUSED) {
                closings.refused().run();
                closeSoon(context);
                return;
            }
            if (begun == Begun.MADE_ROOM) {
                closings.silent().run();
            }
            deadline = context.executor().schedule(() -> late(context), recordMillis, TimeUnit.MILLISECONDS);
            // Fails, too, when the connection ends before.
            var unused = handshakeFuture().addListener(ended -> {
                pending.end(handshake);
                metDeadline();
            });
        }

        /** Takes whole records only, so that one has come when fewer bytes are left. */
        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws SSLException {
            int before = in.readerIndex();
            super.decode(context, in, out);
            if (!greeted && in.readerIndex() > before) {
                metDeadline();
                // The engine has a session from its ServerHello on, which answers a whole ClientHello.
                if (engine().getHandshakeSession() != null) {
                    greeted = true;
                    pending.greeted(handshake);
                }
            }
        }

        private void metDeadline() {
            if (deadline != null) {
                boolean unused = deadline.cancel(false);
                deadline = null;
            }
        }

        private void late(ChannelHandlerContext context) {
            closings.silent().run();
            close(context.channel());
        }

        /** Closes the connection, unless its handshake has ended meanwhile: then it takes no room any more. */
        private void makeRoom(ChannelHandlerContext context) {
            context.executor().execute(() -> {
                if (!handshakeFuture().isDone()) {
                    close(context.channel());
                }
            });
        }

        /** On its event loop, and not from within the connection's own set-up. */
        private static void closeSoon(ChannelHandlerContext context) {
            context.executor().execute(() -> close(context.channel()));
        }

        /** Without waiting for what is to be sent. */
        private static void close(Channel channel) {
            channel.unsafe().close(channel.newPromise());
        }
    }

    /** Null for what counts for no address. */
    private String address(Channel channel) {
        String address = channel.remoteAddress() instanceof InetSocketAddress peer
                ? addresses.ofPeer(SocketAddress.inetSocketAddress(peer))
                : null;
        return address == null || (!countsOwn && ClientAddress.isOwn(address))
                ? null
                : ClientAddress.household(address);
    }
}
