package io.fanfare.media;

import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket in memory with the faults that a test wants. It looks at the digests of bodies, not at signatures, which
 * {@link S3SignerTest} does.
 */
public final class FakeBucket implements AutoCloseable {
    public static final String NAME = "pictures";
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;
    private final Map<String, Buffer> objects = new ConcurrentHashMap<>();
    private final Map<String, String> types = new ConcurrentHashMap<>();
    private final Queue<Handler<HttpServerRequest>> faults = new ConcurrentLinkedQueue<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    public FakeBucket() {
        server = TestRedis.await(
                vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1"));
    }

    /** The settings of a process that uses the bucket. */
    public String[] settings() {
        return new String[] {
            "media.s3.endpoint=http://127.0.0.1:" + server.actualPort(),
            "media.s3.bucket=" + NAME,
            "media.s3.access-key=access",
            "media.s3.secret-key=secret"
        };
    }

    /** The keys that are there. */
    public List<String> keys() {
        return objects.keySet().stream().sorted().toList();
    }

    public byte[] bytes(String key) {
        return objects.get(key).getBytes();
    }

    /** The media type that was given with it. */
    public String type(String key) {
        return types.get(key);
    }

    /** Methods and paths, in the order in which they came. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** The next request is answered so, a further call is about the one after it. */
    public void next(Handler<HttpServerRequest> fault) {
        faults.add(fault);
    }

    /** The next request is refused. */
    public void refuse(int status, String code) {
        next(request -> answer(request, status, "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code></Error>"));
    }

    private void handle(HttpServerRequest request) {
        requests.add(request.method() + " " + request.path());
        Handler<HttpServerRequest> fault = faults.poll();
        if (fault != null) {
            fault.handle(request);
            return;
        }
        String authorization = String.valueOf(request.getHeader("Authorization"));
        String prefix = "/" + NAME + "/";
        if (!authorization.startsWith("AWS4-HMAC-SHA256 Credential=access/")
                || !request.path().startsWith(prefix)) {
            answer(request, 403, "<Error><Code>AccessDenied</Code></Error>");
            return;
        }
        String key = request.path().substring(prefix.length());
        if (request.method().equals(HttpMethod.PUT)) {
            request.body().onSuccess(body -> store(request, key, body)).onFailure(gone -> {});
        } else if (request.method().equals(HttpMethod.DELETE)) {
            objects.remove(key);
            answer(request, 204, "");
        } else if (!objects.containsKey(key)) {
            boolean head = request.method().equals(HttpMethod.HEAD);
            answer(request, 404, head ? "" : "<Error><Code>NoSuchKey</Code></Error>");
        } else if (request.method().equals(HttpMethod.HEAD)) {
            request.response()
                    .putHeader(
                            "Content-Length", Integer.toString(objects.get(key).length()))
                    .end()
                    .onFailure(gone -> {});
        } else {
            part(request, objects.get(key));
        }
    }

    private static void answer(HttpServerRequest request, int status, String body) {
        request.response().setStatusCode(status).end(body).onFailure(gone -> {});
    }

    private void store(HttpServerRequest request, String key, Buffer body) {
        if (!digest(body).equals(request.getHeader("x-amz-content-sha256"))) {
            answer(request, 400, "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>");
            return;
        }
        types.put(key, request.getHeader("Content-Type"));
        objects.put(key, body);
        answer(request, 200, "");
    }

    private static void part(HttpServerRequest request, Buffer whole) {
        Matcher range = RANGE.matcher(String.valueOf(request.getHeader("Range")));
        if (!range.matches()) {
            request.response().end(whole).onFailure(gone -> {});
            return;
        }
        int from = Integer.parseInt(range.group(1));
        int to = Math.min(Integer.parseInt(range.group(2)), whole.length() - 1);
        request.response()
                .setStatusCode(206)
                .putHeader("Content-Range", "bytes " + from + "-" + to + "/" + whole.length())
                .end(whole.getBuffer(from, to + 1))
                .onFailure(gone -> {});
    }

    private static String digest(Buffer body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body.getBytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        TestRedis.await(vertx.close());
    }
}
