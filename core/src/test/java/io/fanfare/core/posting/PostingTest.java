package io.fanfare.core.posting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.model.Refusal;
import io.fanfare.redis.RedisError;
import org.junit.jupiter.api.Test;

/** A comment whose quote with the same words fails. */
class PostingTest {
    @Test
    void theCommentStaysWhenItsQuoteIsRefusedOrRedisFails() {
        assertThat(Posting.withoutQuote(new Refusal(Refusal.Reason.OVERLOADED, "full"))
                        .succeeded())
                .isTrue();
        assertThat(Posting.withoutQuote(new RedisError(RedisError.Kind.LOST, "away"))
                        .succeeded())
                .isTrue();
    }

    @Test
    void aMistakeOfOursIsNotHidden() {
        IllegalStateException mistake = new IllegalStateException("a mistake");
        assertThat(Posting.withoutQuote(mistake).cause()).isSameAs(mistake);
    }
}
