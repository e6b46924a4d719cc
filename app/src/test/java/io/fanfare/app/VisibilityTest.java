package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.ContractServer.Answer;
import io.fanfare.app.People.Person;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The visibility of an author's public and followers-only texts, in every place where a reader may meet them: while the
 * reader follows, from the answer to the unfollow on, while either blocks or the reader mutes, and without a log-in.
 */
class VisibilityTest {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String PRIVATE = "private";

    private static ContractServer server;
    private static People people;
    private static int rounds;

    private Person ann;
    private Person star;

    /** Paths that everybody may read, by the name of the place; those in {@code own} need a user. */
    private final Map<String, String> places = new LinkedHashMap<>();

    private final Map<String, String> own = new LinkedHashMap<>();

    /** Ids of the star's statuses, by a name that begins with their visibility. */
    private final Map<String, String> written = new LinkedHashMap<>();

    @BeforeAll
    static void startServer() {
        TestRedis.standalone().flush();
        server = new ContractServer(TestRedis.standalone());
        server.startWorkers();
        people = new People(server);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void write() {
        int round = ++rounds;
        ann = people.signUp("ann" + round);
        star = people.signUp("star" + round);
        Person third = people.signUp("third" + round);
        String tag = "matrix" + round;
        String original = people.publish(third, "status=the original");
        people.done(ann, "/api/v1/accounts/" + star.id() + "/follow");
        people.done(star, "/api/v1/statuses/" + original + "/favourite");
        people.done(star, "/api/v1/statuses/" + original + "/reblog");
        for (String visibility : List.of("public", PRIVATE)) {
            String to = "&visibility=" + visibility;
            String post = people.publish(star, "status=@ann" + round + " %23" + tag + to);
            written.put(visibility + " post", post);
            written.put(visibility + " answer", people.publish(star, "status=a&in_reply_to_id=" + original + to));
            written.put(visibility + " quote", people.publish(star, "status=q&quoted_status_id=" + original + to));
            written.put(visibility + " comment", people.comment(star, post, "text=c" + to));
            people.done(ann, "/api/v1/statuses/" + post + "/favourite");
            people.done(ann, "/api/v1/statuses/" + post + "/bookmark");
        }
        String about = "/api/v1/statuses/" + original;
        written.forEach((name, id) -> places.put("the " + name, "/api/v1/statuses/" + id));
        places.put("several", "/api/v1/statuses?id[]=" + String.join("&id[]=", written.values()));
        places.put("profile", "/api/v1/accounts/" + star.id() + "/statuses");
        places.put("comments of the star", "/api/v1/accounts/" + star.id() + "/comments");
        places.put("public", "/api/v1/timelines/public");
        places.put("tag", "/api/v1/timelines/tag/" + tag);
        places.put("comments", about + "/comments");
        places.put("context", about + "/context");
        places.put("quotes", about + "/quotes");
        places.put("likers", about + "/favourited_by");
        places.put("reposters", about + "/reblogged_by");
        own.put("home", "/api/v1/timelines/home");
        own.put("notifications", "/api/v1/notifications");
        own.put("favourites", "/api/v1/favourites");
        own.put("bookmarks", "/api/v1/bookmarks");
        own.put("search", "/api/v2/search?q=http://social.example/@star" + round + "/" + written.get("private post"));
        Awaitility.await("delivered")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> found(ann)
                        .containsAll(
                                Set.of("home: private quote", "notifications: private post", "public: public post")));
    }

    @Test
    void followersSeeEverythingEverywhere() {
        assertThat(found(ann))
                .contains("likers: the star", "reposters: the star", "search: private post")
                .contains("home: public post", "home: private post", "home: private answer", "home: private quote")
                .contains("profile: public post", "profile: private post", "profile: private answer")
                .contains("comments: public answer", "comments: private answer", "context: private answer")
                .contains("comments of the star: public comment", "comments of the star: private comment")
                .contains("quotes: public quote", "quotes: private quote", "tag: public post")
                .contains("favourites: private post", "bookmarks: private post", "several: private post")
                .contains("notifications: public post", "notifications: private post")
                .noneMatch(place -> place.startsWith("public: private") || place.startsWith("tag: private"));
    }

    @Test
    void privatePostsAreHiddenFromStrangersAndAnonymousViewers() {
        assertThat(found(null)).isNotEmpty().noneMatch(place -> place.contains(PRIVATE));
        assertThat(found(people.signUp("other" + rounds))).isNotEmpty().noneMatch(place -> place.contains(PRIVATE));
    }

    @Test
    void privatePostsAreHiddenAfterAnUnfollow() {
        people.done(ann, "/api/v1/accounts/" + star.id() + "/unfollow");

        assertThat(found(ann))
                .noneMatch(place -> place.contains(PRIVATE))
                .noneMatch(place -> place.startsWith("home: "))
                .contains("profile: public post", "favourites: public post", "bookmarks: public post")
                .contains("comments: public answer", "quotes: public quote", "notifications: public post");
    }

