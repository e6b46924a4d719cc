package io.fanfare.bench.peer;

import io.fanfare.bench.load.BenchRedis;
import io.fanfare.bench.load.Pace;
import io.fanfare.bench.load.StampedEvent;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.failure.Reason;
import io.fanfare.server.runtime.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * nginx with the nchan module, one worker, its files in a temporary folder: what Debian's packages {@code nginx} and
 * {@code libnginx-mod-nchan} hold. Events are posted on a few connections, each after the answer to the one before: of
 * requests that come one behind the other nchan loses its place sooner or later and closes the connection. Streams are
 * its server-sent events, one channel for each topic.
 */
public final class NchanPeer implements StreamPeer {
    public static final String NAME = "nginx + nchan";
    private static final List<Path> PLACES = List.of(Path.of("/usr/sbin/nginx"), Path.of("/usr/local/sbin/nginx"));
    private static final int PUBLISHERS = 8;

    private final EventLoop loop;
    private final int topics;
    private final Path folder;
    private final PeerProcess nginx;
    private final HttpClient publisher;

    private NchanPeer(EventLoop loop, int topics, Path folder, PeerProcess nginx) {
        this.loop = loop;
        this.topics = topics;
        this.folder = folder;
        this.nginx = nginx;
        this.publisher = loop.vertx().createHttpClient(new PoolOptions().setHttp1MaxSize(PUBLISHERS));
    }

    /**
     * Null, after a word why, when there is no nginx with the module; the module is looked for where packages put it
     * beside the binary.
     */
    public static NchanPeer start(EventLoop loop, Path binary, int topics, Duration heartbeat) {
        Path nginx = binary != null ? binary : found();
        Path module = nginx == null
                ? null
                : nginx.resolve("../../lib/nginx/modules/ngx_nchan_module.so").normalize();
        if (module == null || !Files.exists(nginx) || !Files.exists(module)) {
            System.err.println("left out: nginx with nchan (Debian: nginx, libnginx-mod-nchan; or --nginx BINARY)");
            return null;
        }
        try {
            Path folder = Files.createTempDirectory("fanfare-nchan");
            int port = PeerProcess.freePort();
            Path file = folder.resolve("nginx.conf");
            Files.writeString(file, configuration(folder, module.toAbsolutePath(), port, heartbeat));
            ProcessBuilder program = new ProcessBuilder(
                    nginx.toString(), "-p", folder.toString(), "-c", file.toString(), "-e", "stderr");
            return new NchanPeer(loop, topics, folder, PeerProcess.start("nginx", port, program));
        } catch (IOException e) {
            throw new BenchFailed("nginx cannot be started: " + Reason.of(e));
        }
    }

    private static Path found() {
        return PLACES.stream().filter(Files::isExecutable).findFirst().orElse(null);
    }

    /**
     * In the foreground, so that it is our child; nothing is written to a disk, no message is dropped that a reader has
     * not had yet. It may think that it has more connections than files: when a sixteenth or less is free, nginx closes
     * those that have not asked for anything yet.
     */
    private static String configuration(Path folder, Path module, int port, Duration heartbeat) {
        return """
                load_module %1$s;
                daemon off;
                user %2$s;
                worker_processes 1;
                worker_rlimit_nofile 20000;
                pid %3$s/nginx.pid;
                error_log stderr error;
                events { worker_connections 24000; }
                http {
                  access_log off;
                  client_body_temp_path %3$s/body;
                  proxy_temp_path %3$s/proxy;
                  fastcgi_temp_path %3$s/fastcgi;
                  uwsgi_temp_path %3$s/uwsgi;
                  scgi_temp_path %3$s/scgi;
                  keepalive_requests 1000000000;
                  keepalive_timeout 1h;
                  client_header_timeout 1h;
                  tcp_nodelay on;
                  nchan_shared_memory_size 512M;
                  server {
                    listen 127.0.0.1:%4$d backlog=4096;
                    location ~ ^/pub/(\\w+)$ {
                      nchan_publisher;
                      nchan_channel_id $1;
                      nchan_message_buffer_length 5000;
                    }
                    location ~ ^/sub/(\\w+)$ {
                      nchan_subscriber eventsource;
                      nchan_channel_id $1;
                      nchan_subscriber_first_message newest;
                      nchan_eventsource_ping_interval %5$d;
                    }
                  }
                }
                """.formatted(module, System.getProperty("user.name"), folder, port, heartbeat.toSeconds());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int port() {
        return nginx.port();
    }

    @Override
    public String path() {
        return topics == 0 ? "/sub/all" : "/sub/topic{}";
    }

    @Override
    public void publish(long events, double perSecond) {
        Pace.run(events, perSecond, (number, due) -> loop.later(() -> post(number, due)));
    }

    private void post(long number, long due) {
        String channel = topics == 0 ? "all" : "topic" + number % topics;
        publisher
                .request(HttpMethod.POST, nginx.port(), "127.0.0.1", "/pub/" + channel)
                .compose(request -> request.send(Buffer.buffer(StampedEvent.body(due))))
                .compose(NchanPeer::taken)
                .onFailure(gone -> System.err.println("not published: " + gone));
    }

    private static Future<Void> taken(HttpClientResponse answer) {
        return answer.statusCode() / 100 == 2
                ? answer.end()
                : Future.failedFuture("nchan answered " + answer.statusCode());
    }

    @Override
    public double cpuSeconds() {
        return nginx.cpuSeconds();
    }

    @Override
    public long residentBytes() {
        return nginx.residentBytes();
    }

    @Override
    public void close() {
        nginx.close();
        BenchRedis.delete(folder);
    }
}
