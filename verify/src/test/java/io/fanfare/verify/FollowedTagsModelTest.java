package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.UserList;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.FollowedTags;
import io.fanfare.common.store.FollowedTags.Followed;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.UserLists;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.feed.MemoryArchive;
import io.fanfare.core.feed.NaiveFold;
import io.fanfare.core.feed.PublicTimelines;
import io.fanfare.core.post.Edits;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.ArchiveFixture;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Homes of one who follows hashtags, against a naive model: posts with tags, answers, comments, reposts, edits,
 * deletes, follows of accounts and of tags, an exclusive list, blocks and mutes in any order, while homes end and old
 * statuses move into the archive. Every page, up and down, from whatever cursor, is what the model says.
 */
@ParameterizedClass
@KindsOfRedis
class FollowedTagsModelTest {
    private static final int SCHEDULES = 4;
    private static final int MANY_SCHEDULES = 40;
    private static final int ACTS = 200;
    private static final List<String> TAGS = List.of("go", "cats", "编程");

    @Parameter
    TestRedis.Kind kind;

    @Test
    void aHomeShowsWhatHasAFollowedTagOrALanguageThatIsWantedOnceAndInOrder() {
        run(1, SCHEDULES);
    }

    @Test
    @Tag("faults")
    void aHomeShowsWhatHasAFollowedTagOrALanguageThatIsWantedInManySchedules() {
        run(SCHEDULES + 1, MANY_SCHEDULES);
    }

    private void run(int firstSeed, int lastSeed) {
        try (ArchiveFixture a = new ArchiveFixture(kind.redis(), new MemoryArchive())) {
            for (int seed = firstSeed; seed <= lastSeed; seed++) {
                new Schedule(a, seed).run(ACTS);
            }
            // What jobs do has not been done here: what they explain counts for nothing.
            assertThat(a.differences()).isEmpty();
        }
    }

