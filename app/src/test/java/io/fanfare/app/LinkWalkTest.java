package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fanfare.app.ContractServer.Answer;
import io.fanfare.app.People.Person;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every list of the API walked by its Link headers, page by page, down and up again, while somebody adds entries and
 * takes others away as fast as the server lets them: nothing is seen twice on the way down, and on both ways everything
 * is seen once, in order, that was there throughout. In the middle of each list that hides whom its viewer mutes stand
 * more of them than a dozen pages hold; no page that leads on is empty for that.
 */
class LinkWalkTest {
    /** Entries that stay, and those between them that come and go. */
    private static final int STAYING = 9;

    private static final int LEAVING = 6;
    private static final int PAGE = 2;
    private static final int MUTED = 12 * PAGE + 1;
    private static final int MANY_WALKS = 20;
    private static final long SEED = System.nanoTime();
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final long HALF_DAY = Duration.ofHours(12).toMillis();

    private static ContractServer server;
    private static People users;
    private static Person ann;
    private static Person star;
    private static String original;
    private static List<Person> people;
    private static List<Person> muted;

    /** Lists of Ann's: of people who come and go, and of the star and those whom she mutes. */
    private static String peopleList;

    private static String starList;

    /**
     * A list and how it changes.
     *
     * @param path of its first page
     * @param key field or JSON pointer by which its entries are told apart
     * @param add makes the entry with a number and answers its key; the same number again only after it was taken away
     * @param remove takes an entry away, by its number and key
     * @param hidden makes an entry of somebody whom Ann mutes
     */
    private record Changing(
            String name,
            String path,
            String key,
            Function<Integer, String> add,
            Removal remove,
            Consumer<Person> hidden) {
        /** A list of Ann's own, which hides nobody. */
        Changing(String name, String path, String key, Function<Integer, String> add, Removal remove) {
            this(name, path, key, add, remove, person -> {});
        }
    }

    private interface Removal {
        /** Removes nothing: the entries of the list are permanent. */
        Removal NEVER = (number, key) -> {};

        void of(int number, String key);
    }

