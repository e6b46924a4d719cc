package io.fanfare.stream.routes;

import io.fanfare.server.http.TokenBucket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket08FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.util.function.LongSupplier;

/**
 * Limits what the client of a WebSocket can make the server do, frame by frame, before Vert.x sees the frame: Vert.x
 * answers each ping at once, however many answers wait already. Pings and pongs have a rate, and so have the frames of
 * messages, since empty fragments are frames too. While the write queue is full nothing is read; of the pings that were
 * read already the newest is answered when there is room, which RFC 6455 (5.5.3) allows. Confined to one event loop.
 */
public final class FrameLimiter extends ChannelInboundHandlerAdapter {
    /**
     * Pings and pongs at once, and a second from then on. Clients ping every 20 s or so, and answer one ping of ours
     * per {@code stream.heartbeat}, which is 100 ms at least.
     */
    public static final int CONTROL_BURST = 100;

    static final int CONTROL_PER_SECOND = 20;

    /**
     * Frames of messages at once, and a second from then on. A client that comes back subscribes to what it had,
     * {@code StreamSocket.STREAMS_MAX} streams at most.
     */
    public static final int MESSAGE_BURST = 120;

    static final int MESSAGES_PER_SECOND = 10;

    /** Bytes that are still read of a client whose socket is being closed. */
    static final int DROPPED_BYTES_MAX = 256 << 10;

    /** Frames among them that are still decoded, to find the client's own close: 256 KiB may hold 40,000 frames. */
    static final int DROPPED_FRAMES_MAX = 64;

    /** Bytes of a frame beside its content, as a client sends it. */
    private static final int FRAME_BYTES = 6;

    /** Close codes of RFC 6455, 7.4.1. */
    private static final int UNSUPPORTED = 1003;

    private static final int POLICY_VIOLATION = 1008;

    private final Listener listener;
    private final LongSupplier nanos;
    private final TokenBucket control;
    private final TokenBucket messages;
    private Channel channel;

    /** The newest ping that found no room for its answer; null = none. */
    private WebSocketFrame unanswered;

    private boolean finished;
    private int droppedBytes;
    private int droppedFrames;

    /** Whether the client has sent its close, behind which nothing counts. */
    private boolean closed;

    /** The owner of the socket. */
    interface Listener {
        /** The client has broken a rule: the socket is to be closed with this code. Called once. */
        void violated(int code, String rule);

        /** The client closes the socket. */
        void closing();

        /** Frames are read again. */
        void resumed();
    }

    /** @param nanos elapsed time */
    FrameLimiter(Listener listener, LongSupplier nanos) {
        this.listener = listener;
        this.nanos = nanos;
        long now = nanos.getAsLong();
        this.control = new TokenBucket(CONTROL_BURST, CONTROL_PER_SECOND, now);
        this.messages = new TokenBucket(MESSAGE_BURST, MESSAGES_PER_SECOND, now);
    }

    /** Whether nothing is read, since the client does not take what was written. */
    boolean isPaused() {
        return !channel.isWritable();
    }

    /** Drops whatever else the client sends, but for a close. */
    void finish() {
        finished = true;
        forgetPing();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        forgetPing();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (droppedFrames > DROPPED_FRAMES_MAX && message instanceof ByteBuf bytes) {
            drop(bytes, bytes.readableBytes());
        } else if (!(message instanceof WebSocketFrame frame)) {
            ctx.fireChannelRead(message);
        } else if (frame instanceof CloseWebSocketFrame && !closed) {
            closed = true;
            ctx.fireChannelRead(frame);
            listener.closing();
        } else if (finished || closed || !isAllowed(frame)) {
            drop(frame, FRAME_BYTES + frame.content().readableBytes());
            droppedFrames++;
            if (droppedFrames > DROPPED_FRAMES_MAX) {
                stopDecoding();
            }
        } else if (frame instanceof PingWebSocketFrame && isPaused()) {
            forgetPing();
            unanswered = frame;
        } else {
            ctx.fireChannelRead(frame);
        }
    }

    private void drop(ReferenceCounted message, int bytes) {
        droppedBytes += bytes;
        ReferenceCountUtil.release(message);
        if (droppedBytes > DROPPED_BYTES_MAX) {
            channel.config().setAutoRead(false);
        }
    }

    /** Passes the bytes that come from now on, and those in the decoder, to this handler. */
    private void stopDecoding() {
        if (channel.pipeline().get(WebSocket08FrameDecoder.class) != null) {
            channel.pipeline().remove(WebSocket08FrameDecoder.class);
        }
    }

    private boolean isAllowed(WebSocketFrame frame) {
        if (frame instanceof PingWebSocketFrame || frame instanceof PongWebSocketFrame) {
            return control.take(nanos.getAsLong()) || violated(POLICY_VIOLATION, "too many pings or pongs");
        }
        if (frame instanceof BinaryWebSocketFrame) {
            return violated(UNSUPPORTED, "messages are text");
        }
        return messages.take(nanos.getAsLong()) || violated(POLICY_VIOLATION, "too many messages");
    }

    private boolean violated(int code, String rule) {
        finish();
        listener.violated(code, rule);
        return false;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        boolean paused = isPaused();
        channel.config().setAutoRead(!paused && droppedBytes <= DROPPED_BYTES_MAX);
        if (!paused) {
            listener.resumed();
            if (unanswered != null) {
                WebSocketFrame ping = unanswered;
                unanswered = null;
                ctx.fireChannelRead(ping);
            }
        }
        ctx.fireChannelWritabilityChanged();
    }

    private void forgetPing() {
        ReferenceCountUtil.release(unanswered);
        unanswered = null;
    }
}
