package io.fanfare.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private long now;
    private final Sessions sessions = new Sessions(new SecureRandom(), () -> now);

    @Test
    void aSecretIsOneSessionUntilItEnds() {
        Sessions.Begun viewer = sessions.begin(Role.VIEWER);
        Sessions.Begun operator = sessions.begin(Role.OPERATOR);

        assertThat(sessions.find(viewer.secret())).contains(viewer.caller());
        assertThat(sessions.find(operator.secret()).orElseThrow().role()).isEqualTo(Role.OPERATOR);
        assertThat(sessions.find("")).isEmpty();
        assertThat(sessions.find(operator.caller().session())).isEmpty();

        sessions.end(operator.secret());
        assertThat(sessions.find(operator.secret())).isEmpty();
        assertThat(sessions.find(viewer.secret())).isPresent();
    }

    @Test
    void itIsOverAfterAnHourWithoutARequestAndAfterTwelveInAnyCase() {
        String idle = sessions.begin(Role.VIEWER).secret();
        String used = sessions.begin(Role.VIEWER).secret();
        for (int half = 0; half < 24; half++) {
            pass(Duration.ofMinutes(30));
            assertThat(sessions.find(used)).isPresent();
            // A page that looks by itself is no use of it.
            assertThat(sessions.peek(idle).isPresent()).isEqualTo(half < 2);
        }
        assertThat(sessions.find(idle)).isEmpty();
        pass(Duration.ofMinutes(1));
        assertThat(sessions.find(used)).isEmpty();
    }

    @Test
    void theOldestOfARoleGivesWayWhenThereAreTooMany() {
        String first = sessions.begin(Role.VIEWER).secret();
        String second = sessions.begin(Role.VIEWER).secret();
        String operator = sessions.begin(Role.OPERATOR).secret();
        for (int i = 0; i < Sessions.MAX_PER_ROLE - 1; i++) {
            assertThat(sessions.begin(Role.VIEWER).secret()).isNotEmpty();
        }
        assertThat(sessions.find(first)).isEmpty();
        assertThat(sessions.find(second)).isPresent();
        for (int i = 0; i < Sessions.MAX_PER_ROLE; i++) {
            assertThat(sessions.begin(Role.VIEWER).secret()).isNotEmpty();
        }
        assertThat(sessions.find(second)).isEmpty();
        assertThat(sessions.find(operator)).as("viewers end nobody else's").isPresent();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
