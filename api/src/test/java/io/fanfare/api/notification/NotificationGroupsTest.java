package io.fanfare.api.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.api.notification.NotificationGroups.Group;
import io.fanfare.api.notification.NotificationGroups.Groups;
import io.fanfare.api.notification.NotificationGroups.Wanted;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.NotificationGroupKey;
import io.fanfare.common.model.NotificationPolicy.Choice;
import io.fanfare.common.model.NotificationPolicy.Source;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.store.Notifications;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@KindsOfRedis
class NotificationGroupsTest {
    /** Types that an account has requested itself, whatever its policy says. */
    private static final Set<Notification.Type> REQUESTED_TYPES = Set.of(
            Notification.Type.UPDATE,
            Notification.Type.QUOTED_UPDATE,
            Notification.Type.STATUS,
            Notification.Type.POLL);

    private static final long HALF_DAY = Duration.ofHours(12).toMillis();

    /** Within three half days after so many, accounts that are made when a test begins cease to be new. */
    private static final int AGE = 58;

    private static final long MONTH = Duration.ofDays(30).toMillis();
    private static final int ROUNDS = 25;
    private static final long NOBODY = 4242;
    private static final Wanted ALL = new Wanted(any -> true, NotificationGroupKey.GROUPED, false);

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Notifications notifications;
    private NotificationGroups groups;
    private long ann;
    private long[] actors;
    private long noon;

    /** The notifications that {@link #arrange} has set aside, by their sender. */
    private final Map<Long, List<Long>> aside = new LinkedHashMap<>();

