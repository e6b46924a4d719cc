package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.fanfare.common.model.UserList.Replies;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.UserLists;
import io.fanfare.core.feed.MemoryArchive;
import io.fanfare.core.feed.NaiveFold;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.ArchiveFixture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Lists against a naive model: posts, answers, reposts, deletes, follows, terms, blocks, mutes and changes of lists in
 * any order, while old statuses move into the archive. Every page, up and down, from whatever cursor, is what the model
 * says; so is every refusal, and who is on which list.
 */
@ParameterizedClass
@KindsOfRedis
class ListModelTest {
    private static final int SCHEDULES = 4;
    private static final int MANY_SCHEDULES = 40;
    private static final int ACTS = 250;
    private static final int LISTS_MAX = 3;
    private static final int ACCOUNTS_MAX = 4;

    @Parameter
    TestRedis.Kind kind;

    @Test
    void aListShowsWhatItsAccountsPostAsTheHomeDoes() {
        run(1, SCHEDULES);
    }

    @Test
    @Tag("faults")
    void aListShowsWhatItsAccountsPostAsTheHomeDoesInManySchedules() {
        run(SCHEDULES + 1, MANY_SCHEDULES);
    }

    private void run(int firstSeed, int lastSeed) {
        try (ArchiveFixture a = new ArchiveFixture(
                kind.redis(),
                new MemoryArchive(),
                "limits.lists-max=" + LISTS_MAX,
                "limits.list-accounts-max=" + ACCOUNTS_MAX)) {
            for (int seed = firstSeed; seed <= lastSeed; seed++) {
                new Schedule(a, seed).run(ACTS);
            }
            // What jobs do has not been done here: what they explain counts for nothing.
            assertThat(a.differences()).isEmpty();
        }
    }

    /** A status as the model has it. */
    private record Posted(long id, long author, Post.Kind kind, long repliedTo, long originalAuthor, String language) {
        /** The status that this one reposts, in the field that holds the answered one of other kinds; or itself. */
        long original() {
            return kind == Post.Kind.REPOST ? -repliedTo : id;
        }
    }

    /** A list as the model has it. */
    private record Group(Replies replies, boolean exclusive, Set<Long> accounts) {}

    private static final class Schedule extends ModelSchedule<Posted> {
        private final UserLists lists;

        private final Set<Long> onlyEnglish = new HashSet<>();
        private final TreeMap<Long, Group> groups = new TreeMap<>();
        private boolean folds = true;

        Schedule(ArchiveFixture a, int seed) {
            super(
                    a,
                    seed,
                    Stream.of("a", "b", "c", "d", "e", "f", "g")
                            .map(name -> name + seed)
                            .toList());
            this.lists = new UserLists(a.f.link, a.settings);
        }

        @Override
        void act() {
            switch (random.nextInt(21)) {
                case 0, 1, 2, 3, 4 -> post();
                case 5 -> delete();
                case 6, 7 -> follow();
                case 8 -> unfollow();
                case 9 -> block();
                case 10 -> unblock();
                case 11 -> mute();
                case 12 -> create();
                case 13, 14, 15 -> add();
                case 16 -> remove();
                case 17 -> change();
                case 18 -> a.archive(any(people));
                case 19 -> fold();
                default -> drop();
            }
        }

        private void post() {
            long author = any(people);
            Posted answered = model.isEmpty() || random.nextInt(2) == 0 ? null : any(List.copyOf(model.values()));
            if (answered != null && answered.kind() == Post.Kind.POST && random.nextInt(3) == 0) {
                repost(author, answered);
                return;
            }
            Visibility visibility = any(List.of(Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE));
            Reference replyTo = answered == null ? null : new Reference(answered.id(), answered.author());
            String language = any(Arrays.asList(null, "en", "de"));
            Content content = new Content("hello", "", false, language, List.of(), List.of(), null);
            Post post = new Post(author, visibility, Post.Kind.POST, content, replyTo, replyTo, null, null);
            long id = get(() -> a.statuses.post(post, null)).status().id();
            long repliedTo = answered == null ? 0 : answered.author();
            model.put(id, new Posted(id, author, Post.Kind.POST, repliedTo, 0, language));
        }

        private void repost(long author, Posted original) {
            boolean again = model.values().stream()
                    .anyMatch(one -> one.author() == author && one.repliedTo() == -original.id());
            Reference of = new Reference(original.id(), original.author());
            if (again || random.nextInt(3) == 0) {
                quoteWithoutWords(author, of);
                return;
            }
            Post post = new Post(author, Visibility.PUBLIC, Post.Kind.REPOST, Content.NONE, null, null, of, null);
            long id = get(() -> a.statuses.post(post, null)).status().id();
            model.put(id, new Posted(id, author, Post.Kind.REPOST, -original.id(), original.author(), null));
        }

