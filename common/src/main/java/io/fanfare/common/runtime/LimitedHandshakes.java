package io.fanfare.common.runtime;

import io.fanfare.common.http.ClientAddress;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.FastThreadLocal;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The JDK's TLS, with a bound on handshakes under way: on an event loop {@link #LOOP_MAX} at once, of one address
 * {@link #ADDRESS_MAX}. What is beyond is closed without a word. Until a handshake has ended Vert.x tells nobody of the
 * connection, so that its other limits ({@code http.connections-max}, {@code http.per-address-max}) do not count it
 * yet, and whoever connects and says nothing would cost memory and a file descriptor each time. Trusted proxies and the
 * machine itself count for the loop only. Safe for every thread: the counts are those of the event loop that asks.
 */
final class LimitedHandshakes extends JdkSSLEngineOptions {
    static final int LOOP_MAX = 512;
    static final int ADDRESS_MAX = 64;

    private final ClientAddress addresses;
    private final Runnable refused;
    private final int loopMax;
    private final int addressMax;
    private final boolean countsOwn;
    private final FastThreadLocal<Counts> counts = new FastThreadLocal<>() {
        @Override
        protected Counts initialValue() {
            return new Counts();
        }
    };

    /**
     * @param addresses knows the trusted proxies
     * @param refused is told of each connection that is closed, on its event loop
     */
    LimitedHandshakes(ClientAddress addresses, Runnable refused) {
        this(addresses, refused, LOOP_MAX, ADDRESS_MAX, /* countsOwn= */ false);
    }

    /** @param countsOwn whether the machine itself is counted by address, as a test needs it */
    LimitedHandshakes(ClientAddress addresses, Runnable refused, int loopMax, int addressMax, boolean countsOwn) {
        this.addresses = addresses;
        this.refused = refused;
        this.loopMax = loopMax;
        this.addressMax = addressMax;
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
        Counted(SSLEngine engine, boolean startTls, Executor tasks) {
            super(engine, startTls, tasks);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) throws Exception {
            super.handlerAdded(context);
            Channel channel = context.channel();
            String address = address(channel);
            Counts here = counts.get();
            if (here.begin(address, loopMax, addressMax)) {
                // Fails, too, when the connection ends before.
                var unused = handshakeFuture().addListener(ended -> here.end(address));
            } else {
                refused.run();
                // Not from within the connection's own set-up.
                context.executor().execute(() -> channel.unsafe().close(channel.newPromise()));
            }
        }
    }

    /** Null for what counts for the loop only. */
    private String address(Channel channel) {
        String address = channel.remoteAddress() instanceof InetSocketAddress peer
                ? addresses.ofPeer(SocketAddress.inetSocketAddress(peer))
                : null;
        return address == null || (!countsOwn && ClientAddress.isOwn(address)) ? null : address;
    }

    /** Handshakes under way. Confined to one event loop. */
    private static final class Counts {
        private final Map<String, Integer> ofAddress = new HashMap<>();
        private int all;

        boolean begin(String address, int loopMax, int addressMax) {
            int ofThis = address == null ? 0 : ofAddress.getOrDefault(address, 0);
            if (all >= loopMax || ofThis >= addressMax) {
                return false;
            }
            all++;
            if (address != null) {
                ofAddress.put(address, ofThis + 1);
            }
            return true;
        }

        void end(String address) {
            all--;
            if (address != null) {
                Integer unused = ofAddress.computeIfPresent(address, (same, left) -> left == 1 ? null : left - 1);
            }
        }
    }
}
