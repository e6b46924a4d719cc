package io.fanfare.core.moderation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog.Entry;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Accounts get roles from operators, and from accounts whose role reaches that far. */
@ParameterizedClass
@KindsOfRedis
class RolesTest {
    private static final Actor OPERATOR = Actor.command("root");
    private static final int LOG_MAX = 50;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private ModerationLog log;
    private Roles roles;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        log = new ModerationLog(f.link, LOG_MAX);
        roles = new Roles(f.link, log);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @CanIgnoreReturnValue
    private Role set(Actor by, long account, Role role) {
        return f.get(() -> roles.set(Act.on(by, "role.set", account, "why " + account), role));
    }

    private Refusal.Reason refusal(Actor by, long account, Role role) {
        try {
            throw new AssertionError("not refused, but was " + set(by, account, role));
        } catch (Refusal refused) {
            return refused.reason();
        }
    }

    private List<Entry> entries() {
        return f.get(() -> log.page(Filter.ALL, "", 100)).entries();
    }

    @Test
    void anOperatorGivesAndTakesEveryRoleAndEachChangeIsLogged() {
        assertThat(set(OPERATOR, 1, Role.OWNER)).isEqualTo(Role.USER);
        assertThat(set(OPERATOR, 1, Role.MODERATOR)).isEqualTo(Role.OWNER);
        assertThat(f.get(() -> roles.of(1))).isEqualTo(Role.MODERATOR);
        assertThat(f.get(roles::all)).isEqualTo(Map.of(1L, Role.MODERATOR));
        set(OPERATOR, 1, Role.USER);
        assertThat(f.get(roles::all)).isEmpty();
        assertThat(entries()).hasSize(3);
        Act newest = entries().get(0).act();
        assertThat(newest.actor()).isEqualTo(OPERATOR);
        assertThat(newest.detail()).isEqualTo("user");
        assertThat(newest.account()).isEqualTo(1);
        assertThat(newest.why()).isEqualTo("why 1");
    }

    /** Every role acts on every other one with every new role. */
    @Test
    void anAccountGivesRolesBelowItsOwnToThoseBelowItAndAnOwnerAllToAll() {
        for (Role own : Role.values()) {
            for (Role before : Role.values()) {
                for (Role after : Role.values()) {
                    set(OPERATOR, 1, own);
                    set(OPERATOR, 2, before);
                    set(OPERATOR, 9, Role.OWNER);
                    boolean may = own == Role.OWNER
                            || (own == Role.ADMIN
                                    && before.compareTo(Role.ADMIN) < 0
                                    && after.compareTo(Role.ADMIN) < 0);
                    if (may) {
                        assertThat(set(Actor.account(1), 2, after))
                                .as("%s makes %s a %s", own, before, after)
                                .isEqualTo(before);
                    } else {
                        int logged = entries().size();
                        assertThat(refusal(Actor.account(1), 2, after))
                                .as("%s makes %s a %s", own, before, after)
                                .isEqualTo(Refusal.Reason.FORBIDDEN);
                        assertThat(f.get(() -> roles.of(2))).isEqualTo(before);
                        assertThat(entries()).hasSize(logged);
                    }
                }
            }
        }
    }

    @Test
    void nobodyRaisesTheirOwnRoleAndEverybodyMayLowerIt() {
        set(OPERATOR, 9, Role.OWNER);
        for (Role own : Role.values()) {
            for (Role after : Role.values()) {
                set(OPERATOR, 1, own);
                if (after.compareTo(own) > 0) {
                    assertThat(refusal(Actor.account(1), 1, after)).isEqualTo(Refusal.Reason.FORBIDDEN);
                } else {
                    assertThat(set(Actor.account(1), 1, after)).isEqualTo(own);
                }
            }
        }
    }

    @Test
    void theLastOwnerKeepsTheRoleWhenTwoLowerEachOtherAtOnce() {
        set(OPERATOR, 1, Role.OWNER);
        set(OPERATOR, 2, Role.OWNER);
        f.get(() -> Future.join(Stream.of(1L, 2L)
                        .map(one -> roles.set(Act.on(Actor.account(one), "role.set", one, ""), Role.USER))
                        .toList())
                .transform(done -> Future.succeededFuture()));
        assertThat(f.get(roles::all).values()).containsExactly(Role.OWNER);
        long last = f.get(roles::all).keySet().iterator().next();
        assertThat(refusal(Actor.account(last), last, Role.ADMIN)).isEqualTo(Refusal.Reason.INVALID);
        assertThat(set(OPERATOR, last, Role.USER)).as("by an operator").isEqualTo(Role.OWNER);
    }

    @Test
    void noMoreAccountsThanTheBoundHaveARole() {
        List<String> fields = new ArrayList<>(List.of("HSET", Keys.MODERATION_ROLES));
        for (int i = 1; i <= Roles.MAX; i++) {
            fields.addAll(List.of(Integer.toString(1000 + i), "moderator"));
        }
        f.redis.askAt(Keys.MODERATION_ROLES, fields.toArray(String[]::new));
        assertThat(refusal(OPERATOR, 1, Role.MODERATOR)).isEqualTo(Refusal.Reason.INVALID);
        assertThat(set(OPERATOR, 1001, Role.ADMIN)).isEqualTo(Role.MODERATOR);
    }

    @Test
    void theLogKeepsTheNewestEntriesAndIsReadInPages() {
        for (int i = 1; i <= LOG_MAX + 10; i++) {
            set(OPERATOR, i, i % 2 == 0 ? Role.MODERATOR : Role.USER);
        }
        List<Long> read = new ArrayList<>();
        String next = "";
        do {
            String from = next;
            ModerationLog.Page page = f.get(() -> log.page(Filter.ALL, from, 7));
            page.entries().forEach(entry -> read.add(entry.act().account()));
            next = page.next();
        } while (!next.isEmpty());
        assertThat(read)
                .hasSize(LOG_MAX)
                .isSortedAccordingTo((a, b) -> Long.compare(b, a))
                .startsWith(LOG_MAX + 10L);
        assertThat(f.get(() -> log.page(new Filter(0, 30, "role."), "", 10)).entries())
                .extracting(entry -> entry.act().account())
                .containsExactly(30L);
        assertThat(f.get(() -> log.page(new Filter(7, 0, ""), "", 10)).entries())
                .isEmpty();
    }

    @Test
    void anActThatFailsIsLoggedTwice() {
        Act act = Act.on(Actor.account(5), "accounts.suspend", 6, "spam");
        assertThatThrownBy(() -> f.get(() -> log.during(act, () -> Future.failedFuture(Refusal.unknown()))))
                .isInstanceOf(Refusal.class);
        assertThat(entries())
                .extracting(entry -> entry.act().action())
                .containsExactly("accounts.suspend.failed", "accounts.suspend");
        assertThat(f.get(() -> log.during(act, () -> Future.succeededFuture("done"))))
                .isEqualTo("done");
        assertThat(entries()).hasSize(3);
    }
}
