package io.fanfare.worker;

import static io.fanfare.redis.testing.TestRedis.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One event loop of a process asks for all, on a clock of the test's. */
class LeadLoopTest {
    private static final long SILENCE = 100;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong now = new AtomicLong();
    private final LeadLoop lead = LeadLoop.of(vertx, now::get);

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void theFirstLoopLeadsUntilItLeaves() {
        assertThat(LeadLoop.of(vertx, now::get)).isSameAs(lead);
        assertThat(lead.isLed("one", SILENCE)).isTrue();
        assertThat(lead.isLed("two", SILENCE)).isFalse();
        lead.leave("two");
        assertThat(lead.isLed("two", SILENCE)).isFalse();
        lead.leave("one");
        assertThat(lead.isLed("two", SILENCE)).isTrue();
        assertThat(lead.isLed("one", SILENCE)).isFalse();
    }

    @Test
    void aLeadThatHangsIsReplaced() {
        assertThat(lead.isLed("one", SILENCE)).isTrue();
        now.addAndGet(SILENCE);
        assertThat(lead.isLed("two", SILENCE)).isFalse();
        lead.answered("one");
        now.addAndGet(SILENCE + 1);
        assertThat(lead.isLed("two")).as("one that does not know how long").isFalse();
        assertThat(lead.isLed("two", SILENCE)).isTrue();
        assertThat(lead.isLed("one", SILENCE)).isFalse();
    }

    @Test
    void aLeadThatAsksAndIsNotAnsweredIsReplaced() {
        assertThat(lead.isLed("one", SILENCE)).isTrue();
        now.addAndGet(SILENCE);
        assertThat(lead.isLed("one", SILENCE)).as("nobody else wants to").isTrue();
        lead.answered("two");
        now.addAndGet(1);
        assertThat(lead.isLed("one", SILENCE)).isTrue();
        assertThat(lead.isLed("two", SILENCE)).isTrue();
        lead.answered("one");
        now.addAndGet(SILENCE + 1);
        assertThat(lead.isLed("one", SILENCE)).as("the answer came too late").isTrue();
    }

    @Test
    void allLoopsReceiveTheShardsFoundUntilTheyLeave() {
        List<Collection<Integer>> received = new ArrayList<>();
        lead.join("one", received::add);
        lead.join("two", received::add);
        lead.found(List.of());
        lead.found(List.of(3, 5));
        assertThat(received).containsExactly(List.of(3, 5), List.of(3, 5));
        lead.leave("one");
        lead.found(List.of(7));
        assertThat(received).hasSize(3);
    }
}
