package io.fanfare.core.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Post.Kind;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.text.TextEntities;
import io.fanfare.core.feed.PublicTimelines.Tags;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class PublicTimelinesTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private PublicTimelines timelines;
    private Instant now = Instant.now();
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        timelines = new PublicTimelines(
                f.link,
                f.stores.statuses(),
                new ViewerRelationshipsReader(f.link, InstantSource.system()),
                f.settings.feeds(),
                () -> now);
        long[] users = f.users(2);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void onlyPublicPostsOwnThreadsAndQuotesAreListed() {
        Status open = post(Post.of(ann, "open"));
        Status thread = post(reply(ann, open, Kind.POST));
        Reference original = Reference.to(open);
        Status quote = post(new Post(bob, Visibility.PUBLIC, Kind.POST, Content.of("see"), null, null, original, null));
        post(new Post(bob, Visibility.PUBLIC, Kind.REPOST, Content.NONE, null, null, original, null));
        post(reply(bob, open, Kind.POST));
        post(reply(bob, open, Kind.COMMENT));
        post(Post.of(ann, Visibility.UNLISTED, Content.of("x")));
        post(Post.of(ann, Visibility.PRIVATE, Content.of("x")));

        assertThat(f.members(Keys.PUBLIC)).containsExactlyInAnyOrder(text(open), text(thread), text(quote));
        assertThat(ids(all(0, PageRequest.newest(20)))).containsExactlyInAnyOrder(open.id(), thread.id(), quote.id());
    }

    @Test
    void aTagsListHoldsItsStatusesAndGoesWhenNobodyUsesIt() {
        Status one = post(tagged(ann, "go", "编程"));
        Status two = post(tagged(bob, "编程"));
        post(Post.of(ann, "none"));

        assertThat(ids(tagged(of("编程")))).containsExactlyElementsOf(newestFirst(one.id(), two.id()));
        assertThat(ids(tagged(of("go")))).containsExactly(one.id());
        assertThat(ids(tagged(of("other")))).isEmpty();
        List<String> keys =
                f.redis.keys().stream().filter(key -> key.startsWith("tag:")).toList();
        assertThat(keys).hasSize(2).allMatch(key -> key.matches("tag:[0-9a-f]{32}"));
        for (String key : keys) {
            assertThat(f.number(key, "TTL", key)).isBetween(89 * 86_400L, 90 * 86_400L);
        }
    }

    /** How somebody begins a tag in ten scripts and more, and the tag as another one has written it. */
    private static final List<List<String>> BEGINNINGS = List.of(
            List.of("#hash", "hashtag_x"),
            List.of("Caf", "CAFÉTÉRIA"),
            List.of("#ελλ", "Ελλάδα"),
            List.of("МОС", "москва"),
            List.of("#ist", "İstanbul"),
            List.of("İSTAN", "istanbul_cafe"),
            List.of("צה", "צה״ל"),
            List.of("مح", "محمد"),
            List.of("می\u200c", "می\u200cروم"),
            List.of("हिन्", "हिन्दी"),
            List.of("ภาษา", "ภาษาไทย"),
            List.of("မြန်", "မြန်မာ"),
            List.of("ភាសា", "ភាសាខ្មែរ"),
            List.of("서울", "서울여행"),
            List.of("トロ", "トロピカル～ジュ"),
            List.of("原神", "原神攻略"),
            List.of("＃ＷＩＤＥ", "wide_letters"),
            List.of("20", "2026vision"));

    @Test
    void aTagIsOfferedByHowItBeginsInEveryScriptAndSpelling() {
        for (List<String> pair : BEGINNINGS) {
            post(tagged(ann, TextEntities.tag(pair.get(1))));
        }
        for (List<String> pair : BEGINNINGS) {
            assertThat(offered(pair.get(0))).as(pair.toString()).contains(TextEntities.tag(pair.get(1)));
        }
        assertThat(offered("#hush")).isEmpty();
        assertThat(offered("ashtag")).isEmpty();
        for (String none : List.of("two words", "#", "a-b", "a.", "")) {
            assertThat(TextEntities.tagPrefix(none)).as(none).isNull();
        }
    }

    @Test
    void theWholeNameIsOfferedFirstAndThenWhatMostAccountsUse() {
        post(tagged(ann, "go"));
        post(tagged(ann, "gopher"));
        post(tagged(ann, "golang"));
        post(tagged(bob, "golang"));
        post(tagged(ann, "gone"));
        Status last = post(tagged(bob, "gone"));
        Status hidden = unlisted(Post.of(
                ann, Visibility.PRIVATE, new Content("x", "", false, null, List.of(), List.of("gossip"), null)));
        f.get(() -> timelines.add(List.of(hidden)));
        assertThat(offered("go"))
                .startsWith("go")
                .endsWith("gopher")
                .containsExactlyInAnyOrder("go", "golang", "gone", "gopher");

        f.get(() -> timelines.remove(List.of(last)));
        assertThat(offered("go")).containsExactly("go", "golang", "gone", "gopher");
        String golang = PublicTimelines.key("golang");
        f.redis.askAt(golang, "DEL", golang);
        assertThat(offered("go")).as("nobody uses it any more").containsExactly("go", "gone", "gopher");
        assertThat(f.members(Keys.TAG_NAMES)).containsExactly("go", "gone", "gopher");
    }

    private List<String> offered(String query) {
        String prefix = TextEntities.tagPrefix(query);
        return f.get(() -> timelines.tagsBeginningWith(prefix, 0));
    }

    @Test
    void repliesAreInTheListsOfTheirTagsAndCommentsInNone() {
        Status open = post(tagged(ann, "go"));
        Status thread = post(taggedReply(ann, open, Kind.POST));
        Status reply = post(taggedReply(bob, open, Kind.POST));
        post(taggedReply(bob, open, Kind.COMMENT));

        assertThat(ids(tagged(of("go")))).containsExactlyElementsOf(newestFirst(open.id(), thread.id(), reply.id()));
        assertThat(f.members(Keys.PUBLIC)).containsExactlyInAnyOrder(text(open), text(thread));
        f.delete(bob, reply.id());
        assertThat(ids(tagged(of("go")))).containsExactlyElementsOf(newestFirst(open.id(), thread.id()));
        f.get(() -> timelines.remove(List.of(open, thread, reply)));
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("tag:") || key.equals(Keys.PUBLIC));
    }

    @Test
    void tagsAreCombined() {
        Status both = post(tagged(ann, "a", "b"));
        Status a = post(tagged(ann, "a"));
        Status b = post(tagged(bob, "b"));

        assertThat(ids(tagged(new Tags(Set.of("a", "b"), Set.of(), Set.of()))))
                .containsExactlyElementsOf(newestFirst(both.id(), a.id(), b.id()));
        assertThat(ids(tagged(new Tags(Set.of("a"), Set.of("b"), Set.of())))).containsExactly(both.id());
        assertThat(ids(tagged(new Tags(Set.of("b"), Set.of(), Set.of("a"))))).containsExactly(b.id());
    }

    @Test
    void listingTwiceShowsOnceAndTheOldestLeave() {
        for (long id = 1; id <= PublicTimelines.MAX; id++) {
            f.redis.askAt(Keys.PUBLIC, "ZADD", Keys.PUBLIC, Long.toString(id), Long.toString(id));
        }
        Status status = post(Post.of(ann, "new"));
        f.get(() -> timelines.add(List.of(status)));

        assertThat(f.members(Keys.PUBLIC))
                .hasSize(PublicTimelines.MAX)
                .doesNotContain("1")
                .contains("2", text(status));
        assertThat(ids(all(0, PageRequest.newest(20)))).containsExactly(status.id());
    }

    @Test
    void theDeletedIsNotShownEvenBeforeItIsTakenOut() {
        Status gone = post(tagged(ann, "a"));
        f.delete(ann, gone.id());

        assertThat(ids(all(0, PageRequest.newest(20)))).isEmpty();
        assertThat(ids(tagged(of("a")))).isEmpty();
        f.get(() -> timelines.remove(List.of(gone)));
        assertThat(f.redis.keys()).noneMatch(key -> key.startsWith("tag:") || key.equals(Keys.PUBLIC));
    }

    /** The fan-out lists them a moment later. */
    @Test
    void anAuthorSeesTheirOwnPostBeforeItIsListed() {
        Status listed = post(tagged(bob, "a"));
        Status own = unlisted(tagged(ann, "a"));
        unlisted(Post.of(ann, Visibility.UNLISTED, Content.of("x")));
        Status gone = unlisted(Post.of(ann, "gone"));
        f.delete(ann, gone.id());

        assertThat(ids(all(bob, PageRequest.newest(20)))).containsExactly(listed.id());
        assertThat(ids(all(0, PageRequest.newest(20)))).containsExactly(listed.id());
        assertThat(ids(all(ann, PageRequest.newest(20)))).containsExactlyElementsOf(newestFirst(listed.id(), own.id()));
        assertThat(ids(f.get(() -> timelines.tagged(of("a"), ann, PageRequest.newest(20)))))
                .containsExactlyElementsOf(newestFirst(listed.id(), own.id()));
        assertThat(ids(f.get(() -> timelines.tagged(of("b"), ann, PageRequest.newest(20)))))
                .isEmpty();
        assertThat(ids(all(ann, PageRequest.olderThan(Math.min(own.id(), listed.id()), 20))))
                .isEmpty();

        f.get(() -> timelines.add(List.of(own)));
        assertThat(ids(all(ann, PageRequest.newest(20)))).containsExactlyElementsOf(newestFirst(listed.id(), own.id()));
    }

    /** A post that the list has dropped since is as gone for its author as for everybody else. */
    @Test
    void ownPostsAreLookedForAMinuteLong() {
        unlisted(Post.of(ann, "own"));
        assertThat(all(ann, PageRequest.newest(20)).items()).hasSize(1);

        now = now.plusSeconds(120);
        assertThat(all(ann, PageRequest.newest(20)).items()).isEmpty();
    }

    @Test
    void blockedAndMutedAuthorsAreLeftOut() {
        Status anns = post(Post.of(ann, "a"));
        Status bobs = post(Post.of(bob, "b"));
        for (String key : List.of(Keys.blocks(ann), Keys.blockedBy(ann), Keys.mutes(ann))) {
            assertThat(ids(all(ann, PageRequest.newest(20)))).as(key).contains(anns.id(), bobs.id());
            f.redis.askAt(key, "ZADD", key, "1", Long.toString(bob));
            assertThat(ids(all(ann, PageRequest.newest(20)))).as(key).containsExactly(anns.id());
            f.redis.askAt(key, "DEL", key);
        }
    }

    @Test
    void walksSeeEveryStatusOnceDownAndUp() {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Status status = post(tagged(i % 3 == 0 ? bob : ann, "a"));
            if (i % 5 == 4) {
                f.delete(status.authorId(), status.id());
            } else {
                all.add(status.id());
            }
        }
        all.sort(Collections.reverseOrder());
        for (int limit : new int[] {1, 3, 7, 40}) {
            List<Long> down = new ArrayList<>();
            Page<Status> page = all(0, PageRequest.newest(limit));
            down.addAll(ids(page));
            while (page.next() > 0) {
                page = all(0, PageRequest.olderThan(page.next(), limit));
                down.addAll(ids(page));
            }
            assertThat(down).as("limit %d", limit).isEqualTo(all);

            List<Long> up = new ArrayList<>();
            page = all(0, PageRequest.justAbove(1, limit));
            while (!page.items().isEmpty()) {
                up.addAll(0, ids(page));
                page = all(0, PageRequest.justAbove(page.prev(), limit));
            }
            assertThat(up).as("limit %d", limit).isEqualTo(all);
        }
    }

    @CanIgnoreReturnValue
    private Status unlisted(Post post) {
        return f.get(() -> f.stores.statuses().post(post, null)).status();
    }

    /** Posts and lists, as the API and a worker do. */
    @CanIgnoreReturnValue
    private Status post(Post post) {
        Status status = unlisted(post);
        f.get(() -> timelines.add(List.of(status)));
        return status;
    }

    private static Post tagged(long author, String... tags) {
        return Post.of(author, Visibility.PUBLIC, new Content("x", "", false, null, List.of(), List.of(tags), null));
    }

    private static Post reply(long author, Status to, Kind kind) {
        return new Post(author, Visibility.PUBLIC, kind, Content.of("re"), Reference.to(to), null, null, null);
    }

    private static Post taggedReply(long author, Status to, Kind kind) {
        Content content = new Content("x", "", false, null, List.of(), List.of("go"), null);
        return new Post(author, Visibility.PUBLIC, kind, content, Reference.to(to), null, null, null);
    }

    private static Tags of(String tag) {
        return new Tags(Set.of(tag), Set.of(), Set.of());
    }

    private Page<Status> all(long viewer, PageRequest page) {
        return f.get(() -> timelines.all(viewer, page));
    }

    private Page<Status> tagged(Tags tags) {
        return f.get(() -> timelines.tagged(tags, 0, PageRequest.newest(20)));
    }

    private static List<Long> ids(Page<Status> page) {
        return StoreFixture.ids(page);
    }

    private static List<Long> newestFirst(Long... ids) {
        List<Long> sorted = new ArrayList<>(List.of(ids));
        sorted.sort(Collections.reverseOrder());
        return sorted;
    }

    private static String text(Status status) {
        return Long.toString(status.id());
    }
}