    @Test
    void tagsAreFollowedOnceUpToALimitAndListedInPages() {
        try (StoreFixture f = StoreFixture.on(kind.redis())) {
            FollowedTags tags = new FollowedTags(f.link, f.settings);
            long ann = f.users(1)[0];
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < FollowedTags.MAX; i++) {
                String tag = "tag" + i;
                assertThat(f.get(() -> tags.follow(ann, tag))).isPositive();
                expected.add(0, tag);
            }
            assertThat(f.get(() -> tags.follow(ann, "tag7"))).as("again").isZero();
            assertThatThrownBy(() -> f.get(() -> tags.follow(ann, "more")))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("unfollow one first");
            assertThat(f.get(() -> tags.unfollow(ann, "tag7"))).isPositive();
            assertThat(f.get(() -> tags.unfollow(ann, "tag7"))).as("again").isZero();
            expected.remove("tag7");

            for (int limit : new int[] {1, 7, 80}) {
                List<String> down = new ArrayList<>();
                Page<Followed> page = f.get(() -> tags.page(ann, PageRequest.newest(limit)));
                down.addAll(names(page));
                while (page.next() > 0) {
                    long next = page.next();
                    page = f.get(() -> tags.page(ann, PageRequest.olderThan(next, limit)));
                    down.addAll(names(page));
                }
                assertThat(down).isEqualTo(expected);
                List<String> up = new ArrayList<>();
                page = f.get(() -> tags.page(ann, PageRequest.justAbove(1, limit)));
                while (page.prev() > 0) {
                    up.addAll(0, names(page));
                    long prev = page.prev();
                    page = f.get(() -> tags.page(ann, PageRequest.justAbove(prev, limit)));
                }
                assertThat(up).isEqualTo(expected);
            }
            long pending = Id.of(Id.EPOCH_MILLIS + 1, 3, 1);
            assertThatThrownBy(() -> f.get(() -> tags.follow(pending, "go"))).isInstanceOf(Refusal.class);
        }
    }

    private static List<String> names(Page<Followed> page) {
        return page.items().stream().map(Followed::tag).toList();
    }

    /** A status as the model has it. */
    private record Posted(
            long id,
            long author,
            Post.Kind kind,
            Visibility visibility,
            Set<String> tags,
            long original,
            long originalAuthor,
            String language) {}

    private static final class Schedule extends ModelSchedule<Posted> {
        private final Edits edits;
        private final FollowedTags followedTags;
        private final PublicTimelines publicTimelines;
        private final UserLists lists;
        private final long exclusiveList;

        private final Map<Long, List<String>> languages = new HashMap<>();
        private final Set<Long> leftOut = new HashSet<>();
        private final Set<String> tags = new HashSet<>();
        private final Set<String> reposted = new HashSet<>();

        Schedule(ArchiveFixture a, int seed) {
            super(
                    a,
                    seed,
                    Stream.of("a", "b", "c", "d", "e")
                            .map(name -> name + "_" + seed)
                            .toList());
            this.edits = new Edits(a.f.link, a.settings, a.statuses.archived());
            this.followedTags = new FollowedTags(a.f.link, a.settings);
            this.lists = new UserLists(a.f.link, a.settings);
            this.publicTimelines = new PublicTimelines(
                    a.f.link,
                    a.statuses,
                    new ViewerRelationshipsReader(a.f.link, InstantSource.system()),
                    a.settings.feeds(),
                    InstantSource.system());
            // Statuses of former schedules have the tags, too.
            TAGS.forEach(tag -> a.f.redis.askAt(PublicTimelines.key(tag), "DEL", PublicTimelines.key(tag)));
            exclusiveList = a.f.get(() -> lists.create(owner, "apart", UserList.Replies.NONE, true))
                    .id();
        }

        @Override
        void act() {
            switch (random.nextInt(21)) {
                case 0, 1, 2, 3, 4, 5 -> post();
                case 6 -> delete();
                case 7 -> edit();
                case 8 -> follow();
                case 9 -> unfollow();
                case 10 -> block();
                case 11 -> unblock();
                case 12 -> mute();
                case 13, 14, 15 -> followTag();
                case 16 -> unfollowTag();
                case 17 -> a.f.redis.askAt(Keys.home(owner), "DEL", Keys.home(owner));
                case 18 -> {
                    if (seed % 2 == 0) {
                        a.archive(any(people));
                    }
                }
                case 19 -> putOnExclusiveListOrTakeOff();
                default -> repost();
            }
        }

        private Set<String> someTags() {
            Set<String> all = new TreeSet<>();
            TAGS.stream().filter(tag -> random.nextInt(3) == 0).forEach(all::add);
            return all;
        }

        private Content content(String text, Set<String> tags) {
            String language = any(Arrays.asList(null, "en", "de", "pt-BR"));
            return new Content(text, "", false, language, List.of(), List.copyOf(tags), null);
        }

        private void post() {
            Posted answered = model.isEmpty() || random.nextInt(2) == 0 ? null : any(List.copyOf(model.values()));
            boolean replies = answered != null && answered.kind() == Post.Kind.POST;
            Post.Kind post = replies && random.nextInt(4) == 0 ? Post.Kind.COMMENT : Post.Kind.POST;
            Visibility visibility =
                    any(List.of(Visibility.PUBLIC, Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE));
            Reference replyTo = replies ? new Reference(answered.id(), answered.author()) : null;
            say(new Post(any(people), visibility, post, content("hello", someTags()), replyTo, replyTo, null, null));
        }

        private void repost() {
            List<Posted> posts = model.values().stream()
                    .filter(one -> one.kind() == Post.Kind.POST && one.visibility() == Visibility.PUBLIC)
                    .toList();
            if (posts.isEmpty()) {
                return;
            }
            Posted original = any(posts);
            long author = any(people);
            Reference of = new Reference(original.id(), original.author());
            if (random.nextInt(3) == 0) {
                say(new Post(author, Visibility.PUBLIC, Post.Kind.POST, content("", Set.of()), null, null, of, null));
            } else if (reposted.add(author + " " + original.id())) {
                say(new Post(author, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, of, null));
            }
        }

        private void say(Post post) {
            Status status = get(() -> a.statuses.post(post, null)).status();
            model.put(
                    status.id(),
                    new Posted(
                            status.id(),
                            post.authorId(),
                            post.kind(),
                            post.visibility(),
                            Set.copyOf(post.content().tags()),
                            post.kind() == Post.Kind.REPOST ? post.original().statusId() : status.id(),
                            post.kind() == Post.Kind.REPOST ? post.original().accountId() : 0,
                            // Quotes are without words here.
                            post.isQuote() ? null : post.content().language()));
            if (post.kind() != Post.Kind.COMMENT) {
                List<Homes.Delivery> deliveries =
                        get(() -> stores.graph().followersAfter(post.authorId(), 0, 100)).stream()
                                .map(edge -> new Homes.Delivery(edge.accountId(), List.of(status.id())))
                                .toList();
                get(() -> stores.homes().push(deliveries));
            }
            get(() -> publicTimelines.add(List.of(status)));
        }

        private void delete() {
            if (model.isEmpty()) {
                return;
            }
            Posted gone = any(List.copyOf(model.values()));
            assertThat(a.delete(gone.author(), gone.id())).isTrue();
            model.remove(gone.id());
            // The lists may be shown or not: the statuses in them are checked.
        }

        private void edit() {
            List<Posted> posts = model.values().stream()
                    .filter(one -> one.kind() == Post.Kind.POST)
                    .toList();
            if (posts.isEmpty() || seed % 2 == 0) {
                return;
            }
            Posted before = any(posts);
            Set<String> now = someTags();
            Content words = content("hello " + random.nextInt(1000), now);
            Optional<Status> edited = get(() ->
                    edits.edit(before.author(), before.id(), words).map(done -> done.map(found -> found.status())));
            List<Status> versions = get(() -> edits.versions(before.id()));
            get(() -> publicTimelines.add(List.of(edited.orElseThrow())));
            get(() -> publicTimelines.removeTags(edited.orElseThrow(), versions));
            model.put(
                    before.id(),
                    new Posted(
                            before.id(),
                            before.author(),
                            before.kind(),
                            before.visibility(),
                            now,
                            before.id(),
                            0,
                            words.language()));
        }

        private void follow() {
            long whom = other();
            if (blocked.contains(whom) || blockedBy.contains(whom)) {
                return;
            }
            boolean reposts = random.nextInt(3) > 0;
            List<String> spoken = any(Arrays.asList(null, List.of(), List.of("en"), List.of("DE", "pt")));
            get(() -> stores.follows().follow(owner, whom, new Graph.Terms(reposts, null, spoken)));
            followed.add(whom);
            if (spoken != null) {
                languages.put(whom, spoken);
            }
            withoutReposts.remove(whom);
            if (!reposts) {
                withoutReposts.add(whom);
            }
        }

        @Override
        void end(long whom) {
            followed.remove(whom);
            withoutReposts.remove(whom);
            languages.remove(whom);
            leftOut.remove(whom);
        }

        private void putOnExclusiveListOrTakeOff() {
            long whom = other();
            if (leftOut.remove(whom)) {
                get(() -> lists.remove(owner, exclusiveList, List.of(whom)));
            } else if (followed.contains(whom)) {
                get(() -> lists.add(owner, exclusiveList, List.of(whom)));
                leftOut.add(whom);
            }
        }

        private void followTag() {
            String tag = any(TAGS);
            long change = get(() -> followedTags.follow(owner, tag));
            assertThat(change > 0).isEqualTo(tags.add(tag));
        }

        private void unfollowTag() {
            String tag = any(TAGS);
            long change = get(() -> followedTags.unfollow(owner, tag));
            assertThat(change > 0).isEqualTo(tags.remove(tag));
        }

        private boolean shows(Posted one) {
            boolean hidden = isHidden(one.author(), one.originalAuthor());
            if (hidden || one.kind() == Post.Kind.COMMENT) {
                return false;
            }
            boolean byAuthor = one.author() == owner
                    || (followed.contains(one.author())
                            && !leftOut.contains(one.author())
                            && !(one.kind() == Post.Kind.REPOST && withoutReposts.contains(one.author()))
                            && (one.kind() == Post.Kind.REPOST || speaks(one)));
            boolean byTag = one.kind() == Post.Kind.POST
                    && one.visibility() == Visibility.PUBLIC
                    && one.tags().stream().anyMatch(tags::contains);
            return byAuthor || byTag;
        }

        private boolean speaks(Posted one) {
            List<String> spoken = languages.getOrDefault(one.author(), List.of());
            return one.language() == null
                    || spoken.isEmpty()
                    || spoken.stream()
                            .anyMatch(code -> one.language().equalsIgnoreCase(code)
                                    || (code.equals("pt") && one.language().equals("pt-BR")));
        }

        @Override
        void look() {
            List<Long> expected = NaiveFold.shown(
                    model.values().stream()
                            .filter(this::shows)
                            .map(one -> new NaiveFold.Entry(one.id(), one.original()))
                            .toList(),
                    a.foldWindow);
            assertThat(Set.copyOf(get(() -> followedTags.of(owner)))).isEqualTo(tags);
            int limit = 1 + random.nextInt(6);
            assertTimeline(request -> a.timelines.home(owner, request), expected, limit);
        }
    }
}
