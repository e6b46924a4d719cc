package io.fanfare.app;

import static io.fanfare.redis.testing.TestRedis.ask;
import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.app.People.Person;
import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisOptions;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** Two sites with a namespace each in one Redis. */
@ParameterizedClass
@KindsOfRedis
class TwoSitesTest {
    private final TestRedis redis;
    private Site one;
    private Site other;

    TwoSitesTest(TestRedis.Kind kind) {
        redis = kind.redis();
    }

    /** A server with its workers, and its people. */
    private record Site(RedisOptions options, ContractServer server, People people) implements AutoCloseable {
        static Site in(RedisOptions options) {
            ContractServer server = new ContractServer(options);
            server.startWorkers();
            return new Site(options, server, new People(server));
        }

        List<String> texts(String path, Person reader) {
            List<String> texts = new ArrayList<>();
            for (JsonNode status :
                    server.send("GET", path, reader.token(), null).json()) {
                texts.add(status.path("content").asText().replaceAll("<[^>]*>", ""));
            }
            return texts;
        }

        @Override
        public void close() {
            server.close();
        }
    }

    @BeforeEach
    void start() {
        redis.flush();
        one = Site.in(redis.options().in(Namespace.of("one")));
        other = Site.in(redis.options().in(Namespace.of("other")));
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
        redis.flush();
    }

    @Test
    void aNameIsFreeAtEachSiteAndNobodyIsKnownAtTheOther() {
        Person ann = one.people().signUp("ann");
        assertThat(lookup(other, "ann")).isEqualTo(404);
        Person hers = other.people().signUp("ann");
        assertThat(lookup(one, "ann")).isEqualTo(200);
        assertThat(lookup(other, "ann")).isEqualTo(200);
        assertThat(one.server()
                        .send("GET", "/api/v1/accounts/verify_credentials", hers.token(), null)
                        .status())
                .as("a token of the other site")
                .isEqualTo(401);
        assertThat(ann.id()).isNotEqualTo(hers.id());
    }

    private static int lookup(Site site, String name) {
        return site.server()
                .send("GET", "/api/v1/accounts/lookup?acct=" + name, null, null)
                .status();
    }

    @Test
    void postsReachTheHomesOfTheirSiteThroughItsQueueAndNoOther() {
        Person ann = one.people().signUp("ann");
        Person bob = one.people().signUp("bob");
        Person ann2 = other.people().signUp("ann");
        Person bob2 = other.people().signUp("bob");
        one.people().done(bob, "/api/v1/accounts/" + ann.id() + "/follow");
        other.people().done(bob2, "/api/v1/accounts/" + ann2.id() + "/follow");
        one.people().publish(ann, "status=of one");
        other.people().publish(ann2, "status=of the other");
        awaitUntil(
                "both are delivered",
                () -> !one.texts("/api/v1/timelines/home", bob).isEmpty()
                        && !other.texts("/api/v1/timelines/home", bob2).isEmpty()
                        && !one.texts("/api/v1/timelines/public", bob).isEmpty()
                        && !other.texts("/api/v1/timelines/public", bob2).isEmpty());
        for (String page : List.of("/api/v1/timelines/home", "/api/v1/timelines/public")) {
            assertThat(one.texts(page, bob)).as(page).containsExactly("of one");
            assertThat(other.texts(page, bob2)).as(page).containsExactly("of the other");
        }
    }

    @Test
    void aStreamBringsTheEventsOfItsSiteOnly() throws Exception {
        Person ann = one.people().signUp("ann");
        Person ann2 = other.people().signUp("ann");
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        HttpResponse<Stream<String>> stream = stream(one, ann);
        Thread reader = new Thread(() -> Client.readLines(stream.body(), lines), "reader");
        reader.setDaemon(true);
        reader.start();
        awaitUntil("the stream runs", () -> {
            one.people().publish(ann, "status=is anybody there");
            return has(lines, "is anybody there");
        });
        other.people().publish(ann2, "status=of the other");
        one.people().publish(ann, "status=the last one");
        awaitUntil("the last post has come", () -> has(lines, "the last one"));
        assertThat(has(lines, "of the other")).isFalse();
    }

    private static boolean has(List<String> lines, String text) {
        synchronized (lines) {
            return lines.stream().anyMatch(line -> line.contains(text));
        }
    }

    private static HttpResponse<Stream<String>> stream(Site site, Person reader)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(site.server().url() + "/api/v1/streaming/firehose"))
                .header("Authorization", "Bearer " + reader.token())
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofLines());
    }

    @Test
    void eachSiteIsVerifiedAloneAndEveryKeyBelongsToOneSite() {
        Person ann = one.people().signUp("ann");
        other.people().publish(other.people().signUp("eve"), "status=hello");
        one.people().publish(ann, "status=hello");
        for (var server : redis.servers()) {
            for (Reply key : ask(server, "KEYS", "*").items()) {
                assertThat(key.asString()).matches("(one|other):.+");
            }
        }
        for (Site site : List.of(one, other)) {
            CommandRun verify = CommandRun.of(List.of(
                    "admin",
                    "verify",
                    "--set",
                    "redis.url=" + site.options().url().reveal(),
                    "--set",
                    "redis.namespace=" + site.options().namespace().name()));
            assertThat(verify.status()).as(verify.out() + verify.err()).isZero();
            assertThat(verify.out()).contains("no differences");
        }
    }
}
