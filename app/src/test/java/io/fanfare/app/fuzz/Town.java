package io.fanfare.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ordinary people of a server, with a few words of each: so that an attack finds something to work on. */
final class Town {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");
    /** More than a page. */
    static final int MANY_POSTS = 90;

    static final String PASSWORD = "correct horse battery";

    private static final long ANSWER_MILLIS = 60_000;

    private final int port;
    private String address;
    private final String client;
    private final Person owner;
    private final Person stranger;
    private final Map<String, String> values;

    record Person(String name, String id, String token) {}

    /** @param posts of the two people together, at least one */
    Town(int port, int posts) {
        this(port, posts, "127.0.0.1");
    }

    /** @param address of the loopback network that they come from */
    Town(int port, int posts, String address) {
        this.port = port;
        this.address = address;
        client = register();
        owner = signUp("owner");
        stranger = signUp("stranger");
        post("/api/v1/accounts/" + stranger.id() + "/follow", owner.token(), "");
        String status = "";
        for (int i = 0; i < posts; i++) {
            String text = "status=words %23tag @stranger https://example.org/" + i + " " + "word ".repeat(20);
            status = post("/api/v1/statuses", (i % 2 == 0 ? owner : stranger).token(), text)
                    .path("id")
                    .asText();
        }
        values = Map.of(
                "status",
                status,
                "public",
                status,
                "account",
                owner.id(),
                "stranger",
                stranger.id(),
                "name",
                "owner",
                "password",
                PASSWORD,
                "client",
                client,
                "token",
                "none",
                "ended",
                "1",
                "fresh",
                "fresh");
    }

    /** The row of {@code authorisation.yaml} with what it names put in. */
    String fill(String text) {
        return NAME.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), "none")));
    }

    /** An app of its own: its id and secret, as parts of a form. */
    String register() {
        JsonNode app = post(
                "/api/v1/apps",
                null,
                "client_name=town&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=profile read write follow push");
        return "client_id=" + app.path("client_id").asText() + "&client_secret="
                + app.path("client_secret").asText();
    }

    /** Sets the source address of the next requests. */
    Town from(String other) {
        address = other;
        return this;
    }

    Person owner() {
        return owner;
    }

    Person stranger() {
        return stranger;
    }

    /** Tokens of the owner, each of a log-in of its own. */
    List<String> tokens(int count) {
        List<String> tokens = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tokens.add(post(
                            "/oauth/token",
                            null,
                            client + "&grant_type=password&scope=read write&username=owner&password=" + PASSWORD)
                    .path("access_token")
                    .asText());
        }
        return tokens;
    }

    Person signUp(String name) {
        String token = post(
                        "/oauth/token", null, client + "&grant_type=client_credentials&scope=read write follow push")
                .path("access_token")
                .asText();
        String form = "agreement=true&password=" + PASSWORD + "&username=" + name + "&email=" + name + "@example.org";
        String access =
                post("/api/v1/accounts", token, form).path("access_token").asText();
        String id =
                get("/api/v1/accounts/verify_credentials", access).path("id").asText();
        return new Person(name, id, access);
    }

    @CanIgnoreReturnValue
    JsonNode post(String path, String token, String form) {
        StringBuilder encoded = new StringBuilder();
        for (String field : form.isEmpty() ? new String[0] : form.split("&", -1)) {
            int is = field.indexOf('=');
            String value = field.substring(is + 1).replace("%23", "#");
            encoded.append(encoded.isEmpty() ? "" : "&")
                    .append(field, 0, is + 1)
                    .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
        return send(
                path,
                new RawRequest("POST", path)
                        .token(token)
                        .body("application/x-www-form-urlencoded", encoded.toString()));
    }

    @CanIgnoreReturnValue
    JsonNode get(String path, String token) {
        return send(path, new RawRequest("GET", path).token(token));
    }

    private JsonNode send(String path, RawRequest request) {
        try (Wire wire = Wire.open(port, address)) {
            wire.send(request.bytes(), Integer.MAX_VALUE, ANSWER_MILLIS);
            Wire.Reply reply = wire.reply(/* headOnly= */ false, /* bodiless= */ false, ANSWER_MILLIS);
            assertThat(reply.status()).as(path + " " + reply.body()).isEqualTo(200);
            return JSON.readTree(reply.body());
        } catch (IOException e) {
            throw new AssertionError(path + " failed", e);
        }
    }
}
