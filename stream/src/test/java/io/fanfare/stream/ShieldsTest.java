package io.fanfare.stream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fanfare.common.store.Sights;
import io.fanfare.stream.filter.Shield;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How the shields of a crowd are read anew; what streams make of it: {@link StreamFaultTest}. */
class ShieldsTest {
    private static final Sights.Hidden NOBODY = new Sights.Hidden(Set.of(), Set.of());

    private final List<Promise<Sights.Hidden>> reads = new ArrayList<>();
    private final ArrayDeque<Runnable> retries = new ArrayDeque<>();

    private final Sights sights = new Sights(null) {
        @Override
        public Future<Hidden> allHidden(long viewer) {
            Promise<Hidden> read = Promise.promise();
            reads.add(read);
            return read.future();
        }
    };

    private final Shields shields = new Shields(sights, retries::add);

    private List<Shield> known(int viewers) {
        List<Future<Shield>> shieldsOf =
                LongStream.rangeClosed(1, viewers).mapToObj(shields::of).toList();
        answerAll();
        return shieldsOf.stream().map(Future::result).toList();
    }

    private void answerAll() {
        List<Promise<Sights.Hidden>> asked = List.copyOf(reads);
        reads.clear();
        asked.forEach(read -> read.complete(NOBODY));
    }

    @Test
    void aCrowdIsReadAFewAtATimeAndNobodyIsKnownBeforeItIsRead() {
        List<Shield> crowd = known(1000);
        assertThat(crowd).allMatch(Shield::isKnown);

        shields.readAgain();

        assertThat(crowd).noneMatch(Shield::isKnown);
        int turns = 0;
        for (; !reads.isEmpty(); turns++) {
            assertThat(reads).hasSizeLessThanOrEqualTo(32);
            answerAll();
        }
        assertThat(turns).isBetween(1000 / 32, 1000 / 32 + 1);
        assertThat(crowd).allMatch(Shield::isKnown);
    }

    @Test
    void whileRedisIsAwayItIsAskedNoFasterThanThePausesAllow() {
        List<Shield> crowd = known(100);
        shields.readAgain();
        for (int round = 0; round < 5; round++) {
            assertThat(reads).hasSize(32);
            List<Promise<Sights.Hidden>> asked = List.copyOf(reads);
            reads.clear();
            asked.forEach(read -> read.fail("Redis is away"));
            assertThat(reads).isEmpty();
            List<Runnable> due = List.copyOf(retries);
            retries.clear();
            due.forEach(Runnable::run);
        }
        assertThat(crowd).noneMatch(Shield::isKnown);
        while (!reads.isEmpty()) {
            answerAll();
        }
        assertThat(crowd).allMatch(Shield::isKnown);
    }

    @Test
    void anOutageIsLoggedWhenItBeginsAndWhenItEnds() {
        List<Shield> crowd = known(3);
        Logger logger = (Logger) LoggerFactory.getLogger(Shields.class);
        ListAppender<ILoggingEvent> notes = new ListAppender<>();
        notes.start();
        logger.addAppender(notes);
        try {
            shields.readAgain();
            List<Promise<Sights.Hidden>> asked = List.copyOf(reads);
            reads.clear();
            asked.get(0).fail("Redis is away");
            // That of another node, which is there.
            asked.get(1).complete(NOBODY);
            asked.get(2).fail("Redis is away");
            retries.forEach(Runnable::run);
            answerAll();
        } finally {
            logger.detachAppender(notes);
        }
        assertThat(crowd).allMatch(Shield::isKnown);
        assertThat(notes.list.stream().map(ILoggingEvent::getFormattedMessage))
                .containsExactly("blocks and mutes not read reason=Redis is away", "blocks and mutes read again");
    }

    @Test
    void anAnswerFromBeforeEventsWereMissedDoesNotCount() {
        Shield shield = known(1).get(0);
        shields.readAgain();
        Promise<Sights.Hidden> early = reads.remove(0);
        shields.readAgain();
        early.complete(NOBODY);
        assertThat(shield.isKnown()).isFalse();

        List<String> told = new ArrayList<>();
        shield.whenKnown(() -> told.add("known"));
        assertThat(told).isEmpty();
        reads.get(0).complete(new Sights.Hidden(Set.of(7L), Set.of()));
        assertThat(told).containsExactly("known");
        assertThat(shield.hides()).isTrue();
    }
}