        /** Shown whatever language it says. */
        private void quoteWithoutWords(long author, Reference of) {
            Content content = new Content("", "", false, "de", List.of(), List.of(), null);
            Post post = new Post(author, Visibility.PUBLIC, Post.Kind.POST, content, null, null, of, null);
            long id = get(() -> a.statuses.post(post, null)).status().id();
            model.put(id, new Posted(id, author, Post.Kind.POST, 0, 0, null));
        }

        private void delete() {
            if (!model.isEmpty()) {
                Posted gone = any(List.copyOf(model.values()));
                assertThat(a.delete(gone.author(), gone.id())).isTrue();
                model.remove(gone.id());
            }
        }

        private void follow() {
            long whom = other();
            boolean reposts = random.nextInt(3) > 0;
            boolean refused = blocked.contains(whom)
                    || blockedBy.contains(whom)
                    || (!followed.contains(whom)
                            && followed.size() >= a.settings.limits().followingMax());
            boolean english = random.nextInt(3) == 0;
            Graph.Terms terms = new Graph.Terms(reposts, null, english ? List.of("en") : List.of());
            expect(refused ? Refusal.class : null, () -> stores.follows().follow(owner, whom, terms));
            if (!refused) {
                followed.add(whom);
                withoutReposts.remove(whom);
                if (!reposts) {
                    withoutReposts.add(whom);
                }
                onlyEnglish.remove(whom);
                if (english) {
                    onlyEnglish.add(whom);
                }
            }
        }

        @Override
        void end(long whom) {
            followed.remove(whom);
            withoutReposts.remove(whom);
            onlyEnglish.remove(whom);
            groups.values().forEach(group -> group.accounts().remove(whom));
        }

        private void create() {
            Replies replies = any(List.of(Replies.values()));
            if (groups.size() >= LISTS_MAX) {
                expect(Refusal.class, () -> lists.create(owner, "one more", replies, false));
                return;
            }
            boolean exclusive = random.nextInt(3) == 0;
            UserList list = get(() -> lists.create(owner, "a title", replies, exclusive));
            assertThat(list).isEqualTo(new UserList(list.id(), "a title", replies, exclusive));
            groups.put(list.id(), new Group(replies, exclusive, new TreeSet<>(Collections.reverseOrder())));
        }

        private void add() {
            long list = list();
            Set<Long> all = new HashSet<>(List.of(any(people)));
            if (random.nextInt(3) == 0) {
                all.add(any(people));
            }
            Group group = groups.get(list);
            boolean refused = group == null
                    || all.stream().anyMatch(one -> one != owner && !followed.contains(one))
                    || all.stream().anyMatch(group.accounts()::contains)
                    || group.accounts().size() + all.size() > ACCOUNTS_MAX;
            expect(refused ? Refusal.class : null, () -> lists.add(owner, list, all));
            if (!refused) {
                group.accounts().addAll(all);
            }
        }

        /** Mostly one that there is. */
        private long list() {
            return groups.isEmpty() || random.nextInt(20) == 0 ? 7 : any(List.copyOf(groups.keySet()));
        }

        private void remove() {
            long list = list();
            Set<Long> all = new HashSet<>(List.of(any(people), owner));
            Group group = groups.get(list);
            expect(group == null ? Refusal.class : null, () -> lists.remove(owner, list, all));
            if (group != null) {
                group.accounts().removeAll(all);
            }
        }

        private void change() {
            long list = list();
            Replies replies = any(List.of(Replies.values()));
            Boolean exclusive = random.nextBoolean() ? null : random.nextBoolean();
            Group group = groups.get(list);
            expect(group == null ? Refusal.class : null, () -> lists.change(owner, list, null, replies, exclusive));
            if (group != null) {
                groups.put(
                        list, new Group(replies, exclusive == null ? group.exclusive() : exclusive, group.accounts()));
            }
        }

        /** The owner wants reposts folded from now on, or does not. */
        private void fold() {
            folds = !folds;
            String key = Keys.user(owner);
            a.f.redis.askAt(key, "HSET", key, "fold", folds ? "1" : "0");
        }

        private void drop() {
            long list = list();
            if (random.nextInt(3) == 0) {
                expect(groups.remove(list) == null ? Refusal.class : null, () -> lists.delete(owner, list));
            }
        }

        private void expect(Class<? extends Throwable> refusal, Supplier<Future<?>> call) {
            Throwable cause = get(() -> call.get()
                            .transform(done -> Future.succeededFuture(
                                    done.succeeded() ? Set.<Throwable>of() : Set.of(done.cause()))))
                    .stream()
                    .findAny()
                    .orElse(null);
            if (refusal == null) {
                assertThat(cause).as("seed %d", seed).isNull();
            } else {
                assertThat(cause).as("seed %d", seed).isInstanceOf(refusal);
            }
        }

