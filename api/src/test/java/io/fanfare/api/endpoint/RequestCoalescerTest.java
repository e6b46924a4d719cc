package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestCoalescerTest {
    private final List<Promise<String>> begun = new ArrayList<>();
    private final RequestCoalescer<String, String> reads = new RequestCoalescer<>(key -> {
        Promise<String> reading = Promise.promise();
        begun.add(reading);
        return reading.future();
    });

    @Test
    void callersDuringAReadShareTheNextRead() {
        Future<String> first = reads.get("key");
        List<Future<String>> others =
                IntStream.range(0, 100).mapToObj(i -> reads.get("key")).toList();
        assertThat(begun).hasSize(1);

        begun.get(0).complete("old");
        assertThat(first.result()).isEqualTo("old");
        assertThat(others).noneMatch(Future::isComplete);
        assertThat(begun).hasSize(2);
        Future<String> late = reads.get("key");

        begun.get(1).complete("new");
        assertThat(others).allMatch(other -> other.result().equals("new"));
        assertThat(late.isComplete()).isFalse();
        begun.get(2).complete("newest");
        assertThat(late.result()).isEqualTo("newest");
        assertThat(begun).hasSize(3);
    }

    @Test
    void otherKeysDoNotWait() {
        Future<String> slow = reads.get("slow");
        Future<String> other = reads.get("other");

        begun.get(1).complete("read");
        assertThat(other.result()).isEqualTo("read");
        assertThat(slow.isComplete()).isFalse();
    }

    @Test
    void aFailureEndsWithItsReading() {
        Future<String> failed = reads.get("key");
        Future<String> next = reads.get("key");

        begun.get(0).fail("away");
        assertThat(failed.failed()).isTrue();
        begun.get(1).complete("back");
        assertThat(next.result()).isEqualTo("back");
    }

    @Test
    void aReadingThatThrowsFailsAndTheNextOneIsTried() {
        List<String> tried = new ArrayList<>();
        RequestCoalescer<String, String> throwing = new RequestCoalescer<>(key -> {
            tried.add(key);
            throw new IllegalStateException("broken");
        });

        assertThat(throwing.get("key").cause()).hasMessage("broken");
        assertThat(throwing.get("key").cause()).hasMessage("broken");
        assertThat(tried).hasSize(2);
    }
}
