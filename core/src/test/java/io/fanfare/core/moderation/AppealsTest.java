package io.fanfare.core.moderation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Warning;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.model.Warning.Appeal.State;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The list of appeals that wait, in another slot than the appeals. */
@ParameterizedClass
@KindsOfRedis
class AppealsTest {
    private static final int MAX = 3;

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Warnings warnings;
    private Appeals appeals;
    private long[] u;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        warnings = new Warnings(f.link, f.settings);
        appeals = new Appeals(f.link, warnings, InstantSource.system(), MAX);
        u = f.users(4);
    }

    @AfterEach
    void close() {
        f.close();
    }

    private long warn(long account) {
        return f.get(() -> warnings.add(account, Action.NONE, "be kind", List.of()));
    }

    private List<Warning> listed() {
        return f.get(() -> appeals.page(PageRequest.newest(20))).items();
    }

    /** The process dies between the entry of the list and the appeal. */
    @Test
    void anEntryWithoutAnAppealIsShownToNobodyUntilTheAppealIsMade() {
        long id = warn(u[0]);
        f.redis.askAt(Keys.APPEALS, "ZADD", Keys.APPEALS, Long.toString(id), u[0] + " " + id);
        assertThat(listed()).isEmpty();
        f.get(() -> appeals.make(u[0], id, "why?"));
        f.get(() -> appeals.make(u[0], id, "why?"));
        assertThat(listed()).extracting(Warning::id).containsExactly(id);
        assertThatThrownBy(() -> f.get(() -> appeals.make(u[0], id, "other words")))
                .isInstanceOf(Refusal.class);
        assertThat(f.get(() -> appeals.waits(u[0], id)))
                .as("refused another text")
                .isTrue();

        f.get(() -> warnings.decide(u[0], id, State.REJECTED));
        assertThat(listed())
                .as("until all is done")
                .extracting(warning -> warning.appeal().state())
                .containsExactly(State.REJECTED);
        f.get(() -> appeals.remove(u[0], id));
        f.get(() -> appeals.make(u[0], id, "why?"));
        assertThat(listed()).as("decided before").isEmpty();
    }

    @Test
    void aRefusedAppealLeavesNoEntryAndAnOldEntryWithoutAnAppealGoes() {
        long late = Id.of(System.currentTimeMillis() - Warnings.APPEAL_LIFE.toMillis() - 60_000, 0, 0);
        long old = Id.of(System.currentTimeMillis() - 3 * Warnings.APPEAL_LIFE.toMillis(), 0, 0);
        String key = Keys.warnings(u[0]);
        String warning = "{\"action\":\"none\",\"text\":\"\",\"statuses\":[],\"same\":\"none\"}";
        f.redis.askAt(key, "HSET", key, Long.toString(late), warning, Long.toString(old), warning);
        assertThatThrownBy(() -> f.get(() -> appeals.make(u[0], late, "why?"))).isInstanceOf(Refusal.class);
        assertThat(f.members(Keys.APPEALS)).isEmpty();
        assertThatThrownBy(() -> f.get(() -> appeals.make(u[0], 42, "why?"))).isInstanceOf(Refusal.class);
        assertThat(f.members(Keys.APPEALS)).isEmpty();
        for (long id : List.of(late, old)) {
            f.redis.askAt(Keys.APPEALS, "ZADD", Keys.APPEALS, Long.toString(id), u[0] + " " + id);
        }
        assertThat(listed()).isEmpty();
        assertThat(f.members(Keys.APPEALS)).containsExactly(u[0] + " " + late);
    }

    @Test
    void noMoreAppealsWaitThanTheBoundAndARefusedOneCanBeMadeLater() {
        for (int i = 0; i < MAX; i++) {
            long account = u[i];
            long id = warn(account);
            f.get(() -> appeals.make(account, id, "why?"));
        }
        long last = warn(u[MAX]);
        assertThatThrownBy(() -> f.get(() -> appeals.make(u[MAX], last, "why?")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("As many appeals wait");
        assertThat(f.get(() -> warnings.find(u[MAX], last)).orElseThrow().appeal())
                .isNull();
        Warning decided = listed().get(0);
        f.get(() -> appeals.remove(decided.account(), decided.id()));
        f.get(() -> appeals.make(u[MAX], last, "why?"));
        assertThat(listed()).hasSize(MAX).extracting(Warning::id).contains(last);
    }

    @Test
    void anEntryWhoseWarningIsGoneLeavesTheList() {
        long id = warn(u[0]);
        long kept = warn(u[1]);
        f.get(() -> appeals.make(u[0], id, "why?"));
        f.get(() -> appeals.make(u[1], kept, "why?"));
        f.redis.askAt(Keys.warnings(u[0]), "DEL", Keys.warnings(u[0]));
        assertThat(listed()).extracting(Warning::id).containsExactly(kept);
        assertThat(f.members(Keys.APPEALS)).containsExactly(u[1] + " " + kept);
    }
}
