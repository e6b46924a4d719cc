package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.stream.SseClient.Message;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams that tell a part of what happens: filter, sample, hashtag, public, home; in every dialect. */
class FilterStreamTest {
    private static final String BASE = "/api/v1/streaming/";

    private static final String FILLER = "before " + "x".repeat(8000);

    private final TestRedis redis = TestRedis.standalone();
    private StreamServer server;

    @BeforeEach
    void start() {
        redis.flush();
        server = StreamServer.start(redis, "stream.heartbeat=500ms", "stream.track-max=3");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void keywordsChooseStatusesAndTheirDeletes() {
        SseClient client = listening("filter?track=" + encode("微博,hello world"));
        Event chinese = append(text("我爱微博！"));
        append(text("nothing of it"));
        Event english = append(text("World, hello!"));
        // A status that is deleted before it is sent is never sent.
        awaitUntil("told", () -> client.raw().contains("World"));
        server.append(StreamServer.delete(english));
        append(text("hello"));
        append(text("the end: hello world"));

        awaitUntil("told", () -> client.messages("status").size() == 3);
        assertThat(client.messages().stream().skip(1).map(Message::event))
                .containsExactly("status", "status", "delete", "status");
        assertThat(client.messages("status").get(0).data()).isEqualTo(chinese.body());
        assertThat(client.messages("delete").get(0).data()).contains("" + english.subject());
    }

    @Test
    void aFollowFilterSendsPostsAnswersRepostsAndFollowsOfTheAccount() {
        long friend = server.newUser();
        long other = server.newUser();
        SseClient client = listening("filter?follow=" + friend);
        append(event(friend, post(friend, "mine"), null));
        append(event(other, post(other, "somebody else's"), null));
        Post answer = new Post(
                other,
                Visibility.PUBLIC,
                Post.Kind.COMMENT,
                Content.of("an answer"),
                new Reference(1, friend),
                null,
                null,
                null);
        append(event(other, answer, null));
        Post repost = new Post(
                other, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, new Reference(1, friend), null);
        append(event(other, repost, new Status(1, post(friend, "mine"), Counters.NONE)));
        append(event(friend, Post.of(friend, Visibility.UNLISTED, Content.of("unlisted")), null));
        append(event(friend, Post.of(friend, Visibility.PRIVATE, Content.of("private")), null));
        server.append(server.follow(other, friend));
        server.append(server.follow(other, server.newUser()));
        append(event(friend, post(friend, "end"), null));

        awaitUntil("told", () -> client.raw().contains("\"text\":\"end\""));
        assertThat(client.messages().stream().skip(1).map(Message::event))
                .containsExactly("status", "status", "status", "follow", "status");
        assertThat(client.raw()).contains("an answer").doesNotContain("somebody", "unlisted", "private");
    }

    @Test
    void anArticleMatchesByTitleAndLinkAndIsSentWithThem() {
        SseClient byTitle = listening("filter?track=queues");
        SseClient byLink = listening("filter?track=example.org/queues");
        Article article = new Article("Ten fast queues", "https://example.org/queues", List.of("java"));
        Content content = Content.of(article.text("What I learnt")).with(article);
        Status status = new Status(server.newId(), Post.of(8, Visibility.PUBLIC, content), Counters.NONE);
        Account author = new Account(8, "ann", "", "", 0, 0, 1, 0);
        append(new EventBodies(new Views("http://x.example")).posted(status, RenderContext.of(author)));

        for (SseClient client : List.of(byTitle, byLink)) {
            awaitUntil("told", () -> !client.messages("status").isEmpty());
            assertThat(client.messages("status").get(0).data())
                    .contains("\"article\":{\"title\":\"Ten fast queues\",\"link\":\"https://example.org/queues\","
                            + "\"votes\":1,\"score\":" + Article.score(status.id(), 1) + ",\"voted\":null,")
                    .contains("\"groups\":[\"java\"]}");
        }
    }

    @Test
    void followsAreNoPartOfASampleAndHaveNoWords() {
        long friend = server.newUser();
        List<SseClient> without = List.of(
                listening("sample?rate=100"),
                listening("filter?track=end"),
                listening("filter?locations=-180,-90,180,90&track=end"),
                listening("filter?follow=" + friend + "&track=end&combine=and"));
        List<SseClient> with = List.of(
                listening("firehose"),
                listening("filter?follow=" + friend + "&track=end"),
                listening("filter?follow=" + friend + "&combine=and"));
        Event follow = server.follow(server.newUser(), friend);
        server.append(follow);
        server.append(server.unfollow(follow));
        append(event(friend, post(friend, "the end"), null));

        with.forEach(client -> assertThat(names(client)).containsExactly("follow", "unfollow", "status"));
        without.forEach(client -> assertThat(names(client)).containsExactly("status"));
    }

    /** The messages that the client received up to the first status. */
    private static List<String> names(SseClient client) {
        awaitUntil("told", () -> !client.messages("status").isEmpty());
        return client.messages().stream().skip(1).map(Message::event).toList();
    }

    @Test
    void commentsGoToFirehoseSampleAndFilterOnly() {
        long author = server.newUser();
        Content content = new Content("a comment", "", false, null, List.of(), List.of("tagged"), null);
        Post comment = new Post(
                author,
                Visibility.PUBLIC,
                Post.Kind.COMMENT,
                content,
                new Reference(1, 8),
                new Reference(1, 8),
                null,
                null);
        List<SseClient> all =
                List.of(listening("firehose"), listening("sample?rate=100"), listening("filter?track=comment,end"));
        List<SseClient> lists = List.of(
                server.get(0, BASE + "public"),
                server.get(0, BASE + "hashtag?tag=tagged"),
                server.get(0, BASE + "user", "Authorization: Bearer " + server.token(author, "read")));
        lists.forEach(client -> awaitUntil("open", () -> client.raw().startsWith(":)")));
        append(event(author, comment, null));
        append(event(author, tagged(author), null));

        all.forEach(client -> awaitUntil("told", () -> client.messages("status").size() == 2));
        lists.forEach(client -> awaitUntil("told", () -> client.raw().contains("the end")));
        lists.forEach(client -> assertThat(client.raw()).doesNotContain("a comment"));
    }

    private static Post tagged(long author) {
        Content content = new Content("the end", "", false, null, List.of(), List.of("tagged"), null);
        return Post.of(author, Visibility.PUBLIC, content);
    }

    @Test
    void boxesChooseByPlace() {
        SseClient client = listening("filter?locations=179,-1,-179,1");
        Event east = append(place(0, 179.9));
        append(place(0, 0));
        Event west = append(place(0.5, -179.9));
        append(place(1.5, 179.9));
        // When the last one is told, nothing before it is still to come.
        Event last = append(place(-0.5, 180));

        awaitUntil("told", () -> client.messages("status").size() >= 3);
        assertThat(client.messages("status").stream().map(Message::data))
                .containsExactly(east.body(), west.body(), last.body());
    }

    @Test
    void aFilterIsChangedWhileItsStreamIsOpen() throws Exception {
        String token = server.token(server.newUser(), "read");
        SseClient client = server.get(0, BASE + "filter?track=before", "Authorization: Bearer " + token);
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        String conn = conn(client);
        append(text("before"));
        awaitUntil("told", () -> client.messages("status").size() == 1);

        assertThat(put(conn, token, "track=after").statusCode()).isEqualTo(200);
        append(text("before"));
        append(text("after"));

        awaitUntil("told", () -> client.messages("status").size() == 2);
        assertThat(client.messages("status").get(1).data()).contains("\"text\":\"after\"");
        String stranger = server.token(server.newUser(), "read");
        assertThat(put(conn, stranger, "track=after").statusCode()).isEqualTo(404);
        assertThat(put("none", token, "track=after").statusCode()).isEqualTo(404);
        assertThat(put(conn, token, "").statusCode()).isEqualTo(406);
    }

    @Test
    void aSlowReaderOfAFilterThatIsChangedLosesNothingOfWhatMatchedBefore() throws Exception {
        String token = server.token(server.newUser(), "read");
        SseClient slow = server.get(0, BASE + "filter?track=first&max_rate=1000000", "Authorization: Bearer " + token);
        awaitUntil("hello", () -> !slow.messages("hello").isEmpty());
        String conn = conn(slow);
        slow.pause();
        String filler = "x".repeat(4000);
        List<String> due = new ArrayList<>();
        for (String filter : List.of("first", "second", "second", "third&explain=1", "fourth")) {
            String track = filter.replaceAll("&.*", "");
            if (!filter.equals("first")) {
                assertThat(put(conn, token, "track=" + filter).statusCode()).isEqualTo(200);
            }
            for (int i = 0; i < 100; i++) {
                for (String text : List.of("first", "second", "third", "fourth")) {
                    Event event = append(text(text + " " + filler));
                    if (text.equals(track)) {
                        due.add(event.body());
                    }
                }
            }
            awaitSeen();
        }
        assertThat(slow.messages("status").size()).isLessThan(100);
        slow.resume();

        awaitUntil("told", () -> slow.messages("status").size() >= due.size());
        append(text("first, second and third"));
        append(text("fourth, at last"));
        awaitUntil("told", () -> slow.raw().contains("at last"));
        String why = ",\"matched\":{\"track\":[\"third\"],\"follow\":[],\"locations\":[]}}";
        assertThat(slow.messages("status").stream()
                        .map(Message::data)
                        .limit(due.size())
                        .map(sent -> sent.replace(why, "}")))
                .containsExactlyElementsOf(due);
        assertThat(slow.messages("status").stream().filter(sent -> sent.data().contains(why)))
                .hasSize(100);
        assertThat(slow.messages("status")).hasSize(due.size() + 1);
        assertThat(slow.messages("gap")).isEmpty();
    }

    @Test
    void aClientThatDoesNotReadCannotPileUpFilters() throws Exception {
        String token = server.token(server.newUser(), "read");
        SseClient slow = behind(token);
        for (int i = 0; i < 8; i++) {
            assertThat(put(conn(slow), token, "track=another").statusCode()).isEqualTo(200);
            assertThat(put(conn(slow), token, "track=after").statusCode()).isEqualTo(200);
            awaitSeen();
        }
        assertThat(put(conn(slow), token, "track=never").statusCode()).isEqualTo(429);
        slow.resume();
        awaitUntil("told", () -> slow.messages("status").size() == 400);
        append(text("never"));
        append(text("after"));
        awaitUntil("told", () -> slow.messages("status").size() == 401);
        assertThat(slow.messages("status").get(400).data()).contains("\"text\":\"after\"");
        assertThat(put(conn(slow), token, "track=again").statusCode()).isEqualTo(200);
    }

    @Test
    void aFilterThatWaitsForALogThatIsLostHoldsForTheNewOne() throws Exception {
        String token = server.token(server.newUser(), "read");
        SseClient slow = behind(token);
        assertThat(put(conn(slow), token, "track=after").statusCode()).isEqualTo(200);
        loseLog();
        append(text("after, first"));
        append(text("before"));
        awaitSeen();
        slow.resume();

        append(text("after, last"));
        awaitUntil("told", () -> slow.raw().contains("after, last"));
        assertThat(slow.messages("gap")).hasSize(1);
        List<String> sent = slow.messages("status").stream().map(Message::data).toList();
        assertThat(sent.size()).isLessThan(400);
        assertThat(sent.get(sent.size() - 2)).contains("after, first");
        assertThat(sent.subList(0, sent.size() - 2)).allMatch(body -> body.contains(FILLER));
    }

    /** A stream whose filter wants all 400 of what has happened since it was opened, and whose reader has stopped. */
    private SseClient behind(String token) {
        SseClient slow = server.get(0, BASE + "filter?track=before", "Authorization: Bearer " + token);
        awaitUntil("hello", () -> !slow.messages("hello").isEmpty());
        slow.pause();
        for (int i = 0; i < 400; i++) {
            append(text(FILLER));
        }
        awaitSeen();
        return slow;
    }

    /** Nothing else: without its token the stream would end. */
    private void loseLog() {
        Stream<String> log = redis.keys().stream().filter(key -> key.startsWith("{bus}"));
        redis.askAt(Keys.BUS_SEQ, Stream.concat(Stream.of("DEL"), log).toArray(String[]::new));
    }

    private static String conn(SseClient client) {
        return client.messages("hello").get(0).data().replaceAll(".*\"conn\":\"([^\"]*)\".*", "$1");
    }

    /** Waits until the server has heard of all that is published. */
    private void awaitSeen() {
        server.appendKnown(server.status(0));
    }

    @Test
    void aStreamWithExplainReceivesThePredicatesOfEachMatch() {
        long friend = server.newUser();
        String rules = "filter?track=hello,world&follow=" + friend + "&locations=179,-1,-179,1";
        SseClient asks = listening(rules + "&explain=1");
        SseClient plain = listening(rules);
        SseClient lines = server.get(0, BASE + rules + "&explain=1&max_rate=1000", "Accept: application/x-ndjson");
        awaitUntil("hello", () -> lines.raw().contains("hello"));
        Event status = append(event(friend, post(friend, "Hello World"), null));
        append(place(0, 179.9));
        awaitUntil(
                "told",
                () -> asks.messages("status").size() + plain.messages("status").size() == 4);
        awaitUntil("told", () -> lines.raw().contains("179.0"));
        server.appendKnown(StreamServer.delete(status));

        awaitUntil(
                "told",
                () -> asks.messages("delete").size() + plain.messages("delete").size() == 2);
        String why = ",\"matched\":{\"track\":[\"hello\",\"world\"],\"follow\":[\"" + friend + "\"],\"locations\":[]}}";
        String body = status.body();
        assertThat(asks.messages("status").get(0).data()).isEqualTo(body.substring(0, body.length() - 1) + why);
        assertThat(asks.messages("status").get(1).data())
                .endsWith(",\"matched\":{\"track\":[],\"follow\":[],\"locations\":[[179.0,-1.0,-179.0,1.0]]}}");
        assertThat(plain.messages("status").get(0).data()).isEqualTo(body);
        assertThat(asks.messages("delete")).isEqualTo(plain.messages("delete"));
        awaitUntil("told", () -> lines.raw().contains("\"delete\""));
        assertThat(lines.raw()).contains(why + "}\r\n");

        // Out of the log as well as out of memory.
        SseClient again = listening(rules + "&explain=1&count=-3");
        awaitUntil("ended", again::ended);
        assertThat(again.raw()).contains("\"matched\":{\"track\":[],").doesNotContain(why);
    }

    @Test
    void traditionalAndSimplifiedMatchEachOtherOnRequest() {
        SseClient asks = listening("filter?fold=zh&track=" + encode("台北"));
        SseClient plain = listening("filter?track=" + encode("台北"));
        append(text("我在臺北"));
        append(text("我在台北"));
        awaitUntil("told", () -> asks.messages("status").size() == 2);
        awaitUntil("told", () -> plain.messages("status").size() == 1);
    }

    @ParameterizedTest
    @CsvSource({
        "firehose,200,text/event-stream; charset=utf-8",
        "filter?track=a&delimited=length,200,application/x-ndjson",
        "public,200,text/event-stream; charset=utf-8",
        "../../../1.1/statuses/sample.json,200,application/json",
        "filter,406,application/json",
        "home,401,application/json"
    })
    void aHeadRequestForAStreamGetsHeadersOnly(String path, int status, String type) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(BASE + path).normalize())
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> answer = http().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith(type);
        assertThat(answer.body()).isEmpty();
        assertThat(server.connections(0)).isZero();
    }

    @Test
    void longListsComeInABody() throws Exception {
        String body = "track=" + encode("a,b,") + "x".repeat(40) + "&stall_warnings=true";
        HttpRequest request = HttpRequest.newBuilder(uri(BASE + "filter"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<java.util.stream.Stream<String>> answer =
                http().send(request, HttpResponse.BodyHandlers.ofLines());
        assertThat(answer.statusCode()).isEqualTo(200);
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Thread reader = new Thread(() -> answer.body().forEach(lines::add));
        reader.setDaemon(true);
        reader.start();
        awaitUntil("hello", () -> lines.contains("event: hello"));
        append(text("only b"));
        awaitUntil("told", () -> lines.contains("event: status"));
    }

    @ParameterizedTest
    @CsvSource({"{BASE}filter,{\"event\":\"hello\"", "/1.1/statuses/filter.json,"})
    void lengthDelimitersMayBeRequestedInABodyOfJson(String path, String first) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(path.replace("{BASE}", BASE)))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"track\":[\"b\"],\"delimited\":\"length\",\"tweet_mode\":\"extended\"}"))
                .build();
        HttpResponse<InputStream> answer = http().send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/");
        try (InputStream lines = answer.body()) {
            if (first == null) {
                server.append(server.post(8, "only b"));
            }
            int length = Integer.parseInt(line(lines).strip());
            String message = line(lines);
            assertThat(message).hasSize(length).contains(first == null ? "\"full_text\":\"only b\"" : first);
        }
    }

    /** The next one that says something, with its end. */
    private static String line(InputStream lines) throws IOException {
        StringBuilder line = new StringBuilder();
        while (!line.toString().endsWith("\r\n") || line.toString().isBlank()) {
            int next = lines.read();
            assertThat(next).as("after " + line).isNotNegative();
            line.append((char) next);
        }
        return line.toString().stripLeading();
    }

    @Test
    void aListMayBeLongButNotEndless() throws Exception {
        String form = "application/x-www-form-urlencoded";
        assertThat(post(
                        "filter",
                        "application/json",
                        "{\"track\":[\"a\",\"b\"],\"x\":\"" + "x".repeat(200_000) + "\"}"))
                .isEqualTo(200);
        assertThat(post("filter", form, "track=a&x=" + "x".repeat(200_000))).isEqualTo(200);
        assertThat(post("filter", form, "track=a&x=" + "x".repeat(2 << 20))).isEqualTo(413);
        assertThat(post("../../../1.1/statuses/filter.json", form, "track=a&x=" + "x".repeat(200_000)))
                .isEqualTo(200);
        SseClient tooLong = server.get(0, BASE + "filter?track=" + "x".repeat(20_000));
        awaitUntil("answered", tooLong::ended);
        assertThat(tooLong.status()).isEqualTo(414);
        assertThat(tooLong.raw()).contains("\"error\":\"");
    }

    /** By a user: others have less. */
    private int post(String path, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(BASE + path).normalize())
                .header("Content-Type", type)
                .header("Authorization", "Bearer " + server.token(server.newUser(), "read"))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<InputStream> answer = http().send(request, HttpResponse.BodyHandlers.ofInputStream());
        answer.body().close();
        return answer.statusCode();
    }

    /** Posts of a friend and of others: those that a filter sends, by the first letter of their text. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "track=hello, abcdefg",
        "track=hello&exclude=spam, acdefg",
        "track=hello&language=de, c",
        "'track=hello&language=de,fr', cd",
        "track=hello&language=pt, e",
        "track=hello&reposts=comment, abcdef",
        "track=hello&reposts=exclude, abcde",
        "'follow={friend}', ahg",
        "'follow={friend}&mentions=1', ahgd",
        "'follow={friend}&track=spam', ahgb",
        "'follow={friend}&track=hello&combine=and', ag",
        "'follow={friend}&language=en', a",
        "track=hello&rate=100&seed=7, abcdefg"
    })
    void everyOptionChooses(String query, String sent) {
        long friend = server.newUser();
        long other = server.newUser();
        SseClient client = listening("filter?" + query.replace("{friend}", Long.toString(friend)));
        append(event(friend, Post.of(friend, Visibility.PUBLIC, text("a hello", "en", 0)), null));
        append(event(other, Post.of(other, Visibility.PUBLIC, text("b hello spam", "en", 0)), null));
        append(event(other, Post.of(other, Visibility.PUBLIC, text("c hello", "de", 0)), null));
        append(event(other, Post.of(other, Visibility.PUBLIC, text("d hello @friend", "fr", friend)), null));
        append(event(other, Post.of(other, Visibility.PUBLIC, text("e hello", "pt-BR", 0)), null));
        append(event(other, quote(other, "f hello", 12), new Status(1, post(12, "words"), Counters.NONE)));
        append(event(other, quote(other, "g words", friend), new Status(1, post(friend, "hello"), Counters.NONE)));
        append(event(friend, Post.of(friend, Visibility.PUBLIC, text("h words", null, 0)), null));
        awaitUntil("at the tip", () -> client.lastEventId().endsWith("-8"));

        List<String> letters = client.messages("status").stream()
                .map(message -> message.data().replaceAll("\\{\"text\":\"(.).*", "$1"))
                .toList();
        assertThat(letters).containsExactlyInAnyOrder(sent.split(""));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"'', ab", "filter_level=none, ab", "filter_level=Low, ab", "filter_level=medium, a"})
    void aLevelLeavesOutNoiseTogetherWithItsDelete(String level, String sent) {
        SseClient client = listening("filter?track=hello&" + level);
        Post answer = new Post(
                12, Visibility.PUBLIC, Post.Kind.COMMENT, Content.of("b hello"), new Reference(1, 8), null, null, null);
        Event plain = append(event(12, post(12, "a hello"), null));
        Event comment = append(event(12, answer, null));
        awaitUntil("at the comment", () -> client.lastEventId().endsWith("-2"));
        server.append(StreamServer.delete(comment));
        server.append(StreamServer.delete(plain));
        awaitUntil("at the tip", () -> client.lastEventId().endsWith("-4"));
        assertThat(client.messages("status")).hasSize(sent.length());
        assertThat(client.messages("delete")).hasSize(sent.length());
    }

    private static Content text(String text, String language, long named) {
        List<Content.Mention> mentions = named == 0 ? List.of() : List.of(new Content.Mention(named, "friend"));
        return new Content(text, "", false, language, mentions, List.of(), null);
    }

    private static Post quote(long author, String text, long quoted) {
        return new Post(
                author,
                Visibility.PUBLIC,
                Post.Kind.POST,
                Content.of(text),
                null,
                null,
                new Reference(1, quoted),
                null);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "filter,406",
        "filter?track=,406",
        "'filter?track=a,b,c,d',413",
        "'filter?locations=1,2,3',406",
        "'filter?locations=0,1,1,0',406",
        "filter?follow=nobody_here,406",
        "filter?follow=123456789,406",
        "filter?track=a&rate=0,406",
        "filter?track=a&reposts=some,406",
        "filter?track=a&combine=xor,406",
        "filter?track=a&fold=en,406",
        "filter?track=a&filter_level=high,406",
        "../../../1.1/statuses/filter.json?track=a&explain=1,406",
        "../../../1.1/statuses/filter.json?track=a&fields=content&fields=,406",
        "filter?track=a&partition=1,406",
        "firehose?partition=4/4,406",
        "firehose?fields=a-b,406",
        "'filter?track=a&fields=id,,content',406",
        "../../../1.1/statuses/filter.json?track=a&fields=id,406",
        "sample?partition=0/2000,406",
        "firehose?overflow=stop,406",
        "firehose?on_gap=jump,406",
        "sample?rate=101,406",
        "sample?rate=x,406",
        "sample?rate=5f,406",
        "filter?track=a&rate=0x1p3,406",
        "firehose?count=150001,416",
        "firehose?since=yesterday,400",
        "hashtag,400",
        "nothing,404",
        "firehose?cursor=99999999&on_gap=fail,416",
        "firehose?cursor=yesterday&on_gap=fail,406",
        "firehose?cursor=ffffffff-1&on_gap=fail,410"
    })
    void requestsThatCannotBeServedAreRefusedAtOnce(String path, int status) {
        SseClient answer = server.get(0, BASE + path);
        awaitUntil("answered", answer::ended);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("application/json");
        assertThat(answer.raw()).contains("\"error\":\"");
    }

    @Test
    void aSampleIsThePartThatItsRateSays() {
        SseClient all = listening("firehose");
        SseClient half = listening("sample?rate=50");
        SseClient same = listening("sample?rate=50");
        SseClient fifth = listening("sample?rate=20");
        for (int i = 0; i < 400; i++) {
            server.append(server.status(i));
        }
        awaitUntil("told", () -> all.messages("status").size() == 400);
        // A heartbeat brings them all to the tip.
        for (SseClient client : List.of(half, same, fifth)) {
            awaitUntil("at the tip", () -> client.lastEventId().endsWith("-400"));
        }
        assertThat(half.messages("status")).hasSizeBetween(140, 260).isEqualTo(same.messages("status"));
        assertThat(half.messages("status")).containsAll(fifth.messages("status"));
    }

    @Test
    void publicStreamsSkipAnswersToOthersAndHashtagStreamsSendThem() {
        List<SseClient> everybody = List.of(server.get(0, BASE + "public"), server.get(0, BASE + "public/local"));
        List<SseClient> tagged = List.of(
                server.get(0, BASE + "hashtag?tag=" + encode("#Fanfare")),
                server.get(0, BASE + "hashtag/local?tag=fanfare"));
        everybody.forEach(client -> awaitUntil("open", () -> !client.raw().isEmpty()));
        tagged.forEach(client -> awaitUntil("open", () -> !client.raw().isEmpty()));
        Content content = fanfare("a #fanfare");
        append(event(8, Post.of(8, Visibility.PUBLIC, content), null));
        append(text("no tag"));
        append(event(8, Post.of(8, Visibility.UNLISTED, content), null));
        append(event(8, answer(content, 8), null));
        Event answer = append(event(8, answer(fanfare("to others"), 12), null));
        tagged.forEach(client -> awaitUntil("told", () -> client.raw().contains("to others")));
        server.append(StreamServer.delete(answer));
        append(event(8, answer(Content.of("answer"), 12), null));
        append(text("end"));
        append(event(8, Post.of(8, Visibility.PUBLIC, fanfare("the last")), null));

        String deleted = "event: delete\ndata: " + answer.subject();
        for (SseClient client : everybody) {
            awaitUntil("told", () -> client.raw().contains("the last"));
            assertThat(client.raw().split("event: update", -1)).hasSize(6);
            assertThat(client.raw()).doesNotContain(deleted);
        }
        for (SseClient client : tagged) {
            awaitUntil("told", () -> client.raw().contains("the last"));
            assertThat(client.raw().split("event: update", -1)).hasSize(5);
            assertThat(client.raw()).contains(deleted);
        }
    }

    private static Content fanfare(String text) {
        return new Content(text, "", false, null, List.of(), List.of("fanfare"), null);
    }

    private static Post answer(Content content, long to) {
        return new Post(8, Visibility.PUBLIC, Post.Kind.POST, content, new Reference(1, to), null, null, null);
    }

    @Test
    void anAcceptHeaderForJsonGetsLines() {
        SseClient client = server.get(0, BASE + "firehose", "Accept: Application/JSON");
        awaitUntil("hello", () -> client.raw().contains("hello"));
        Event event = append(text("one"));

        awaitUntil("told", () -> client.raw().contains("\"status\""));
        assertThat(client.raw().lines().filter(line -> !line.isEmpty()).toList().get(1))
                .isEqualTo("{\"event\":\"status\",\"id\":\"" + server.epoch() + "-1\",\"data\":" + event.body() + "}");
        awaitUntil("heartbeat", () -> client.raw().endsWith("\r\n\r\n"));
    }

    @Test
    void lengthsCountTheirMessageWithItsEnd() {
        long user = server.newUser();
        SseClient client = server.get(
                0,
                "/1.1/statuses/firehose.json?delimited=length&count=0",
                basic(server.username(user), server.token(user, "read")));
        awaitUntil("open", () -> !client.raw().isEmpty());
        Event event = server.post(8, "Grüße 💬");
        server.append(event);
        awaitUntil("told", () -> client.raw().contains("Grüße"));
        server.append(StreamServer.delete(event));

        awaitUntil("told", () -> client.raw().contains("delete"));
        List<String> parts =
                client.raw().lines().filter(line -> !line.isEmpty()).toList();
        assertThat(new JsonObject(parts.get(1)).getString("text")).isEqualTo("Grüße 💬");
        assertThat(Integer.parseInt(parts.get(0))).isEqualTo(parts.get(1).getBytes(StandardCharsets.UTF_8).length + 2);
        assertThat(parts.get(3))
                .isEqualTo("{\"delete\":{\"status\":{\"id\":" + event.subject() + ",\"id_str\":\"" + event.subject()
                        + "\",\"user_id\":8,\"user_id_str\":\"8\"}}}");
    }

    @Test
    void theTextOfATweetHasTheRequestedName() {
        SseClient extended = server.get(0, "/1.1/statuses/firehose.json?tweet_mode=extended");
        awaitUntil("open", () -> !extended.raw().isEmpty());
        server.append(server.post(8, "Grüße 💬"));
        awaitUntil("told", () -> extended.raw().contains("Grüße"));
        assertThat(extended.raw())
                .contains("\"full_text\":\"Grüße 💬\",\"display_text_range\":[0,7]")
                .doesNotContain("\"text\":");
    }

    @Test
    void theUserOfBasicIsThatOfTheToken() {
        long user = server.newUser();
        String token = server.token(user, "read");
        SseClient other = server.get(0, "/1.1/statuses/sample.json", basic("somebody", token));
        awaitUntil("answered", other::ended);
        assertThat(other.status()).isEqualTo(401);
        assertThat(other.raw()).contains("The user name is not that of the access token's account");
        SseClient loud = server.get(
                0, "/1.1/statuses/sample.json", basic(server.username(user).toUpperCase(Locale.ROOT), token));
        awaitUntil("open", () -> !loud.raw().isEmpty());
        assertThat(loud.status()).isEqualTo(200);
    }

    @Test
    void basicIsTakenWithItsPaddingOrWithoutAndInNoOtherSpelling() {
        long user = server.newUser();
        // Of a pair whose length is a multiple of three there is one spelling.
        String pair = Stream.of("read", "read write", "read push")
                .map(scopes -> server.username(user) + ":" + server.token(user, scopes))
                .filter(each -> each.length() % 3 != 0)
                .findFirst()
                .orElseThrow();
        byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
        String bare = java.util.Base64.getEncoder().withoutPadding().encodeToString(bytes);
        String padding = "=".repeat(3 - bytes.length % 3);
        String other = bare.substring(0, bare.length() - 1) + (char) (bare.charAt(bare.length() - 1) + 1);
        assertThat(java.util.Base64.getDecoder().decode(other)).isEqualTo(bytes);

        for (String spelling : List.of(bare, bare + padding)) {
            SseClient good = server.get(0, "/1.1/statuses/sample.json", "Authorization: Basic " + spelling);
            assertThat(good.status()).as(spelling).isEqualTo(200);
            good.close();
        }
        assertThat(server.get(0, "/1.1/statuses/sample.json", "Authorization: Basic " + other)
                        .status())
                .isEqualTo(401);
    }

    private static String basic(String user, String password) {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + java.util.Base64.getEncoder().encodeToString(pair);
    }

    @Test
    void theLastFewComeFirstAndAreAllForANegativeCount() {
        for (int i = 0; i < 30; i++) {
            append(text(i % 3 == 0 ? "yes " + i : "no " + i));
        }
        server.appendKnown(text("no more"));
        SseClient few = server.get(0, BASE + "filter?track=yes&count=-4");
        awaitUntil("ended", few::ended);
        assertThat(few.messages("status"))
                .extracting(Message::data)
                .satisfiesExactly(
                        first -> assertThat(first).contains("yes 18"),
                        next -> assertThat(next).contains("yes 21"),
                        next -> assertThat(next).contains("yes 24"),
                        last -> assertThat(last).contains("yes 27"));
        assertThat(few.messages("disconnect").get(0).data()).contains("\"code\":9");

        SseClient many = server.get(0, BASE + "filter?track=yes&count=100");
        awaitUntil("told", () -> many.messages("status").size() == 10);
        append(text("yes, live"));
        awaitUntil("live", () -> many.messages("status").size() == 11);
    }

    @Test
    void eventsThatComeMeanwhileAreNotAmongTheLastFew() {
        String filler = "yes " + "x".repeat(8000);
        for (int i = 0; i < 396; i++) {
            append(text(filler));
        }
        server.appendKnown(text(filler));
        SseClient few = listening("filter?track=yes&count=-395");
        few.pause();
        SseClient live = listening("filter?track=yes");
        for (int i = 0; i < 50; i++) {
            append(text("yes, live"));
        }
        awaitUntil("live", () -> live.messages("status").size() == 50);
        few.resume();

        awaitUntil("ended", few::ended);
        assertThat(few.messages("status")).hasSize(395);
        assertThat(few.lastEventId()).isEqualTo(server.epoch() + "-397-end");
    }

    @Test
    void aFinishedStreamIsRefusedWithoutAReconnect() {
        for (int i = 0; i < 5; i++) {
            append(text("yes " + i));
        }
        server.appendKnown(text("yes 5"));
        String query = "filter?track=yes&count=-3";
        SseClient sent = server.get(0, BASE + query);
        awaitUntil("ended", sent::ended);
        assertThat(sent.messages("status")).hasSize(3);
        assertThat(sent.lastEventId()).isEqualTo(server.epoch() + "-6-end");
        append(text("yes 6"));
        server.appendKnown(text("yes 7"));

        // Else the connection stays open for other requests, and the client waits until it is idle for too long.
        SseClient again = server.get(0, BASE + query, "Last-Event-ID: " + sent.lastEventId(), "Connection: close");
        awaitUntil("answered", again::ended);
        assertThat(again.status()).isEqualTo(204);
        assertThat(again.raw()).isEmpty();

        SseClient back = server.get(0, BASE + query + "&last_event_id=" + sent.lastEventId(), "Connection: close");
        awaitUntil("answered", back::ended);
        assertThat(back.status()).isEqualTo(204);

        // Who was cut off has not been told all, and gets the rest, up to now.
        SseClient rest = server.get(0, BASE + query, "Last-Event-ID: " + server.epoch() + "-5");
        awaitUntil("ended", rest::ended);
        assertThat(rest.messages("status")).extracting(Message::data).hasSize(3);
        assertThat(rest.lastEventId()).isEqualTo(server.epoch() + "-8-end");

        // For whoever wants to go on from there it is a cursor as any other.
        SseClient on = server.get(0, BASE + "filter?track=yes&cursor=" + sent.lastEventId());
        awaitUntil("told", () -> on.messages("status").size() == 2);
        assertThat(on.messages("gap")).isEmpty();
    }

    @Test
    void anEmptyCursorIsNone() {
        append(text("one"));
        server.appendKnown(text("two"));

        for (SseClient client : List.of(
                server.get(0, BASE + "firehose?last_event_id=1", "Last-Event-ID: "),
                server.get(0, BASE + "firehose?last_event_id=&cursor=1"),
                server.get(0, BASE + "firehose?count=-1", "Last-Event-ID: "))) {
            awaitUntil("told", () -> !client.messages("status").isEmpty());
            assertThat(client.messages("status")).hasSize(1);
            assertThat(client.raw()).contains("two");
        }
    }

    @Test
    void aStreamBeginsAtAMoment() throws Exception {
        append(text("before"));
        long before = redis.askAt("x", "TIME").items().get(0).asLong() * 1000;
        awaitUntil(
                "a second later", () -> redis.askAt("x", "TIME").items().get(0).asLong() * 1000 > before);
        append(text("after"));

        SseClient client = listening("firehose?since=" + (before + 1000));
        awaitUntil("told", () -> client.messages("status").size() == 1);
        assertThat(client.messages("status").get(0).data()).contains("after");
        SseClient all = listening("firehose?since=2026-01-02T03:04:05Z");
        awaitUntil("told", () -> all.messages("status").size() == 2);
    }

    @Test
    void aTicketOpensOneStream() throws Exception {
        String token = server.token(server.newUser(), "read");
        HttpRequest request = HttpRequest.newBuilder(uri(BASE + "tickets"))
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        String answer =
                http().send(request, HttpResponse.BodyHandlers.ofString()).body();
        String ticket = answer.replaceAll(".*\"ticket\":\"([^\"]*)\".*", "$1");

        SseClient client = listening("home?ticket=" + ticket);
        assertThat(client.status()).isEqualTo(200);
        assertThat(server.get(0, BASE + "home?ticket=" + ticket).status()).isEqualTo(401);
    }

    @Test
    void oneStreamTooManyEndsTheOldestOfItsToken() {
        String token = server.token(server.newUser(), "read");
        List<SseClient> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            clients.add(server.listening("Authorization: Bearer " + token));
        }
        awaitUntil("ended", clients.get(0)::ended);
        assertThat(clients.get(0).messages("disconnect").get(0).data()).contains("\"code\":7");
        assertThat(clients.stream().skip(1)).noneMatch(SseClient::ended);
    }

    @Test
    void streamsOfMediaSendWhatHasPicturesWithItsEditsAndDeletes() {
        long author = server.newUser();
        SseClient pictures =
                server.get(0, BASE + "public?only_media=true", "Authorization: Bearer " + server.token(author, "read"));
        awaitUntil("open", () -> pictures.raw().startsWith(":)"));
        Attachment picture =
                new Attachment(7, "f.png", 1, 2, 3, 4, "blur", Attachment.Focus.CENTRE, "", /* clip= */ null);
        Content hidden = Content.of("hidden").with(List.of(picture));
        Content seen = Content.of("seen").with(List.of(picture));

        append(event(author, Post.of(author, "words"), null));
        append(event(author, Post.of(author, Visibility.UNLISTED, hidden), null));
        Event shown = append(event(author, Post.of(author, Visibility.PUBLIC, seen), null));
        awaitUntil("told", () -> pictures.messages("update").size() == 1);
        server.append(StreamServer.delete(shown));
        awaitUntil("told of its delete", () -> pictures.messages("delete").size() == 1);

        assertThat(pictures.messages("delete").get(0).data()).isEqualTo("" + shown.subject());
        assertThat(pictures.messages("update")).hasSize(1);
        assertThat(pictures.messages("update").get(0).data()).contains("seen");
    }

    @Test
    void aSocketTakesEveryStreamOfMastodon() {
        long viewer = server.newUser();
        String lists = Keys.lists(viewer);
        redis.askAt(lists, "HSET", lists, "7", "list 0 friends", "8", "none 0 family");
        List<String> messages = Collections.synchronizedList(new ArrayList<>());
        WebSocket socket = http().newWebSocketBuilder()
                .header("Authorization", "Bearer " + server.token(viewer, "read"))
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port(0) + "/api/v1/streaming?stream=list&list=7"),
                        new Inbox(messages))
                .join();
        for (String name : List.of(
                "user",
                "direct",
                "public",
                "public:media",
                "public:local",
                "public:local:media",
                "public:remote",
                "public:remote:media",
                "hashtag\",\"tag\":\"a",
                "hashtag:local\",\"tag\":\"a",
                "list\",\"list\":\"8",
                "user:notification")) {
            socket.sendText("{\"type\":\"subscribe\",\"stream\":\"" + name + "\"}", true)
                    .join();
        }
        awaitUntil("open", () -> server.connections(0) == 13);

        server.append(server.notification(server.newUser(), viewer, 0, "{\"word\":1}"));

        awaitUntil("told", () -> messages.size() == 2);
        assertThat(messages)
                .containsExactlyInAnyOrder(
                        "{\"stream\":[\"user\"],\"event\":\"notification\",\"payload\":\"{\\\"word\\\":1}\"}",
                        "{\"stream\":[\"user:notification\"],\"event\":\"notification\",\"payload\":\"{\\\"word\\\":1}\"}");
    }

    @Test
    void aSocketCarriesSeveralStreamsAndEchoesItsToken() {
        long viewer = server.newUser();
        String token = server.token(viewer, "read");
        List<String> messages = Collections.synchronizedList(new ArrayList<>());
        WebSocket socket = http().newWebSocketBuilder()
                .subprotocols(token)
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port(0) + "/api/v1/streaming?stream=user"),
                        new Inbox(messages))
                .join();
        assertThat(socket.getSubprotocol()).isEqualTo(token);
        socket.sendText("{\"type\":\"subscribe\",\"stream\":\"hashtag\",\"tag\":\"fanfare\"}", true)
                .join();
        socket.sendText("{\"type\":\"subscribe\",\"stream\":\"nothing\"}", true).join();
        awaitUntil("subscribed", () -> messages.size() == 1);
        assertThat(messages.get(0))
                .startsWith("{\"error\":\"There is no such stream")
                .endsWith(",\"status\":404,\"stream\":[\"nothing\"]}");

        Content content = new Content("a #fanfare", "", false, null, List.of(), List.of("fanfare"), null);
        Event tagged = append(event(8, Post.of(8, Visibility.PUBLIC, content), null));
        awaitUntil("told", () -> messages.size() == 2);
        Event own = append(event(viewer, post(viewer, "my \"own\""), null));
        awaitUntil("told", () -> messages.size() == 3);
        assertThat(messages.get(1))
                .isEqualTo("{\"stream\":[\"hashtag\",\"fanfare\"],\"event\":\"update\",\"payload\":\""
                        + tagged.body().replace("\"", "\\\"") + "\"}");
        assertThat(messages.get(2)).startsWith("{\"stream\":[\"user\"],\"event\":\"update\",\"payload\":\"{");

        socket.sendText("{\"type\":\"unsubscribe\",\"stream\":\"hashtag\",\"tag\":\"fanfare\"}", true)
                .join();
        socket.sendText("not json", true).join();
        awaitUntil("unsubscribed", () -> messages.size() == 4);
        append(event(8, Post.of(8, Visibility.PUBLIC, content), null));
        server.append(StreamServer.delete(own));
        awaitUntil("told", () -> messages.size() == 5);
        assertThat(messages.get(4))
                .isEqualTo("{\"stream\":[\"user\"],\"event\":\"delete\",\"payload\":\"" + own.subject() + "\"}");
        socket.abort();
    }

    private record Inbox(List<String> messages) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            messages.add(data.toString());
            socket.request(1);
            return null;
        }
    }

    private SseClient listening(String path) {
        SseClient client = server.get(0, BASE + path);
        awaitUntil("hello", () -> !client.messages("hello").isEmpty());
        return client;
    }

    @CanIgnoreReturnValue
    private Event append(Event event) {
        server.append(event);
        return event;
    }

    private Event text(String text) {
        return event(8, post(8, text), null);
    }

    private Event place(double latitude, double longitude) {
        Content content = new Content(
                "at " + latitude + " " + longitude,
                "",
                false,
                null,
                List.of(),
                List.of(),
                new Place(latitude, longitude, ""));
        return event(8, Post.of(8, Visibility.PUBLIC, content), null);
    }

    private static Post post(long author, String text) {
        return Post.of(author, text);
    }

    private Event event(long author, Post post, Status original) {
        Status status = new Status(server.newId(), post, Counters.NONE);
        String match = MatchFields.of(status, original == null ? List.of() : List.of(original))
                .encode();
        String body = "{\"text\":\"" + post.content().text().replace("\"", "'") + "\"}";
        return new Event(Event.Kind.STATUS, status.id(), author, 0, post.visibility(), match, body);
    }

    private HttpResponse<String> put(String conn, String token, String form) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(BASE + "connections/" + conn + "/filter"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .PUT(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return http().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port(0) + path);
    }

    private static HttpClient http() {
        return HttpClient.newHttpClient();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