        private boolean shows(Group group, Posted one) {
            boolean hidden = isHidden(one.author(), one.originalAuthor());
            if (hidden || !group.accounts().contains(one.author())) {
                return false;
            }
            if (one.kind() == Post.Kind.REPOST) {
                return !withoutReposts.contains(one.author());
            }
            if (isForeign(one)) {
                return false;
            }
            long to = one.repliedTo();
            return to == 0
                    || to == one.author()
                    || to == owner
                    || (group.replies() == Replies.LIST && group.accounts().contains(to))
                    || (group.replies() == Replies.FOLLOWED && followed.contains(to));
        }

        private boolean isForeign(Posted one) {
            return onlyEnglish.contains(one.author()) && "de".equals(one.language());
        }

        /** Whether the home shows it. */
        private boolean isInHome(Posted one) {
            boolean hidden = isHidden(one.author(), one.originalAuthor());
            boolean elsewhere = one.author() != owner
                    && groups.values().stream()
                            .anyMatch(group ->
                                    group.exclusive() && group.accounts().contains(one.author()));
            return !hidden
                    && !elsewhere
                    && !isForeign(one)
                    && (one.author() == owner || followed.contains(one.author()))
                    && (one.kind() != Post.Kind.REPOST || !withoutReposts.contains(one.author()));
        }

        /** All of it, so that a page that ends early is distinguished from one that leaves something out. */
        private void lookAtHome() {
            int limit = 1 + random.nextInt(6);
            // Nothing is delivered here: the first page builds the home, the others read it.
            String key = Keys.home(owner);
            a.f.redis.askAt(key, "DEL", key);
            List<Long> walk = new ArrayList<>();
            PageRequest next = PageRequest.newest(limit);
            while (next != null) {
                PageRequest request = next;
                Page<Status> page = get(() -> a.timelines.home(owner, request));
                walk.addAll(StoreFixture.ids(page));
                next = page.next() == 0 ? null : PageRequest.olderThan(page.next(), limit);
            }
            List<NaiveFold.Entry> unfolded = model.values().stream()
                    .filter(this::isInHome)
                    .map(one -> new NaiveFold.Entry(one.id(), one.original()))
                    .toList();
            assertThat(walk)
                    .as("seed %d home by %d", seed, limit)
                    .isEqualTo(
                            folds
                                    ? NaiveFold.shown(unfolded, a.foldWindow)
                                    : unfolded.stream().map(NaiveFold.Entry::id).toList());
        }

        @Override
        void look() {
            lookAtHome();
            assertThat(get(() -> lists.of(owner)).stream().map(UserList::id).toList())
                    .as("seed %d", seed)
                    .isEqualTo(List.copyOf(groups.keySet()));
            long someone = any(people);
            assertThat(get(() -> lists.with(owner, someone)).stream()
                            .map(UserList::id)
                            .toList())
                    .isEqualTo(groups.entrySet().stream()
                            .filter(entry -> entry.getValue().accounts().contains(someone))
                            .map(Map.Entry::getKey)
                            .toList());
            groups.forEach((id, group) -> {
                assertThat(accounts(id, 1 + random.nextInt(3)))
                        .as("seed %d", seed)
                        .isEqualTo(List.copyOf(group.accounts()));
                List<NaiveFold.Entry> unfolded = model.values().stream()
                        .filter(one -> shows(group, one))
                        .map(one -> new NaiveFold.Entry(one.id(), one.original()))
                        .toList();
                List<Long> expected = folds
                        ? NaiveFold.shown(unfolded, a.foldWindow)
                        : unfolded.stream().map(NaiveFold.Entry::id).toList();
                int limit = 1 + random.nextInt(6);
                assertTimeline(request -> a.timelines.list(owner, id, request, a.timelines.moment()), expected, limit);
            });
            long list = 7;
            expect(Refusal.class, () -> a.timelines.list(owner, list, PageRequest.newest(3), a.timelines.moment()));
            if (!groups.isEmpty()) {
                long own = groups.firstKey();
                long stranger = other();
                expect(
                        Refusal.class,
                        () -> a.timelines.list(stranger, own, PageRequest.newest(3), a.timelines.moment()));
            }
        }

        private List<Long> accounts(long list, int limit) {
            List<Long> walk = new ArrayList<>();
            long below = Id.MAX;
            while (true) {
                PageRequest request = PageRequest.olderThan(below, limit);
                var page = get(() -> lists.accounts(owner, list, request));
                page.items().forEach(edge -> walk.add(edge.accountId()));
                if (page.next() == 0) {
                    return walk;
                }
                below = page.next();
            }
        }
    }
}
