package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** The conversations that were muted last stay muted until they are unmuted. */
@ParameterizedClass
@KindsOfRedis
class MutedConversationsTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private MutedConversations muted;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        muted = new MutedConversations(f.link);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @Test
    void thoseThatAreMutedAreThoseOfASimpleListWhateverIsDone() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        long ann = f.users(1)[0];
        AccountAccess access = new AccountAccess(f.link);
        boolean suspended = false;
        List<Long> model = new ArrayList<>();
        for (long conversation = 1; conversation <= MutedConversations.MAX - 5; conversation++) {
            long next = conversation;
            f.get(() -> muted.mute(ann, next));
            model.add(next);
        }
        for (int step = 0; step < 300; step++) {
            // Among twice as many as fit, so that some are new, some muted, and some were pushed out.
            long conversation = 1L + random.nextInt(2 * MutedConversations.MAX);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    f.get(() -> muted.unmute(ann, conversation));
                    model.remove(conversation);
                }
                case 2 -> {
                    if (random.nextInt(4) == 0) {
                        boolean ends = suspended;
                        f.get(() -> ends ? access.unsuspend(ann) : access.suspend(ann));
                        suspended = !ends;
                    }
                }
                default -> {
                    boolean forbidden = suspended && !model.contains(conversation);
                    assertThat(mute(ann, conversation))
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(forbidden ? Reason.FORBIDDEN : null);
                    if (!forbidden && !model.contains(conversation)) {
                        model.add(conversation);
                    }
                    if (model.size() > MutedConversations.MAX) {
                        model.remove(0);
                    }
                }
            }
            assertThat(MutedConversations.of(f.get(() -> f.link.send(MutedConversations.read(ann)))))
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(new HashSet<>(model));
        }
        assertThat(f.members(Keys.mutedConversations(ann)))
                .as("in the order in which they were muted, seed %d", seed)
                .isEqualTo(model.stream().map(String::valueOf).toList());
    }

    /** Why it was refused; null when it was not. */
    private Reason mute(long account, long conversation) {
        try {
            f.get(() -> muted.mute(account, conversation));
            return null;
        } catch (Refusal refusal) {
            return refusal.reason();
        }
    }
}
