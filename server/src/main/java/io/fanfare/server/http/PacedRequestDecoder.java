package io.fanfare.server.http;

import io.fanfare.vertx.ExactRequestDecoder;
import io.fanfare.vertx.VertxInternals;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import java.net.SocketAddress;
import java.util.List;

/**
 * Decodes the requests of a connection one at a time: the next one only when the answer to the one before is written
 * and the client takes its answers. Of further requests no more than {@link #HELD_BYTES_MAX} and one read are taken
 * from the socket. So a client that pipelines requests and reads nothing costs one request, the channel's mark for
 * unsent bytes (64 KiB), one answer, and 20 KiB of what it sent. Vert.x alone runs pipelined requests one after the
 * other too, but whether anybody takes the answers or not.
 *
 * <p>Takes the place of Vert.x's decoder. Stands behind the encoder, so that it meets answers before they are bytes. An
 * upgrade to a WebSocket removes it, and passes on what it holds. Confined to one event loop.
 */
final class PacedRequestDecoder extends ExactRequestDecoder implements ChannelOutboundHandler {
    /** Pipelined requests that are run before other connections have their turn. */
    private static final int TURN_REQUESTS = 16;

    /** Bytes of further requests from which on nothing is read. With fewer, the end of the connection is noticed. */
    private static final int HELD_BYTES_MAX = 4 << 10;

    /** Most that one read takes. Netty would take four times as much from a client that sends without a pause. */
    private static final int READ_BYTES_MAX = 16 << 10;

    /**
     * The bytes of responses that the kernel takes before it can send them: without this limit megabytes of each
     * connection. Bytes on their way to a distant client do not count. Only epoll supports it.
     */
    private static final long KERNEL_UNSENT_BYTES = 128 << 10;

    private static final int READ_BYTES_FIRST = 2 << 10;
    private static final int READ_BYTES_MIN = 64;

