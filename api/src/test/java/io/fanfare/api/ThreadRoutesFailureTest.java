package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.routes.ThreadRoutes;
import io.fanfare.common.model.Refusal;
import io.fanfare.redis.RedisError;
import org.junit.jupiter.api.Test;

/** What becomes of a comment whose repost fails. */
class ThreadRoutesFailureTest {
    @Test
    void whatMayHappenToARepostLeavesTheComment() {
        assertThat(ThreadRoutes.withoutRepost(new Refusal(Refusal.Reason.OVERLOADED, "full"))
                        .succeeded())
                .isTrue();
        assertThat(ThreadRoutes.withoutRepost(new RedisError(RedisError.Kind.LOST, "away"))
                        .succeeded())
                .isTrue();
    }

    @Test
    void aMistakeOfOursIsNotHidden() {
        IllegalStateException mistake = new IllegalStateException("a mistake");
        assertThat(ThreadRoutes.withoutRepost(mistake).cause()).isSameAs(mistake);
    }
}
