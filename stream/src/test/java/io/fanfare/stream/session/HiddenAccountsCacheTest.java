package io.fanfare.stream.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.stream.StreamFaultTest;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.HiddenAccounts;
import io.fanfare.stream.filter.StreamEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How the hidden accounts of many viewers are read again; what streams make of it: {@link StreamFaultTest}. */
class HiddenAccountsCacheTest {
    private static final ViewerRelationshipsReader.Hidden NOBODY =
            new ViewerRelationshipsReader.Hidden(Set.of(), Map.of());

    private final List<Promise<ViewerRelationshipsReader.Hidden>> reads = new ArrayList<>();
    private final ArrayDeque<Runnable> retries = new ArrayDeque<>();

    private final ViewerRelationshipsReader viewerRelationships =
            new ViewerRelationshipsReader(null, InstantSource.system()) {
                @Override
                public Future<Hidden> allHidden(long viewer) {
                    Promise<Hidden> read = Promise.promise();
                    reads.add(read);
                    return read.future();
                }
            };

    private long now = 1000;

    private final HiddenAccountsCache hiddenAccountsCache =
            new HiddenAccountsCache(viewerRelationships, retries::add, () -> Instant.ofEpochMilli(now));

    private List<HiddenAccounts> known(int viewers) {
        List<Future<HiddenAccounts>> hiddenOf = LongStream.rangeClosed(1, viewers)
                .mapToObj(hiddenAccountsCache::of)
                .toList();
        answerAll();
        return hiddenOf.stream().map(Future::result).toList();
    }

    private void answerAll() {
        List<Promise<ViewerRelationshipsReader.Hidden>> open = List.copyOf(reads);
        reads.clear();
        open.forEach(read -> read.complete(NOBODY));
    }

    @Test
    void aCrowdIsReadAFewAtATimeAndNobodyIsKnownBeforeItIsRead() {
        List<HiddenAccounts> crowd = known(1000);
        assertThat(crowd).allMatch(HiddenAccounts::isKnown);

        hiddenAccountsCache.readAgain();

        assertThat(crowd).noneMatch(HiddenAccounts::isKnown);
        int turns = 0;
        for (; !reads.isEmpty(); turns++) {
            assertThat(reads).hasSizeLessThanOrEqualTo(32);
            answerAll();
        }
        assertThat(turns).isBetween(1000 / 32, 1000 / 32 + 1);
        assertThat(crowd).allMatch(HiddenAccounts::isKnown);
    }

    @Test
    void twentyStreamsThatOpenAtOnceCostTwoReads() {
        List<Future<HiddenAccounts>> streams = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            streams.add(hiddenAccountsCache.of(1));
        }
        assertThat(reads).hasSize(1);
        answerAll();
        assertThat(streams.get(0).succeeded()).isTrue();
        assertThat(streams.subList(1, 20)).noneMatch(Future::isComplete);

        assertThat(reads).as("begun after the calls of those who wait").hasSize(1);
        answerAll();
        assertThat(streams).allMatch(Future::succeeded);
        assertThat(reads).isEmpty();
    }

    @Test
    void aFailedReadFailsTheStreamThatBeganItAndThoseAfterItAreReadAgain() {
        Future<HiddenAccounts> first = hiddenAccountsCache.of(1);
        Future<HiddenAccounts> second = hiddenAccountsCache.of(1);
        reads.remove(0).fail("Redis is away");
        assertThat(first.failed()).isTrue();
        assertThat(second.isComplete()).isFalse();

        answerAll();
        assertThat(second.succeeded()).isTrue();
    }

    @Test
    void whileRedisIsAwayReadsKeepTheirPauses() {
        List<HiddenAccounts> crowd = known(100);
        hiddenAccountsCache.readAgain();
        for (int round = 0; round < 5; round++) {
            assertThat(reads).hasSize(32);
            List<Promise<ViewerRelationshipsReader.Hidden>> open = List.copyOf(reads);
            reads.clear();
            open.forEach(read -> read.fail("Redis is away"));
            assertThat(reads).isEmpty();
            List<Runnable> due = List.copyOf(retries);
            retries.clear();
            due.forEach(Runnable::run);
        }
        assertThat(crowd).noneMatch(HiddenAccounts::isKnown);
        while (!reads.isEmpty()) {
            answerAll();
        }
        assertThat(crowd).allMatch(HiddenAccounts::isKnown);
    }

    @Test
    void anOutageIsLoggedWhenItBeginsAndWhenItEnds() {
        List<HiddenAccounts> crowd = known(3);
        Logger logger = (Logger) LoggerFactory.getLogger(HiddenAccountsCache.class);
        ListAppender<ILoggingEvent> notes = new ListAppender<>();
        notes.start();
        logger.addAppender(notes);
        try {
            hiddenAccountsCache.readAgain();
            List<Promise<ViewerRelationshipsReader.Hidden>> open = List.copyOf(reads);
            reads.clear();
            open.get(0).fail("Redis is away");
            // That of another node, which is there.
            open.get(1).complete(NOBODY);
            open.get(2).fail("Redis is away");
            retries.forEach(Runnable::run);
            answerAll();
        } finally {
            logger.detachAppender(notes);
        }
        assertThat(crowd).allMatch(HiddenAccounts::isKnown);
        assertThat(notes.list.stream().map(ILoggingEvent::getFormattedMessage))
                .containsExactly("blocks and mutes not read reason=Redis is away", "blocks and mutes read again");
    }

    @Test
    void anAnswerFromBeforeEventsWereMissedDoesNotCount() {
        HiddenAccounts hiddenAccounts = known(1).get(0);
        hiddenAccountsCache.readAgain();
        Promise<ViewerRelationshipsReader.Hidden> early = reads.remove(0);
        hiddenAccountsCache.readAgain();
        early.complete(NOBODY);
        assertThat(hiddenAccounts.isKnown()).isFalse();

        List<String> opened = new ArrayList<>();
        hiddenAccounts.whenKnown(() -> opened.add("known"));
        assertThat(opened).isEmpty();
        reads.get(0).complete(new ViewerRelationshipsReader.Hidden(Set.of(7L), Map.of()));
        assertThat(opened).containsExactly("known");
        assertThat(hiddenAccounts.hides()).isTrue();
    }

    @Test
    void aMuteIsOverForStreamsAtItsEndWithoutAnyWordOfIt() {
        Future<HiddenAccounts> read = hiddenAccountsCache.of(1);
        reads.remove(0).complete(new ViewerRelationshipsReader.Hidden(Set.of(), Map.of(7L, 2000L, 8L, Long.MAX_VALUE)));
        HiddenAccounts hiddenAccounts = read.result();

        assertThat(hiddenAccounts.lets(followBy(7))).isFalse();
        now = 1999;
        assertThat(hiddenAccounts.lets(followBy(7))).isFalse();
        now = 2000;
        assertThat(hiddenAccounts.lets(followBy(7))).isTrue();
        assertThat(hiddenAccounts.lets(followBy(8))).isFalse();
    }

    private static StreamEvent followBy(long account) {
        return new StreamEvent(
                new LoggedEvent("00000001", 1, 1, EventBodies.followed(account, 9, 5)), new Documents(1));
    }
}
