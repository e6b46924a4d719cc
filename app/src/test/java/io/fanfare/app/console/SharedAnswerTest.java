package io.fanfare.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedAnswerTest {
    private static final Duration KEPT = Duration.ofSeconds(8);

    private long now;
    private final List<Promise<String>> requests = new ArrayList<>();
    private final SharedAnswer<String> shared = new SharedAnswer<>(KEPT, () -> now, () -> {
        requests.add(Promise.promise());
        return requests.get(requests.size() - 1).future();
    });

    @Test
    void everybodyWhoAsksMeanwhileAndForAWhileHasTheSameAnswer() {
        assertThat(shared.get()).isSameAs(shared.get());
        now += KEPT.toNanos();
        assertThat(shared.get()).as("still on its way").isSameAs(shared.get());
        requests.get(0).complete("first");
        now -= 1;
        assertThat(shared.get().result()).isEqualTo("first");
        now += 1;
        assertThat(shared.get().isComplete()).isFalse();
        assertThat(requests).hasSize(2);
    }

    @Test
    void aCallAfterAFailureSendsANewRequest() {
        assertThat(shared.get().isComplete()).isFalse();
        requests.get(0).fail("away");
        assertThat(shared.get().isComplete()).isFalse();
        assertThat(requests).hasSize(2);
    }
}
