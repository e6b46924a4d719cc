package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.auth.Principal;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.auth.Tokens;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.PushSubscription;
import io.fanfare.common.model.PushSubscription.Policy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.store.PushSubscriptions.Found;
import io.fanfare.common.store.PushSubscriptions.Verdict;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** A subscription is there as long as its token, and a notification makes a job for each that wants it. */
@ParameterizedClass
@KindsOfRedis
class PushSubscriptionsTest {
    private static final Duration PATIENCE = Duration.ofDays(7);

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private PushSubscriptions subscriptions;
    private Tokens tokens;
    private Notifications notifications;
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        subscriptions = new PushSubscriptions(f.link);
        notifications = new Notifications(
                f.link, f.settings, f.stores.statuses(), new ViewerRelationshipsReader(f.link, InstantSource.system()));
        tokens = new Tokens(
                f.link,
                SigningKeys.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8)),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom());
        long[] users = f.users(2);
        ann = users[0];
        bob = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    private Principal token() {
        Tokens.Issued issued = f.get(() -> tokens.issue(ann, "", "", Set.of("push")));
        return new Principal(ann, issued.tokenId(), "", "", issued.scopes());
    }

    private static PushSubscription wanted(Set<String> alerts, Policy policy) {
        return new PushSubscription(
                0, 0, alerts, policy, true, List.of(), "key", "auth", "https://push.example.com/x", "");
    }

    @CanIgnoreReturnValue
    private PushSubscription subscribe(Principal token, String... alerts) {
        return f.get(() -> subscriptions.subscribe(ann, token.tokenId(), wanted(Set.of(alerts), Policy.FOLLOWED)));
    }

    private long stored() {
        return f.hash(Keys.push(ann)).keySet().stream()
                .filter(field -> !field.equals("last"))
                .count();
    }

    private List<String> pushJobs() {
        return f.jobs(Id.shard(ann), "normal").stream()
                .filter(job -> job.startsWith("push."))
                .toList();
    }

    @Test
    void aTokenHasOneSubscriptionAndANewOneTakesItsPlace() {
        Principal phone = token();
        PushSubscription first = subscribe(phone, "mention", "admin.sign_up");
        PushSubscription second = subscribe(phone, "follow");

        assertThat(first.id()).isEqualTo(1);
        assertThat(first.alerts()).containsExactlyInAnyOrder("mention", "admin.sign_up");
        assertThat(second.id()).isEqualTo(2);
        assertThat(f.get(() -> subscriptions.find(ann, phone.tokenId()))).contains(second);
        assertThat(f.get(() -> subscriptions.read(ann, 1))).isEmpty();
        assertThat(f.get(() -> subscriptions.read(ann, 2))).contains(new Found(phone.tokenId(), second));

        PushSubscription changed = f.get(() -> subscriptions.update(ann, phone.tokenId(), Set.of(), Policy.NONE))
                .orElseThrow();
        assertThat(changed.alerts()).isEmpty();
        assertThat(changed.policy()).isEqualTo(Policy.NONE);
        assertThat(changed.endpoint()).isEqualTo(second.endpoint());

        f.get(() -> subscriptions.end(ann, phone.tokenId()));
        assertThat(f.get(() -> subscriptions.find(ann, phone.tokenId()))).isEmpty();
        assertThat(f.get(() -> subscriptions.update(ann, phone.tokenId(), Set.of(), Policy.ALL)))
                .isEmpty();
        assertThat(subscribe(phone, "follow").id()).as("ids do not come again").isEqualTo(3);
    }

    @Test
    void aSubscriptionEndsWithItsTokenHoweverThatEnds() {
        Principal phone = token();
        Principal laptop = token();
        long ofPhone = subscribe(phone, "mention").id();
        long ofLaptop = subscribe(laptop, "mention").id();

        f.get(() -> tokens.revoke(phone));
        assertThat(f.get(() -> subscriptions.read(ann, ofPhone))).isEmpty();
        assertThat(f.get(() -> subscriptions.read(ann, ofLaptop))).isPresent();
        assertThat(stored()).isEqualTo(1);
        assertThatThrownBy(() -> subscribe(phone, "mention")).isInstanceOf(Refusal.class);

        f.get(() -> tokens.changePassword(laptop, "hash"));
        assertThat(stored()).isEqualTo(1);
        f.get(() -> new AccountAccess(f.link).revokeAll(ann));
        assertThat(stored()).isZero();
    }

    @Test
    void aSuspendedAccountHasNoSubscriptionsUntilItIsRestored() {
        Principal phone = token();
        PushSubscription subscription = subscribe(phone, "mention");
        AccountAccess access = new AccountAccess(f.link);
        f.get(() -> access.suspend(ann));
        assertThat(f.get(() -> subscriptions.read(ann, subscription.id()))).isEmpty();
        assertThatThrownBy(() -> subscribe(phone, "mention")).isInstanceOf(Refusal.class);
        f.get(() -> access.unsuspend(ann));
        assertThat(f.get(() -> subscriptions.read(ann, subscription.id())))
                .contains(new Found(phone.tokenId(), subscription));

        f.get(() -> access.suspend(ann));
        f.get(() -> access.revokeAll(ann));
        assertThat(stored()).as("tokens that will not be good again").isZero();
    }

    /** A process died between the end of the token and the sweep. */
    @Test
    void aSubscriptionOfAnEndedTokenIsIgnoredAndSwept() {
        Principal phone = token();
        long id = subscribe(phone, "follow").id();
        f.redis.askAt(Keys.tokens(ann), "DEL", Keys.tokens(ann));
        assertThat(f.get(() -> subscriptions.read(ann, id))).isEmpty();
        subscribe(token(), "follow");
        assertThat(stored()).as("the next one sweeps").isEqualTo(1);
    }

    @Test
    void anAccountHasSoManyAtMost() {
        for (int i = 0; i < PushSubscriptions.MAX; i++) {
            subscribe(token(), "mention");
        }
        Principal last = token();
        assertThatThrownBy(() -> subscribe(last, "mention"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("log out");
        assertThat(stored()).isEqualTo(PushSubscriptions.MAX);
    }

    @Test
    void aFailingSubscriptionEndsWhenItHasFailedForLongAndOneThatIsGoneAtOnce() {
        Principal phone = token();
        long id = subscribe(phone, "mention").id();
        assertThat(note(id, Verdict.FAILED, Duration.ofDays(1))).isFalse();
        long since = read(id).subscription().failingSince();
        assertThat(since).isPositive();
        assertThat(note(id, Verdict.FAILED, Duration.ofDays(1))).isFalse();
        assertThat(read(id).subscription().failingSince())
                .as("the first failure counts")
                .isEqualTo(since);
        assertThat(note(id, Verdict.SENT, PATIENCE)).isFalse();
        assertThat(read(id).subscription().failingSince()).isZero();
        assertThat(note(id, Verdict.FAILED, Duration.ZERO)).as("the first one").isFalse();
        assertThat(note(id, Verdict.FAILED, Duration.ZERO)).isTrue();
        assertThat(f.get(() -> subscriptions.find(ann, phone.tokenId()))).isEmpty();

        long other = subscribe(phone, "mention").id();
        Found former = new Found(
                phone.tokenId(), new PushSubscription(id, 0, Set.of(), Policy.ALL, true, List.of(), "k", "a", "e", ""));
        assertThat(f.get(() -> subscriptions.note(ann, former, Verdict.GONE, PATIENCE, 0)))
                .as("word of one that was replaced")
                .isFalse();
        assertThat(note(other, Verdict.GONE, PATIENCE)).isTrue();
        assertThat(stored()).isZero();
    }

    @Test
    void sentNotificationsAreRememberedUpToABound() {
        long id = subscribe(token(), "mention").id();
        for (long notification = 1; notification <= 40; notification++) {
            long sent = notification;
            Found found = read(id);
            f.get(() -> subscriptions.note(ann, found, Verdict.SENT, PATIENCE, sent));
        }
        assertThat(read(id).subscription().sent())
                .hasSize(32)
                .startsWith(40L, 39L)
                .doesNotContain(8L);
    }

    private Found read(long id) {
        return f.get(() -> subscriptions.read(ann, id)).orElseThrow();
    }

    private boolean note(long id, Verdict verdict, Duration patience) {
        Found found = read(id);
        return f.get(() -> subscriptions.note(ann, found, verdict, patience, 0));
    }

    @Test
    void aFollowAndAMentionMakeAJobOnceForEachThatWantsThem() {
        long both = subscribe(token(), "follow", "mention").id();
        long one = subscribe(token(), "mention").id();
        subscribe(token());

        f.follow(bob, ann);
        List<String> followed = f.members(Keys.notifications(ann));
        assertThat(followed).hasSize(1);
        String notification = f.redis
                .askAt(Keys.notifications(ann), "ZSCORE", Keys.notifications(ann), followed.get(0))
                .asString();
        String id = new BigDecimal(notification).toPlainString();
        assertThat(pushJobs()).containsExactly("push.1 " + ann + " " + id + " " + both);

        Notification mention = Notification.of(Notification.Type.MENTION, bob, 77);
        long mentionId = f.get(() -> notifications.add(ann, mention));
        f.get(() -> notifications.add(ann, mention));
        assertThat(pushJobs())
                .hasSize(3)
                .contains(
                        "push.1 " + ann + " " + mentionId + " " + both, "push.1 " + ann + " " + mentionId + " " + one);
    }

    /** Delayed jobs count as well: a push service that is away puts off all of its own. */
    @Test
    void whileVeryManyJobsWaitNoneIsAdded() {
        subscribe(token(), "mention");
        String delayed = Keys.delayed(Id.shard(ann));
        List<String> many = new ArrayList<>(List.of("ZADD", delayed));
        for (int i = 0; i < 20_000; i++) {
            many.addAll(List.of("1", "job " + i));
        }
        f.redis.askAt(delayed, many.toArray(String[]::new));
        f.get(() -> notifications.add(ann, Notification.of(Notification.Type.MENTION, bob, 77)));
        assertThat(pushJobs()).isEmpty();
        f.redis.askAt(delayed, "ZREM", delayed, "job 1");
        f.get(() -> notifications.add(ann, Notification.of(Notification.Type.MENTION, bob, 78)));
        assertThat(pushJobs()).hasSize(1);
    }

    /** Random changes against a map. */
    @Test
    void jobsAreThoseThatANaiveModelExpects() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Principal> phones = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            phones.add(token());
        }
        Map<String, PushSubscription> model = new TreeMap<>();
        Set<String> revoked = new TreeSet<>();
        Set<String> jobs = new TreeSet<>();
        for (int step = 0; step < 150; step++) {
            Principal phone = phones.get(random.nextInt(phones.size()));
            String token = phone.tokenId();
            Set<String> alerts = new TreeSet<>();
            PushSubscription.ALERTS.stream()
                    .filter(type -> random.nextBoolean())
                    .forEach(alerts::add);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    if (!revoked.contains(token)) {
                        model.put(token, f.get(() -> subscriptions.subscribe(ann, token, wanted(alerts, Policy.ALL))));
                    }
                }
                case 2 ->
                    f.get(() -> subscriptions.update(ann, token, alerts, Policy.ALL))
                            .ifPresent(changed -> model.put(token, changed));
                case 3 -> {
                    f.get(() -> subscriptions.end(ann, token));
                    model.remove(token);
                }
                case 4 -> {
                    if (random.nextInt(10) == 0) {
                        f.get(() -> tokens.revoke(phone));
                        revoked.add(token);
                        model.remove(token);
                    }
                }
                default -> {
                    Notification.Type[] types = Notification.Type.values();
                    Notification.Type type = types[random.nextInt(types.length)];
                    Notification notification = Notification.of(type, bob, 1 + step);
                    long id = f.get(() -> notifications.add(ann, notification));
                    model.values().stream()
                            .filter(one -> one.alerts().contains(type.wire()))
                            .forEach(one -> jobs.add("push.1 " + ann + " " + id + " " + one.id()));
                }
            }
            assertThat(f.get(() -> subscriptions.find(ann, token))).isEqualTo(Optional.ofNullable(model.get(token)));
        }
        assertThat(new TreeSet<>(pushJobs())).isEqualTo(jobs);
        assertThat(pushJobs()).hasSameSizeAs(jobs);
    }
}
