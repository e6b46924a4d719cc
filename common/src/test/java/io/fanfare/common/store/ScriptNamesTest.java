package io.fanfare.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.redis.BoundScript;
import io.fanfare.redis.Reply;
import io.fanfare.redis.ScriptHeader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each script takes what its caller gives it, in the order of its header. */
class ScriptNamesTest {
    static Stream<BoundScript<?, ?>> scripts() {
        return Stream.of(PostScript.POST, LinkScript.LINK);
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void theNamesAreThoseOfTheHeader(BoundScript<?, ?> bound) {
        assertThat(ScriptHeader.of(bound)).isEqualTo(ScriptHeader.of(bound.script()));
    }

    @Test
    void postAnswersAnAuthorOnlyOfWhatItHasPosted() {
        assertThat(result("posted", "7", "1", "2", "3", "4", "5"))
                .isEqualTo(new PostScript.Result(PostScript.Outcome.POSTED, 7, new PostScript.Author(1, 2, 3, 4, 5)));
        assertThat(result("repeated", "7")).isEqualTo(new PostScript.Result(PostScript.Outcome.REPEATED, 7, null));
        assertThat(result("reposted", "7")).isEqualTo(new PostScript.Result(PostScript.Outcome.REPOSTED, 7, null));
        for (String outcome : List.of("conflict", "outdated", "inactive", "full")) {
            assertThat(result(outcome).outcome().name()).isEqualToIgnoringCase(outcome);
        }
        assertThatThrownBy(() -> result("danced")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void linkAnswersANotificationOrAnEndOrThatItsAccountIsDeleted() {
        assertThat(LinkScript.result(7)).isEqualTo(new SubjectEdges.Linked(7, false, false));
        assertThat(LinkScript.result(0)).isEqualTo(SubjectEdges.Linked.QUIET);
        assertThat(LinkScript.result(-1)).isEqualTo(new SubjectEdges.Linked(0, true, false));
        assertThat(LinkScript.result(-3)).isEqualTo(new SubjectEdges.Linked(0, false, true));
    }

    private static PostScript.Result result(String... items) {
        return PostScript.Result.of(
                new Reply.Items(Arrays.stream(items).map(ScriptNamesTest::bulk).toList()));
    }

    private static Reply bulk(String text) {
        return new Reply.Bulk(text.getBytes(StandardCharsets.UTF_8));
    }
}
