package io.fanfare.bench.load;

import io.fanfare.bench.report.BenchFailed;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.core.parsetools.RecordParser;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Remembers when each post arrived on a firehose. For the command's event loop. */
public final class FirehoseProbe {
    private static final String DATA = "data: ";

    /** {@link System#nanoTime} by status. */
    private final Map<Long, Long> arrivals = new HashMap<>();

    /** A client that nobody refers to any more is closed, with its connections. */
    private final HttpClient http;

    private FirehoseProbe(HttpClient http) {
        this.http = http;
    }

    /** Opens a firehose of a stream server on this machine that needs no token. */
    public static Future<FirehoseProbe> open(Vertx vertx, int port) {
        FirehoseProbe probe = new FirehoseProbe(vertx.createHttpClient(
                new HttpClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(port)));
        return probe.http
                .request(HttpMethod.GET, "/api/v1/streaming/firehose")
                .compose(HttpClientRequest::send)
                .compose(response -> {
                    if (response.statusCode() != 200) {
                        return Future.failedFuture(
                                new BenchFailed("a firehose was refused with status " + response.statusCode()));
                    }
                    response.handler(RecordParser.newDelimited("\n", probe::read));
                    return Future.succeededFuture(probe);
                });
    }

    private void read(Buffer line) {
        long now = System.nanoTime();
        String text = line.toString(StandardCharsets.UTF_8);
        String status = text.startsWith(DATA) ? new JsonObject(text.substring(DATA.length())).getString("id") : null;
        if (status != null) {
            arrivals.putIfAbsent(Long.parseLong(status), now);
        }
    }

    /** When the status arrived, by {@link System#nanoTime}; empty = not yet. */
    public OptionalLong arrival(long status) {
        Long nanos = arrivals.get(status);
        return nanos == null ? OptionalLong.empty() : OptionalLong.of(nanos);
    }
}
