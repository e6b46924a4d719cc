package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fanfare.api.ApiServer.User;
import io.fanfare.api.search.SearchIndex;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class StatusSearchTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> WORDS = List.of("apple", "river", "train", "caf\u00e9", "\u732b");

    @Parameter
    TestRedis.Kind kind;

    @TempDir
    Path folder;

    private ApiServer api;
    private int sentinels;

    @BeforeEach
    void start() {
        kind.redis().flush();
        api = server(folder);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private ApiServer server(Path directory) {
        return new ApiServer(kind.redis(), "search.directory=" + directory, "search.poll=20ms");
    }

    @Test
    void wordsPhrasesAndConditionsFindWhatTheySay() {
        User ann = api.signUp("ann");
        User bob = api.signUp("bob");
        String late = api.publish(ann, "The Trains were LATE again #rail https://example.org/x");
        String early = api.publish(ann, "the trains were not early");
        String chinese = post(ann, "status", "\u4eca\u5929\u706b\u8f66\u665a\u70b9\u4e86", "language", "zh");
        String reply = post(bob, "status", "@ann late trains", "in_reply_to_id", late);
        settle(ann);

        assertThat(found(bob, "trains")).containsExactly(reply, early, late);
        assertThat(found(bob, "TRAINS late")).containsExactly(reply, late);
        assertThat(found(bob, "\"late trains\"")).containsExactly(reply);
        assertThat(found(bob, "trains -late")).containsExactly(early);
        assertThat(found(bob, "trains from:ann")).containsExactly(early, late);
        assertThat(found(bob, "trains from:me")).containsExactly(reply);
        assertThat(found(bob, "trains -from:@ann")).containsExactly(reply);
        assertThat(found(bob, "from:nobody")).isEmpty();
        assertThat(found(bob, "\u706b\u8f66")).containsExactly(chinese);
        assertThat(found(bob, "language:zh")).containsExactly(chinese);
        assertThat(found(bob, "#rail")).containsExactly(late);
        assertThat(found(bob, "has:link")).containsExactly(late);
        assertThat(found(bob, "is:reply")).containsExactly(reply);
        assertThat(found(ann, "trains in:library")).containsExactly(reply, early, late);
        assertThat(found(bob, "trains in:library")).containsExactly(reply);
        assertThat(found(bob, "trains before:2024-06-01")).isEmpty();
        assertThat(found(bob, "trains after:2024-06-01")).hasSize(3);
        assertThat(ids(search(bob, "trains", "&limit=1&offset=1"))).containsExactly(early);
        assertThat(ids(search(bob, "trains", "&max_id=" + early))).containsExactly(late);
        assertThat(ids(search(bob, "trains", "&min_id=" + early))).containsExactly(reply);
        assertThat(ids(search(bob, "trains", "&account_id=" + bob.id()))).containsExactly(reply);
        assertThat(ids(api.get("/api/v2/search?q=trains", bob.token()))).containsExactly(reply, early, late);
        assertThat(ids(api.get("/api/v2/search?type=statuses&q=trains", null))).isEmpty();
        assertThat(search(bob, "wild*", "").status()).isEqualTo(422);
        assertThat(api.get("/api/v2/search?q=wild*", bob.token()).status()).isEqualTo(200);
    }

    @Test
    void anAuthorWhoOptsOutIsFoundByMentionedUsersOnly() {
        User ann = api.signUp("ann");
        User bob = api.signUp("bob");
        assertThat(api.patchJson("/api/v1/accounts/update_credentials", ann.token(), "{\"indexable\":false}")
                        .status())
                .isEqualTo(200);
        String own = api.publish(ann, "apple alone");
        String named = api.publish(ann, "apple for @bob");
        settle(ann);

        assertThat(found(ann, "apple")).containsExactly(named, own);
        assertThat(found(bob, "apple")).containsExactly(named);
    }

    /** Most of what is waited for holds already: it is looked at before the first pause. */
    private static ConditionFactory eventually() {
        return await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE);
    }

    private record Written(String id, String author, String text, String visibility, Set<String> named) {}

    @Test
    void searchResultsMatchASimpleModel() {
        long seed = new Random().nextLong();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        List<User> users = new ArrayList<>();
        for (String name : List.of("ann", "bob", "eve", "joe")) {
            users.add(api.signUp(name));
        }
        Map<String, Written> written = new HashMap<>();
        Set<String> hides = new HashSet<>();
        Set<String> blocks = new HashSet<>();
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 25; i++) {
                step(random, users, written, hides, blocks);
            }
            settle(users.get(0));
            for (User viewer : users) {
                for (String term : WORDS) {
                    List<String> model = model(viewer, term, written.values(), hides, blocks);
                    // The event of an edit may come a moment after the answer.
                    eventually().untilAsserted(() -> assertThat(found(viewer, term))
                            .as("seed=%d viewer=%s word=%s", seed, viewer.name(), term)
                            .isEqualTo(model));
                }
            }
        }
    }

    private void step(
            Random random, List<User> users, Map<String, Written> written, Set<String> hides, Set<String> blocks) {
        User user = users.get(random.nextInt(users.size()));
        User other = users.get(random.nextInt(users.size()));
        List<Written> own = written.values().stream()
                .filter(w -> w.author().equals(user.id()))
                .toList();
        int choice = random.nextInt(10);
        if (choice < 6 || own.isEmpty()) {
            String visibility =
                    List.of("public", "public", "unlisted", "private", "direct").get(random.nextInt(5));
            boolean names = random.nextBoolean() && !other.equals(user);
            String text = text(random) + (names ? " @" + other.name() : "");
            String id = post(user, "status", text, "visibility", visibility);
            // Names of accounts that block the author, or are blocked, are names all the same.
            put(written, new Written(id, user.id(), text, visibility, names ? Set.of(other.id()) : Set.of()));
        } else if (choice == 6) {
            Written gone = own.get(random.nextInt(own.size()));
            assertThat(api.delete("/api/v1/statuses/" + gone.id(), user.token()).status())
                    .isEqualTo(200);
            Written unused = written.remove(gone.id());
        } else if (choice == 7) {
            Written before = own.get(random.nextInt(own.size()));
            if (!before.visibility().equals("direct")) {
                String text = text(random);
                assertThat(api.send(
                                        "PUT",
                                        "/api/v1/statuses/" + before.id(),
                                        user.token(),
                                        "application/json",
                                        "{\"status\":\"" + text + "\"}")
                                .status())
                        .isEqualTo(200);
                put(written, new Written(before.id(), before.author(), text, before.visibility(), Set.of()));
            }
        } else if (!other.equals(user)) {
            boolean block = choice == 8;
            Set<String> pairs = block ? blocks : hides;
            String pair = user.id() + " " + other.id();
            boolean undo = pairs.contains(pair);
            String verb = (undo ? "un" : "") + (block ? "block" : "mute");
            assertThat(api.post("/api/v1/accounts/" + other.id() + "/" + verb, user.token())
                            .status())
                    .isEqualTo(200);
            boolean unused = undo ? pairs.remove(pair) : pairs.add(pair);
        }
    }

    private static void put(Map<String, Written> written, Written status) {
        Written unused = written.put(status.id(), status);
    }

    private static String text(Random random) {
        List<String> words = new ArrayList<>(WORDS);
        Collections.shuffle(words, random);
        return String.join(" ", words.subList(0, 1 + random.nextInt(3)));
    }

    private static List<String> model(
            User viewer, String term, Iterable<Written> all, Set<String> hides, Set<String> blocks) {
        List<String> ids = new ArrayList<>();
        for (Written status : all) {
            String author = status.author();
            boolean own = author.equals(viewer.id());
            boolean seen = own || status.visibility().equals("public") || namedAndMaySee(status, viewer);
            boolean hidden = blocks.contains(viewer.id() + " " + author)
                    || blocks.contains(author + " " + viewer.id())
                    || hides.contains(viewer.id() + " " + author);
            boolean has = List.of(status.text().split(" ", -1)).contains(term);
            if (!status.visibility().equals("direct") && seen && !hidden && has) {
                ids.add(status.id());
            }
        }
        ids.sort((a, b) -> Long.compare(Long.parseLong(b), Long.parseLong(a)));
        return ids.subList(0, Math.min(ids.size(), 40));
    }

    /** Nobody follows anybody: who is named in what is for followers does not see it. */
    private static boolean namedAndMaySee(Written status, User viewer) {
        return status.named().contains(viewer.id()) && status.visibility().equals("unlisted");
    }

    @Test
    void anIndexResumesAtItsPositionAndIsRebuiltIfTheLogDoesNotReachBack() throws IOException {
        User ann = api.signUp("ann");
        String before = api.publish(ann, "apple before");
        settle(ann);
        Path crashed = folder.resolve("crashed");
        copy(folder.resolve("1"), crashed.resolve("1"));
        api.stopSearchFeed();
        String after = api.publish(ann, "apple after");
        awaitAppended(after);
        api.close();

        // As it was when it was stopped.
        api = server(folder);
        awaitFound(ann, "apple", after, before);
        api.close();

        // As a process that is killed leaves it.
        api = server(crashed);
        awaitFound(ann, "apple", after, before);
        api.stopSearchFeed();
        String last = api.publish(ann, "apple last");
        api.close();

        // The log has begun anew.
        assertThat(kind.redis().askAt(Keys.BUS_EPOCH, "DEL", Keys.BUS_EPOCH).asLong())
                .isEqualTo(1);
        api = server(crashed);
        awaitFound(ann, "apple", last, after, before);

        // And the operator asks.
        Path marker = crashed.resolve("1").resolve(SearchIndex.REBUILD);
        Files.write(marker, new byte[0]);
        eventually().until(() -> !Files.exists(marker));
        awaitFound(ann, "apple", last, after, before);
    }

    @Test
    void anIndexThatCouldNotBeWrittenIsFedAgain() throws IOException {
        User ann = api.signUp("ann");
        String before = api.publish(ann, "apple before");
        awaitFound(ann, "apple", before);
        // Lucene writes nothing without it, as if the disk were full.
        Files.delete(folder.resolve("1").resolve("write.lock"));
        String after = api.publish(ann, "apple after");

        awaitFound(ann, "apple", after, before);
        assertThat(folder.resolve("2")).doesNotExist();
    }

    @Test
    void aStatusPublishedDuringAnIndexBuildIsFound() throws IOException {
        List<User> users = List.of(api.signUp("ann"), api.signUp("bob"), api.signUp("eve"));
        List<String> published = new ArrayList<>();
        awaitFound(users.get(0), "apple");
        for (int i = 0; i < 36; i++) {
            if (i % 12 == 6) {
                Files.write(folder.resolve("1").resolve(SearchIndex.REBUILD), new byte[0]);
            }
            published.add(0, api.publish(users.get(i % 3), "apple"));
            Milliseconds.awaitNext();
        }
        awaitFound(users.get(0), "apple", published.toArray(String[]::new));
    }

    private void copy(Path from, Path to) throws IOException {
        eventually().until(() -> {
            try (Stream<Path> files = Files.list(from)) {
                Files.createDirectories(to);
                for (Path file : files.toList()) {
                    Files.write(to.resolve(file.getFileName()), Files.readAllBytes(file));
                }
                return true;
            } catch (NoSuchFileException e) {
                return false;
            }
        });
    }

    private String post(User author, String... form) {
        ApiServer.Response answer = api.post("/api/v1/statuses", author.token(), form);
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
        return answer.text("/id");
    }

    /** Everything that was done before is in the index. */
    private void settle(User author) {
        String term = "sentinel" + sentinels++;
        String id = api.publish(author, term);
        awaitFound(author, term, id);
        assertThat(api.delete("/api/v1/statuses/" + id, author.token()).status())
                .isEqualTo(200);
    }

    private void awaitFound(User viewer, String query, String... ids) {
        eventually().untilAsserted(() -> assertThat(found(viewer, query)).containsExactly(ids));
    }

    /**
     * Its event comes into the log after the answer; a server that ends before leaves it to workers, and none is here.
     */
    private void awaitAppended(String status) {
        long hour = Id.epochMillis(Long.parseLong(status)) / Duration.ofHours(1).toMillis();
        String subjects = Keys.busSubjects(hour);
        eventually()
                .until(() -> kind.redis()
                                .askAt(subjects, "HEXISTS", subjects, status)
                                .asLong()
                        == 1);
    }

    private List<String> found(User viewer, String query) {
        return ids(search(viewer, query, "&limit=40"));
    }

    private ApiServer.Response search(User viewer, String query, String more) {
        String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
        return api.get("/api/v2/search?type=statuses&q=" + encoded + more, viewer.token());
    }

    private static List<String> ids(ApiServer.Response answer) {
        assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
        List<String> ids = new ArrayList<>();
        answer.json()
                .path("statuses")
                .forEach(status -> ids.add(status.path("id").asText()));
        return ids;
    }
}
