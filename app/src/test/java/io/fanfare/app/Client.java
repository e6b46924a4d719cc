package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.core.testing.Authenticator;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A user of the REST API, as a client written by others would be one. */
final class Client {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();

    /** Everybody's. */
    static final String PASSWORD = "a long password of somebody";

    private final JsonObject app;
    private final String token;
    private final String id;

    private Client(JsonObject app, String token, String id) {
        this.app = app;
        this.token = token;
        this.id = id;
    }

    /** Registers an app and signs up. */
    @CanIgnoreReturnValue
    static Client signUp(String url, String name) throws Exception {
        return signUp(url, name, "read write follow");
    }

    /** The same with a token for these scopes. */
    static Client signUp(String url, String name, String scopes) throws Exception {
        JsonObject app = post(
                url + "/api/v1/apps",
                "",
                Map.of("client_name", "test", "redirect_uris", "urn:ietf:wg:oauth:2.0:oob", "scopes", scopes));
        JsonObject appToken = post(
                url + "/oauth/token",
                "",
                Map.of(
                        "grant_type",
                        "client_credentials",
                        "client_id",
                        app.getString("client_id"),
                        "client_secret",
                        app.getString("client_secret"),
                        "scope",
                        scopes));
        JsonObject token = post(
                url + "/api/v1/accounts",
                appToken.getString("access_token"),
                Map.of(
                        "username",
                        name,
                        "email",
                        name + "@example.org",
                        "password",
                        PASSWORD,
                        "agreement",
                        "true",
                        "locale",
                        "en"));
        String access = token.getString("access_token");
        return new Client(
                app,
                access,
                new JsonObject(get(url + "/api/v1/accounts/verify_credentials", access)
                                .body())
                        .getString("id"));
    }

    /** Logs out. */
    void revoke(String url) throws Exception {
        Map<String, String> form = Map.of(
                "client_id",
                app.getString("client_id"),
                "client_secret",
                app.getString("client_secret"),
                "token",
                token);
        assertThat(post(url + "/oauth/revoke", "", form)).isEmpty();
    }

    String token() {
        return token;
    }

    String id() {
        return id;
    }

    void follow(String url, Client other) throws Exception {
        JsonObject relation = post(url + "/api/v1/accounts/" + other.id + "/follow", token, Map.of());
        assertThat(relation.getBoolean("following")).isTrue();
    }

    /** Posts; the id once it is acknowledged. Fails with an {@link IOException} when the server is away. */
    String post(String url, String text) throws Exception {
        return post(url + "/api/v1/statuses", token, Map.of("status", text)).getString("id");
    }

    void report(String url, Client whom, String status) throws Exception {
        JsonObject unused = post(
                url + "/api/v1/reports",
                token,
                Map.of("account_id", whom.id, "status_ids[]", status, "comment", "look"));
    }

    /** Gives a post another text. */
    void edit(String url, String status, String text) throws Exception {
        JsonObject edited = successful(send("PUT", url + "/api/v1/statuses/" + status, text, ""));
        assertThat(edited.getString("edited_at")).isNotNull();
    }

    /** Publishes an article; its id. */
    @CanIgnoreReturnValue
    String publish(String url, String title, String link) throws Exception {
        return post(url + "/api/v1/articles", token, Map.of("title", title, "url", link))
                .getString("id");
    }

    /** Votes for an article if the server is there; the status of the answer, 0 = none came. */
    @CanIgnoreReturnValue
    int tryToVote(String url, String article) {
        return statusOf(() -> send("POST", url + "/api/v1/articles/" + article + "/vote", "", ""));
    }

    /** Deletes a status if the server is there; likewise. */
    @CanIgnoreReturnValue
    int tryToDelete(String url, String status) {
        return statusOf(() -> send("DELETE", url + "/api/v1/statuses/" + status, "", ""));
    }

    private static int statusOf(Callable<HttpResponse<String>> request) {
        try {
            return request.call().statusCode();
        } catch (Exception notAcknowledged) {
            return 0; // It may have been done or not.
        }
    }

    /** Every id of the home timeline, newest first, walked page by page. */
    List<String> home(String url) throws Exception {
        List<String> ids = new ArrayList<>();
        String after = "";
        while (true) {
            JsonArray page = new JsonArray(
                    get(url + "/api/v1/timelines/home?limit=40" + after, token).body());
            if (page.isEmpty()) {
                return ids;
            }
            page.forEach(status -> ids.add(((JsonObject) status).getString("id")));
            after = "&max_id=" + ids.get(ids.size() - 1);
        }
    }

    /** The status alone. */
    static int head(String url, String token) throws Exception {
        HttpRequest request = request(url, token)
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    static HttpResponse<String> get(String url, String token) throws Exception {
        return HTTP.send(request(url, token).GET().build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Adds a second factor. */
    void addFactor(String url) throws Exception {
        String secret = post(url + "/api/v1/factor", token, Map.of("current_password", PASSWORD))
                .getString("secret");
        String code = Authenticator.code(secret, Instant.now());
        assertThat(post(url + "/api/v1/factor/enable", token, Map.of("code", code))
                        .getJsonArray("recovery_codes"))
                .hasSize(10);
    }

    /** Any request of this user, with the text of a status unless it is empty; whatever the answer is. */
    HttpResponse<String> send(String method, String url, String text, String idempotencyKey) throws Exception {
        Map<String, String> form = text.isEmpty() ? Map.of() : Map.of("status", text);
        return exchange(method, url, token, form, idempotencyKey);
    }

    private static JsonObject post(String url, String token, Map<String, String> form) throws Exception {
        return successful(exchange("POST", url, token, form, ""));
    }

    private static JsonObject successful(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
        return new JsonObject(answer.body());
    }

    private static HttpResponse<String> exchange(
            String method, String url, String token, Map<String, String> form, String idempotencyKey) throws Exception {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = request(url, token)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!idempotencyKey.isEmpty()) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String url, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    /**
     * Reads a stream until the test ends it. Awaitility would report an error of this thread in any test that waits.
     */
    static void readLines(Stream<String> stream, Collection<String> lines) {
        try {
            stream.forEach(lines::add);
        } catch (UncheckedIOException closed) {
            // The test has ended.
        }
    }
}
