package io.fanfare.core.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.core.conversation.Conversations.Change;
import io.fanfare.core.conversation.Conversations.Shown;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Conversations are what a naive model says, whatever the order of jobs and however often each runs. */
@ParameterizedClass
@KindsOfRedis
class ConversationsTest {
    private static final int STEPS = 250;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Conversations conversations;
    private Blocks blocks;
    private long[] users;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        conversations = new Conversations(
                f.link, f.stores.statuses(), new ViewerRelationshipsReader(f.link, InstantSource.system()));
        blocks = new Blocks(f.link, f.settings, f.stores.graph(), f.stores.follows());
        users = f.users(4);
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Status write(long author, Status answered, List<Long> recipients) {
        Reference to = answered == null ? null : Reference.to(answered);
        Post post = new Post(author, Visibility.DIRECT, Post.Kind.DIRECT, Content.of("psst"), to, to, null, null)
                .to(recipients);
        Post whole = answered == null ? post : post.in(answered.conversationId());
        Status written = f.get(() -> f.stores.statuses().post(whole, null)).status();
        // An answer has a higher id, whoever writes it.
        Milliseconds.awaitNext();
        return written;
    }

    private List<Shown> list(long account) {
        return f.get(() -> conversations.page(account, PageRequest.newest(40))).items();
    }

    @CanIgnoreReturnValue
    private Change add(long account, Status status) {
        return f.get(() -> conversations.add(account, status));
    }

    @Test
    void aMessageIsUnreadForWhomItIsForAndReadForItsAuthor() {
        Status first = write(users[0], null, List.of(users[1], users[2]));
        Conversations.participants(first).forEach(account -> add(account, first));
        Status second = write(users[1], first, List.of(users[0], users[2]));
        Conversations.participants(second).forEach(account -> add(account, second));

        Shown own = list(users[1]).get(0);
        assertThat(own.unread()).isFalse();
        assertThat(own.others()).containsExactlyInAnyOrder(users[0], users[2]);
        assertThat(own.last().id()).isEqualTo(second.id());
        assertThat(list(users[0])).extracting(Shown::unread).containsExactly(true);
        assertThat(list(users[2])).extracting(Shown::unread).containsExactly(true);
        assertThat(list(users[3])).isEmpty();

        long id = list(users[2]).get(0).id();
        Change read = f.get(() -> conversations.read(users[2], id));
        assertThat(read.change()).isPositive();
        assertThat(f.get(() -> conversations.read(users[2], id)).change()).isZero();
        Change unread = f.get(() -> conversations.unread(users[2], id));
        assertThat(unread.change()).isGreaterThan(read.change());
        assertThat(f.get(() -> conversations.unread(users[2], id)).change())
                .as("again")
                .isZero();
        assertThat(list(users[2]).get(0).unread()).isTrue();
        assertThat(f.get(() -> conversations.read(users[2], id)).change()).isGreaterThan(unread.change());
        assertThat(list(users[2])).extracting(Shown::unread).containsExactly(false);
        assertThat(list(users[0])).extracting(Shown::unread).containsExactly(true);
        assertThatThrownBy(() -> f.get(() -> conversations.read(users[3], id))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> f.get(() -> conversations.drop(users[3], id))).isInstanceOf(Refusal.class);
    }

    @Test
    void aJobThatRunsAgainChangesNothingAndBringsNothingBack() {
        Status first = write(users[0], null, List.of(users[1]));
        Change once = add(users[1], first);
        assertThat(add(users[1], first)).isEqualTo(once);
        f.get(() -> conversations.read(users[1], once.id()));
        add(users[1], first);
        assertThat(list(users[1])).extracting(Shown::unread).containsExactly(false);

        f.get(() -> conversations.drop(users[1], once.id()));
        assertThat(add(users[1], first).change()).isZero();
        assertThat(list(users[1])).isEmpty();

        Status second = write(users[0], first, List.of(users[1]));
        f.delete(users[0], second.id());
        Status tombstone =
                f.get(() -> f.stores.statuses().findDeleted(second.id())).orElseThrow();
        assertThat(Conversations.participants(tombstone)).containsExactly(users[0], users[1]);
        assertThat(tombstone.conversationId()).isEqualTo(second.conversationId());
        assertThat(tombstone.text()).isEmpty();
        f.get(() -> conversations.remove(users[1], tombstone));
        assertThat(add(users[1], second).change()).isZero();
        assertThat(list(users[1])).isEmpty();
    }

    @Test
    void theNewestConversationsAndTheirNewestMessagesStay() {
        long ann = users[0];
        long first = 1_000_000;
        int count = Conversations.MAX + 5;
        f.get(() -> {
            List<Future<Change>> adding = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                adding.add(conversations.add(ann, of(first + i, users[1], 0, ann)));
            }
            return Future.join(adding).<Void>mapEmpty();
        });
        String order = Keys.conversations(ann);
        String lines = Keys.conversationLines(ann);
        assertThat(f.number(order, "ZCARD", order)).isEqualTo(Conversations.MAX);
        assertThat(f.number(lines, "HLEN", lines)).isEqualTo(2L * Conversations.MAX);
        assertThat(add(ann, of(first, users[1], 0, ann)).change())
                .as("older than all that stay")
                .isZero();

