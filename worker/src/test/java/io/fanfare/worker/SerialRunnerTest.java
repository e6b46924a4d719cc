package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.core.queue.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialRunnerTest {
    private static final Outcome LATE = new Outcome.Retry(5, false, "late");

    private final List<Integer> started = new ArrayList<>();
    private final List<Promise<Outcome>> ends = new ArrayList<>();
    private long nanos = 7;
    private final SerialRunner runs = new SerialRunner(() -> nanos, 10, LATE);

    private Future<Outcome> add(int n) {
        return runs.add(() -> {
            started.add(n);
            ends.add(Promise.promise());
            return ends.get(ends.size() - 1).future();
        });
    }

    @Test
    void theNextBeginsWhenTheOneBeforeHasEndedHoweverItEnds() {
        Future<Outcome> first = add(1);
        Future<Outcome> second = add(2);
        assertThat(started).containsExactly(1);

        ends.get(0).fail(new IllegalStateException("failed"));
        assertThat(first.failed()).isTrue();
        assertThat(started).containsExactly(1, 2);

        ends.get(1).complete(Outcome.DONE);
        assertThat(second.result()).isEqualTo(Outcome.DONE);
    }

    @Test
    void aJobWithoutATurnInTimeIsPutOff() {
        Future<Outcome> first = add(1);
        Future<Outcome> second = add(2);
        Future<Outcome> third = add(3);
        nanos += 10_000_000;
        ends.get(0).complete(Outcome.DONE);

        assertThat(first.result()).isEqualTo(Outcome.DONE);
        assertThat(second.result()).isEqualTo(LATE);
        assertThat(third.result()).isEqualTo(LATE);
        assertThat(started).containsExactly(1);
    }

    @Test
    void anyNumberMayEndAtOnce() {
        List<Future<Outcome>> all = new ArrayList<>();
        all.add(add(0));
        for (int i = 0; i < 100_000; i++) {
            all.add(runs.add(() -> Future.succeededFuture(Outcome.DONE)));
        }
        ends.get(0).complete(Outcome.DONE);

        assertThat(all).allMatch(Future::succeeded);
    }
}
