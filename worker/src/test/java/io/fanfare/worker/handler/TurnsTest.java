package io.fanfare.worker.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns turns = new Turns(2);
    private final List<Integer> begun = new ArrayList<>();

    private Future<Integer> run(int step, Future<Integer> end) {
        return turns.run(() -> {
            begun.add(step);
            return end;
        });
    }

    @Test
    void aStepBeginsWhenOneOfTheTwoBeforeHasEndedAndInOrder() {
        List<Promise<Integer>> ends = List.of(Promise.promise(), Promise.promise(), Promise.promise());
        List<Future<Integer>> runs = new ArrayList<>();
        for (int i = 0; i < ends.size(); i++) {
            runs.add(run(i, ends.get(i).future()));
        }
        assertEquals(List.of(0, 1), begun);

        ends.get(1).complete(11);

        assertEquals(List.of(0, 1, 2), begun);
        assertEquals(11, runs.get(1).result());
    }

    @Test
    void aStepThatFailsGivesItsTurnToTheNext() {
        Future<Integer> failed = run(0, Future.failedFuture("no"));
        Promise<Integer> open = Promise.promise();
        run(1, open.future()).onFailure(cause -> {});
        run(2, Future.failedFuture("no")).onFailure(cause -> {});

        Future<Integer> last = run(3, Future.succeededFuture(33));

        assertTrue(failed.failed());
        assertEquals(33, last.result());
    }

    @Test
    void aStepThatThrowsFailsAndGivesItsTurnToTheNext() {
        for (int i = 0; i < 3; i++) {
            Future<Integer> thrown = turns.run(() -> {
                throw new IllegalStateException("no");
            });
            assertTrue(thrown.failed());
        }

        assertEquals(33, run(3, Future.succeededFuture(33)).result());
    }

    @Test
    void manyStepsThatEndAtOnceDoNotOverflowTheStack() {
        Promise<Integer> first = Promise.promise();
        Promise<Integer> second = Promise.promise();
        run(0, first.future()).onFailure(cause -> {});
        run(0, second.future()).onFailure(cause -> {});
        List<Future<Integer>> runs = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            runs.add(run(i, Future.succeededFuture(i)));
        }

        first.complete(0);

        assertTrue(runs.stream().allMatch(Future::succeeded));
    }
}
