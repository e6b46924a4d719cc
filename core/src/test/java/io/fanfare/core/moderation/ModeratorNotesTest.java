package io.fanfare.core.moderation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog.Filter;
import io.fanfare.core.moderation.ModeratorNotes.Note;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;

/** Notes of moderators and operators on accounts. */
class ModeratorNotesTest {
    private StoreFixture f;
    private ModerationLog log;
    private ModeratorNotes notes;
    private long mod;
    private long ann;

    private void on(TestRedis.Kind kind) {
        f = StoreFixture.on(kind.redis());
        log = new ModerationLog(f.link, 1000);
        notes = new ModeratorNotes(f.link, log);
        long[] users = f.users(2);
        mod = users[0];
        ann = users[1];
    }

    @AfterEach
    void close() {
        f.close();
    }

    @CanIgnoreReturnValue
    private long add(Actor by, String text) {
        return f.get(() -> notes.add(by, ann, text));
    }

    private List<Note> all() {
        return f.get(() -> notes.all(ann));
    }

    @ParameterizedTest
    @KindsOfRedis
    void aNoteHasItsAuthorItsTimeAndItsTextAndTheNewestIsFirst(TestRedis.Kind kind) {
        on(kind);
        add(Actor.account(mod), "asks for friends,\n  two lines");
        add(Actor.command("the root"), "called");

        assertThat(all()).extracting(Note::text).containsExactly("called", "asks for friends,\n  two lines");
        assertThat(all()).extracting(Note::author).containsExactly(0L, mod);
        assertThat(all()).extracting(Note::operator).containsExactly("the_root", "");
        assertThat(all().get(0).atMillis()).isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
    }

    @ParameterizedTest
    @KindsOfRedis
    void additionsAndRemovalsAreLoggedWithoutTheText(TestRedis.Kind kind) {
        on(kind);
        long number = add(Actor.account(mod), "a secret remark");
        f.get(() -> notes.remove(Actor.account(mod), ann, number));

        assertThat(all()).isEmpty();
        assertThat(f.get(() -> log.page(new Filter(0, ann, ""), "", 10)).entries())
                .extracting(entry -> entry.act().action())
                .containsExactly("accounts.unnote", "accounts.note");
        assertThat(f.redis
                        .askAt(Keys.MODERATION_LOG, "XRANGE", Keys.MODERATION_LOG, "-", "+")
                        .items()
                        .toString())
                .doesNotContain("secret");
        assertThatThrownBy(() -> f.get(() -> notes.remove(Actor.account(mod), ann, number)))
                .isInstanceOf(Refusal.class);
        assertThat(add(Actor.account(mod), "another")).as("a number of its own").isGreaterThan(number);
    }

    @ParameterizedTest
    @KindsOfRedis
    void anAccountHasAHundredNotesAndNobodyHasNone(TestRedis.Kind kind) {
        on(kind);
        for (int i = 0; i < ModeratorNotes.MAX; i++) {
            add(Actor.account(mod), "note " + i);
        }
        assertThatThrownBy(() -> add(Actor.account(mod), "one too many"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("100 notes");
        assertThat(all()).hasSize(ModeratorNotes.MAX);
        long oldest = all().get(ModeratorNotes.MAX - 1).number();
        f.get(() -> notes.remove(Actor.account(mod), ann, oldest));
        assertThat(add(Actor.account(mod), "in its place")).isPositive();

        f.redis.askAt(Keys.user(ann), "HSET", Keys.user(ann), "state", "deleted");
        assertThatThrownBy(() -> add(Actor.account(mod), "about nobody")).isInstanceOf(Refusal.class);
    }
}
