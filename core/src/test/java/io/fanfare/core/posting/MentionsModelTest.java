package io.fanfare.core.posting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Notifications;
import io.fanfare.core.LoopStores;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Mentions are notified as a simple model says, whoever blocks and mutes whom in between: posts, jobs that run late and
 * again, deletes, dismissals, blocks and mutes, in random orders. A mention is missing where its job ran while the
 * account that it names blocked its author, and hidden as long as either blocks the other or the account mutes the
 * notifications of the author; nothing else is missing.
 */
@ParameterizedClass
@KindsOfRedis
class MentionsModelTest {
    private static final int SEEDS = Integer.getInteger("fanfare.tests.seeds", 5);
    private static final int OPERATIONS = 120;
    private static final int PEOPLE = 4;

    /** The knowledge that the model may be made to forget, so that it reports differences. */
    private enum Knows {
        BLOCKS_WHEN_NOTIFIED,
        BLOCKS_WHEN_SHOWN,
        MUTES
    }

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void nothingIsMissingButWhatBlocksAndMutesExplain() {
        long first = Long.getLong("fanfare.tests.seed", System.nanoTime());
        int operations = 0;
        for (long seed = first; seed < first + SEEDS; seed++) {
            kind.redis().flush();
            operations += OPERATIONS;
            assertThat(new Life(seed, EnumSet.allOf(Knows.class)).run())
                    .as("seed %d", seed)
                    .isEmpty();
        }
        System.out.println(operations + " operations from seed " + first + ": 0 differences");
    }

    /** Each check of the model finds a difference. */
    @ParameterizedTest
    @EnumSource
    void aModelThatForgetsOneOfThemReportsDifferences(Knows forgotten) {
        Set<Knows> rest = EnumSet.complementOf(EnumSet.of(forgotten));
        Set<String> differences = new TreeSet<>();
        for (long seed = 1; differences.isEmpty() && seed < 100; seed++) {
            kind.redis().flush();
            differences.addAll(new Life(seed, rest).run());
        }
        assertThat(differences).isNotEmpty();
    }

    /** A mention of somebody in a status. */
    private record Mention(long account, long status) {}

    private record Pair(long from, long to) {}

    /** One schedule, beside its model. */
    private final class Life {
        private final Random random;
        private final Set<Knows> knows;
        private final long[] people = f.users(PEOPLE);
        private final LoopStores stores;
        private final List<Status> posts = new ArrayList<>();
        private final Set<Status> waiting = new LinkedHashSet<>();
        private final Map<Mention, Boolean> notified = new HashMap<>(); // false = dismissed
        private final Set<Long> deleted = new HashSet<>();
        private final Set<Pair> blocks = new HashSet<>();
        private final Map<Pair, Boolean> mutes = new HashMap<>();

        Life(long seed, Set<Knows> knows) {
            this.random = new Random(seed);
            this.knows = knows;
            this.stores = LoopStores.of(LoopStores.Parts.uncached(
                    f.link,
                    f.settings,
                    new Shards(f.settings.redis().shards()),
                    InstantSource.system(),
                    new Random(seed)));
        }

        Set<String> run() {
            Set<String> differences = new TreeSet<>();
            for (int i = 0; i < OPERATIONS; i++) {
                step();
                compare(somebody(), i, differences);
            }
            List.copyOf(waiting).forEach(this::settle);
            for (long reader : people) {
                compare(reader, OPERATIONS, differences);
            }
            return differences;
        }

        private long somebody() {
            return people[random.nextInt(PEOPLE)];
        }

        private long somebodyElse(long than) {
            long other = somebody();
            return other == than ? somebodyElse(than) : other;
        }