        Change last = null;
        for (int i = 0; i < Conversations.STATUSES_MAX + 3; i++) {
            last = add(ann, of(first + count + i, users[1], first + count, ann));
        }
        String line = f.hash(lines).get(Long.toString(last.id()));
        String[] kept = line.substring(line.lastIndexOf(' ') + 1).split(",", -1);
        assertThat(kept).hasSize(Conversations.STATUSES_MAX).doesNotContain("" + (first + count));
        assertThat(f.number(order, "ZCARD", order)).isEqualTo(Conversations.MAX);
    }

    @Test
    void strangersDoNotPushOutWhatAnAccountTakesPartIn() {
        long ann = users[0];
        Status own = of(1_000_000, ann, 0, users[1]);
        add(ann, own);
        for (int i = 1; i <= Conversations.MAX + 5; i++) {
            add(ann, of(own.id() + i, users[2], 0, ann));
        }
        String order = Keys.conversations(ann);
        assertThat(f.number(order, "ZCARD", order)).isEqualTo(Conversations.MAX);
        assertThat(add(ann, own).change()).as("is still there").isPositive();
        assertThat(add(ann, of(own.id() + 1, users[2], 0, ann)).change())
                .as("has gone, and does not come back")
                .isZero();
    }

    private static Status of(long id, long author, long conversation, long recipient) {
        Post post = new Post(author, Visibility.DIRECT, Post.Kind.DIRECT, Content.of("psst"), null, null, null, null)
                .to(List.of(recipient));
        return new Status(id, conversation == 0 ? post : post.in(conversation), Counters.NONE);
    }

    @Test
    void pagesMeetEveryConversationOnceInBothDirections() {
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Status status = write(users[i % 2], null, List.of(users[2]));
            add(users[2], status);
            written.add(status.id());
        }
        // Those of two authors may be of one millisecond.
        written.sort(Comparator.reverseOrder());
        List<Long> walked = new ArrayList<>();
        Page<Shown> page = f.get(() -> conversations.page(users[2], PageRequest.newest(3)));
        while (true) {
            page.items().forEach(shown -> walked.add(shown.last().id()));
            if (page.next() == 0) {
                break;
            }
            long next = page.next();
            page = f.get(() -> conversations.page(users[2], PageRequest.olderThan(next, 3)));
        }
        assertThat(walked).isEqualTo(written);
        long oldest = written.get(6);
        Page<Shown> up = f.get(() -> conversations.page(users[2], new PageRequest(Long.MAX_VALUE >> 10, 0, oldest, 3)));
        assertThat(up.items()).extracting(shown -> shown.last().id()).isEqualTo(written.subList(3, 6));
    }

    @Test
    void conversationsAreWhatANaiveModelSays() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Model model = new Model();
        List<Status> living = new ArrayList<>();
        List<Runnable> jobs = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int dice = random.nextInt(100);
            if (dice < 35) {
                Status status = write(random, living);
                living.add(status);
                for (long account : Conversations.participants(status)) {
                    Runnable job = () -> {
                        add(account, status);
                        model.add(account, status);
                    };
                    jobs.add(job);
                    if (random.nextInt(4) == 0) {
                        jobs.add(job);
                    }
                }
            } else if (dice < 80 && !jobs.isEmpty()) {
                jobs.remove(random.nextInt(jobs.size())).run();
            } else if (dice < 86 && !living.isEmpty()) {
                Status gone = living.remove(random.nextInt(living.size()));
                f.delete(gone.authorId(), gone.id());
                model.gone.add(gone.id());
                Status tombstone =
                        f.get(() -> f.stores.statuses().findDeleted(gone.id())).orElseThrow();
                for (long account : Conversations.participants(tombstone)) {
                    jobs.add(() -> {
                        f.get(() -> conversations.remove(account, tombstone));
                        model.remove(account, gone);
                    });
                }
            } else if (dice < 94) {
                act(random, model);
            } else if (dice < 96) {
                long blocker = users[random.nextInt(users.length)];
                long blocked = users[random.nextInt(users.length)];
                if (blocker != blocked) {
                    boolean ends = random.nextBoolean();
                    f.get(() -> ends ? blocks.unblock(blocker, blocked) : blocks.block(blocker, blocked));
                    model.block(blocker, blocked, ends);
                }
            }
            long looking = users[random.nextInt(users.length)];
            assertThat(list(looking).stream().map(ConversationsTest::summary).toList())
                    .as("seed %d step %d account %d", seed, step, looking)
                    .isEqualTo(model.list(looking));
        }
        jobs.forEach(Runnable::run);
        for (long account : users) {
            assertThat(list(account).stream().map(ConversationsTest::summary).toList())
                    .as("seed %d at the end, account %d", seed, account)
                    .isEqualTo(model.list(account));
        }
    }

    private void act(Random random, Model model) {
        long account = users[random.nextInt(users.length)];
        List<Shown> shown = list(account);
        if (shown.isEmpty()) {
            return;
        }
        Shown one = shown.get(random.nextInt(shown.size()));
        if (random.nextInt(3) == 0) {
            f.get(() -> conversations.drop(account, one.id()));
            model.drop(account, one);
        } else if (random.nextInt(3) == 0) {
            f.get(() -> conversations.unread(account, one.id()));
            model.unread(account, one);
        } else {
            f.get(() -> conversations.read(account, one.id()));
            model.read(account, one);
        }
    }

    /** A new message, or an answer to one that its author may see. */
    private Status write(Random random, List<Status> living) {
        long author = users[random.nextInt(users.length)];
        List<Status> seen =
                living.stream().filter(status -> status.post().isFor(author)).toList();
        Set<Long> recipients = new TreeSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            recipients.add(users[random.nextInt(users.length)]);
        }
        recipients.remove(author);
        if (seen.isEmpty() || random.nextInt(4) == 0) {
            return write(author, null, List.copyOf(recipients));
        }
        Status answered = seen.get(random.nextInt(seen.size()));
        Set<Long> same = new TreeSet<>(Conversations.participants(answered));
        same.remove(author);
        return write(author, answered, List.copyOf(random.nextInt(4) == 0 ? recipients : same));
    }

    private static String summary(Shown shown) {
        return shown.last().id() + (shown.unread() ? " unread " : " read ") + new TreeSet<>(shown.others());
    }

    /** Lists of all messages that are known, of each account, by conversation. */
    private static final class Model {
        private static final class Talk {
            final TreeMap<Long, Status> known = new TreeMap<>();
            final Set<Long> others;
            long read;

            Talk(Set<Long> others) {
                this.others = others;
            }
        }

        private final Map<Long, Map<String, Talk>> talks = new HashMap<>();
        private final Map<Long, Set<Long>> ended = new HashMap<>();
        private final Map<Long, Set<Long>> blocks = new HashMap<>();
        private final Set<Long> gone = new HashSet<>();

        private static Set<Long> others(long account, Status status) {
            Set<Long> others = new TreeSet<>(Conversations.participants(status));
            others.remove(account);
            return others;
        }

        private static String key(long account, Status status) {
            return status.conversationId() + " " + others(account, status);
        }

        private Map<String, Talk> of(long account) {
            return talks.computeIfAbsent(account, none -> new HashMap<>());
        }

        private Set<Long> endedOf(long account) {
            return ended.computeIfAbsent(account, none -> new HashSet<>());
        }

        void add(long account, Status status) {
            if (endedOf(account).contains(status.id())) {
                return;
            }
            Talk talk = of(account).computeIfAbsent(key(account, status), none -> new Talk(others(account, status)));
            if (talk.known.putIfAbsent(status.id(), status) != null) {
                return;
            }
            if (status.authorId() == account) {
                talk.read = Math.max(talk.read, status.id());
            }
        }

        void remove(long account, Status status) {
            endedOf(account).add(status.id());
            Talk talk = of(account).get(key(account, status));
            if (talk != null) {
                talk.known.remove(status.id());
                if (talk.known.isEmpty()) {
                    of(account).remove(key(account, status));
                }
            }
        }

        void read(long account, Shown shown) {
            Talk talk = of(account).get(key(account, shown.last()));
            talk.read = Math.max(talk.read, talk.known.lastKey());
        }

        void unread(long account, Shown shown) {
            of(account).get(key(account, shown.last())).read = 0;
        }

        void drop(long account, Shown shown) {
            Talk talk = of(account).remove(key(account, shown.last()));
            endedOf(account).addAll(talk.known.keySet());
        }

        void block(long blocker, long blocked, boolean ends) {
            Set<Long> all = blocks.computeIfAbsent(blocker, none -> new HashSet<>());
            boolean unused = ends ? all.remove(blocked) : all.add(blocked);
        }

        private boolean apart(long one, long other) {
            return blocks.getOrDefault(one, Set.of()).contains(other)
                    || blocks.getOrDefault(other, Set.of()).contains(one);
        }

        List<String> list(long account) {
            List<Talk> sorted = new ArrayList<>(of(account).values());
            sorted.sort(Comparator.comparing(talk -> -talk.known.lastKey()));
            List<String> expected = new ArrayList<>();
            for (Talk talk : sorted) {
                if (!talk.others.isEmpty() && talk.others.stream().allMatch(other -> apart(account, other))) {
                    continue;
                }
                talk.known.descendingMap().values().stream()
                        .filter(status -> !gone.contains(status.id()))
                        .filter(status -> status.authorId() == account || !apart(account, status.authorId()))
                        .findFirst()
                        .ifPresent(last -> expected.add(last.id()
                                + (last.id() > talk.read ? " unread " : " read ")
                                + new TreeSet<>(talk.others)));
            }
            return expected;
        }
    }
}