    @Test
    void ofWhomOneDoesNotFollowTheHomeShowsPublicPostsWithAFollowedHashtagAlone() {
        Person reader = people.signUp("reader" + rounds);
        people.done(reader, "/api/v1/tags/matrix" + rounds + "/follow");

        assertThat(found(reader).stream().filter(place -> place.startsWith("home: ")))
                .containsExactly("home: public post");
        people.done(star, "/api/v1/accounts/" + reader.id() + "/block");
        assertThat(found(reader)).isEmpty();
    }

    @Test
    void nothingOfAnAuthorWhoBlocksIsAnywhere() {
        people.done(star, "/api/v1/accounts/" + ann.id() + "/block");

        assertThat(found(ann)).isEmpty();
    }

    @Test
    void nothingOfWhoIsBlockedIsInAnyList() {
        people.done(ann, "/api/v1/accounts/" + star.id() + "/block");

        assertThat(found(ann)).noneMatch(place -> place.contains(PRIVATE)).noneMatch(VisibilityTest::isInAList);
    }

    @Test
    void nothingOfWhoIsMutedIsInAnyListButTheProfile() {
        people.done(ann, "/api/v1/accounts/" + star.id() + "/mute");

        assertThat(found(ann))
                .noneMatch(VisibilityTest::isInAList)
                .contains("profile: public post", "profile: private post", "the private post: private post");
    }

    @Test
    void aDirectMessageIsNowhereButForThoseWhoTakePart() {
        String tag = "matrix" + rounds;
        String to = "&visibility=direct";
        String message = people.publish(star, "status=@ann" + rounds + " %23" + tag + to);
        String open = written.get("public post");
        written.put("direct message", message);
        written.put("direct answer", people.publish(star, "status=psst&in_reply_to_id=" + open + to));
        places.put("the direct message", "/api/v1/statuses/" + message);
        places.put("several direct", "/api/v1/statuses?id[]=" + message + "&id[]=" + written.get("direct answer"));
        places.put("context of the public post", "/api/v1/statuses/" + open + "/context");
        places.put("page of the star", "/@star" + rounds);
        places.put("feed of the star", "/@star" + rounds + ".rss");
        places.put("page of the tag", "/tags/" + tag);
        places.put("feed of the tag", "/tags/" + tag + ".rss");
        places.put("page of the message", "/@star" + rounds + "/" + message);
        own.put("conversations", "/api/v1/conversations");
        own.put("search of it", "/api/v2/search?q=http://social.example/@star" + rounds + "/" + message);
        people.done(ann, "/api/v1/statuses/" + message + "/favourite");
        Awaitility.await("told")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> found(ann).contains("notifications: direct message"));

        assertThat(found(ann).stream().filter(place -> place.contains(": direct")))
                .containsExactlyInAnyOrder(
                        "the direct message: direct message",
                        "several direct: direct message",
                        "notifications: direct message",
                        "conversations: direct message",
                        "favourites: direct message",
                        "search of it: direct message");
        assertThat(found(null)).isNotEmpty().noneMatch(place -> place.contains(": direct"));
        for (String page : List.of("page of the star", "feed of the star", "page of the tag", "feed of the tag")) {
            Answer answer = server.send("GET", places.get(page), null, null);
            assertThat(answer.body()).as(page).contains("star" + rounds).doesNotContain(message);
        }
        Person follower = people.signUp("follower" + rounds);
        people.done(follower, "/api/v1/accounts/" + star.id() + "/follow");
        assertThat(found(follower)).isNotEmpty().noneMatch(place -> place.contains(": direct"));
        assertThat(found(star))
                .contains("several direct: direct answer")
                .noneMatch(place -> place.startsWith("home: direct"));

        people.take(star, message);
        assertThat(found(ann)).noneMatch(place -> place.contains(": direct"));
    }

    /** Lists that others have written into; one's own marks and what one asks for by name are something else. */
    private static boolean isInAList(String place) {
        return Set.of("home", "notifications", "public", "tag", "comments", "context", "quotes", "likers", "reposters")
                .contains(place.substring(0, place.indexOf(": ")));
    }

    /** The star's statuses that a reader finds, as place and name; null = without a log-in. */
    private Set<String> found(Person who) {
        Map<String, String> looked = new LinkedHashMap<>(places);
        if (who != null) {
            looked.putAll(own);
        }
        Set<String> found = new TreeSet<>();
        looked.forEach((place, path) -> {
            String limited = path + (path.contains("?") ? "&" : "?") + "limit=40";
            Answer answer = server.send("GET", limited, who == null ? null : who.token(), null);
            names(answer).forEach(name -> found.add(place + ": " + name));
        });
        return found;
    }

    private List<String> names(Answer answer) {
        List<String> names = new ArrayList<>();
        written.forEach((name, id) -> {
            if (answer.body().contains("\"id\":\"" + id + "\"")) {
                names.add(name);
            }
        });
        if (names.isEmpty() && answer.body().contains("\"id\":\"" + star.id() + "\"")) {
            names.add("the star");
        }
        return names;
    }
}