    /** Has no state of its own. */
    private static final RecvByteBufAllocator READS =
            new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX);

    private static final String DECODER = "httpDecoder";
    private static final String ENCODER = "httpEncoder";

    private final WriteBufferLimiter unsent;
    private final WaitingConnections waiting;
    private ChannelHandlerContext context;

    /** Whether the last byte of the request under way has been decoded. */
    private boolean whole;

    /** Whether the answer to it has been written, to its end. */
    private boolean answered;

    /** Whether nobody knows where the request under way ends: the connection is closed after its answer. */
    private boolean ambiguous;

    /** Whether bytes of a further request wait here. */
    private boolean held;

    /** Whether nothing is read because of them. */
    private boolean stopped;

    /** Whether the rest of the request under way is to wait in the socket, from the end of this read on. */
    private boolean bodyHeld;

    /** Whether nothing is read because of that. */
    private boolean paused;

    private boolean scheduled;
    private int turnsLeft;

    /** The bytes last reported to {@link #unsent}. */
    private long counted;

    private PacedRequestDecoder(HttpServerOptions options, WriteBufferLimiter unsent, WaitingConnections waiting) {
        super(options);
        this.unsent = unsent;
        this.waiting = waiting;
    }

    /** Puts one in the place of the decoder of a connection on which nothing has been read yet. */
    static void install(
            ChannelHandlerContext connection,
            HttpServerOptions options,
            WriteBufferLimiter unsent,
            WaitingConnections waiting) {
        ChannelConfig config = connection.channel().config().setRecvByteBufAllocator(READS);
        boolean unused = config.setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, KERNEL_UNSENT_BYTES);
        connection.pipeline().remove(DECODER);
        connection.pipeline().addAfter(ENCODER, DECODER, new PacedRequestDecoder(options, unsent, waiting));
    }

    /**
     * Leaves what follows of the request under way in the socket, from the end of this read on. So a body that came
     * with its head costs no system call.
     */
    static void holdBody(Channel channel) {
        if (channel.pipeline().get(DECODER) instanceof PacedRequestDecoder decoder) {
            decoder.bodyHeld = true;
        } else {
            var unused = channel.config().setAutoRead(false);
        }
    }

    /** Reads on after {@link #holdBody}; what else keeps the connection from being read still does. */
    static void readBody(Channel channel) {
        if (channel.pipeline().get(DECODER) instanceof PacedRequestDecoder decoder) {
            decoder.bodyHeld = false;
            if (!decoder.paused) {
                return;
            }
            decoder.paused = false;
        }
        var unused = channel.config().setAutoRead(true);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        waiting.opened(this);
        super.handlerAdded(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) throws Exception {
        turnsLeft = TURN_REQUESTS;
        super.channelRead(ctx, bytes);
        holdOrRead();
        if (bodyHeld && !paused && !whole) {
            paused = true;
            var unused = ctx.channel().config().setAutoRead(false);
        }
    }

    /** Bytes left in {@code in} come again with the next ones, or by {@link #resume}. */
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (ambiguous) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (whole) {
            if (!mayGoOn() || --turnsLeft < 0) {
                return;
            }
            whole = false;
        }
        super.decode(ctx, in, out);
        if (out.isEmpty()) {
            return;
        }
        if (out.get(0) instanceof HttpRequest request) {
            if (request.decoderResult().isSuccess() && !RequestFraming.isUnambiguous(request)) {
                request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("ambiguous head")));
                ambiguous = true;
            }
            answered = false;
            bodyHeld = false;
            waiting.waits(this);
        }
        Object last = out.get(out.size() - 1);
        // What is no HTTP is never whole: the rest of it is skipped until the connection is closed.
        whole = last == LastHttpContent.EMPTY_LAST_CONTENT
                || (last instanceof LastHttpContent end && end.decoderResult().isSuccess());
    }

    private boolean mayGoOn() {
        return answered && context.channel().isWritable();
    }

    private void holdOrRead() {
        int waiting = whole ? internalBuffer().readableBytes() : 0;
        held = waiting > 0;
        boolean stop = waiting >= HELD_BYTES_MAX;
        if (stop || stopped) {
            // Vert.x may have switched it on again after a pause of its own.
            var unused = context.channel().config().setAutoRead(!stop);
            stopped = stop;
            count();
        }
        if (held && mayGoOn()) {
            schedule();
        }
    }

    /** Never at once: this may be called from within what writes an answer. */
    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            context.executor().execute(this::resume);
        }
    }

    private void resume() {
        scheduled = false;
        if (!held || !mayGoOn() || context.isRemoved()) {
            return;
        }
        try {
            channelRead(context, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            context.fireExceptionCaught(e);
        }
        // Sends what was written meanwhile.
        context.fireChannelReadComplete();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        if (stopped) {
            // The decoder would ask for more, since nothing was made of what came.
            discardSomeReadBytes();
            ctx.fireChannelReadComplete();
        } else {
            super.channelReadComplete(ctx);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (held && mayGoOn()) {
            schedule();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        var unused = ctx.write(message, promise);
        if (VertxInternals.endsResponse(message)) {
            answered = true;
            if (!context.isRemoved() && context.channel().isActive()) {
                waiting.answered(this);
            }
            if (held) {
                schedule();
            }
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        count();
    }

    /** Nothing but a look at two numbers as long as the socket takes everything. */
    private void count() {
        long now = bytes();
        if (now != counted) {
            unsent.changed(this, now);
        }
    }

    /** Bytes that wait for the socket, and what was read and waits to be decoded. */
    long bytes() {
        ChannelOutboundBuffer queue = context.channel().unsafe().outboundBuffer();
        long pending = queue == null ? 0 : queue.totalPendingWriteBytes();
        return stopped ? pending + internalBuffer().capacity() : pending;
    }

    long counted() {
        return counted;
    }

    void counted(long bytes) {
        counted = bytes;
    }

    /** Closes the connection whether anybody reads or not; an ordinary close waits for what is to be sent. */
    void cut() {
        context.executor()
                .execute(
                        () -> context.channel().unsafe().close(context.channel().newPromise()));
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        unsent.changed(this, 0);
        waiting.left(this);
        super.channelInactive(ctx);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        unsent.changed(this, 0);
        waiting.left(this);
        held = false;
        if (stopped) {
            stopped = false;
            var unused = ctx.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void bind(ChannelHandlerContext ctx, SocketAddress local, ChannelPromise promise) {
        var unused = ctx.bind(local, promise);
    }

    @Override
    public void connect(ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
        var unused = ctx.connect(remote, local, promise);
    }

    @Override
    public void disconnect(ChannelHandlerContext ctx, ChannelPromise promise) {
        var unused = ctx.disconnect(promise);
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        var unused = ctx.close(promise);
    }

    @Override
    public void deregister(ChannelHandlerContext ctx, ChannelPromise promise) {
        var unused = ctx.deregister(promise);
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        ctx.read();
    }
}
