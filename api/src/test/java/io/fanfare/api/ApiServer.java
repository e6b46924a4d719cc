package io.fanfare.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.feature.ProcessFeature;
import io.fanfare.api.feature.ProcessParts;
import io.fanfare.api.oauth.Passwords;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Shards;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.Release;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.common.testing.TestSettings;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.disk.DiskReserve;
import io.fanfare.core.disk.DiskSpace;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.MediaStore;
import io.fanfare.media.TestMedia;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.server.http.BodyBudget;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The API on a port of its own, and a client for it that takes only what {@code openapi.yaml} allows. Passwords are
 * hashed cheaply, and a machine that stands still for a while is waited for.
 */
final class ApiServer implements AutoCloseable {
    static final Release RELEASE = new Release(
            "1.2.3",
            Optional.of(new Release.Commit(
                    "84462230f4f1d0b1a3c5e7f90123456789abcdef", Instant.parse("2026-11-29T06:31:05Z"))));
    static final String PASSWORD = "correct horse battery";
    static final byte[] SIGNING_KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    final Vertx vertx = Vertx.vertx();
    final MeterRegistry metrics = new SimpleMeterRegistry();
    final ApiVerticle verticle;
    private final Passwords passwords;
    private MediaProcessor media;
    private DiskReserve disk;
    private volatile DiskSpace.Volume volume = new DiskSpace.Volume(50L << 30, 100L << 30);
    private String feedId;
    private final Clock clock;
    private final UnaryOperator<MediaStore> files;

    /** Settings of a server that requests mails, which no server takes, and more. */
    static String[] mail(String... more) {
        String[] mail = {"mail.host=127.0.0.1", "mail.port=1", "mail.tls=off", "mail.from=fanfare@example.org"};
        return with(mail, more);
    }

    /** These settings and more. */
    static String[] with(String[] settings, String... more) {
        return Stream.concat(Stream.of(settings), Stream.of(more)).toArray(String[]::new);
    }

    /** @param assignments settings that differ from the defaults, as {@code limits.text-max=10} */
    ApiServer(TestRedis redis, String... assignments) {
        this(redis.options(), assignments);
    }

    ApiServer(RedisOptions redis, String... assignments) {
        this(redis, new SecureRandom(), assignments);
    }

    /** @param salts of passwords; no hash is begun before it has one */
    ApiServer(RedisOptions redis, SecureRandom salts, String... assignments) {
        this(redis, salts, Clock.systemUTC(), store -> store, assignments);
    }

    private ApiServer(
            RedisOptions redis,
            SecureRandom salts,
            Clock clock,
            UnaryOperator<MediaStore> files,
            String... assignments) {
        this.clock = clock;
        this.files = files;
        Settings settings = settings(redis, assignments);
        SecureRandom random = new SecureRandom();
        passwords = new Passwords(vertx, salts, settings.auth());
        verticle = verticle(settings, random);
        TestRedis.await(vertx.deployVerticle(verticle).<Void>mapEmpty());
    }

    /** One whose clock the test sets. */
    ApiServer(TestRedis redis, Clock clock, String... assignments) {
        this(redis.options(), new SecureRandom(), clock, store -> store, assignments);
    }

    /** One whose store of files the test changes. */
    ApiServer(TestRedis redis, UnaryOperator<MediaStore> files, String... assignments) {
        this(redis.options(), new SecureRandom(), Clock.systemUTC(), files, assignments);
    }

    /** Another one, not deployed. */
    ApiVerticle verticle(TestRedis redis, String... assignments) {
        return verticle(settings(redis.options(), assignments), new SecureRandom());
    }

