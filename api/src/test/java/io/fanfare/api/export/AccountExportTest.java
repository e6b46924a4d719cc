package io.fanfare.api.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.account.Notes;
import io.fanfare.api.post.Bookmarks;
import io.fanfare.archive.JdbcArchive;
import io.fanfare.common.archive.Archive;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.UserList;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.model.Warning;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.Graph.Terms;
import io.fanfare.common.store.Uploads;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.held.Signal;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.media.MediaStore;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.secret.Secret;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The archive of an account that has done all that accounts do, against plain lists of what it did. */
@ParameterizedClass
@KindsOfRedis
class AccountExportTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** More than three pages, of which most are archived. */
    private static final int POSTS = 150;

    private static final int KEPT = 25;

    @Parameter
    TestRedis.Kind kind;

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private Archive archive;
    private StoreFixture f;
    private Settings settings;
    private LoopStores stores;
    private MediaStore media;
    private long ann;
    private long bob;

    /** Texts by id in the order of an export. */
    private final List<Status> listed = new ArrayList<>();

    private final List<Status> direct = new ArrayList<>();
    private final List<Status> comments = new ArrayList<>();
    private final Map<String, byte[]> pictures = new LinkedHashMap<>();

    @BeforeEach
    void open() {
        archive = JdbcArchive.of(
                vertx,
                SettingsLoader.defaultsWith("archive.timeout=60s")
                        .archive()
                        .at(new Secret("jdbc:sqlite:" + folder.resolve("archive.db"))),
                new SimpleMeterRegistry());
        f = StoreFixture.on(kind.redis());
        settings = StoreFixture.settings(
                "archive.profile-max=" + KEPT,
                "archive.thaw-for=0ms",
                "queue.depth-max=1000000",
                "http.public-url=https://social.example",
                "media.directory=" + folder.resolve("media"));
        stores = LoopStores.of(LoopStores.Parts.uncached(
                        f.link, settings, new Shards(settings.redis().shards()), InstantSource.system(), new Random(1))
                .with(archive));
        media = MediaStore.of(vertx, settings.media(), new Random(1), InstantSource.system());
        ann = signUp("ann");
        bob = signUp("bob");
    }

    @AfterEach
    void close() {
        f.close();
        TestRedis.await(archive.close());
        TestRedis.await(vertx.close());
    }

    private long signUp(String name) {
        return f.get(() -> stores.accounts().signUp(name, name + "@mail.example", "$argon2id$hash"))
                .id();
    }

    @CanIgnoreReturnValue
    private Status post(Post post) {
        Status posted = f.get(() -> stores.statuses().post(post, null)).status();
        if (post.authorId() == ann) {
            (post.kind().isListed() ? listed : post.kind() == Post.Kind.DIRECT ? direct : comments).add(posted);
        }
        return posted;
    }

    private static Post of(long author, Post.Kind kind, String text, Status to, Status original) {
        Visibility visibility = kind == Post.Kind.DIRECT ? Visibility.DIRECT : Visibility.PUBLIC;
        return new Post(
                author,
                visibility,
                kind,
                text.isEmpty() ? Content.NONE : Content.of(text),
                to == null ? null : Reference.to(to),
                null,
                original == null ? null : Reference.to(original),
                null);
    }

    private Attachment picture(int number) throws IOException {
        String name = String.format("%032x.png", number);
        byte[] bytes = new byte[number * 100_000];
        new Random(number).nextBytes(bytes);
        Path draft = Files.write(media.draft(), bytes);
        TestRedis.await(media.publish(draft, name));
        pictures.put(name, bytes);
        Attachment drawn = new Attachment(
                0, name, 4, 3, 4, 3, "LEHV6n", Attachment.Focus.CENTRE, "what \"it\" shows", /* clip= */ null);
        return f.get(() -> new Uploads(f.link).add(ann, drawn, bytes.length));
    }

    private void life() throws IOException {
        Status theirs = post(Post.of(bob, "by Bob"));
        post(Post.of(ann, Visibility.PUBLIC, Content.of("picture 1").with(List.of(picture(1)))));
        for (int i = 0; i < POSTS; i++) {
            post(Post.of(ann, "post " + i));
        }
        post(Post.of(ann, Visibility.PRIVATE, Content.of("for followers")));
        post(of(ann, Post.Kind.REPOST, "", null, theirs));
        post(of(ann, Post.Kind.POST, "look", null, theirs));
        post(of(ann, Post.Kind.POST, "an answer", theirs, null));
        long ends = System.currentTimeMillis() + 600_000;
        post(Post.of(
                ann, Visibility.PUBLIC, Content.of("which?").with(new Poll(List.of("a", "b"), ends, true, false))));
        post(Post.of(ann, Visibility.PUBLIC, Content.of("picture 2").with(List.of(picture(2), picture(7)))));
        for (int i = 0; i < 45; i++) {
            post(of(ann, Post.Kind.COMMENT, "comment " + i, theirs, null));
            post(of(ann, Post.Kind.DIRECT, "psst " + i, null, null).to(List.of(bob)));
        }
        post(of(bob, Post.Kind.DIRECT, "not Ann's", null, null).to(List.of(ann)));
        long edited = listed.get(3).id();
        f.get(() -> stores.edits().edit(ann, edited, Content.of("edited \u5e16")));
        Status gone = listed.remove(10);
        f.get(() -> stores.statuses().delete(ann, gone.id()));
        while (f.get(() -> new ArchivePass(f.link, settings, archive).run(Id.shard(ann)))) {
            // Goes on.
        }
        assertThat(f.members(Keys.profile(ann))).hasSize(KEPT);

        f.get(() -> stores.follows().follow(ann, bob, new Terms(true, true, List.of("en", "zh"))));
        f.get(() -> stores.follows().follow(bob, ann));
        f.get(() -> stores.blocks().block(ann, signUpLater("cat")));
        f.get(() -> stores.blocks().mute(ann, signUpLater("dan"), true));
        UserLists lists = new UserLists(f.link, settings);
        UserList list = f.get(() -> lists.create(ann, "friends, \"close\"", UserList.Replies.LIST, true));
        f.get(() -> lists.add(ann, list.id(), List.of(bob)));
        f.get(() -> stores.favourites().like(ann, Reference.to(theirs)));
        f.get(() -> new Bookmarks(f.link, settings, stores.statuses(), stores.viewerRelationships())
                .add(ann, listed.get(0).id()));
        f.get(() -> new Notes(f.link).set(ann, bob, "met in 2019"));
        Warnings warnings = stores.notifications().warnings();
        long warning = f.get(() -> warnings.add(ann, Warning.Action.NONE, "be kind", List.of()));
        f.get(() -> warnings.appeal(ann, warning, "I am"));
        f.get(() -> new FollowedTags(f.link, settings).follow(ann, "java"));
        ScheduledStatus later = ScheduledStatus.of(System.currentTimeMillis() + 600_000, "later");
        f.get(() -> new ScheduledStatuses(f.link).schedule(ann, later, null));
        f.get(() -> new HeldStatuses(stores).hold(ann, ScheduledStatus.of(0, "waits"), Signal.LINKS, "digest"));
        f.redis.askAt(Keys.tokens(ann), "HSET", Keys.tokens(ann), "tokenid", "1700000000000 client read write");
    }

    private final Map<String, Long> others = new LinkedHashMap<>();

    /** Called on the event loop, where nothing may wait. */
    private long signUpLater(String name) {
        return others.get(name);
    }

    private Map<String, byte[]> unpack(byte[] zip) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                assertThat(files.put(entry.getName(), in.readAllBytes())).isNull();
            }
        }
        return files;
    }

    private ChunkSource begin() {
        return begin(AccountExport.Reader.OPERATOR);
    }

    private ChunkSource begin(AccountExport.Reader reader) {
        return f.get(() -> new AccountExport(Vertx.currentContext().owner(), stores, media).of(ann, reader));
    }

    /** Runs something before each piece. */
    private byte[] read(ChunkSource pieces, Runnable meanwhile) {
        Buffer whole = Buffer.buffer();
        for (Buffer piece = f.get(pieces::next); piece != null; piece = f.get(pieces::next)) {
            assertThat(piece.length()).as("what is held at once").isLessThan(1 << 20);
            Buffer unused = whole.appendBuffer(piece);
            meanwhile.run();
        }
        pieces.close();
        return whole.getBytes();
    }

    private static String text(Map<String, byte[]> files, String name) {
        assertThat(files).containsKey(name);
        return new String(files.get(name), StandardCharsets.UTF_8);
    }

    private static JsonNode json(Map<String, byte[]> files, String name) throws IOException {
        return JSON.readTree(text(files, name));
    }

    private static List<JsonNode> lines(Map<String, byte[]> files) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : text(files, "statuses.jsonl").lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    private static List<String> strings(JsonNode array) {
        List<String> strings = new ArrayList<>();
        array.forEach(each -> strings.add(each.asText()));
        return strings;
    }

    /** The order of the export. */
    private List<Status> model() {
        List<Status> model = new ArrayList<>(listed);
        Collections.reverse(model);
        List<Status> newestFirst = new ArrayList<>(direct);
        Collections.reverse(newestFirst);
        model.addAll(newestFirst);
        model.addAll(comments);
        return model;
    }

    private static List<String> ids(List<Status> statuses) {
        return statuses.stream().map(status -> Long.toString(status.id())).toList();
    }

    @Test
    void theArchiveHasAllThatTheAccountHasDoneAndNoSecrets() throws IOException {
        others.put("cat", signUp("cat"));
        others.put("dan", signUp("dan"));
        life();
        f.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "role", "moderator", "sensitized", "1795251986123");
        Map<String, byte[]> files = unpack(read(begin(), () -> {}));

        List<JsonNode> lines = lines(files);
        assertThat(lines.stream().map(line -> line.path("id").asText())).isEqualTo(ids(model()));
        for (int i = 0; i < lines.size(); i++) {
            boolean edited = model().get(i).id() == listed.get(3).id();
            assertThat(lines.get(i).path("text").asText())
                    .isEqualTo(edited ? "edited \u5e16" : model().get(i).text());
            assertThat(lines.get(i).path("versions").size()).isEqualTo(edited ? 2 : 0);
        }
        JsonNode outbox = json(files, "outbox.json");
        assertThat(outbox.path("totalItems").asInt()).isEqualTo(lines.size());
        assertThat(outbox.path("orderedItems")).hasSize(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            JsonNode activity = outbox.path("orderedItems").path(i);
            assertThat(activity.path("id").asText())
                    .isEqualTo(lines.get(i).path("uri").asText() + "/activity");
            boolean repost = model().get(i).kind() == Post.Kind.REPOST;
            assertThat(activity.path("type").asText()).isEqualTo(repost ? "Announce" : "Create");
        }

        String host = "@social.example";
        assertThat(text(files, "following_accounts.csv"))
                .isEqualTo("Account address,Show boosts,Notify on new posts,Languages\nbob" + host
                        + ",true,true,\"en, zh\"\n");
        assertThat(text(files, "followers.csv")).isEqualTo("bob" + host + "\n");
        assertThat(text(files, "blocked_accounts.csv")).isEqualTo("cat" + host + "\n");
        assertThat(text(files, "muted_accounts.csv")).contains("dan" + host + ",true\n");
        assertThat(text(files, "lists.csv")).isEqualTo("\"friends, \"\"close\"\"\",bob" + host + "\n");
        String bookmark =
                "https://social.example/users/ann/statuses/" + listed.get(0).id();
        assertThat(text(files, "bookmarks.csv")).isEqualTo(bookmark + "\n");
        assertThat(strings(json(files, "bookmarks.json").path("orderedItems"))).containsExactly(bookmark);
        assertThat(json(files, "likes.json").path("totalItems").asInt()).isEqualTo(1);
        assertThat(json(files, "actor.json").path("preferredUsername").asText()).isEqualTo("ann");
        assertThat(json(files, "account.json").path("email").asText()).isEqualTo("ann@mail.example");
        assertThat(json(files, "account.json").path("role").asText()).isEqualTo("moderator");
        assertThat(json(files, "account.json").path("sensitized").asBoolean()).isTrue();
        assertThat(json(files, "account.json").path("limited").asBoolean(true)).isFalse();
        assertThat(strings(json(files, "tags.json").path("followed"))).containsExactly("java");
        assertThat(json(files, "notes.json").path(0).path("note").asText()).isEqualTo("met in 2019");
        assertThat(json(files, "warnings.json").path(0).path("text").asText()).isEqualTo("be kind");
        assertThat(json(files, "warnings.json").at("/0/appeal/text").asText()).isEqualTo("I am");
        assertThat(json(files, "scheduled.json").path(0).path("text").asText()).isEqualTo("later");
        assertThat(json(files, "held.json").path(0).path("text").asText()).isEqualTo("waits");
        assertThat(json(files, "held.json").path(0).path("signal").asText()).isEqualTo("links");
        assertThat(json(files, "lists.json").path(0).path("exclusive").asBoolean())
                .isTrue();
        assertThat(json(files, "sessions.json").path(0).path("scopes").asText()).isEqualTo("read write");
        assertThat(json(files, "filters.json")).isEmpty();
        pictures.forEach((name, bytes) -> assertThat(files).containsEntry("media_attachments/" + name, bytes));

        files.forEach((name, bytes) -> assertThat(new String(bytes, StandardCharsets.UTF_8))
                .as(name)
                .doesNotContain("argon2id", "tokenid", "not Ann's"));
    }

    @Test
    void eachStatusIsInItOnceWhateverIsPostedDeletedAndArchivedMeanwhile() throws IOException {
        others.put("cat", signUp("cat"));
        others.put("dan", signUp("dan"));
        life();
        List<String> before = ids(model());
        List<String> deleted = new ArrayList<>();
        List<String> later = new ArrayList<>();
        Random random = new Random(7);
        byte[] zip = read(begin(), () -> {
            for (int i = 0; i < 3; i++) {
                later.add(Long.toString(f.get(() -> stores.statuses().post(Post.of(ann, "later"), null))
                        .status()
                        .id()));
            }
            if (listed.size() > 20) {
                Status gone = listed.remove(random.nextInt(listed.size()));
                f.get(() -> stores.statuses().delete(ann, gone.id()));
                deleted.add(Long.toString(gone.id()));
            }
            f.get(() -> new ArchivePass(f.link, settings, archive).run(Id.shard(ann)));
        });
        List<String> found = lines(unpack(zip)).stream()
                .map(line -> line.path("id").asText())
                .toList();
        assertThat(later).hasSizeGreaterThan(50);
        assertThat(deleted).hasSizeGreaterThan(20);
        assertThat(found).doesNotHaveDuplicates().isSubsetOf(before);
        List<String> mustBeThere = new ArrayList<>(before);
        mustBeThere.removeAll(deleted);
        assertThat(found).containsAll(mustBeThere);
    }

    @Test
    void aSuspendedAccountIsExportedAndADeletedOneIsNot() throws IOException {
        post(Post.of(ann, "hello"));
        f.get(() -> new AccountAccess(f.link).suspend(ann));
        Map<String, byte[]> files = unpack(read(begin(), () -> {}));
        assertThat(lines(files)).hasSize(1);
        assertThat(json(files, "outbox.json").path("totalItems").asInt()).isEqualTo(1);
        f.get(() -> new AccountAccess(f.link).delete(ann));
        assertThatThrownBy(this::begin)
                .satisfies(refused -> assertThat(Refusal.isFor(Refusal.Reason.NOT_FOUND, refused))
                        .isTrue());
    }

    @Test
    void anExportByTokenContainsNeitherTheAddressNorTheOtherSessions() throws IOException {
        f.redis.askAt(Keys.tokens(ann), "HSET", Keys.tokens(ann), "tokenid", "1700000000000 client read write");
        Map<String, byte[]> files = unpack(read(begin(AccountExport.Reader.TOKEN), () -> {}));
        assertThat(files).containsKey("account.json").doesNotContainKey("sessions.json");
        files.forEach((name, bytes) -> assertThat(new String(bytes, StandardCharsets.UTF_8))
                .as(name)
                .doesNotContain("@mail.example", "read write"));
    }

    @Test
    void picturesThatAreGoneAreLeftOut() throws IOException {
        post(Post.of(ann, Visibility.PUBLIC, Content.of("x").with(List.of(picture(1), picture(3)))));
        TestRedis.await(media.delete(pictures.keySet().iterator().next()));
        assertThat(unpack(read(begin(), () -> {})).keySet())
                .filteredOn(name -> name.startsWith(Activities.MEDIA))
                .hasSize(1);
    }

    @Test
    void aPictureThatTwoPostsHaveIsInItOnce() throws IOException {
        Attachment first = picture(1);
        Attachment drawn = new Attachment(
                0, first.name(), 4, 3, 4, 3, "LEHV6n", Attachment.Focus.CENTRE, "the same file", /* clip= */ null);
        Attachment again = f.get(() -> new Uploads(f.link).add(ann, drawn, 1));
        post(Post.of(ann, Visibility.PUBLIC, Content.of("x").with(List.of(first))));
        post(Post.of(ann, Visibility.PUBLIC, Content.of("y").with(List.of(again))));
        Map<String, byte[]> files = unpack(read(begin(), () -> {}));
        assertThat(lines(files)).hasSize(2);
        pictures.forEach((name, bytes) -> assertThat(files).containsEntry(Activities.MEDIA + name, bytes));
    }

    @Test
    void manyEditedStatusesAreInItWithTheirVersions() throws IOException {
        for (int i = 0; i < 45; i++) {
            long id = post(Post.of(ann, "post " + i)).id();
            if (i % 3 != 0) {
                f.get(() -> stores.edits().edit(ann, id, Content.of("edited")));
            }
        }
        List<JsonNode> lines = lines(unpack(read(begin(), () -> {})));
        assertThat(lines.stream().map(line -> line.path("id").asText())).isEqualTo(ids(model()));
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i).path("versions").size()).isEqualTo((44 - i) % 3 == 0 ? 0 : 2);
        }
    }

    @Test
    void aWalkThatStaysEmptyForLongIsNoDeepChain() {
        int[] steps = {0};
        ChunkSource pieces = ChunkSource.walk(0, at -> {
            steps[0]++;
            return Future.succeededFuture(new ChunkSource.Step<>(Buffer.buffer(), at == 100_000 ? null : at + 1));
        });
        while (TestRedis.await(pieces.next()) != null) {
            // Goes on.
        }
        assertThat(steps[0]).isEqualTo(100_001);
    }
}
