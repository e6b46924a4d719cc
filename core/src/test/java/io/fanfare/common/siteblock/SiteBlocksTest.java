package io.fanfare.common.siteblock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlock.Severity;
import io.fanfare.common.siteblock.SiteBlocks.Change;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The list of blocks, which several processes change and read. */
@ParameterizedClass
@KindsOfRedis
class SiteBlocksTest {
    private static final long DAY = Duration.ofDays(1).toMillis();

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private SiteBlocks blocks;
    private KnownBlocks known;
    private long now = 100 * DAY;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        blocks = new SiteBlocks(f.link, () -> Instant.ofEpochMilli(now));
        known = new KnownBlocks(blocks, () -> Instant.ofEpochMilli(now));
    }

    @AfterEach
    void close() {
        f.close();
    }

    private static SiteBlock network(int number, long end) {
        String digits = String.format(java.util.Locale.ROOT, "0a%02x%02x00", number / 256, number % 256);
        return new SiteBlock(0, Kind.NETWORK, digits + "/24", Severity.NO_ACCESS, "", 0, end);
    }

    private static SiteBlock mail(String domain) {
        return new SiteBlock(0, Kind.MAIL_DOMAIN, domain, Severity.SIGN_UP_BLOCK, "", 0, 0);
    }

    @CanIgnoreReturnValue
    private List<SiteBlock> put(SiteBlock... added) {
        return f.get(() -> blocks.change(all -> Change.put(List.of(added))));
    }

    private List<Long> ids(Kind of) {
        return f.get(blocks::read).of(of, now).stream().map(SiteBlock::id).toList();
    }

    @Test
    void changesOfSeveralModeratorsAtOnceAreAllKept() {
        List<List<SiteBlock>> added = f.get(() -> Future.all(IntStream.range(0, 8)
                        .mapToObj(i -> blocks.change(all -> Change.put(List.of(network(i, 0)))))
                        .toList())
                .map(done -> done.<List<SiteBlock>>list()));
        assertThat(added.stream().map(one -> one.get(0).id())).doesNotHaveDuplicates();
        assertThat(ids(Kind.NETWORK)).hasSize(8);
    }

    @Test
    void anIdIsNeverUsedAgain() {
        long first = put(network(1, 0)).get(0).id();
        f.get(() -> blocks.change(all -> Change.remove(List.of(first))));
        long second = put(network(1, 0)).get(0).id();
        assertThat(second).isGreaterThan(first);
        assertThat(ids(Kind.NETWORK)).containsExactly(second);
    }

    @Test
    void aSecondBlockOfOneValueIsRefusedAndChangesNothing() {
        put(network(1, 0));
        assertThatThrownBy(() -> put(network(2, 0), network(1, 0)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("10.0.1.0/24 already");
        assertThat(ids(Kind.NETWORK)).hasSize(1);
    }

    @Test
    void aListIsFullAtItsMaximum() {
        for (int page = 0; page < 10; page++) {
            int from = 1000 * page;
            put(IntStream.range(from, from + 1000).mapToObj(i -> network(i, 0)).toArray(SiteBlock[]::new));
        }
        assertThat(ids(Kind.NETWORK)).hasSize(10_000);
        assertThatThrownBy(() -> put(network(10_000, 0))).isInstanceOf(Refusal.class);
        put(mail("other.example"));
        f.get(known::look);
        assertThat(known.isClosedTo("0a" + "27" + "0f" + "07"))
                .as("the last one")
                .isTrue();
        assertThat(known.isClosedTo("0b000000")).isFalse();
    }

    @Test
    void eachChangeRemovesTheBlocksThatHaveEnded() {
        put(network(1, now + 1000), network(2, 0));
        f.get(known::look);
        assertThat(known.isClosedTo("0a000101")).isTrue();

        now += 1000;
        f.get(known::look);
        assertThat(known.isClosedTo("0a000101")).as("without a change in Redis").isFalse();
        assertThat(known.isClosedTo("0a000201")).isTrue();
        assertThat(ids(Kind.NETWORK)).hasSize(1);
        assertThat(f.redis.askAt(Keys.SITE_BLOCKS, "HLEN", Keys.SITE_BLOCKS).asLong())
                .isEqualTo(3);
        f.get(() -> blocks.change(all -> Change.NOTHING));
        assertThat(f.redis.askAt(Keys.SITE_BLOCKS, "HLEN", Keys.SITE_BLOCKS).asLong())
                .isEqualTo(2);
        put(network(1, 0));
        assertThat(ids(Kind.NETWORK)).hasSize(2);
    }

    /** The clock of a machine may be set back. */
    @Test
    void aClockThatIsSetBackEndsNoBlockAndKeepsThoseThatHold() {
        put(network(1, now + 1000));
        f.get(known::look);
        now -= 10 * DAY;
        f.get(known::look);
        assertThat(known.isClosedTo("0a000101")).isTrue();
        assertThat(ids(Kind.NETWORK)).hasSize(1);
    }

    @Test
    void listenersAreCalledAfterAChangeAlone() {
        int[] calls = new int[1];
        known.whenChanged(() -> calls[0]++);
        f.get(known::look);
        assertThat(calls[0]).isZero();
        put(network(1, 0));
        f.get(known::look);
        f.get(known::look);
        assertThat(calls[0]).isEqualTo(1);
        f.get(() -> blocks.change(all -> Change.remove(ids(all))));
        f.get(known::look);
        assertThat(calls[0]).isEqualTo(2);
        assertThat(known.closesNetworks()).isFalse();
    }

    private static List<Long> ids(SiteBlocks.Snapshot all) {
        return all.blocks().stream().map(SiteBlock::id).toList();
    }

    @Test
    void refusedSignUpsAreCountedForAWeek() {
        long id = put(mail("spam.example")).get(0).id();
        f.get(() -> blocks.used(id));
        f.get(() -> blocks.used(id));
        now += DAY;
        f.get(() -> blocks.used(id));
        assertThat(f.get(() -> blocks.uses(List.of(id, 99L))).get(id)).containsExactly(1, 2, 0, 0, 0, 0, 0);
        assertThat(f.get(() -> blocks.uses(List.of(id, 99L))).get(99L)).containsOnly(0);

        now += 6 * DAY;
        f.get(() -> blocks.used(id));
        assertThat(f.get(() -> blocks.uses(List.of(id))).get(id)).containsExactly(1, 0, 0, 0, 0, 0, 1);
        assertThat(f.redis
                        .askAt(Keys.SITE_BLOCK_USES, "HLEN", Keys.SITE_BLOCK_USES)
                        .asLong())
                .as("two days and the day of the sweep")
                .isEqualTo(3);
    }

    @Test
    void aListIsWalkedFromBothEnds() {
        for (int i = 0; i < 5; i++) {
            put(network(i, 0));
            put(mail("m" + i + ".example"));
        }
        List<Long> all = ids(Kind.NETWORK);
        Page<SiteBlock> first = f.get(() -> blocks.page(Kind.NETWORK, PageRequest.newest(2)));
        assertThat(first.items()).extracting(SiteBlock::id).containsExactly(all.get(4), all.get(3));
        Page<SiteBlock> second = f.get(() -> blocks.page(Kind.NETWORK, PageRequest.olderThan(first.next(), 2)));
        assertThat(second.items()).extracting(SiteBlock::id).containsExactly(all.get(2), all.get(1));
        Page<SiteBlock> third = f.get(() -> blocks.page(Kind.NETWORK, PageRequest.olderThan(second.next(), 2)));
        assertThat(third.items()).extracting(SiteBlock::id).containsExactly(all.get(0));
        assertThat(third.next()).isZero();
        Page<SiteBlock> up = f.get(() -> blocks.page(Kind.NETWORK, PageRequest.justAbove(all.get(0), 2)));
        assertThat(up.items()).extracting(SiteBlock::id).containsExactly(all.get(2), all.get(1));
    }
}
