package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.SettingsLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Places for uploads by the defaults: 32, and 8 KiB a second over ten seconds. */
class UploadSlotsTest {
    private static final int LEAST = 8192;

    private final UploadSlots slots =
            new UploadSlots(SettingsLoader.defaultsWith().media());
    private final Map<UploadSlots.Slot, Refusal> ended = new HashMap<>();
    private final List<UploadSlots.Slot> taken = new ArrayList<>();
    private long nanos;

    @Test
    void halfOfThePlacesAreForAccountsThatHaveNone() {
        int ofFour = 0;
        for (int user = 1; user <= 4; user++) {
            for (int i = 0; i < 8; i++) {
                ofFour += takes(user) ? 1 : 0;
            }
        }
        assertThat(ofFour).as("sixteen beyond the first of each, at most").isEqualTo(16 + 4);
        for (int user = 5; user <= 16; user++) {
            assertThat(takes(user)).as("account " + user).isTrue();
        }
        assertThat(slots.size()).isEqualTo(32);
        assertThat(takes(17)).as("no speed is known yet").isFalse();
    }

    @Test
    void anAccountHasAQuarter() {
        for (int i = 0; i < 8; i++) {
            assertThat(takes(1)).isTrue();
        }
        assertThat(takes(1)).isFalse();
        taken.get(0).giveBack();
        taken.get(0).giveBack();
        assertThat(takes(1)).isTrue();
        assertThat(takes(1)).isFalse();
    }

    @Test
    void theSlowestMakesRoomForAnAccountThatHasNone() {
        for (int user = 1; user <= 32; user++) {
            take(user);
        }
        for (int second = 0; second < 2; second++) {
            assertThat(takes(33))
                    .as("their speed is not known before two samples")
                    .isFalse();
            taken.stream().filter(slot -> slot != taken.get(20)).forEach(slot -> slot.received(1));
            second(LEAST);
        }
        assertThat(ended).isEmpty();

        assertThat(takes(1)).as("an account that has one").isFalse();
        assertThat(takes(33)).isTrue();

        assertThat(ended).containsOnlyKeys(taken.get(20));
        Refusal refusal = ended.get(taken.get(20));
        assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVERLOADED);
        assertThat(refusal).hasMessageContaining("because it was the slowest");
        assertThat(refusal.retrySeconds()).isEqualTo(60);
        assertThat(slots.size()).isEqualTo(32);
        taken.get(20).giveBack();
        assertThat(slots.size()).as("its place is another's").isEqualTo(32);
    }

    @Test
    void uploadsThatBeginAgainAndAgainKeepNobodyOut() {
        for (int round = 0; round < 5; round++) {
            List<UploadSlots.Slot> begun = new ArrayList<>();
            for (int user = 1; user <= 32; user++) {
                begun.add(take(user));
            }
            for (int second = 0; second < 3; second++) {
                second(1);
            }
            assertThat(takes(33)).isTrue();
            taken.get(taken.size() - 1).giveBack();
            begun.forEach(UploadSlots.Slot::giveBack);
            taken.clear();
        }
    }

    @Test
    void theOnlyUploadOfAnAccountIsEndedLast() {
        UploadSlots.Slot only = take(1);
        for (int i = 0; i < 8; i++) {
            assertThat(takes(2)).isTrue();
        }
        for (int user = 3; user <= 25; user++) {
            take(user);
        }
        for (int second = 0; second < 3; second++) {
            taken.stream().filter(slot -> slot != only).forEach(slot -> slot.received(1));
            second(LEAST);
        }

        assertThat(takes(33)).isTrue();

        assertThat(ended).hasSize(1).doesNotContainKey(only);
    }

    @Test
    void anUploadThatIsWholeIsNotEnded() {
        for (int user = 1; user <= 32; user++) {
            take(user);
        }
        for (int second = 0; second < 10; second++) {
            second(LEAST);
        }
        taken.forEach(UploadSlots.Slot::whole);
        assertThat(takes(33)).isFalse();
        assertThat(ended).isEmpty();
    }

    @Test
    void anUploadBelowTheLeastSpeedIsEndedAfterTenSeconds() {
        UploadSlots.Slot slot = take(1);
        for (int second = 1; second <= 9; second++) {
            second(LEAST - 1);
            assertThat(ended).as("after " + second + " s").isEmpty();
        }
        second(LEAST - 1);
        assertThat(ended.get(slot).reason()).isEqualTo(Refusal.Reason.TOO_SLOW);
        assertThat(ended.get(slot)).hasMessageContaining("less than 8192 bytes a second");
        assertThat(slots.size()).isZero();
    }

    @Test
    void anyTenSecondsCountNotTheWhole() {
        UploadSlots.Slot slot = take(1);
        for (int second = 0; second < 60; second++) {
            second(100 * LEAST);
        }
        for (int second = 0; second < 9; second++) {
            second(0);
        }
        assertThat(ended).isEmpty();
        second(0);
        assertThat(ended).containsOnlyKeys(slot);
    }

    /** At 128 kbit/s, in packets that come unevenly. */
    @Test
    void threeMegabytesPassOverASlowLine() {
        take(1);
        int sent = 0;
        for (int second = 0; sent < 3_000_000; second++) {
            int now = second % 3 == 0 ? 48_000 : 0;
            second(now);
            sent += now;
        }
        assertThat(ended).isEmpty();
    }

    @Test
    void timeInWhichTheServerDoesNotReadIsNotCounted() {
        UploadSlots.Slot slot = take(1);
        for (int second = 0; second < 100; second++) {
            slot.pause(true);
            second(0);
            slot.pause(false);
            second(0);
        }
        assertThat(ended).isEmpty();
        for (int second = 0; second < 10; second++) {
            second(0);
        }
        assertThat(ended).as("it reads again").containsOnlyKeys(slot);
    }

    /** After it the timers of all the time come at once, before what the socket holds. */
    @Test
    void timeInWhichTheEventLoopDoesNotTurnIsNotCounted() {
        UploadSlots.Slot slot = take(1);
        nanos += Duration.ofMinutes(1).toNanos();
        for (int i = 0; i < 60; i++) {
            slot.sample(nanos);
        }
        assertThat(ended).isEmpty();
    }

    /** Each upload gets so many bytes in a second. */
    private void second(int bytes) {
        nanos += Duration.ofSeconds(1).toNanos();
        for (UploadSlots.Slot slot : taken) {
            slot.received(bytes);
            slot.sample(nanos);
        }
    }

    @CanIgnoreReturnValue
    private UploadSlots.Slot take(long user) {
        List<UploadSlots.Slot> own = new ArrayList<>();
        UploadSlots.Slot slot = slots.take(user, nanos, refusal -> ended.put(own.get(0), refusal));
        own.add(slot);
        taken.add(slot);
        assertThat(slot.sampleTime()).isEqualTo(Duration.ofSeconds(1));
        return slot;
    }

    private boolean takes(long user) {
        try {
            take(user);
            return true;
        } catch (Refusal refusal) {
            assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVERLOADED);
            assertThatThrownBy(() -> {
                        throw refusal;
                    })
                    .hasMessageContaining("Too many files");
            return false;
        }
    }
}
