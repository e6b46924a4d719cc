package io.fanfare.app;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The console's API as its pages ask it: with the session's cookie and the header of the pages. */
final class ConsoleBrowser {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    private final String url;
    private String cookie = "";

    /** @param management base URL of the management server */
    ConsoleBrowser(String management) {
        this.url = management + "/console";
    }

    /** Logged in with a token. */
    static ConsoleBrowser loggedIn(String management, String token) {
        ConsoleBrowser browser = new ConsoleBrowser(management);
        HttpResponse<String> answer = browser.post("login", new JsonObject().put("token", token));
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(answer.body());
        }
        browser.cookie = answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
        return browser;
    }

    String cookie() {
        return cookie;
    }

    JsonObject look(String path) {
        HttpResponse<String> answer = get(path);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(path + " " + answer.statusCode() + " " + answer.body());
        }
        return new JsonObject(answer.body());
    }

    @CanIgnoreReturnValue
    JsonObject act(String path, JsonObject body) {
        HttpResponse<String> answer = post(path, body);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(path + " " + answer.statusCode() + " " + answer.body());
        }
        return new JsonObject(answer.body());
    }

    HttpResponse<String> get(String path) {
        return send("GET", "/api/" + path, "", "X-Fanfare-Page", "1");
    }

    HttpResponse<String> post(String path, JsonObject body) {
        return send("POST", "/api/" + path, body.encode(), "X-Fanfare-Page", "1");
    }

    /** Any request below the console, with the cookie and these headers. */
    HttpResponse<String> send(String method, String path, String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        if (!cookie.isEmpty()) {
            all.addAll(List.of("Cookie", cookie));
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(ANSWER_MAX)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!all.isEmpty()) {
            request.headers(all.toArray(String[]::new));
        }
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