    @BeforeAll
    static void start() {
        TestRedis.standalone().flush();
        server = new ContractServer(TestRedis.standalone());
        server.startWorkers();
        users = new People(server);
        ann = users.signUp("ann");
        star = users.signUp("star");
        people = new ArrayList<>();
        for (int i = 0; i < STAYING + LEAVING; i++) {
            people.add(users.signUp("person" + i));
        }
        muted = new ArrayList<>();
        for (int i = 0; i < MUTED; i++) {
            Person person = users.signUp("muted" + i);
            users.done(ann, "/api/v1/accounts/" + person.id() + "/follow");
            users.done(ann, "/api/v1/accounts/" + person.id() + "/mute");
            muted.add(person);
        }
        original = users.publish(star, "status=the original");
        users.done(ann, "/api/v1/accounts/" + star.id() + "/follow");
        peopleList = users.list(ann, List.of());
        starList =
                users.list(ann, Stream.concat(Stream.of(star), muted.stream()).toList());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyOperationWithALinkHeaderIsWalked() {
        Set<String> linked = Contract.instance().operations().stream()
                .filter(LinkWalkTest::isList)
                .map(Operation::id)
                .collect(Collectors.toSet());
        Set<String> walked = lists().map(list -> Contract.instance()
                        .find("GET", list.path())
                        .orElseThrow()
                        .id())
                .collect(Collectors.toSet());

        assertThat(walked).isEqualTo(linked);
    }

    /** Pages for people have links inside. */
    private static boolean isList(Operation operation) {
        JsonNode page = Contract.instance().resolve(operation.node().at("/responses/200"));
        return page.path("headers").has("Link") && page.path("content").has("application/json");
    }

    @TestFactory
    Stream<DynamicTest> aWalkSeesNothingTwiceAndMissesNothingThatStays() {
        System.out.println("seed " + SEED);
        return lists().map(list -> DynamicTest.dynamicTest(list.name(), () -> walk(list, 1)));
    }

    @TestFactory
    @Tag("faults")
    Stream<DynamicTest> manyWalksSeeNothingTwiceAndMissNothingThatStays() {
        System.out.println("seed " + SEED);
        return lists().map(list -> DynamicTest.dynamicTest(list.name(), () -> walk(list, MANY_WALKS)));
    }

    private static Stream<Changing> lists() {
        String posts = "/api/v1/statuses/" + original + "/";
        return Stream.of(
                toSomebody("followers", "/api/v1/accounts/" + star.id() + "/followers", "/id", "follow", star),
                byAnn("following", "/api/v1/accounts/" + ann.id() + "/following", "follow"),
                common(),
                byAnn("blocks", "/api/v1/blocks", "block"),
                byAnn("mutes", "/api/v1/mutes", "mute"),
                toTheOriginal("likers", posts + "favourited_by", "favourite"),
                toTheOriginal("reposters", posts + "reblogged_by", "reblog"),
                marked("favourites", "/api/v1/favourites", "favourite"),
                marked("bookmarks", "/api/v1/bookmarks", "bookmark"),
                scheduled(),
                ofTheStar(),
                onAList(),
                followedTags(),
                written("list", "/api/v1/timelines/list/" + starList, "status=ten"),
                written("home", "/api/v1/timelines/home", "status=two"),
                written("public", "/api/v1/timelines/public", "status=three"),
                written("tag", "/api/v1/timelines/tag/walk", "status=%23walk"),
                written("comments", posts + "comments", "status=four&in_reply_to_id=" + original),
                commentsOfTheStar(),
                written("quotes", posts + "quotes", "status=five&quoted_status_id=" + original),
                articles(),
                articlesOfAGroup(),
                voters(),
                notifications(),
                notificationGroups(),
                tellersOfAGroup(),
                endorsed("recommended accounts", "/api/v1/endorsements"),
                endorsed("recommended accounts of an account", "/api/v1/accounts/" + ann.id() + "/endorsements"),
                conversations(),
                restricted("suspended accounts", "/api/v2/admin/accounts?status=suspended", "suspend", "unsuspend"),
                restricted("limited accounts", "/api/v1/admin/accounts?silenced=true", "silence", "unsilence"),
                reports(),
                warnings(),
                appeals(),
                held(),
                blocks("ip_blocks", number -> "severity=sign_up_block&ip=198.18.1." + number),
                blocks("email_domain_blocks", number -> "domain=walk" + number + ".example.org"),
                blocks("username_blocks", number -> "username=walk" + number + "*"),
                // Last, since they change who follows Ann and what she is told.
                followRequests(),
                requests());
    }

    private static void walk(Changing list, int walks) throws Exception {
        RandomGenerator random = new Random(SEED ^ list.name().hashCode());
        Deque<Entry> staying = new ArrayDeque<>();
        Deque<Entry> present = new ArrayDeque<>();
        Deque<Integer> absent = new ArrayDeque<>();
        for (int number = 0; number < STAYING + LEAVING; number++) {
            if (number == (STAYING + LEAVING) / 2) {
                muted.forEach(list.hidden());
                awaitNextMillisecond();
            }
            Entry entry = new Entry(number, list.add().apply(number));
            awaitNextMillisecond();
            // Entries that leave stand between those that stay, so that they leave below the walk as well as above.
            if (number * LEAVING / (STAYING + LEAVING) != (number + 1) * LEAVING / (STAYING + LEAVING)) {
                present.add(entry);
            } else {
                staying.addFirst(entry);
            }
        }
        List<String> throughout = staying.stream().map(Entry::key).toList();
        Awaitility.await(list.name())
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() ->
                        page(list, list.path() + and(list.path()) + "limit=40").containsAll(throughout));

        CountDownLatch walked = new CountDownLatch(1);
        AtomicInteger made = new AtomicInteger();
        CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
            while (walked.getCount() > 0) {
                change(list, present, absent, random);
                made.incrementAndGet();
            }
        });
        long began = System.nanoTime();
        try {
            for (int i = 0; i < walks || changesAreDue(made.get(), walks, changes, began); i++) {
                List<String> seen = seen(list);
                assertThat(seen).as("seed " + SEED).doesNotHaveDuplicates();
                assertThat(seen.stream().filter(throughout::contains))
                        .as("seed " + SEED)
                        .containsExactlyElementsOf(throughout);
                // What goes and comes again is found again further up.
                for (Answer bottom : List.of(bottom(list), aboveNothing(list))) {
                    assertThat(climbed(list, bottom, throughout.get(0)).stream().filter(throughout::contains))
                            .as("upwards, seed " + SEED)
                            .containsExactlyElementsOf(throughout);
                }
            }
        } finally {
            walked.countDown();
        }
        changes.get();
        assertThat(made.get()).as("changes while it was walked").isGreaterThan(walks);
        present.addAll(staying);
        empty(list, present);
    }

    /** On a busy machine a change takes as long as a walk. */
    private static boolean changesAreDue(int made, int walks, CompletableFuture<Void> changes, long began) {
        return made <= walks && !changes.isDone() && System.nanoTime() - began < BOUND.toNanos();
    }

    /** The lists share the people, and find them as they were: Ann is told of nothing that has ended. */
    private static void empty(Changing list, Collection<Entry> present) {
        present.forEach(entry -> list.remove().of(entry.number(), entry.key()));
        if (list.remove() == Removal.NEVER) {
            return;
        }
        List<String> removed = present.stream().map(Entry::key).toList();
        Awaitility.await(list.name() + " is empty")
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Collections.disjoint(page(list, list.path() + and(list.path()) + "limit=40"), removed));
    }

    private record Entry(int number, String key) {}

    /** Within one, what several people do is in the order of their shards. */
    private static void awaitNextMillisecond() {
        long now = System.currentTimeMillis();
        while (System.currentTimeMillis() <= now) {
            Thread.onSpinWait();
        }
    }

    private static void change(Changing list, Deque<Entry> present, Deque<Integer> absent, RandomGenerator random) {
        boolean removes = absent.isEmpty() || (!present.isEmpty() && random.nextBoolean());
        if (removes) {
            Entry entry = random.nextBoolean() ? present.pollFirst() : present.pollLast();
            list.remove().of(entry.number(), entry.key());
            absent.add(entry.number());
        } else {
            int number = absent.poll();
            present.add(new Entry(number, list.add().apply(number)));
        }
    }

    private static List<String> seen(Changing list) {
        List<String> seen = new ArrayList<>();
        Optional<String> next = Optional.of(list.path() + and(list.path()) + "limit=" + PAGE);
        while (next.isPresent()) {
            Answer page = server.send("GET", next.get(), ann.token(), null);
            assertThat(page.status()).as(page.body()).isEqualTo(200);
            seen.addAll(keys(list, page));
            next = page.next();
            assertThat(next.isPresent() && keys(list, page).isEmpty())
                    .as("an empty page leads on")
                    .isFalse();
        }
        return seen;
    }

    /** From a lowest page up to the page that has this entry; newest first. */
    private static List<String> climbed(Changing list, Answer bottom, String top) {
        Answer page = bottom;
        List<String> seen = new ArrayList<>(keys(list, page));
        while (!keys(list, page).contains(top) && page.previous().isPresent()) {
            page = server.send("GET", page.previous().get(), ann.token(), null);
            assertThat(page.status()).as(page.body()).isEqualTo(200);
            seen.addAll(0, keys(list, page));
        }
        return seen;
    }

    /** The last page that shows anything. */
    private static Answer bottom(Changing list) {
        Answer bottom = null;
        Optional<String> next = Optional.of(list.path() + and(list.path()) + "limit=" + PAGE);
        while (next.isPresent()) {
            Answer page = server.send("GET", next.get(), ann.token(), null);
            bottom = page.previous().isPresent() ? page : bottom;
            next = page.next();
        }
        return bottom;
    }

    /** The lowest page of who walks a list from its beginning. */
    private static Answer aboveNothing(Changing list) {
        Answer page = server.send("GET", list.path() + and(list.path()) + "min_id=0&limit=" + PAGE, ann.token(), null);
        assertThat(page.status()).as(page.body()).isEqualTo(200);
        assertThat(page.next()).isEmpty();
        return page;
    }

    private static List<String> page(Changing list, String path) {
        return keys(list, server.send("GET", path, ann.token(), null));
    }

    private static List<String> keys(Changing list, Answer page) {
        List<String> keys = new ArrayList<>();
        JsonNode entries = page.json().isArray() ? page.json() : page.json().path("notification_groups");
        entries.forEach(entry -> keys.add(entry.at(list.key()).asText()));
        return keys;
    }

    private static String and(String path) {
        return path.contains("?") ? "&" : "?";
    }

    /** People who have done something to an account. */
    private static Changing toSomebody(String name, String path, String key, String action, Person to) {
        String account = "/api/v1/accounts/" + to.id() + "/";
        return new Changing(
                name,
                path,
                key,
                number -> {
                    users.done(people.get(number), account + action);
                    return people.get(number).id();
                },
                (number, id) -> users.done(people.get(number), account + "un" + action),
                person -> users.done(person, account + action));
    }

    /** People to whom Ann has done something. */
    private static Changing byAnn(String name, String path, String action) {
        return new Changing(
                name,
                path,
                "/id",
                number -> {
                    String id = people.get(number).id();
                    users.done(ann, "/api/v1/accounts/" + id + "/" + action);
                    return id;
                },
                (number, id) -> users.done(ann, "/api/v1/accounts/" + id + "/un" + action));
    }

    /** People whom both Ann and the star follow; the star, who follows fewer, decides. */
    private static Changing common() {
        people.forEach(person -> users.done(ann, "/api/v1/accounts/" + person.id() + "/follow"));
        return new Changing(
                "common follows",
                "/api/v1/accounts/" + star.id() + "/common_following?order_of=" + star.id(),
                "/id",
                number -> {
                    String id = people.get(number).id();
                    users.done(ann, "/api/v1/accounts/" + id + "/follow");
                    users.done(star, "/api/v1/accounts/" + id + "/follow");
                    return id;
                },
                (number, id) -> users.done(star, "/api/v1/accounts/" + id + "/unfollow"),
                person -> users.done(star, "/api/v1/accounts/" + person.id() + "/follow"));
    }

    /** The accounts on a list of Ann's, the newest account first. */
    private static Changing onAList() {
        String path = "/api/v1/lists/" + peopleList + "/accounts";
        return new Changing(
                "accounts of a list",
                path,
                "/id",
                number -> {
                    String id = people.get(number).id();
                    users.done(ann, "/api/v1/accounts/" + id + "/follow");
                    users.putOn(ann, peopleList, List.of(people.get(number)));
                    return id;
                },
                (number, id) -> users.done(ann, "/api/v1/accounts/" + id + "/unfollow"));
    }

    /** Hashtags that Ann follows. */
    private static Changing followedTags() {
        return new Changing(
                "followed hashtags",
                "/api/v1/followed_tags",
                "/name",
                number -> {
                    users.done(ann, "/api/v1/tags/walked" + number + "/follow");
                    return "walked" + number;
                },
                (number, name) -> users.done(ann, "/api/v1/tags/" + name + "/unfollow"));
    }

    /** The accounts that Ann recommends, in the order of her follows. */
    private static Changing endorsed(String name, String path) {
        return new Changing(
                name,
                path,
                "/id",
                number -> {
                    String id = people.get(number).id();
                    users.done(ann, "/api/v1/accounts/" + id + "/follow");
                    users.done(ann, "/api/v1/accounts/" + id + "/endorse");
                    return id;
                },
                (number, id) -> users.done(ann, "/api/v1/accounts/" + id + "/unfollow"));
    }

    /** Accounts that Ann restricts as a moderator; each entry is an account of its own. */
    private static Changing restricted(String name, String path, String type, String lift) {
        AtomicInteger accounts = new AtomicInteger();
        return new Changing(
                name,
                path,
                "/id",
                number -> {
                    Person moderator = moderator();
                    String id = users.signUp(type + accounts.incrementAndGet()).id();
                    String act = "/api/v1/admin/accounts/" + id + "/action";
                    assertThat(server.send("POST", act, moderator.token(), "type=" + type)
                                    .status())
                            .isEqualTo(200);
                    return id;
                },
                (number, id) -> users.done(moderator(), "/api/v1/admin/accounts/" + id + "/" + lift));
    }

    private static Changing reports() {
        return new Changing(
                "reports",
                "/api/v1/admin/reports",
                "/id",
                number -> {
                    Person unused = moderator();
                    Person reporter = people.get(number);
                    return server.send(
                                    "POST",
                                    "/api/v1/reports",
                                    reporter.token(),
                                    "account_id=" + star.id() + "&comment=" + System.nanoTime())
                            .text("id");
                },
                (number, id) -> users.done(moderator(), "/api/v1/admin/reports/" + id + "/resolve"));
    }

    /** Warnings to Ann, each by an owner of the site; nothing but their number removes them. */
    private static Changing warnings() {
        AtomicInteger warnings = new AtomicInteger();
        String key = Keys.warnings(Id.parse(ann.id()));
        return new Changing(
                "warnings",
                "/api/v1/warnings",
                "/id",
                number -> {
                    server.promote(star.id(), "owner");
                    return warned(star, ann, warnings.incrementAndGet());
                },
                (number, id) -> TestRedis.standalone().askAt(key, "HDEL", key, id));
    }

    /** Appeals of accounts that Ann warns, each an account of its own. */
    private static Changing appeals() {
        AtomicInteger accounts = new AtomicInteger();
        Map<String, String> appellants = new ConcurrentHashMap<>();
        return new Changing(
                "appeals",
                "/api/v1/admin/appeals",
                "/id",
                number -> {
                    int next = accounts.incrementAndGet();
                    Person warned = users.signUp("appellant" + next);
                    String id = warned(moderator(), warned, next);
                    assertThat(server.send("POST", "/api/v1/warnings/" + id + "/appeal", warned.token(), "text=words")
                                    .status())
                            .isEqualTo(200);
                    appellants.put(id, warned.id());
                    return id;
                },
                (number, id) -> users.done(
                        moderator(), "/api/v1/admin/accounts/" + appellants.get(id) + "/appeals/" + id + "/reject"));
    }

    /** Posts that wait for a moderator, each of an account of its own. */
    private static Changing held() {
        AtomicInteger accounts = new AtomicInteger();
        Map<String, Person> holders = new ConcurrentHashMap<>();
        return new Changing(
                "held posts",
                "/api/v1/admin/held_statuses",
                "/id",
                number -> {
                    Person holder = users.signUp("holder" + accounts.incrementAndGet());
                    String words = "status=words for @person0 and @person1";
                    assertThat(server.send("POST", "/api/v1/statuses", holder.token(), words)
                                    .text("/details/status/0/error"))
                            .isEqualTo("ERR_HELD");
                    String id = server.send("GET", "/api/v1/held_statuses", holder.token(), null)
                            .text("/0/id");
                    holders.put(id, holder);
                    return id;
                },
                (number, id) -> users.done(
                        moderator(),
                        "/api/v1/admin/accounts/" + holders.get(id).id() + "/held_statuses/" + id + "/reject"));
    }

    /** Blocks of the site. */
    private static Changing blocks(String kind, IntFunction<String> form) {
        String path = "/api/v1/admin/" + kind;
        return new Changing(
                kind,
                path,
                "/id",
                number -> {
                    var added = server.send("POST", path, moderator().token(), form.apply(number));
                    assertThat(added.status()).as(added.body()).isEqualTo(200);
                    return added.text("id");
                },
                (number, id) -> {
                    var removed =
                            server.send("DELETE", path + "/" + id, moderator().token(), null);
                    assertThat(removed.status()).as(removed.body()).isEqualTo(200);
                });
    }

    private static String warned(Person by, Person account, int number) {
        String act = "/api/v1/admin/accounts/" + account.id() + "/action";
        assertThat(server.send("POST", act, by.token(), "type=none&text=" + number)
                        .status())
                .isEqualTo(200);
        return server.send("GET", "/api/v1/warnings?limit=1", account.token(), null)
                .text("/0/id");
    }

    /** Ann, with the role of a moderator. */
    private static Person moderator() {
        server.promote(ann.id(), "moderator");
        return ann;
    }

    /** The accounts that request to follow Ann, who is locked from then on. */
    private static Changing followRequests() {
        String account = "/api/v1/accounts/" + ann.id() + "/";
        return new Changing(
                "follow requests",
                "/api/v1/follow_requests",
                "/id",
                number -> {
                    assertThat(server.send("PATCH", "/api/v1/accounts/update_credentials", ann.token(), "locked=true")
                                    .status())
                            .isEqualTo(200);
                    users.done(people.get(number), account + "follow");
                    return people.get(number).id();
                },
                (number, id) -> users.done(people.get(number), account + "unfollow"));
    }

    /** Conversations of Ann's, by their only messages. */
    private static Changing conversations() {
        String form = "status=@ann between us&visibility=direct";
        return new Changing(
                "conversations",
                "/api/v1/conversations",
                "/last_status/id",
                number -> users.publish(star, form),
                (number, id) -> users.take(star, id),
                person -> users.publish(person, form));
    }

    private static Changing toTheOriginal(String name, String path, String action) {
        return new Changing(
                name,
                path,
                "/id",
                number -> {
                    users.done(people.get(number), "/api/v1/statuses/" + original + "/" + action);
                    return people.get(number).id();
                },
                (number, id) -> users.done(people.get(number), "/api/v1/statuses/" + original + "/un" + action),
                person -> users.done(person, "/api/v1/statuses/" + original + "/" + action));
    }

    private static Changing scheduled() {
        String path = "/api/v1/scheduled_statuses";
        return new Changing(
                "scheduled",
                path,
                "/id",
                number -> users.publish(ann, "status=later&scheduled_at=" + (2100 + number) + "-01-01"),
                (number, id) -> users.ended(ann, path + "/" + id));
    }

    /** Statuses that Ann has marked. */
    private static Changing marked(String name, String path, String action) {
        List<String> statuses = people.stream()
                .map(person -> users.publish(person, "status=to be marked&visibility=unlisted"))
                .toList();
        return new Changing(
                name,
                path,
                "/id",
                number -> {
                    users.done(ann, "/api/v1/statuses/" + statuses.get(number) + "/" + action);
                    return statuses.get(number);
                },
                (number, id) -> users.done(ann, "/api/v1/statuses/" + id + "/un" + action));
    }

    /** Statuses of the star, whom Ann follows. */
    private static Changing written(String name, String path, String form) {
        return new Changing(
                name,
                path,
                "/id",
                number -> users.publish(star, form),
                (number, id) -> users.take(star, id),
                person -> users.publish(person, form));
    }

    private static Changing articles() {
        return new Changing(
                "articles by time",
                "/api/v1/articles?order=time",
                "/id",
                number -> users.article(star, "title=seven"),
                (number, id) -> users.take(star, id),
                person -> users.article(person, "title=seven"));
    }

    private static Changing articlesOfAGroup() {
        return new Changing(
                "articles of a group by time",
                "/api/v1/groups/walk/articles?order=time",
                "/id",
                number -> users.article(star, "title=eight&groups[]=walk"),
                (number, id) -> users.takeOut(star, id, "walk"),
                person -> users.article(person, "title=eight&groups[]=walk"));
    }

    /** The voters of an article; votes are permanent. */
    private static Changing voters() {
        String article = users.article(star, "title=nine");
        String vote = "/api/v1/articles/" + article + "/vote";
        return new Changing(
                "voters",
                "/api/v1/articles/" + article + "/voters",
                "/id",
                number -> {
                    users.done(people.get(number), vote);
                    return people.get(number).id();
                },
                Removal.NEVER,
                person -> users.done(person, vote));
    }

    /** The comments of the star under statuses. */
    private static Changing commentsOfTheStar() {
        return new Changing(
                "comments of an account",
                "/api/v1/accounts/" + star.id() + "/comments",
                "/id",
                number -> users.comment(star, original, "text=six"),
                (number, id) -> users.take(star, id));
    }

    /** The star's own statuses, among them what the star passes on of others. */
    private static Changing ofTheStar() {
        String path = "/api/v1/accounts/" + star.id() + "/statuses";
        return new Changing(
                "account",
                path,
                "/id",
                number -> users.publish(star, "status=one"),
                (number, id) -> users.take(star, id),
                person -> users.done(
                        star, "/api/v1/statuses/" + users.publish(person, "status=to be passed on") + "/reblog"));
    }

    /** Notifications of Ann: somebody mentions her. */
    private static Changing notifications() {
        return new Changing(
                "notifications",
                "/api/v1/notifications?types[]=mention",
                "/status/id",
                LinkWalkTest::mention,
                (number, id) -> users.take(people.get(number), id),
                person -> users.publish(person, "status=@ann listen"));
    }

    /** Groups of Ann's notifications: one for each status of hers that the star likes. */
    private static Changing notificationGroups() {
        List<String> statuses = people.stream()
                .map(person -> users.publish(ann, "status=to be liked&visibility=unlisted"))
                .toList();
        return new Changing(
                "groups of notifications",
                "/api/v2/notifications?types[]=favourite",
                "/status_id",
                number -> {
                    users.done(star, "/api/v1/statuses/" + statuses.get(number) + "/favourite");
                    return statuses.get(number);
                },
                (number, id) -> users.done(star, "/api/v1/statuses/" + id + "/unfavourite"),
                person -> users.done(person, "/api/v1/statuses/" + statuses.get(0) + "/favourite"));
    }

    /** People who like a status of Ann's, by the group of its likes. */
    private static Changing tellersOfAGroup() {
        String id = users.publish(ann, "status=to be liked by all&visibility=unlisted");
        String status = "/api/v1/statuses/" + id;
        users.done(star, status + "/favourite");
        String groups = "/api/v2/notifications?types[]=favourite&limit=1&account_id=" + star.id();
        String group = server.send("GET", groups, ann.token(), null)
                .json()
                .at("/notification_groups/0/group_key")
                .asText();
        users.done(star, status + "/unfavourite");
        long endMillis = (Id.epochMillis(Id.parse(id)) / HALF_DAY + 1) * HALF_DAY;
        return new Changing(
                "accounts of a group of notifications",
                "/api/v2/notifications/" + group + "/accounts",
                "/id",
                number -> {
                    assumeThat(System.currentTimeMillis())
                            .as("the group ends at noon or midnight, UTC")
                            .isLessThan(endMillis - 5 * BOUND.toMillis());
                    users.done(people.get(number), status + "/favourite");
                    return people.get(number).id();
                },
                (number, account) -> users.done(people.get(number), status + "/unfavourite"),
                person -> users.done(person, status + "/favourite"));
    }

    /** People whose likes are set aside, since they do not follow Ann. */
    private static Changing requests() {
        String status = "/api/v1/statuses/" + users.publish(ann, "status=to be liked by strangers&visibility=unlisted");
        return new Changing(
                "requests",
                "/api/v1/notifications/requests",
                "/id",
                number -> {
                    String policy = "/api/v2/notifications/policy";
                    assertThat(server.send("PATCH", policy, ann.token(), "for_not_followers=filter")
                                    .status())
                            .isEqualTo(200);
                    users.done(people.get(number), status + "/favourite");
                    return people.get(number).id();
                },
                (number, id) -> users.done(people.get(number), status + "/unfavourite"),
                person -> users.done(person, status + "/favourite"));
    }

    /** Notifications come in the order in which the jobs of their statuses are done, so one waits for the other. */
    private static String mention(int number) {
        String id = users.publish(people.get(number), "status=@ann hello");
        Awaitility.await("mention " + number)
                .atMost(BOUND)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> page(notifications(), notifications().path()).contains(id));
        return id;
    }
}
