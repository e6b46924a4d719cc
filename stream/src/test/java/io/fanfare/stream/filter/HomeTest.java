package io.fanfare.stream.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.model.Visibility;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HomeTest {
    private static final long VIEWER = 8;
    private static final long FRIEND = 12;

    private final List<Long> questions = new ArrayList<>();
    private final Home home =
            new Home(VIEWER, List.of(), Home.Replies.ALL, (asking, account, question) -> questions.add(question));

    @Test
    void anAnswerThatIsOlderThanTheLastChangeDoesNotCount() {
        hear(Event.Kind.FOLLOW);
        assertThat(wantsFriend()).isTrue();
        hear(Event.Kind.UNFOLLOW);
        assertThat(wantsFriend()).isFalse();

        home.confirm(FRIEND, questions.get(0), true);
        assertThat(wantsFriend()).isFalse();
        home.confirm(FRIEND, questions.get(1), false);
        assertThat(wantsFriend()).isFalse();
    }

    @Test
    void theGraphIsRightWhenEventsComeInTheWrongOrder() {
        hear(Event.Kind.FOLLOW);
        home.confirm(FRIEND, questions.get(0), true);
        hear(Event.Kind.UNFOLLOW);
        home.confirm(FRIEND, questions.get(1), true);
        assertThat(wantsFriend()).isTrue();
    }

    private void hear(Event.Kind kind) {
        assertThat(home.wants(event(kind, VIEWER, FRIEND))).isFalse();
    }

    private boolean wantsFriend() {
        return home.wants(event(Event.Kind.STATUS, FRIEND, 0));
    }

    private static StreamEvent event(Event.Kind kind, long actor, long target) {
        return new StreamEvent(
                new LoggedEvent("5f3a9c01", 1, 0, new Event(kind, 4711, actor, target, Visibility.PUBLIC, "{}")));
    }
}
