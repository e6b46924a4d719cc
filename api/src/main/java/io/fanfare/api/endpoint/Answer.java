package io.fanfare.api.endpoint;

import io.fanfare.common.auth.Secrets;
import io.fanfare.common.view.Json;
import io.fanfare.media.StoredFile;
import io.fanfare.server.http.AcceptedCodings;
import io.fanfare.vertx.VertxInternals;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A response: never an empty body.
 *
 * @param link the value of the {@code Link} header, null = none
 * @param headers further ones, or other values of those that every answer has
 * @param file what is sent instead of the body, or closed; null = the body is
 * @param compressed where its compressed body stays; null = nowhere
 */
public record Answer(
        int status,
        CharSequence type,
        Buffer body,
        String link,
        Map<String, List<String>> headers,
        StoredFile.Part file,
        Compressed compressed) {
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json; charset=utf-8");
    private static final CharSequence HTML = HttpHeaders.createOptimized("text/html; charset=utf-8");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final CharSequence A_DAY = HttpHeaders.createOptimized("public, max-age=86400");
    private static final CharSequence LINK = HttpHeaders.createOptimized("Link");

    private static final int TAG_CHARS = 16;

    /** The tags of a client's condition that are looked at. */
    private static final int TAGS_MAX = 8;

    /** An empty object: it is done, and there is nothing to tell. */
    public static final Answer EMPTY_OBJECT = json(json -> {
        json.writeStartObject();
        json.writeEndObject();
    });

    /** The compressed body of an answer that is sent again and again. Confined to one event loop. */
    public static final class Compressed {
        private Buffer body;

        private Compressed() {}
    }

    private Answer(int status, CharSequence type, Buffer body, String link, Map<String, List<String>> headers) {
        this(status, type, body, link, headers, null, null);
    }

    /** A part of a stored file, which goes out as its reader takes it. */
    public static Answer part(CharSequence type, StoredFile.Part file) {
        return new Answer(200, type, Buffer.buffer(), null, Map.of(), file, null);
    }

    public static Answer json(Json.Body body) {
        return json(Json.bytes(body));
    }

    /** An array with an entry for each of these, in their order. */
    public static <T> Answer array(Iterable<T> all, Json.Entry<T> entry) {
        return json(json -> {
            json.writeStartArray();
            for (T one : all) {
                entry.write(json, one);
            }
            json.writeEndArray();
        });
    }

    /**
     * JSON that has been rendered.
     *
     * @param body must not be changed afterwards
     */
    public static Answer json(byte[] body) {
        return json(VertxInternals.wrap(body));
    }

    /** The same of a buffer, which must not be changed either. */
    public static Answer json(Buffer body) {
        return new Answer(200, JSON, body, null, Map.of());
    }

    /** A constant file. */
    public static Answer file(String type, byte[] body) {
        return new Answer(200, type, Buffer.buffer(body), null, Map.of());
    }

    /** A page for people. Scripts of other sites may not read it. */
    public static Answer page(String html) {
        return new Answer(200, HTML, VertxInternals.wrap(html.getBytes(StandardCharsets.UTF_8)), null, Map.of());
    }

    /**
     * The same with a further header.
     *
     * @param values each on a line of its own, since those of {@code Set-Cookie} cannot share one
     */
    public Answer header(String name, String... values) {
        Map<String, List<String>> more = new LinkedHashMap<>(headers);
        more.put(name, List.of(values));
        return new Answer(status, type, body, link, more, file, compressed);
    }

    /**
     * The same for a browser or a cache that asks each time whether its copy is still good: 304 without a body when it
     * is. What is deleted is gone from copies at once.
     */
    public Answer revalidated(HttpServerRequest request) {
        // The bytes as they are: a text would be decoded and encoded again.
        String tag =
                "W/\"" + Secrets.digest(VertxInternals.bytes(body).nioBuffer()).substring(0, TAG_CHARS) + '"';
        return header("Cache-Control", "no-cache").unlessKnown(request, tag);
    }

    /**
     * The same with a tag for a client that keeps its own copy: 304 without a body when the copy is still good.
     * Browsers and caches keep none. The tag is a checksum of the body (CRC-32C) and its length, since a digest would
     * cost more than the page: of four billion changes one is not seen.
     */
    public Answer unlessKnown(HttpServerRequest request) {
        CRC32C sum = new CRC32C();
        sum.update(VertxInternals.bytes(body).nioBuffer());
        String tag = "W/\"" + Long.toHexString(sum.getValue()) + '-' + Integer.toHexString(body.length()) + '"';
        return unlessKnown(request, tag);
    }

    private Answer unlessKnown(HttpServerRequest request, String tag) {
        Answer tagged = header("ETag", tag);
        String known = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        return known != null && Arrays.asList(known.split(",\\s*", TAGS_MAX)).contains(tag)
                ? new Answer(304, type, Buffer.buffer(), link, tagged.headers)
                : tagged;
    }

    public Answer status(int other) {
        return new Answer(other, type, body, link, headers, file, compressed);
    }

    /**
     * The same for one event loop that sends it again and again, until the answer is another: its body is compressed
     * once, however long it is.
     */
    public Answer kept() {
        return new Answer(status, type, body, link, headers, file, new Compressed());
    }

    public Answer link(String value) {
        return new Answer(status, type, body, value, headers, file, compressed);
    }

    /** Whether it is {@link #kept}. */
    boolean isKept() {
        return compressed != null;
    }

    /** The body as one member of gzip. */
    Buffer gzip(AnswerCompressor compressor) {
        if (compressed == null) {
            return compressor.compress(body, /* kept= */ false);
        }
        if (compressed.body == null) {
            compressed.body = compressor.compress(body, /* kept= */ true);
        }
        return compressed.body;
    }

    private void sendFile(HttpServerRequest request, HttpServerResponse response) {
        if (file.length() >= 0) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(file.length()));
        } else if (!request.method().equals(HttpMethod.HEAD)) {
            response.setChunked(true);
        }
        if (request.method().equals(HttpMethod.HEAD)) {
            file.close();
            response.end().onFailure(gone -> {});
        } else {
            file.sendTo(response).onFailure(gone -> request.connection().close().onFailure(closed -> {}));
        }
    }

    /** Sends it, compressed if the client accepts that. */
    public void send(HttpServerRequest request, AnswerCompressor compressor) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            // The time limit, or the client, was faster.
            if (file != null) {
                file.close();
            }
            return;
        }
        response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, type)
                .putHeader(HttpHeaders.CACHE_CONTROL, type == JSON || type == HTML ? NO_STORE : A_DAY);
        headers.forEach(response::putHeader);
        if (type == HTML) {
            response.headers().remove(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
        }
        if (link != null) {
            response.putHeader(LINK, link);
        }
        if (file != null) {
            sendFile(request, response);
            return;
        }
        Buffer sent = body;
        if (compressor.covers(request, this)) {
            response.headers().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
            if (AcceptedCodings.gzip(request)) {
                response.putHeader(HttpHeaders.CONTENT_ENCODING, AcceptedCodings.GZIP);
                sent = gzip(compressor);
            }
        }
        if (sent.length() > LongBody.PIECE_BYTES && !request.method().equals(HttpMethod.HEAD)) {
            LongBody.send(response, sent);
        } else {
            response.end(sent).onFailure(gone -> {});
        }
    }
}
