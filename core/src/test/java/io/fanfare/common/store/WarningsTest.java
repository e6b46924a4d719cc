package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.model.Warning.Appeal.State;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Each act leaves one warning, which is appealed once and decided once, whatever is repeated. */
@ParameterizedClass
@KindsOfRedis
class WarningsTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final int STEPS = 400;
    private static final List<String> TEXTS = List.of("", "be kind", "two\nlines \"quoted\" \\ {}", "%d %s é 😀");

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Warnings warnings;
    private long ann;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        warnings = new Warnings(f.link, f.settings);
        ann = f.users(1)[0];
    }

    @AfterEach
    void close() {
        f.close();
    }

    private long warn(String text) {
        return f.get(() -> warnings.add(ann, Action.NONE, text, List.of()));
    }

    private List<Warning> all() {
        return f.get(() -> warnings.all(ann));
    }

    private Warning find(long id) {
        return f.get(() -> warnings.find(ann, id)).orElseThrow();
    }

    private Refusal.Reason appeal(long id, String text) {
        try {
            f.get(() -> warnings.appeal(ann, id, text));
            return null;
        } catch (Refusal refused) {
            return refused.reason();
        }
    }

    private Refusal.Reason decide(long id, State decision) {
        try {
            f.get(() -> warnings.decide(ann, id, decision));
            return null;
        } catch (Refusal refused) {
            return refused.reason();
        }
    }

    @Test
    void onlyTheNewestAreKeptAndTheOthersLeaveWithTheirNotifications() {
        long first = warn("first");
        assertThat(appeal(first, "why?")).isNull();
        List<Long> newest = new ArrayList<>();
        for (int i = 1; i <= Warnings.MAX; i++) {
            newest.add(0, warn("warning " + i));
        }
        assertThat(all()).extracting(Warning::id).containsExactlyElementsOf(newest);
        assertThat(f.hash(Keys.warnings(ann))).hasSize(2 * Warnings.MAX);
        assertThat(f.members(Keys.notifications(ann)))
                .hasSize(Math.min(Warnings.MAX, f.settings.limits().notificationsMax()))
                .doesNotContain("moderation_warning " + ann + " " + first);
        assertThat(appeal(first, "why?")).isEqualTo(Refusal.Reason.NOT_FOUND);
        List<Long> walked = new ArrayList<>();
        PageRequest page = PageRequest.newest(30);
        for (int pages = 0; page != null && pages < 100; pages++) {
            PageRequest here = page;
            Page<Warning> read = f.get(() -> warnings.page(ann, here));
            read.items().forEach(warning -> walked.add(warning.id()));
            page = read.next() == 0 ? null : PageRequest.olderThan(read.next(), 30);
        }
        assertThat(walked).isEqualTo(newest);
    }

    @Test
    void theSameActIsARepetitionForAnHourAndOneOnAPostUntilItIsOverturned() {
        long first = warn("be kind");
        assertThat(warn("be kind")).isEqualTo(first);
        assertThat(warn("be kinder")).isNotEqualTo(first);
        long old = Id.of(System.currentTimeMillis() - Warnings.REPETITION.toMillis() - 1000, 0, 0);
        String key = Keys.warnings(ann);
        f.hash(key).forEach((field, id) -> {
            if (id.equals(Long.toString(first))) {
                f.redis.askAt(key, "HSET", key, field, Long.toString(old));
            }
        });
        assertThat(warn("be kind")).isNotEqualTo(first);

        long about = f.get(() -> warnings.addAbout(ann, Action.DELETE_STATUSES, "rude", 77));
        assertThat(f.get(() -> warnings.addAbout(ann, Action.DELETE_STATUSES, "ruder", 77)))
                .isEqualTo(about);
        assertThat(f.get(() -> warnings.addAbout(ann, Action.DELETE_STATUSES, "rude", 78)))
                .isNotEqualTo(about);
        assertThat(f.get(() -> warnings.about(ann, Action.DELETE_STATUSES, 77)))
                .map(Warning::text)
                .hasValue("rude");
        assertThat(appeal(about, "no")).isNull();
        assertThat(decide(about, State.APPROVED)).isNull();
        assertThat(f.get(() -> warnings.about(ann, Action.DELETE_STATUSES, 77))).isEmpty();
        assertThat(f.get(() -> warnings.addAbout(ann, Action.DELETE_STATUSES, "rude", 77)))
                .isNotEqualTo(about);
    }

    @Test
    void aWarningIsAppealedWithinTwentyDays() {
        String key = Keys.warnings(ann);
        long now = System.currentTimeMillis();
        long late = Id.of(now - Warnings.APPEAL_LIFE.plusMinutes(1).toMillis(), 0, 0);
        long early = Id.of(now - Warnings.APPEAL_LIFE.minusMinutes(1).toMillis(), 0, 0);
        for (long id : List.of(late, early)) {
            f.redis.askAt(
                    key,
                    "HSET",
                    key,
                    Long.toString(id),
                    "{\"action\":\"none\",\"text\":\"\",\"statuses\":[],\"same\":\"none\"}");
        }
        assertThat(Warnings.APPEAL_LIFE).isEqualTo(Duration.ofDays(20));
        assertThat(appeal(late, "why?")).isEqualTo(Refusal.Reason.INVALID);
        assertThat(find(late).appeal()).isNull();
        assertThat(appeal(early, "why?")).isNull();
    }

    @Test
    void nobodyElseAndNoDeletedAccountIsWarned() {
        f.get(() -> new AccountAccess(f.link).delete(ann));
        assertThatThrownBy(() -> warn("be kind")).isInstanceOf(Refusal.class);
        assertThat(f.hash(Keys.warnings(ann))).isEmpty();
        assertThat(f.members(Keys.notifications(ann))).isEmpty();
    }

    /** Random acts, appeals and decisions, against maps of the state that each warning must have. */
    @Test
    void eachActHasOneWarningOneAppealAndOneDecisionHoweverOftenItIsRepeated() {
        Random random = new Random(SEED);
        Map<String, Long> acts = new HashMap<>();
        Map<Long, String> appeals = new HashMap<>();
        Map<Long, State> states = new HashMap<>();
        Map<Long, String> aboutPost = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            String at = "seed " + SEED + " step " + step;
            List<Long> known = acts.values().stream().sorted().toList();
            long any = known.isEmpty() ? 1 : known.get(random.nextInt(known.size()));
            String text = TEXTS.get(random.nextInt(TEXTS.size()));
            switch (random.nextInt(5)) {
                case 0 -> {
                    long id = warn(text);
                    assertThat(acts.getOrDefault("none " + text, id)).as(at).isEqualTo(id);
                    acts.put("none " + text, id);
                }
                case 1 -> {
                    long post = 1L + random.nextInt(3);
                    long id = f.get(() -> warnings.addAbout(ann, Action.MARK_STATUSES_AS_SENSITIVE, text, post));
                    Long before = acts.get("post " + post);
                    if (before != null && states.get(before) != State.APPROVED) {
                        assertThat(id).as(at).isEqualTo(before);
                    } else {
                        assertThat(acts).as(at).doesNotContainValue(id);
                        acts.put("post " + post, id);
                        aboutPost.put(id, text);
                    }
                }
                case 2 -> {
                    String words = text.isEmpty() ? "words" : text;
                    String before = appeals.get(any);
                    Refusal.Reason refused = appeal(any, words);
                    if (known.isEmpty()) {
                        assertThat(refused).as(at).isEqualTo(Refusal.Reason.NOT_FOUND);
                    } else if (before == null || before.equals(words)) {
                        assertThat(refused).as(at).isNull();
                        appeals.put(any, words);
                        states.putIfAbsent(any, State.PENDING);
                    } else {
                        assertThat(refused).as(at).isEqualTo(Refusal.Reason.INVALID);
                    }
                }
                default -> {
                    State decision = random.nextBoolean() ? State.APPROVED : State.REJECTED;
                    State before = states.get(any);
                    Refusal.Reason refused = decide(any, decision);
                    if (before == null) {
                        assertThat(refused).as(at).isEqualTo(Refusal.Reason.NOT_FOUND);
                    } else if (before == State.PENDING || before == decision) {
                        assertThat(refused).as(at).isNull();
                        states.put(any, decision);
                        acts.values()
                                .removeIf(id -> decision == State.APPROVED && id == any && !aboutPost.containsKey(id));
                    } else {
                        assertThat(refused).as(at).isEqualTo(Refusal.Reason.INVALID);
                    }
                }
            }
        }
        for (Warning warning : all()) {
            Warning.Appeal appeal = warning.appeal();
            assertThat(appeal == null ? null : appeal.text()).isEqualTo(appeals.get(warning.id()));
            assertThat(appeal == null ? null : appeal.state()).isEqualTo(states.get(warning.id()));
            if (aboutPost.containsKey(warning.id())) {
                assertThat(warning.text()).isEqualTo(aboutPost.get(warning.id()));
            }
        }
        assertThat(f.members(Keys.notifications(ann))).hasSameSizeAs(all());
    }
}
