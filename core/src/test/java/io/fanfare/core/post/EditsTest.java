package io.fanfare.core.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class EditsTest {
    /** The first version of a status without pictures. */
    private static final JsonObject HELLO = JsonObject.of("text", "hello", "pictures", "1");

    private static final Content SECOND = new Content(
            "zweitens @ann #b {\"\\ 🎺", "vorsicht", true, "de", List.of(new Mention(11, "ann")), List.of("b"), null);

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Edits edits;
    private long author;
    private int shard;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        edits = new Edits(f.link, f.settings);
        author = f.users(1)[0];
        shard = Id.shard(author);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @CanIgnoreReturnValue
    private Edits.Edited edit(long id, Content content) {
        return f.get(() -> edits.edit(author, id, content)).orElseThrow();
    }

    private Status find(long id) {
        return f.get(() -> f.stores.statuses().find(id)).orElseThrow();
    }

    private List<Status> versions(long id) {
        return f.get(() -> edits.versions(id));
    }

    @Test
    void anEditIsOneStepThatKeepsWhatWas() {
        long id = f.post(author);
        List<String> before = f.redis.keys();

        Edits.Edited edited = edit(id, SECOND);

        long edit = edited.status().post().edit();
        assertThat(edited.changed()).isTrue();
        assertThat(edit).isGreaterThan(id);
        assertThat(Id.shard(edit)).isEqualTo(shard);
        assertThat(f.hash(Keys.status(id)))
                .isEqualTo(Map.of(
                        "uid",
                        "" + author,
                        "text",
                        SECOND.text(),
                        "cw",
                        "vorsicht",
                        "sens",
                        "1",
                        "lang",
                        "de",
                        "mentions",
                        "11:ann",
                        "tags",
                        "b",
                        "edit",
                        "" + edit));
        assertThat(f.members(Keys.edits(id))).extracting(JsonObject::new).containsExactly(HELLO);
        assertThat(f.jobs(shard, "high")).last().isEqualTo("edit.1 " + author + " " + id + " " + edit + " 0");
        assertThat(f.hash(Keys.queueStats(shard))).containsEntry("enqueued", "2");
        List<String> expected = new ArrayList<>(before);
        expected.add(Keys.edits(id));
        assertThat(f.redis.keys()).containsExactlyInAnyOrderElementsOf(expected);
        String line = f.redis
                .askAt(Keys.lane(shard, "high"), "LINDEX", Keys.lane(shard, "high"), "0")
                .asString();
        assertThat(JobCodec.decode(line).job()).isEqualTo(new Job.Edit(author, id, edit, 0));
    }

    @Test
    void everyVersionComesBackAsItWas() {
        Content first = new Content(
                "first", "hm", true, "en", List.of(new Mention(12, "bob")), List.of("a"), new Place(1, 2, "here"));
        Post post = new Post(
                author,
                Visibility.PRIVATE,
                Post.Kind.COMMENT,
                first,
                new Reference(4, 5),
                new Reference(6, 7),
                null,
                "toot");
        Status posted = f.get(() -> f.stores.statuses().post(post, null)).status();
        long id = posted.id();
        Status second = edit(id, SECOND).status();
        Status third = edit(id, Content.of("")).status();

        assertThat(find(id)).isEqualTo(third);
        assertThat(third.post().content().place()).isEqualTo(first.place());
        assertThat(third.post().replyTo()).isEqualTo(post.replyTo());
        assertThat(versions(id)).containsExactly(posted, second, third);
        assertThat(second.post().content().text()).isEqualTo(SECOND.text());
        assertThat(second.post().content().mentions()).isEqualTo(SECOND.mentions());
    }

    @Test
    void anEditThatChangesNothingIsNone() {
        long id = f.post(author);
        Status second = edit(id, SECOND).status();
        String edit = "" + second.post().edit();
        Map<String, String> before = f.hash(Keys.status(id));

        Edits.Edited again = edit(id, SECOND);
        Edits.Edited withOtherNames =
                edit(id, new Content(SECOND.text(), "vorsicht", true, "de", List.of(), List.of("b"), null));

        assertThat(again.changed()).isFalse();
        assertThat(withOtherNames.changed()).as("names are found in the text").isFalse();
        assertThat(again.status()).isEqualTo(second);
        assertThat(f.hash(Keys.status(id))).isEqualTo(before).containsEntry("edit", edit);
        assertThat(versions(id)).hasSize(2);
        assertThat(f.jobs(shard, "high")).hasSize(2);
    }

    @Test
    void onlyTheAuthorOfAnExistingStatusCanEditIt() {
        long other =
                f.get(() -> f.stores.accounts().signUpAll(List.of("other"))).get(0);
        long theirs = f.post(other);
        long gone = f.post(author);
        f.delete(author, gone);

        for (long id : List.of(theirs, gone, Id.of(System.currentTimeMillis(), shard, 0))) {
            assertThat(f.get(() -> edits.edit(author, id, SECOND))).isEmpty();
        }
        assertThat(find(theirs).text()).isEqualTo("hello");
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("edits:"));
        assertThat(versions(gone)).isEmpty();
    }

    @Test
    void anInactiveAccountAndAFullLaneAreRefusedAndNothingChanges() {
        long id = f.post(author);
        f.redis.askAt(Keys.user(author), "HSET", Keys.user(author), "state", "pending");
        assertThatThrownBy(() -> edit(id, SECOND)).isInstanceOf(Refusal.class);
        f.redis.askAt(Keys.user(author), "HSET", Keys.user(author), "state", "active");
        while (f.jobs(shard, "high").size() < f.settings.queue().depthMax()) {
            f.redis.askAt(Keys.lane(shard, "high"), "LPUSH", Keys.lane(shard, "high"), "0 0 5 like.1 1 2 3");
        }
        assertThatThrownBy(() -> edit(id, SECOND)).isInstanceOf(Refusal.class).hasMessageContaining("Too many");
        assertThat(find(id).text()).isEqualTo("hello");
        assertThat(versions(id)).hasSize(1);
    }

    @Test
    void theFirstVersionAndTheNewestOnesAreKept() {
        long id = f.post(author);
        int last = Edits.VERSIONS_MAX + 20;
        for (int i = 1; i <= last; i++) {
            edit(id, Content.of("version " + i));
        }

        List<String> texts = versions(id).stream().map(Status::text).toList();
        List<String> expected = new ArrayList<>(List.of("hello"));
        IntStream.rangeClosed(last - Edits.VERSIONS_MAX + 1, last).forEach(i -> expected.add("version " + i));
        assertThat(texts).isEqualTo(expected);
    }

    @Test
    void longVersionsTakeNoMoreThanTheirBytes() {
        long id = f.post(author);
        String words = "w".repeat(Edits.BYTES_MAX / 5);
        for (int i = 0; i < 12; i++) {
            edit(id, Content.of(i + words));
        }

        List<String> former = f.members(Keys.edits(id));
        assertThat(former.stream().mapToInt(String::length).sum()).isBetween(Edits.BYTES_MAX / 2, Edits.BYTES_MAX);
        assertThat(new JsonObject(former.get(0))).isEqualTo(HELLO);
        assertThat(versions(id)).last().satisfies(newest -> assertThat(newest.text())
                .startsWith("11w"));
    }

    @Test
    void ofTwoEditsAtOnceEachBecomesAVersion() {
        long id = f.post(author);
        List<Future<Optional<Edits.Edited>>> both = new ArrayList<>();
        f.get(() -> {
            for (int i = 0; i < 20; i++) {
                both.add(edits.edit(author, id, Content.of("text " + i)));
            }
            return Future.all(both).<Void>mapEmpty();
        });

        List<Status> versions = versions(id);
        assertThat(versions).hasSize(21);
        assertThat(versions.stream().map(version -> version.post().edit()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(find(id)).isEqualTo(versions.get(20));
    }

    @Test
    void countersStayWhatTheyAre() {
        long id = f.post(author);
        List<Future<?>> all = new ArrayList<>();
        SubjectEdges likes = new SubjectEdges(f.link, f.settings);
        f.get(() -> {
            for (int i = 0; i < 20; i++) {
                all.add(likes.link(SubjectEdges.Kind.LIKE, id, author, 100 + i, 1000 + i, null));
                all.add(edits.edit(author, id, Content.of("text " + i)));
            }
            return Future.all(all).<Void>mapEmpty();
        });

        assertThat(find(id).counters().likes()).isEqualTo(20);
        assertThat(find(id).text()).isEqualTo("text 19");
    }

    @Test
    void aDeleteTakesTheVersionsWithItWhicheverComesFirst() {
        for (int i = 0; i < 10; i++) {
            long id = f.post(author);
            edit(id, SECOND);
            boolean editFirst = i % 2 == 0;
            f.get(() -> {
                Future<?> first = editFirst
                        ? edits.edit(author, id, Content.of("late"))
                        : f.stores.statuses().delete(author, id);
                Future<?> second =
                        editFirst ? f.stores.statuses().delete(author, id) : edits.edit(author, id, Content.of("late"));
                return Future.all(first, second).<Void>mapEmpty();
            });
            assertThat(f.redis.keys()).doesNotContain(Keys.edits(id));
            assertThat(f.hash(Keys.status(id))).containsKey("gone").doesNotContainKeys("text", "edit");
        }
    }

    /** Each event loop has its connection; the cache is that of the process. */
    @Test
    void anotherProcessRereadsACachedStatusAfterAnEdit() {
        long id = f.post(author);
        long untouched = f.post(author);
        RenderCache cache = RenderCache.of(1 << 20);
        Statuses remembering = new Statuses((Redis) f.link, f.settings, cache);
        Views views = new Views("https://social.example", cache, () -> CustomEmojis.NONE);
        show(views, remembering, id);
        show(views, remembering, untouched);
        assertThat(cache.post(id)).isNotNull();

        Status edited = edit(id, SECOND).status();

        assertThat(f.get(() -> remembering.find(id))).contains(edited);
        assertThat(f.get(() -> remembering.load(List.of(untouched, id))))
                .containsEntry(id, edited)
                .containsKey(untouched)
                .hasSize(2);
        assertThat(show(views, remembering, id)).contains("zweitens", "\"edited_at\":\"2");
        assertThat(cache.post(id).edit()).isEqualTo(edited.post().edit());
        f.delete(author, id);
        assertThat(f.get(() -> remembering.find(id))).isEmpty();
        assertThat(f.get(() -> remembering.load(List.of(untouched, id)))).containsOnlyKeys(untouched);
    }

    @CanIgnoreReturnValue
    private String show(Views views, Statuses statuses, long id) {
        Status status = f.get(() -> statuses.find(id)).orElseThrow();
        RenderContext context = RenderContext.of(f.account(author));
        return new String(Json.bytes(json -> views.statuses().write(json, status, context)), StandardCharsets.UTF_8);
    }
}