    private NotificationRequests requests;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        ViewerRelationshipsReader viewerRelationships = new ViewerRelationshipsReader(f.link, InstantSource.system());
        notifications = new Notifications(f.link, f.settings, f.stores.statuses(), viewerRelationships);
        groups = new NotificationGroups(notifications, f.stores.accounts(), f.stores.statuses(), viewerRelationships);
        requests =
                new NotificationRequests(notifications, f.stores.accounts(), f.stores.statuses(), viewerRelationships);
        long[] users = f.users(8);
        ann = users[0];
        actors = Arrays.copyOfRange(users, 1, users.length);
        noon = (Id.epochMillis(ann) / HALF_DAY + AGE) * HALF_DAY;
    }

    @AfterEach
    void close() {
        f.close();
    }

    /** An id of Ann's shard, some time after a noon. */
    private long at(long millis) {
        return Id.of(noon + millis, Id.shard(ann), 0);
    }

    @CanIgnoreReturnValue
    private Notification add(Notification.Type type, long actor, long status, long id) {
        Notification notification = new Notification(id, type, actor, status);
        String key = Keys.notifications(ann);
        f.redis.askAt(key, "ZADD", key, "" + id, Notifications.member(notification));
        return notification;
    }

    private Groups page(PageRequest page) {
        return f.get(() -> groups.page(ann, page, ALL));
    }

    private static List<String> keys(Groups page) {
        return page.page().items().stream().map(group -> group.key().wire()).toList();
    }

    @Test
    void notificationsOfOneTypeAndStatusWithinAHalfDayAreOneGroup() {
        long status = f.post(ann);
        long hour = noon / Duration.ofHours(1).toMillis();
        add(Notification.Type.FAVOURITE, actors[0], status, at(-1));
        add(Notification.Type.FAVOURITE, actors[1], status, at(0));
        add(Notification.Type.MENTION, actors[1], status, at(5));
        add(Notification.Type.REBLOG, actors[1], status, at(10));
        add(Notification.Type.FOLLOW, actors[2], 0, at(20));
        add(Notification.Type.FAVOURITE, actors[2], status, at(30));
        add(Notification.Type.FOLLOW, actors[3], 0, at(HALF_DAY - 1));
        add(Notification.Type.FOLLOW, actors[4], 0, at(HALF_DAY));

        Groups all = page(PageRequest.newest(40));
        assertThat(keys(all))
                .containsExactly(
                        "follow-" + (hour + 12),
                        "follow-" + hour,
                        "favourite-" + status + "-" + hour,
                        "reblog-" + status + "-" + hour,
                        "ungrouped-" + at(5),
                        "favourite-" + status + "-" + (hour - 12));
        assertThat(all.page().items().get(2).members().stream().map(Notification::actorId))
                .containsExactly(actors[2], actors[1]);
        assertThat(all.page().items().get(1).members()).hasSize(2);
        Wanted follows = new Wanted(any -> true, Set.of(Notification.Type.FOLLOW), false);
        assertThat(f.get(() -> groups.page(ann, PageRequest.newest(40), follows))
                        .page()
                        .items())
                .hasSize(7);
    }

    @Test
    void aGroupStandsWhereItsNewestStandsOnAllPages() {
        long first = f.post(ann);
        long second = f.post(ann);
        add(Notification.Type.FAVOURITE, actors[0], first, at(1));
        add(Notification.Type.FAVOURITE, actors[0], second, at(2));
        add(Notification.Type.FAVOURITE, actors[1], first, at(3));

        Groups top = page(PageRequest.newest(1));
        assertThat(top.page().items()).singleElement().satisfies(group -> assertThat(group.members())
                .hasSize(2));
        assertThat(top.page().next()).isEqualTo(at(3));
        assertThat(top.low()).isEqualTo(at(3));
        Groups bottom = page(PageRequest.olderThan(top.page().next(), 1));
        assertThat(bottom.page().items())
                .singleElement()
                .satisfies(group -> assertThat(group.key().subject()).isEqualTo(second));
        assertThat(bottom.page().next()).isZero();

        add(Notification.Type.FAVOURITE, actors[2], second, at(4));
        Groups since = page(PageRequest.justAbove(top.page().prev(), 5));
        assertThat(since.page().items()).singleElement().satisfies(group -> assertThat(group.members())
                .as("whole, also what is older")
                .hasSize(2));
    }

    @Test
    void aGroupIsDismissedWholeAndDoesNotComeBackWithItsJobs() {
        long status = f.post(ann);
        Notification liked = add(Notification.Type.FAVOURITE, actors[0], status, at(1));
        add(Notification.Type.FAVOURITE, actors[1], status, at(2));
        add(Notification.Type.REBLOG, actors[1], status, at(3));
        add(Notification.Type.FAVOURITE, actors[2], status, at(HALF_DAY));
        NotificationGroupKey key = NotificationGroupKey.of(liked);
        f.redis.askAt(Keys.mutes(ann), "ZADD", Keys.mutes(ann), "1", "" + actors[1]);

        f.get(() -> notifications.dismiss(ann, key));
        assertThat(f.get(() -> groups.find(ann, key))).isEmpty();
        assertThat(f.members(Keys.notifications(ann)))
                .containsExactly("reblog " + actors[1] + " " + status, "favourite " + actors[2] + " " + status);
        f.get(() -> notifications.dismiss(ann, key));
        f.get(() -> notifications.add(ann, Notification.of(Notification.Type.FAVOURITE, actors[0], status)));
        assertThat(f.members(Keys.notifications(ann))).hasSize(2);
        f.get(() -> notifications.dismiss(ann, NotificationGroupKey.alone(at(3))));
        assertThat(f.members(Keys.notifications(ann))).containsExactly("favourite " + actors[2] + " " + status);
    }

    @Test
    void aKeyIsReadAsItIsWrittenAndNothingElse() {
        for (Notification notification : List.of(
                new Notification(at(7), Notification.Type.FAVOURITE, 1, 77),
                new Notification(at(7), Notification.Type.FOLLOW, 1, 0),
                new Notification(at(7), Notification.Type.UPDATE, 1, 77))) {
            NotificationGroupKey key = NotificationGroupKey.of(notification);
            assertThat(NotificationGroupKey.parse(key.wire())).contains(key);
            assertThat(key.has(notification)).isTrue();
            assertThat(key.first()).isLessThanOrEqualTo(at(7));
            assertThat(key.last()).isGreaterThanOrEqualTo(at(7));
        }
        for (String other : List.of(
                "",
                "follow",
                "follow-488821",
                "follow-0",
                "follow-9999996",
                "favourite-488820",
                "favourite-0-488820",
                "favourite-01-488820",
                "mention-1-488820",
                "ungrouped-",
                "ungrouped-9999999999999999",
                "ungrouped-1 ")) {
            assertThat(NotificationGroupKey.parse(other)).as(other).isEmpty();
        }
        assertThat(NotificationGroupKey.lastBeside(Id.MAX)).isEqualTo(Id.MAX);
        assertThat(NotificationGroupKey.firstBeside(0)).isZero();
    }

    @Test
    void pagesAreThoseOfAListThatIsGroupedAsAWhole() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<Expected> expected = arrange(random);
            for (int limit : new int[] {1, 2, 3, 7, 80}) {
                assertThat(down(limit, 0))
                        .as("seed " + seed + " limit " + limit)
                        .isEqualTo(expected);
                assertThat(up(limit)).as("upwards, seed " + seed).isEqualTo(expected);
            }
            assertThat(requested()).as("set aside, seed " + seed).isEqualTo(aside);
            long since = expected.isEmpty()
                    ? 1
                    : expected.get(random.nextInt(expected.size())).newest();
            List<Expected> above =
                    expected.stream().filter(group -> group.newest() > since).toList();
            assertThat(down(2, since)).as("since, seed " + seed).isEqualTo(above);
            assertThat(f.get(() -> groups.count(ann, since, 1000, ALL))).isEqualTo(above.size());
            for (Expected group : expected) {
                NotificationGroupKey key =
                        NotificationGroupKey.parse(group.key()).orElseThrow();
                Optional<Group> found = f.get(() -> groups.find(ann, key));
                assertThat(found.map(Expected::of)).contains(group);
                assertThat(members(found.orElseThrow(), 2)).isEqualTo(group.ids());
            }
        }
    }

    private Map<Long, List<Long>> requested() {
        Map<Long, List<Long>> requested = new LinkedHashMap<>();
        f.get(() -> requests.all(ann))
                .forEach(request -> requested.put(
                        request.sender(),
                        request.aside().stream().map(Notification::id).toList()));
        return requested;
    }

    @Test
    void theSenderAcceptedTheLongestAgoMakesRoom() {
        String key = Keys.acceptedSenders(ann);
        f.redis.askAt(key, "ZADD", key, "5", "1", "7", "2", "9", "3");
        List<Long> many = LongStream.rangeClosed(4, 1000).boxed().toList();
        f.get(() -> notifications.policies().accept(ann, many));
        f.get(() -> notifications.policies().accept(ann, List.of(1L)));
        assertThat(f.members(key)).as("as many as are kept").hasSize(1000).contains("1", "2");
        f.get(() -> notifications.policies().accept(ann, List.of(1001L)));
        assertThat(f.members(key)).hasSize(1000).contains("1", "3", "1001").doesNotContain("2");
    }

    private void suspend(long account) {
        f.redis.askAt(Keys.user(account), "HSET", Keys.user(account), "state", "suspended");
    }

    @Test
    void aSuspendedAccountHidesNoHonestLikeAndCountsNowhere() {
        long status = f.post(ann);
        Notification honest = add(Notification.Type.FAVOURITE, actors[0], status, at(1));
        add(Notification.Type.FOLLOW, actors[1], 0, at(2));
        for (int i = 2; i < actors.length; i++) {
            add(Notification.Type.FAVOURITE, actors[i], status, at(10 + i));
            suspend(actors[i]);
        }
        assertThat(page(PageRequest.newest(40)).page().items())
                .extracting(
                        group -> group.newest().id(), group -> group.members().size())
                .as("place and count")
                .containsExactly(tuple(at(2), 1), tuple(at(1), 1));
        assertThat(f.get(() -> groups.count(ann, at(2), 1000, ALL))).isZero();
        assertThat(f.get(() -> groups.find(ann, NotificationGroupKey.of(honest)))
                        .orElseThrow()
                        .members())
                .containsExactly(honest);

        f.get(() -> notifications.policies().choose(ann, Map.of(Source.NOT_FOLLOWING, Choice.FILTER)));
        assertThat(requested().keySet()).containsExactly(actors[1], actors[0]);
    }

    @Test
    void aGroupThatIsSetAsideWholeIsFound() {
        long status = f.post(ann);
        Notification older = add(Notification.Type.FAVOURITE, actors[0], status, at(1));
        Notification newer = add(Notification.Type.FAVOURITE, actors[1], status, at(2));
        NotificationGroupKey key = NotificationGroupKey.of(older);
        f.get(() -> notifications.policies().choose(ann, Map.of(Source.NOT_FOLLOWING, Choice.FILTER)));
        assertThat(page(PageRequest.newest(40)).page().items()).isEmpty();
        assertThat(f.get(() -> groups.find(ann, key)).orElseThrow().members()).containsExactly(newer, older);
        assertThat(f.get(() -> groups.find(ann, NotificationGroupKey.alone(at(2))))
                        .orElseThrow()
                        .members())
                .containsExactly(newer);

        f.get(() -> notifications.policies().accept(ann, List.of(actors[0])));
        assertThat(f.get(() -> groups.find(ann, key)).orElseThrow().members())
                .as("as the list shows it")
                .containsExactly(older);
        f.get(() -> notifications.policies().choose(ann, Map.of(Source.NOT_FOLLOWING, Choice.DROP)));
        f.redis.askAt(Keys.acceptedSenders(ann), "DEL", Keys.acceptedSenders(ann));
        assertThat(f.get(() -> groups.find(ann, key))).isEmpty();
    }

    private record Expected(String key, List<Long> ids) {
        static Expected of(Group group) {
            return new Expected(
                    group.key().wire(),
                    group.members().stream().map(Notification::id).toList());
        }

        long newest() {
            return ids.get(0);
        }
    }

    /** The shown part of a list made at random, by the definition. */
    private List<Expected> arrange(RandomGenerator random) {
        for (String key : List.of(
                Keys.notifications(ann),
                Keys.mutes(ann),
                Keys.blocks(ann),
                Keys.following(ann),
                Keys.followers(ann),
                Keys.acceptedSenders(ann))) {
            f.redis.askAt(key, "DEL", key);
        }
        Set<Long> followed = sample(random, Keys.following(ann));
        Set<Long> followers = sample(random, Keys.followers(ann));
        Set<Long> accepted = sample(random, Keys.acceptedSenders(ann));
        Map<Source, Choice> choices = new EnumMap<>(Source.class);
        for (Source source : Source.values()) {
            choices.put(source, List.of(Choice.values()).get(random.nextInt(8) % 3));
        }
        f.get(() -> notifications.policies().choose(ann, choices));
        List<Long> posts = new ArrayList<>();
        Set<Long> gone = new HashSet<>(Set.of(NOBODY));
        for (int i = 0; i < 4; i++) {
            posts.add(f.post(ann));
        }
        f.delete(ann, posts.get(0));
        gone.add(posts.get(0));
        posts.add(NOBODY);
        Set<Long> hidden = new HashSet<>();
        for (String key : List.of(Keys.mutes(ann), Keys.blocks(ann))) {
            long actor = actors[random.nextInt(actors.length)];
            f.redis.askAt(key, "ZADD", key, "1", "" + actor);
            hidden.add(actor);
        }
        TreeMap<Long, Notification> all = new TreeMap<>(Comparator.reverseOrder());
        Set<String> there = new HashSet<>();
        int count = random.nextInt(60);
        // A warning stands alone and has an actor of its own: WarningRoutesTest.
        List<Notification.Type> types =
                List.copyOf(EnumSet.complementOf(EnumSet.of(Notification.Type.MODERATION_WARNING)));
        for (int i = 0; i < count; i++) {
            Notification.Type type = types.get(random.nextInt(types.size()));
            long actor = actors[random.nextInt(actors.length)];
            long status = type == Notification.Type.FOLLOW ? 0 : posts.get(random.nextInt(posts.size()));
            long id = at(random.nextLong(3 * HALF_DAY) / 5 * 5);
            if (!all.containsKey(id) && there.add(type + " " + actor + " " + status)) {
                all.put(id, add(type, actor, status, id));
            }
        }
        Map<String, List<Long>> groups = new HashMap<>();
        aside.clear();
        all.values().stream()
                .filter(each -> !hidden.contains(each.actorId()) && !gone.contains(each.statusId()))
                .filter(each -> {
                    Set<Choice> chosen = EnumSet.noneOf(Choice.class);
                    boolean isRequested = REQUESTED_TYPES.contains(each.type());
                    if (!isRequested && !accepted.contains(each.actorId())) {
                        chosen.add(
                                followed.contains(each.actorId()) ? Choice.ACCEPT : choices.get(Source.NOT_FOLLOWING));
                        chosen.add(
                                followers.contains(each.actorId()) ? Choice.ACCEPT : choices.get(Source.NOT_FOLLOWERS));
                        boolean old = Id.epochMillis(each.id()) >= Id.epochMillis(each.actorId()) + MONTH;
                        chosen.add(old ? Choice.ACCEPT : choices.get(Source.NEW_ACCOUNTS));
                    }
                    if (!chosen.contains(Choice.DROP) && chosen.contains(Choice.FILTER)) {
                        aside.computeIfAbsent(each.actorId(), first -> new ArrayList<>())
                                .add(each.id());
                    }
                    return !chosen.contains(Choice.DROP) && !chosen.contains(Choice.FILTER);
                })
                .forEach(each -> groups.computeIfAbsent(
                                NotificationGroupKey.of(each).wire(), first -> new ArrayList<>())
                        .add(each.id()));
        return groups.entrySet().stream()
                .map(group -> new Expected(group.getKey(), group.getValue()))
                .sorted(Comparator.comparingLong(Expected::newest).reversed())
                .collect(Collectors.toList());
    }

    /** Some of the actors, as members of a set. */
    private Set<Long> sample(RandomGenerator random, String key) {
        Set<Long> sample = new HashSet<>();
        for (long actor : actors) {
            if (random.nextBoolean()) {
                f.redis.askAt(key, "ZADD", key, "1", "" + actor);
                sample.add(actor);
            }
        }
        return sample;
    }

    private List<Expected> down(int limit, long since) {
        List<Expected> walk = new ArrayList<>();
        long max = Id.MAX;
        while (max > since + 1) {
            Groups page = page(new PageRequest(max, since, 0, limit));
            boolean last = page.page().next() <= since + 1;
            assertThat(page.page().items()).hasSizeLessThanOrEqualTo(limit);
            assertThat(last || page.page().items().size() == limit).isTrue();
            page.page().items().forEach(group -> walk.add(Expected.of(group)));
            max = page.page().next();
        }
        return walk;
    }

    private List<Expected> up(int limit) {
        List<Expected> walk = new ArrayList<>();
        long min = PageRequest.BOTTOM;
        while (min > 0) {
            Page<Group> page = page(PageRequest.justAbove(min, limit)).page();
            walk.addAll(0, page.items().stream().map(Expected::of).toList());
            min = page.prev();
        }
        return walk;
    }

    private static List<Long> members(Group group, int limit) {
        List<Long> walk = new ArrayList<>();
        long max = Id.MAX;
        while (max > 0) {
            Page<Notification> page = NotificationGroups.members(group, PageRequest.olderThan(max, limit));
            walk.addAll(page.items().stream().map(Notification::id).toList());
            max = page.next();
        }
        List<Long> climb = new ArrayList<>();
        long min = PageRequest.BOTTOM;
        while (min > 0) {
            Page<Notification> page = NotificationGroups.members(group, PageRequest.justAbove(min, limit));
            climb.addAll(0, page.items().stream().map(Notification::id).toList());
            min = page.prev();
        }
        assertThat(climb).isEqualTo(walk);
        return walk;
    }
}