    private ApiVerticle verticle(Settings settings, SecureRandom random) {
        disk = new DiskReserve(settings.disk(), List.of(Path.of("disk")), null, path -> volume, InstantSource.system());
        disk.look();
        return new ApiVerticle(new ApiParts(
                settings,
                RELEASE,
                new Shards(settings.redis().shards()),
                SigningKeys.of(SIGNING_KEY),
                settings.push().enabled() ? Vapid.of(Vapid.draw(random)) : null,
                passwords,
                RenderCache.of(settings.feeds().cacheBytes()),
                new BodyBudget(settings.http(), metrics),
                media(settings.media()),
                metrics,
                clock,
                System::nanoTime,
                random,
                Archive.none(),
                features(settings),
                disk));
    }

    /** Its disk has so much room from now on. */
    void setDisk(long freeBytes, long totalBytes) {
        volume = new DiskSpace.Volume(freeBytes, totalBytes);
        disk.look();
    }

    long diskHeld() {
        return disk.held();
    }

    /** With search.directory set, a feed of the index runs. */
    private List<ProcessFeature> features(Settings settings) {
        List<ProcessFeature> features = ApiFeatures.ofProcess(new ProcessParts(
                vertx, settings, Archive.none(), metrics, new SecureRandom(), Clock.systemUTC(), disk));
        features.stream().flatMap(feature -> feature.components().stream()).forEach(feed -> {
            feedId = TestRedis.await(vertx.deployVerticle(feed.verticle().get()));
        });
        return features;
    }

    /** Ends what feeds the index, as a process that stops does. */
    void stopSearchFeed() {
        TestRedis.await(vertx.undeploy(feedId));
        feedId = null;
    }

    /** With media.directory set, else none. */
    private MediaProcessor media(Settings.Media settings) {
        if (!settings.isOffered()) {
            return null;
        }
        SecureRandom names = new SecureRandom();
        media = TestMedia.processor(vertx, names, files.apply(MediaStore.of(vertx, settings, names, clock)), settings);
        return media;
    }

    private static Settings settings(RedisOptions redis, String... assignments) {
        String[] all = Stream.concat(
                        Stream.of(
                                "http.port=0",
                                "http.request-timeout=25s",
                                "limits.enabled=false",
                                "auth.argon-memory-kib=8",
                                "auth.argon-passes=1"),
                        Stream.of(assignments))
                .toArray(String[]::new);
        return SettingsLoader.defaultsWith(all).with(TestSettings.redis(redis));
    }

    /** A response of the server. */
    record Response(HttpResponse<String> raw) {
        int status() {
            return raw.statusCode();
        }

        String body() {
            return raw.body();
        }

        Optional<String> header(String name) {
            return raw.headers().firstValue(name);
        }

        JsonNode json() {
            try {
                return JSON.readTree(raw.body());
            } catch (JsonProcessingException e) {
                throw new AssertionError("not JSON: " + raw.statusCode() + " " + raw.body(), e);
            }
        }

        String text(String pointer) {
            return json().at(pointer).asText();
        }

        /** The values of one field of the objects of an array. */
        List<String> each(String field) {
            List<String> values = new ArrayList<>();
            json().forEach(node -> values.add(node.path(field).asText()));
            return values;
        }

        /** The URL of a relation of the Link header; empty when it has none. */
        Optional<URI> link(String relation) {
            for (String link : header("Link").orElse("").split(", ", -1)) {
                if (link.endsWith("; rel=\"" + relation + "\"")) {
                    return Optional.of(URI.create(link.substring(1, link.indexOf('>'))));
                }
            }
            return Optional.empty();
        }
    }

    String url() {
        return "http://127.0.0.1:" + verticle.port();
    }

    Response get(String path, String token) {
        return send("GET", path, token, null, null);
    }

    Response delete(String path, String token) {
        return send("DELETE", path, token, null, null);
    }

