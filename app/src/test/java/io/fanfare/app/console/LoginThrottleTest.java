package io.fanfare.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {
    private long now;
    private final LoginThrottle throttle = new LoginThrottle(() -> now);

    @Test
    void anAddressHasTenWrongOnesAndThenOneAMinute() {
        assertThat(tries("192.0.2.1", Duration.ZERO)).isEqualTo(LoginThrottle.PER_ADDRESS);
        assertThat(throttle.waitSeconds("192.0.2.1")).isEqualTo(60);
        assertThat(throttle.waitSeconds("192.0.2.2")).isZero();

        pass(Duration.ofSeconds(61));
        assertThat(tries("192.0.2.1", Duration.ZERO)).isEqualTo(1);
    }

    @Test
    void allAddressesTogetherHaveAHundredAndThenOneASecond() {
        int tried = 0;
        for (int i = 0; i < 1000; i++) {
            tried += tries("192.0.2." + i, Duration.ZERO);
        }
        assertThat(tried).isEqualTo(LoginThrottle.ALTOGETHER);
        assertThat(throttle.waitSeconds("198.51.100.1")).isEqualTo(1);

        pass(Duration.ofSeconds(5));
        assertThat(tries("198.51.100.1", Duration.ZERO)).isEqualTo(5);
    }

    /** How many wrong tokens are looked at. */
    private int tries(String address, Duration between) {
        int tries = 0;
        while (throttle.waitSeconds(address) == 0) {
            throttle.failed(address);
            tries++;
            pass(between);
        }
        return tries;
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
