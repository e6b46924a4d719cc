package io.fanfare.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.api.endpoint.PrefixRouters;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * API and streams on one port, as {@code up} has them, and a client that takes only what {@code openapi.yaml} allows.
 * Nothing is limited, and passwords are hashed cheaply.
 */
final class ContractServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(60))
            .build();
    private final InProcessServer server;
    private final TestRedis redis;

    ContractServer(TestRedis redis) {
        this(redis.options(), redis);
    }

    /** Through a proxy, for example; nobody gets a role. */
    ContractServer(RedisOptions redis) {
        this(redis, null);
    }

    private ContractServer(RedisOptions options, TestRedis redis) {
        this.redis = redis;
        server = new InProcessServer(
                options,
                "http.request-timeout=25s",
                "limits.enabled=false",
                "limits.lists-max=1000",
                "limits.filters-max=1000",
                "signals.mentions=hold",
                "signals.mentions-max=1");
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /**
     * Gives an account a role without the copy that answers show, so that its posts are held as those of others are.
     * {@link #showRoles} writes the copies.
     */
    void promote(String account, String role) {
        Reply unused = redis.askAt(Keys.MODERATION_ROLES, "HSET", Keys.MODERATION_ROLES, account, role);
    }

    /** Writes the copies of all roles, as the command that gives one does. */
    void showRoles() {
        List<Reply> roles = redis.askAt(Keys.MODERATION_ROLES, "HGETALL", Keys.MODERATION_ROLES)
                .items();
        for (int i = 0; i < roles.size(); i += 2) {
            String user = Keys.user(roles.get(i).asLong());
            Reply unused =
                    redis.askAt(user, "HSET", user, "role", roles.get(i + 1).asString());
        }
    }

    /** From here on, what has been published reaches homes and lists. */
    void startWorkers() {
        server.startWorker();
    }

    /**
     * Method and path of everything that is served, as {@code GET /api/v1/accounts/{}}; HEAD, which comes with GET,
     * left out.
     */
    Set<String> routes() {
        Set<String> routes = new HashSet<>();
        PrefixRouters.routes(server.router()).forEach(route -> {
            // Without a path: what every request passes. Without methods: the 405 behind a path's routes.
            if (route.getPath() != null && route.methods() != null) {
                route.methods().stream()
                        .filter(method -> !method.equals(HttpMethod.HEAD))
                        .forEach(method -> routes.add(method + " " + anonymous(route.getPath())));
            }
        });
        return routes;
    }

    /** The operations of openapi.yaml that are served; RouteCoverageTest ensures that all are. */
    Stream<Operation> operations() {
        Set<String> served = routes();
        return Contract.instance().operations().stream()
                .filter(operation -> served.contains(operation.method() + " " + anonymous(operation.path())));
    }

    /** A path without the names of its variable parts, which do not matter. */
    static String anonymous(String path) {
        return path.replaceAll(":[A-Za-z]\\w*|\\{[^}]+}", "{}");
    }

    /**
     * @param link its Link header, empty when it has none
     * @param body of a stream only its beginning, which is empty
     */
    record Answer(int status, String link, String body) {
        private static final Pattern LINK = Pattern.compile("<https?://[^/]+([^>]+)>; rel=\"(next|prev)\"");

        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException e) {
                throw new AssertionError("not JSON: " + status + " " + body, e);
            }
        }

        /** @param field of an object; or, behind a slash, a JSON pointer */
        String text(String field) {
            return (field.startsWith("/") ? json().at(field) : json().path(field)).asText();
        }

        /** Path of the next page; empty at the end. */
        Optional<String> next() {
            return to("next");
        }

        /** Path of the page above; empty where there is nothing. */
        Optional<String> previous() {
            return to("prev");
        }

        private Optional<String> to(String relation) {
            return LINK.matcher(link)
                    .results()
                    .filter(found -> found.group(2).equals(relation))
                    .map(found -> found.group(1))
                    .findFirst();
        }
    }

    /**
     * @param token null = none
     * @param body a form; null = none
     */
    Answer send(String method, String path, String token, String body) {
        return send(method, path, token, "application/x-www-form-urlencoded", body);
    }

    /** @param type of the body; says nothing when there is none */
    Answer send(String method, String path, String token, String type, String body) {
        return send(method, path, token, type, body, null);
    }

    /** @param idempotencyKey null = none */
    Answer send(String method, String path, String token, String type, String body, String idempotencyKey) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        if (body != null) {
            request.header("Content-Type", type);
        }
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        try {
            HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
            try (InputStream in = response.body()) {
                boolean events =
                        response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
                boolean lines = path.startsWith("/1.1/") && response.statusCode() == 200;
                String text = events ? "" : lines ? "null" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
                Contract.instance()
                        .check(
                                method,
                                URI.create(path).getPath(),
                                new Contract.Answer(
                                        response.statusCode(),
                                        name -> response.headers().firstValue(name),
                                        text));
                String link = response.headers().firstValue("Link").orElse("");
                return new Answer(response.statusCode(), link, text);
            }
        } catch (IOException e) {
            throw new AssertionError(method + " " + path + " failed", e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
