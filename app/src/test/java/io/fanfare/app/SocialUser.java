package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A user who follows, unfollows, posts, deletes and reads at random until told to end, and remembers what was
 * acknowledged. A request is repeated, under the same Idempotency-Key, until it is answered.
 */
final class SocialUser {
    /** Far beyond what a request takes that is under way at the end. */
    private static final Duration END_MAX = Duration.ofMinutes(3);

    /** The longest pause for which a user catches up after an outage, to keep the requested rate. */
    private static final Duration OWED_MAX = Duration.ofSeconds(20);

    /** As a client that does not hurry. */
    private static final int REPEAT_MILLIS = 20;

    private static final Comparator<String> NEWEST_FIRST =
            Comparator.<String, Long>comparing(Long::parseLong).reversed();

    private static final int PAGE = 40;

    /** So many of each home are compared: some pages. */
    private static final int HOME_IDS = 5 * PAGE;

    private final String url;
    private final Client client;
    private final Random random;
    private final int pauseMillis;
    private final Thread thread = new Thread(this::run);
    private final Set<String> following = new TreeSet<>();
    private final Set<String> posts = new TreeSet<>();
    private final Set<String> deleted = new TreeSet<>();
    private final List<Wait> waits = new ArrayList<>();
    private int edges;
    private List<SocialUser> others = List.of();
    private int number;
    private volatile boolean ended;
    private volatile Throwable failed;

    private SocialUser(String url, Client client, long seed, int pauseMillis) {
        this.url = url;
        this.client = client;
        this.random = new Random(seed);
        this.pauseMillis = pauseMillis;
        thread.setDaemon(true); // It repeats a request for ever when a test fails and everything is stopped.
    }