        private void step() {
            long one = somebody();
            long other = somebodyElse(one);
            Pair pair = new Pair(one, other);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> post(one);
                case 3, 4, 5 -> {
                    if (!waiting.isEmpty()) {
                        List<Status> pending = List.copyOf(waiting);
                        settle(pending.get(random.nextInt(pending.size())));
                    }
                }
                case 6 -> {
                    if (!posts.isEmpty()) {
                        settle(posts.get(random.nextInt(posts.size()))); // Again, or late.
                    }
                }
                case 7 -> delete();
                case 8 -> {
                    f.get(() -> stores.blocks().block(one, other));
                    blocks.add(pair);
                }
                case 9 -> {
                    Pair unblocked = blocks.isEmpty() || random.nextInt(4) == 0
                            ? pair
                            : List.copyOf(blocks).get(random.nextInt(blocks.size()));
                    f.get(() -> stores.blocks().unblock(unblocked.from(), unblocked.to()));
                    blocks.remove(unblocked);
                }
                case 10 -> {
                    boolean notifications = random.nextBoolean();
                    f.get(() -> stores.blocks().mute(one, other, notifications));
                    mutes.put(pair, notifications);
                }
                default -> {
                    if (random.nextInt(3) == 0) {
                        f.get(() -> stores.notifications().clear(one));
                        notified.replaceAll((mention, shown) -> shown && mention.account() != one);
                    } else {
                        f.get(() -> stores.blocks().unmute(one, other));
                        mutes.remove(pair);
                    }
                }
            }
        }

        private void post(long author) {
            Set<Long> named = new LinkedHashSet<>(List.of(somebody(), somebody()));
            List<Content.Mention> mentions = named.stream()
                    .map(account -> new Content.Mention(account, "user" + account))
                    .toList();
            Content content = new Content("x", "", false, null, mentions, List.of(), null);
            Status status = f.get(() -> stores.statuses().post(Post.of(author, Visibility.PUBLIC, content), null))
                    .status();
            posts.add(status);
            waiting.add(status);
        }

        private void settle(Status status) {
            f.get(() -> stores.sideEffects().settle(List.of(status)));
            waiting.remove(status);
            for (Content.Mention mention : status.post().content().mentions()) {
                long account = mention.accountId();
                boolean blocked = knows.contains(Knows.BLOCKS_WHEN_NOTIFIED)
                        && blocks.contains(new Pair(account, status.authorId()));
                if (account != status.authorId() && !blocked && !deleted.contains(status.id())) {
                    notified.putIfAbsent(new Mention(account, status.id()), true);
                }
            }
        }

        private void delete() {
            if (!posts.isEmpty()) {
                Status status = posts.get(random.nextInt(posts.size()));
                f.get(() -> stores.statuses().delete(status.authorId(), status.id()));
                if (random.nextBoolean()) {
                    f.get(() -> stores.sideEffects().takeBack(List.of(status)));
                }
                deleted.add(status.id());
            }
        }

        private void compare(long reader, int step, Set<String> differences) {
            Set<Long> expected = new TreeSet<>();
            for (Status status : posts) {
                if (notified.getOrDefault(new Mention(reader, status.id()), false)
                        && !deleted.contains(status.id())
                        && shows(reader, status.authorId())) {
                    expected.add(status.id());
                }
            }
            Set<Long> found = new TreeSet<>();
            f.get(() -> stores.notifications().page(reader, PageRequest.newest(200), any -> true)).items().stream()
                    .map(Notifications.Shown::notification)
                    .filter(each -> each.type() == Notification.Type.MENTION)
                    .forEach(each -> found.add(each.statusId()));
            if (!found.equals(expected)) {
                differences.add("step " + step + " reader " + reader + " expected " + expected + " found " + found);
            }
        }

        private boolean shows(long reader, long author) {
            boolean blocked = knows.contains(Knows.BLOCKS_WHEN_SHOWN)
                    && (blocks.contains(new Pair(reader, author)) || blocks.contains(new Pair(author, reader)));
            boolean muted = knows.contains(Knows.MUTES) && mutes.getOrDefault(new Pair(reader, author), false);
            return !blocked && !muted;
        }
    }
}
