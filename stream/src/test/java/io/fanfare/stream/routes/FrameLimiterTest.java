package io.fanfare.stream.routes;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cost of a flood of frames after it broke a rule. */
class FrameLimiterTest {
    private static final int MASKED = 0x80;
    private static final int TEXT = 0x81;
    private static final int CLOSE = 0x88;

    private final List<String> violations = new ArrayList<>();
    private final FrameLimiter limiter = new FrameLimiter(
            new FrameLimiter.Listener() {
                @Override
                public void violated(int code, String rule) {
                    violations.add(code + " " + rule);
                }

                @Override
                public void closing() {}

                @Override
                public void resumed() {}
            },
            () -> 0);
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new WebSocket13FrameDecoder(true, false, 16 << 10), limiter);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static ByteBuf frames(int first, int times) {
        ByteBuf bytes = Unpooled.buffer();
        for (int i = 0; i < times; i++) {
            bytes.writeByte(first).writeByte(MASKED).writeInt(0);
        }
        return bytes;
    }

    private void receive(ByteBuf... bytes) {
        assertThat(channel.writeInbound((Object[]) bytes))
                .as("something is left")
                .isTrue();
    }

    @Test
    void afterAViolationTheCloseOfTheClientIsStillRead() {
        receive(frames(TEXT, FrameLimiter.MESSAGE_BURST + FrameLimiter.DROPPED_FRAMES_MAX));
        receive(frames(CLOSE, 1));

        assertThat(violations).hasSize(1);
        for (int i = 0; i < FrameLimiter.MESSAGE_BURST; i++) {
            assertThat(channel.<WebSocketFrame>readInbound()).isInstanceOf(TextWebSocketFrame.class);
        }
        assertThat(channel.<WebSocketFrame>readInbound()).isInstanceOf(CloseWebSocketFrame.class);
    }

    @Test
    void aFloodIsDecodedNoFurtherThanThatAndItsBytesAreDropped() {
        ByteBuf flood = frames(TEXT, FrameLimiter.DROPPED_BYTES_MAX / 6);
        ByteBuf next = frames(TEXT, 1000);
        receive(flood, next);

        assertThat(channel.pipeline().get(WebSocket13FrameDecoder.class)).isNull();
        assertThat(channel.inboundMessages()).hasSize(FrameLimiter.MESSAGE_BURST);
        assertThat(flood.refCnt()).isZero();
        assertThat(next.refCnt()).isZero();
        assertThat(channel.config().isAutoRead()).as("nothing further is read").isFalse();
    }
}