    /**
     * Signs some up, who know each other, and lets them begin.
     *
     * @param pauseMillis from one request of a user to the next on average; after an outage it is less until the
     *     requests that were due meanwhile have been sent
     */
    static List<SocialUser> begin(int count, String url, Random random, int pauseMillis) throws Exception {
        List<SocialUser> users = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            users.add(new SocialUser(url, Client.signUp(url, "social" + i), random.nextLong(), pauseMillis));
        }
        users.forEach(user -> user.others = users);
        users.forEach(user -> user.thread.start());
        return users;
    }

    /** Lets them all end, once what is under way has been answered. */
    static void end(List<SocialUser> users) throws Exception {
        users.forEach(user -> user.ended = true);
        for (SocialUser user : users) {
            user.thread.join(END_MAX.toMillis());
            assertThat(user.thread.isAlive()).isFalse();
            assertThat(user.failed).isNull();
        }
    }

    /**
     * The differences between the acknowledged state and the state that the service shows.
     *
     * @param lostPosts acknowledged, and not there
     * @param returnedPosts deleted, and there
     * @param extraPosts there, and never acknowledged
     * @param lostFollows acknowledged, and not there
     * @param returnedFollows ended, and there
     */
    record Difference(int lostPosts, int returnedPosts, int extraPosts, int lostFollows, int returnedFollows) {
        static final Difference NONE = new Difference(0, 0, 0, 0, 0);

        private Difference plus(Difference other) {
            return new Difference(
                    lostPosts + other.lostPosts,
                    returnedPosts + other.returnedPosts,
                    extraPosts + other.extraPosts,
                    lostFollows + other.lostFollows,
                    returnedFollows + other.returnedFollows);
        }
    }

    /** The sum over all users; to be called when they have ended. */
    static Difference difference(List<SocialUser> users) throws Exception {
        Difference all = Difference.NONE;
        for (SocialUser user : users) {
            Set<String> followed = user.followed();
            Set<String> shown = user.shown();
            all = all.plus(new Difference(
                    without(user.posts, shown).size(),
                    user.deleted.size() - without(user.deleted, shown).size(),
                    without(without(shown, user.posts), user.deleted).size(),
                    without(user.following, followed).size(),
                    without(followed, user.following).size()));
        }
        return all;
    }

    /**
     * The counts of acknowledged changes.
     *
     * @param posts deleted ones among them
     * @param edges follows and unfollows
     */
    record Acknowledged(int posts, int deletes, int edges) {}

    /** The sum over all users. */
    static Acknowledged acknowledged(List<SocialUser> users) {
        return new Acknowledged(
                users.stream().mapToInt(u -> u.posts.size() + u.deleted.size()).sum(),
                users.stream().mapToInt(u -> u.deleted.size()).sum(),
                users.stream().mapToInt(u -> u.edges).sum());
    }

    /**
     * A request that was not answered with success at once.
     *
     * @param accounts whom it concerned
     * @param begun when it was first sent, by {@code System.nanoTime}
     * @param done when it was answered with success
     */
    record Wait(List<String> accounts, long begun, long done) {
        long millis() {
            return TimeUnit.NANOSECONDS.toMillis(done - begun);
        }
    }

    /** The waits of all users; to be called when they have ended. */
    static List<Wait> waits(List<SocialUser> users) {
        return users.stream().flatMap(user -> user.waits.stream()).toList();
    }

    /** The ids of the posts of all of them that are there. */
    static Set<String> posts(List<SocialUser> users) throws Exception {
        Set<String> posts = new TreeSet<>();
        for (SocialUser user : users) {
            posts.addAll(user.shown());
        }
        return posts;
    }

    /**
     * Fails unless the newest pages of each home are the newest posts, now there, of the user and of those who are now
     * followed.
     */
    static void assertThatHomesAreExact(List<SocialUser> users) throws Exception {
        Map<String, Set<String>> shown = new HashMap<>();
        for (SocialUser user : users) {
            shown.put(user.client.id(), user.shown());
        }
        for (SocialUser user : users) {
            Set<String> authors = user.followed();
            authors.add(user.client.id());
            List<String> expected = authors.stream()
                    .flatMap(author -> shown.get(author).stream())
                    .sorted(NEWEST_FIRST)
                    .limit(HOME_IDS)
                    .toList();
            List<String> home = user.statuses("/api/v1/timelines/home", HOME_IDS);
            assertThat(home).as("home of %s", user.client.id()).isEqualTo(expected);
        }
    }

    private static Set<String> without(Set<String> ids, Set<String> others) {
        return ids.stream().filter(id -> !others.contains(id)).collect(Collectors.toSet());
    }

    private void run() {
        try {
            long next = System.nanoTime();
            while (!ended) {
                act();
                long now = System.nanoTime();
                next = Math.max(next + TimeUnit.MILLISECONDS.toNanos(pauseMillis), now - OWED_MAX.toNanos());
                TimeUnit.NANOSECONDS.sleep(next - now);
            }
        } catch (Throwable e) {
            failed = e;
        }
    }

    private void act() throws Exception {
        String other = others.get(random.nextInt(others.size())).client.id();
        int act = random.nextInt(11);
        if (act < 2 && !other.equals(client.id())) {
            boolean follow = random.nextBoolean();
            repeat("POST", "/api/v1/accounts/" + other + (follow ? "/follow" : "/unfollow"), "", other);
            edges++;
            if (follow) {
                following.add(other);
            } else {
                following.remove(other);
            }
        } else if (act == 10) {
            repeat("GET", "/api/v1/timelines/home", "");
        } else if (act < 8 || posts.isEmpty()) {
            String answer = repeat("POST", "/api/v1/statuses", client.id() + " " + number++);
            posts.add(new JsonObject(answer).getString("id"));
        } else {
            String id = List.copyOf(posts).get(random.nextInt(posts.size()));
            repeat("DELETE", "/api/v1/statuses/" + id, "");
            posts.remove(id);
            deleted.add(id);
        }
    }

    /**
     * The body of the answer. A delete whose first answer was lost finds nothing the next time.
     *
     * @param others whom it concerns beside this user
     */
    @CanIgnoreReturnValue
    private String repeat(String method, String path, String text, String... others) throws Exception {
        long begun = System.nanoTime();
        for (boolean first = true; ; first = false) {
            try {
                HttpResponse<String> answer = client.send(method, url + path, text, text);
                if (answer.statusCode() == 200 || (method.equals("DELETE") && answer.statusCode() == 404)) {
                    if (!first) {
                        List<String> concerned = new ArrayList<>(List.of(others));
                        concerned.add(client.id());
                        waits.add(new Wait(concerned, begun, System.nanoTime()));
                    }
                    return answer.body();
                }
                assertThat(answer.statusCode()).as(answer.body()).isIn(409, 502, 503);
            } catch (IOException away) {
                // The same request goes to another process.
            }
            Thread.sleep(REPEAT_MILLIS);
        }
    }

    private Set<String> followed() throws Exception {
        String ids = others.stream().map(user -> "id[]=" + user.client.id()).collect(Collectors.joining("&"));
        JsonArray relations = new JsonArray(get("/api/v1/accounts/relationships?" + ids));
        return relations.stream()
                .map(JsonObject.class::cast)
                .filter(relation -> relation.getBoolean("following"))
                .map(relation -> relation.getString("id"))
                .collect(Collectors.toSet());
    }

    private Set<String> shown() throws Exception {
        return Set.copyOf(statuses("/api/v1/accounts/" + client.id() + "/statuses", Integer.MAX_VALUE));
    }

    /** The newest ids of a timeline, none of them twice. */
    private List<String> statuses(String timeline, int max) throws Exception {
        List<String> statuses = new ArrayList<>();
        String after = "";
        while (statuses.size() < max) {
            JsonArray page = new JsonArray(get(timeline + "?limit=" + PAGE + after));
            if (page.isEmpty()) {
                break;
            }
            page.forEach(status -> statuses.add(((JsonObject) status).getString("id")));
            after = "&max_id=" + statuses.get(statuses.size() - 1);
        }
        assertThat(statuses).doesNotHaveDuplicates();
        return statuses;
    }

    private String get(String path) throws Exception {
        HttpResponse<String> answer = Client.get(url + path, client.token());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }
}
