package io.fanfare.core.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The homes of a shard after a failover that may have lost writes. */
@ParameterizedClass
@KindsOfRedis
class HomeGenerationTest {
    private static final Script NOTE = Script.load("note_master");

    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long ann;
    private long bob;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        long[] users = f.users(2);
        ann = users[0];
        bob = users[1];
        f.follow(ann, bob);
        f.home(ann, 1);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void aHomeOfAnotherGenerationCountsAsNone() {
        long post = f.post(bob); // Delivered to a home that has lost it.
        assertThat(f.home(ann, 3)).isEmpty();

        failover();
        Verification.assertClean(f.get(() -> Verification.of(f.link, f.settings)));
        assertThat(f.home(ann, 3)).containsExactly(post);

        assertThat(f.list(ann)).containsExactly("f0/1@1", "" + post);
        assertThat(f.home(ann, 3)).containsExactly(post);
        assertThat(f.number(Keys.homesBuilt(Id.shard(ann)), "GET", Keys.homesBuilt(Id.shard(ann))))
                .isEqualTo(2);
    }

    @Test
    void theGenerationStaysWhateverIsDoneToTheHome() {
        failover();
        f.home(ann, 1);
        long carl = f.get(() -> f.stores.accounts().signUpAll(List.of("carl"))).get(0);
        for (int i = 0; i < 12; i++) { // Trims of a home of four.
            f.fanOut(bob, f.post(bob));
            assertThat(f.list(ann).get(0)).endsWith("@1");
        }
        long gone = f.post(bob);
        f.fanOut(bob, gone);
        f.delete(bob, gone);
        f.get(() -> f.stores.homes().takeOut(List.of(new Homes.Removal(ann, gone))));
        assertThat(f.list(ann).get(0)).endsWith("@1");
        f.post(carl);
        f.follow(ann, carl);
        assertThat(f.list(ann).get(0)).endsWith("@1");
        f.get(() -> f.stores.homes().sort(ann, 100));
        f.get(() -> f.stores.follows().unfollow(ann, carl));
        f.home(ann, 2);
        assertThat(f.list(ann).get(0)).endsWith("@1");
        Verification.assertClean(f.get(() -> Verification.of(f.link, f.settings)));

        failover();
        List<Long> posts = f.home(ann, 4);
        assertThat(f.list(ann).get(0)).endsWith("@2");
        assertThat(posts).hasSize(4);
    }

    /** It started before the failover: what it joins may have lost deliveries since. */
    @Test
    void aRebuildOfAnotherGenerationIsNotJoined() {
        f.redis.askAt(Keys.home(ann), "LSET", Keys.home(ann), "0", "b0:other");
        failover();
        long post = f.post(bob);

        assertThat(f.home(ann, 1)).containsExactly(post);
        assertThat(f.list(ann)).containsExactly("f0/1@1", "" + post);
    }

    @Test
    void aGenerationBeginsOnceWhenAMasterThatIsNoneAnyMoreHasBeenReplaced() {
        assertThat(note("a", "a", "b").isNil()).as("first").isTrue();
        assertThat(note("a", "a", "b").isNil()).as("same").isTrue();
        assertThat(note("b", "a", "b").isNil()).as("moved: a still is a master").isTrue();
        assertThat(note("c", "a", "c").asLong()).as("b has failed").isEqualTo(1);
        assertThat(note("c", "a", "c").isNil()).as("another process").isTrue();
        assertThat(note("b", "a", "b").asLong()).as("b is back").isEqualTo(2);
    }

    private Reply note(String master, String... masters) {
        int shard = Id.shard(ann);
        Object[] ids = new Object[masters.length + 1];
        ids[0] = master;
        System.arraycopy(masters, 0, ids, 1, masters.length);
        return f.get(() -> f.link.send(NOTE.call(List.of(Keys.master(shard), Keys.homeGeneration(shard)), ids)));
    }

    private void failover() {
        String key = Keys.homeGeneration(Id.shard(ann));
        f.redis.askAt(key, "INCR", key);
    }
}
