package io.fanfare.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExactRequestDecoderTest {
    private static final List<String> COMMON =
            List.of("Host", "Connection", "Content-Type", "Content-Length", "Accept");

    @Test
    void aHeaderWhoseNameDiffersInOneLetterFromACommonOneIsAnother() {
        for (String common : COMMON) {
            for (int i = 0; i < common.length(); i++) {
                String other = common.substring(0, i) + (common.charAt(i) == 'X' ? 'Y' : 'X') + common.substring(i + 1);
                assertThat(names(other)).as(other).containsExactly(other);
            }
            for (String same : List.of(common, common.toLowerCase(Locale.ROOT))) {
                assertThat(names(same)).as(same).singleElement().asString().isEqualToIgnoringCase(common);
            }
        }
    }

    @Test
    void aRequestWithSuchAHeaderHasNoBodyForAnotherToHideIn() {
        EmbeddedChannel channel = new EmbeddedChannel(new ExactRequestDecoder(new HttpServerOptions()));
        String hidden = "GET /hidden HTTP/1.1\r\n\r\n";
        write(channel, "GET / HTTP/1.1\r\nContent-Xength: " + hidden.length() + "\r\n\r\n" + hidden);
        long requests = channel.inboundMessages().stream()
                .filter(HttpRequest.class::isInstance)
                .count();
        channel.releaseInbound();
        assertThat(requests).isEqualTo(2);
    }

    private static List<String> names(String header) {
        EmbeddedChannel channel = new EmbeddedChannel(new ExactRequestDecoder(new HttpServerOptions()));
        write(channel, "GET / HTTP/1.1\r\n" + header + ": 0\r\n\r\n");
        HttpRequest request = channel.readInbound();
        List<String> names =
                request.headers().entries().stream().map(Map.Entry::getKey).toList();
        ReferenceCountUtil.release(request);
        channel.releaseInbound();
        return names;
    }

    private static void write(EmbeddedChannel channel, String text) {
        boolean unused = channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }
}
