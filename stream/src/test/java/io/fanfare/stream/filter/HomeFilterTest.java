package io.fanfare.stream.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HomeFilterTest {
    private static final String EPOCH = "5f3a9c01";
    private static final long VIEWER = 8;
    private static final long FRIEND = 12;

    private final List<Long> questions = new ArrayList<>();

    /** About hashtags: a change of the viewer's own terms asks both. */
    private final List<Long> tagQuestions = new ArrayList<>();

    /** The state of the log when the graph is read, and the graph's answers. */
    private long seq = 100;

    private List<Long> followed = List.of();
    private List<Long> withoutReposts = List.of();
    private List<Long> leftOut = List.of();
    private List<String> tags = List.of();
    private Map<Long, List<String>> languages = Map.of();
    private final HomeFilter home =
            new HomeFilter(VIEWER, true, true, known(), HomeFilter.Replies.ALL, new HomeFilter.Follows() {
                @Override
                public Future<HomeFilter.Known> all(long viewer) {
                    return Future.succeededFuture(known());
                }

                @Override
                public void ask(HomeFilter asking, long account, long question) {
                    questions.add(question);
                }

                @Override
                public void askTags(HomeFilter asking, long question) {
                    tagQuestions.add(question);
                }
            });

    private HomeFilter.Known known() {
        return new HomeFilter.Known(new LogState(EPOCH, seq, 1), followed, withoutReposts, leftOut, tags, languages);
    }

    @Test
    void anAnswerThatIsOlderThanTheLastChangeDoesNotCount() {
        receive(Event.Kind.FOLLOW);
        assertThat(wantsFriend()).isTrue();
        receive(Event.Kind.UNFOLLOW);
        assertThat(wantsFriend()).isFalse();

        home.confirm(FRIEND, questions.get(0), true, true, List.of());
        assertThat(wantsFriend()).isFalse();
        home.confirm(FRIEND, questions.get(1), false, true, List.of());
        assertThat(wantsFriend()).isFalse();
    }

    @Test
    void theGraphIsRightWhenEventsComeInTheWrongOrder() {
        receive(Event.Kind.FOLLOW);
        home.confirm(FRIEND, questions.get(0), true, true, List.of());
        receive(Event.Kind.UNFOLLOW);
        home.confirm(FRIEND, questions.get(1), true, true, List.of());
        assertThat(wantsFriend()).isTrue();
    }

    @Test
    void replayedEventsAreJudgedByThePlaceOfTheChanges() {
        followed = List.of(16L);
        assertThat(home.learnUpTo(EPOCH, seq).succeeded()).isTrue();
        receive(Event.Kind.FOLLOW);
        receive(Event.Kind.UNFOLLOW);
        receive(Event.Kind.UNFOLLOW, 16);
        receive(Event.Kind.FOLLOW);
        questions.forEach(question -> home.confirm(FRIEND, question, true, true, List.of()));

        assertThat(friendIsWantedAt(100, 101, 102, 103, 104, 105))
                .containsExactly(false, true, false, false, true, true);
        assertThat(home.wants(event(Event.Kind.STATUS, 16, 0))).isFalse();
        seq = 102;
        assertThat(home.wants(event(Event.Kind.STATUS, 16, 0))).isTrue();
    }

    private List<Boolean> friendIsWantedAt(long... seqs) {
        long now = seq;
        List<Boolean> wanted = new ArrayList<>();
        for (long at : seqs) {
            seq = at;
            wanted.add(wantsFriend());
        }
        seq = now;
        return wanted;
    }

    @Test
    void eventsBeforeTheGraphWasReadChangeNothing() {
        seq = 99;
        receive(Event.Kind.FOLLOW);
        assertThat(wantsFriend()).isFalse();
        assertThat(questions).isEmpty();

        receive(Event.Kind.FOLLOW);
        assertThat(wantsFriend()).isTrue();
    }

    @Test
    void theNewestAnswerDecidesAboutFollowedHashtags() {
        receive(Event.Kind.TERMS, VIEWER);
        receive(Event.Kind.TERMS, VIEWER);
        home.confirmTags(tagQuestions.get(1), List.of("go"));
        home.confirmTags(tagQuestions.get(0), List.of("cats"));
        assertThat(home.wants(tagged("go"))).isTrue();
        assertThat(home.wants(tagged("cats"))).isFalse();

        receive(Event.Kind.TERMS, VIEWER);
        home.confirmTags(tagQuestions.get(2), List.of());
        assertThat(home.wants(tagged("go"))).isFalse();
        tags = List.of("cats");
        assertThat(home.learnUpTo(EPOCH, seq).succeeded()).isTrue();
        assertThat(home.wants(tagged("cats"))).isTrue();
    }

    private StreamEvent tagged(String tag) {
        MatchFields match =
                new MatchFields(Post.Kind.POST, List.of(), "", 0, "", FRIEND, 0, List.of(), List.of(tag), null, null);
        Event event = new Event(Event.Kind.STATUS, 4096, 16, 0, Visibility.PUBLIC, match.encode(), "{}");
        return new StreamEvent(new LoggedEvent(EPOCH, seq, 0, event), new Documents(1));
    }

    @Test
    void aStatelessFilterLearnsNothing() {
        StreamFilter view = home.stateless();
        assertThat(view.wants(event(Event.Kind.FOLLOW, VIEWER, FRIEND))).isFalse();
        assertThat(view.wants(event(Event.Kind.STATUS, FRIEND, 0))).isFalse();
        assertThat(view.wants(event(Event.Kind.STATUS, VIEWER, 0))).isTrue();
        assertThat(questions).isEmpty();

        receive(Event.Kind.FOLLOW);
        assertThat(wantsFriend()).isTrue();
    }

    @Test
    void repostsAreSentWhileTheGraphSaysThatTheyAreWanted() {
        receive(Event.Kind.FOLLOW);
        home.confirm(FRIEND, questions.get(0), true, true, List.of());
        assertThat(home.wants(repost(Event.Kind.STATUS))).isTrue();

        receive(Event.Kind.TERMS);
        home.confirm(FRIEND, questions.get(1), true, false, List.of());
        assertThat(home.wants(repost(Event.Kind.STATUS))).isFalse();
        assertThat(home.wants(repost(Event.Kind.DELETE))).isTrue();
        assertThat(wantsFriend()).isTrue();

        receive(Event.Kind.UNMUTE);
        home.confirm(FRIEND, questions.get(2), true, true, List.of());
        assertThat(home.wants(repost(Event.Kind.STATUS))).isTrue();

        followed = List.of(FRIEND);
        withoutReposts = List.of(FRIEND);
        assertThat(home.learnUpTo(EPOCH, seq).succeeded()).isTrue();
        assertThat(home.wants(repost(Event.Kind.STATUS))).isFalse();
    }

    private StreamEvent post(Event.Kind kind, String language) {
        String match = "{\"k\":\"POST\",\"t\":\"hi\"" + (language == null ? "" : ",\"l\":\"" + language + "\"") + "}";
        return new StreamEvent(
                new LoggedEvent(EPOCH, seq, 0, new Event(kind, 4711, FRIEND, 0, Visibility.PUBLIC, match, "{}")),
                new Documents(1));
    }

    @Test
    void postsInOtherLanguagesThanThoseThatAreWantedAreLeftOut() {
        receive(Event.Kind.FOLLOW);
        home.confirm(FRIEND, questions.get(0), true, true, List.of("en", "PT"));

        assertThat(home.wants(post(Event.Kind.STATUS, "en"))).isTrue();
        assertThat(home.wants(post(Event.Kind.STATUS, "pt-BR"))).isTrue();
        assertThat(home.wants(post(Event.Kind.STATUS, "pt_BR"))).isTrue();
        assertThat(home.wants(post(Event.Kind.STATUS, null))).isTrue();
        assertThat(home.wants(post(Event.Kind.STATUS, "de"))).isFalse();
        assertThat(home.wants(post(Event.Kind.EDIT, "de"))).isFalse();
        assertThat(home.wants(post(Event.Kind.DELETE, "de")))
                .as("it may have been told")
                .isTrue();
        assertThat(home.wants(repost(Event.Kind.STATUS))).isTrue();

        assertThat(home.wants(quote("", "de")))
                .as("without words it only passes on")
                .isTrue();
        assertThat(home.wants(quote("hallo", "de"))).isFalse();

        receive(Event.Kind.TERMS);
        home.confirm(FRIEND, questions.get(1), true, true, List.of());
        assertThat(home.wants(post(Event.Kind.STATUS, "de"))).isTrue();

        followed = List.of(FRIEND);
        languages = Map.of(FRIEND, List.of("de"));
        assertThat(home.learnUpTo(EPOCH, seq).succeeded()).isTrue();
        assertThat(home.wants(post(Event.Kind.STATUS, "de"))).isTrue();
        assertThat(home.wants(post(Event.Kind.STATUS, "en"))).isFalse();
    }

    private StreamEvent quote(String text, String language) {
        MatchFields match = new MatchFields(
                Post.Kind.POST, List.of(16L), text, 16, "hallo", 0, 0, List.of(), List.of(), language, null);
        Event event = new Event(Event.Kind.STATUS, 4711, FRIEND, 0, Visibility.PUBLIC, match.encode(), "{}");
        return new StreamEvent(new LoggedEvent(EPOCH, seq, 0, event), new Documents(1));
    }

    @Test
    void languagesOfAnEndedFollowSayNothingOfTheNext() {
        receive(Event.Kind.FOLLOW);
        home.confirm(FRIEND, questions.get(0), true, true, List.of("en"));
        assertThat(home.wants(post(Event.Kind.STATUS, "de"))).isFalse();
        receive(Event.Kind.UNFOLLOW);
        receive(Event.Kind.FOLLOW);
        assertThat(home.wants(post(Event.Kind.STATUS, "de"))).isTrue();
        home.confirm(FRIEND, questions.get(2), true, true, List.of("en"));
        assertThat(home.wants(post(Event.Kind.STATUS, "de"))).isFalse();
    }

    /** A repost that is told in vain can be looked away from; one that is not told is lost. */
    @Test
    void aNewFollowSendsRepostsThatTheEndedOneLeftOut() {
        receive(Event.Kind.FOLLOW);
        home.confirm(FRIEND, questions.get(0), true, false, List.of());
        assertThat(home.wants(repost(Event.Kind.STATUS))).isFalse();
        receive(Event.Kind.UNFOLLOW);
        receive(Event.Kind.FOLLOW);
        assertThat(home.wants(repost(Event.Kind.STATUS))).isTrue();
        home.confirm(FRIEND, questions.get(2), true, false, List.of());
        assertThat(home.wants(repost(Event.Kind.STATUS))).isFalse();
    }

    @Test
    void accountsOfExclusiveListsAreLeftOutOnceTheListsAreRead() {
        followed = List.of(FRIEND);
        leftOut = List.of(FRIEND, VIEWER);
        assertThat(home.learnUpTo(EPOCH, seq).succeeded()).isTrue();
        assertThat(wantsFriend()).isFalse();
        assertThat(home.wants(repost(Event.Kind.STATUS))).isFalse();
        assertThat(home.wants(event(Event.Kind.STATUS, VIEWER, 0))).isTrue();
        assertThat(home.wants(repost(Event.Kind.DELETE)))
                .as("it may have been told")
                .isTrue();

        receive(Event.Kind.TERMS, VIEWER);
        assertThat(wantsFriend()).isFalse();
        receive(Event.Kind.TERMS, VIEWER);
        home.leaveOut(questions.get(0), List.of());
        assertThat(wantsFriend()).as("a list has changed since").isFalse();
        home.leaveOut(questions.get(1), List.of());
        assertThat(wantsFriend()).isTrue();
        assertThat(home.asks(VIEWER, questions.get(1))).isFalse();
    }

    @Test
    void anAccountOfAnExclusiveListAppearsByAFollowedHashtag() {
        followed = List.of(FRIEND);
        leftOut = List.of(FRIEND);
        tags = List.of("cats");
        assertThat(home.learnUpTo(EPOCH, seq).succeeded()).isTrue();
        assertThat(home.wants(tagged("go"))).isFalse();
        assertThat(home.wants(tagged("cats"))).isTrue();
    }

    private StreamEvent repost(Event.Kind kind) {
        String match = "{\"k\":\"REPOST\",\"t\":\"\",\"ou\":16}";
        return new StreamEvent(
                new LoggedEvent(EPOCH, seq, 0, new Event(kind, 4711, FRIEND, 0, Visibility.PUBLIC, match, "{}")),
                new Documents(1));
    }

    @Test
    void aNewReadingSupersedesEarlierQuestions() {
        receive(Event.Kind.FOLLOW);
        assertThat(home.knows(EPOCH, seq)).isTrue();
        assertThat(home.knows(EPOCH, seq + 50)).isFalse();
        assertThat(home.knows("0badcafe", seq)).isFalse();

        seq += 50;
        followed = List.of(16L);
        assertThat(home.learnUpTo(EPOCH, seq).succeeded()).isTrue();
        assertThat(home.knows(EPOCH, seq)).isTrue();
        assertThat(home.asks(FRIEND, questions.get(0))).isFalse();
        home.confirm(FRIEND, questions.get(0), true, true, List.of());

        assertThat(wantsFriend()).isFalse();
        assertThat(home.wants(event(Event.Kind.STATUS, 16, 0))).isTrue();
    }

    private void receive(Event.Kind kind) {
        receive(kind, FRIEND);
    }

    private void receive(Event.Kind kind, long account) {
        seq++;
        assertThat(home.wants(event(kind, VIEWER, account))).isFalse();
    }

    private boolean wantsFriend() {
        return home.wants(event(Event.Kind.STATUS, FRIEND, 0));
    }

    private StreamEvent event(Event.Kind kind, long actor, long target) {
        return new StreamEvent(
                new LoggedEvent(EPOCH, seq, 0, new Event(kind, 4711, actor, target, Visibility.PUBLIC, "{}")),
                new Documents(1));
    }
}
