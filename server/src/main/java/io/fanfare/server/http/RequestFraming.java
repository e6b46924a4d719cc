package io.fanfare.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/**
 * Whether the head of a request says in one way only for which host it is and where its body ends (RFC 9112, 3.2 and
 * 6.3). A proxy in front that takes the other way sees another host or another request than this server does.
 */
final class RequestFraming {
    private RequestFraming() {}

    /** One Host, which HTTP/1.0 may leave out, and one Content-Length or {@code Transfer-Encoding: chunked} at most. */
    static boolean isUnambiguous(HttpRequest request) {
        HttpHeaders headers = request.headers();
        List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
        List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        return isForOneHost(request)
                && (codings.isEmpty() ? lengths.size() <= 1 : lengths.isEmpty() && isChunked(request, codings));
    }

    private static boolean isForOneHost(HttpRequest request) {
        int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
        return hosts == 1 || (hosts == 0 && request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0);
    }

    private static boolean isChunked(HttpRequest request, List<String> codings) {
        return codings.size() == 1
                && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0))
                && request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    }
}