    /** @param form names and values in turn */
    Response post(String path, String token, String... form) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < form.length; i += 2) {
            body.append(i == 0 ? "" : "&").append(encode(form[i])).append('=').append(encode(form[i + 1]));
        }
        return send("POST", path, token, "application/x-www-form-urlencoded", body.toString());
    }

    /**
     * Asks for a token in the name of an app.
     *
     * @param app as it was answered when it was registered
     * @param form names and values in turn, beside the app's id and secret
     */
    Response token(Response app, String... form) {
        List<String> all = new ArrayList<>(
                List.of("client_id", app.text("/client_id"), "client_secret", app.text("/client_secret")));
        all.addAll(List.of(form));
        return post("/oauth/token", null, all.toArray(String[]::new));
    }

    /** @param login name or address */
    Response logIn(Response app, String login, String password) {
        return token(app, "grant_type", "password", "username", login, "password", password);
    }

    Response postJson(String path, String token, String body) {
        return send("POST", path, token, "application/json", body);
    }

    Response patchJson(String path, String token, String body) {
        return send("PATCH", path, token, "application/json", body);
    }

    /** @param headers names and values in turn */
    Response send(String method, String path, String token, String type, String body, String... headers) {
        URI uri = path.startsWith("http") ? URI.create(path) : URI.create(url() + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(60))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (type != null) {
            request.header("Content-Type", type);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        Response response = send(request.build());
        if (method.equals("POST")) {
            Milliseconds.awaitNext();
        }
        return response;
    }

    /** Sends a form with one file. */
    Response sendFile(String method, String path, String token, String part, byte[] file, String... form) {
        return sendFiles(method, path, token, Map.of(part, file), form);
    }

    /** The same with several files, by the names of their parts. */
    Response sendFiles(String method, String path, String token, Map<String, byte[]> files, String... form) {
        String boundary = "----boundary";
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int i = 0; i < form.length; i += 2) {
            body.writeBytes(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + form[i] + "\"\r\n\r\n"
                            + form[i + 1] + "\r\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        files.forEach((part, file) -> {
            body.writeBytes(("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + part
                            + "\"; filename=\"../../evil.html\"\r\nContent-Type: text/html\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            body.writeBytes(file);
            body.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        });
        body.writeBytes(("--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
        Response response = send(HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .method(method, BodyPublishers.ofByteArray(body.toByteArray()))
                .build());
        Milliseconds.awaitNext();
        return response;
    }

    /** Every answer is held to openapi.yaml, so that each test of a route is a test of the contract too. */
    Response send(HttpRequest request) {
        try {
            Response response = new Response(CLIENT.send(request, BodyHandlers.ofString()));
            Contract.instance()
                    .check(
                            request.method(),
                            request.uri().getPath(),
                            new Contract.Answer(response.status(), response::header, response.body()));
            return response;
        } catch (IOException e) {
            throw new AssertionError(request + " failed", e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Somebody who has signed up. */
    record User(String id, String name, String token) {}

    @CanIgnoreReturnValue
    User signUp(String name) {
        Response answer = askToSignUp(name);
        if (answer.status() != 200) {
            throw new AssertionError("sign-up failed: " + answer.body());
        }
        String token = answer.text("/access_token");
        return new User(get("/api/v1/accounts/verify_credentials", token).text("/id"), name, token);
    }

    Response askToSignUp(String name) {
        return post(
                "/api/v1/accounts",
                null,
                "username",
                name,
                "email",
                name + "@example.org",
                "password",
                PASSWORD,
                "agreement",
                "true");
    }

    /** The id of a new public status. */
    String publish(User author, String text) {
        Response answer = post("/api/v1/statuses", author.token(), "status", text);
        if (answer.status() != 200) {
            throw new AssertionError("post failed: " + answer.body());
        }
        return answer.text("/id");
    }

    void follow(User follower, User followee) {
        Response answer = post("/api/v1/accounts/" + followee.id() + "/follow", follower.token());
        if (answer.status() != 200) {
            throw new AssertionError("follow failed: " + answer.body());
        }
    }

    @Override
    public void close() {
        if (feedId != null) {
            stopSearchFeed(); // As a service does: before its threads end.
        }
        TestRedis.await(vertx.close());
        passwords.close();
        if (media != null) {
            media.close();
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
