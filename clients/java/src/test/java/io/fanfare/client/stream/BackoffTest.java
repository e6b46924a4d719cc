package io.fanfare.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(new Random(1));

    @Test
    void aWaitThatTheServerDemandsIsWithin50MillisecondsAnd10Minutes() {
        assertThat(backoff.afterLoss(0)).isEqualTo(50);
        assertThat(backoff.afterLoss(999_999_999)).isEqualTo(600_000);
        assertThat(backoff.afterRefusal(0)).isEqualTo(50);
        assertThat(backoff.afterRefusal(86_400_000)).isEqualTo(600_000);
        assertThat(backoff.afterRefusal(7_000)).isEqualTo(7_000);
    }
}
