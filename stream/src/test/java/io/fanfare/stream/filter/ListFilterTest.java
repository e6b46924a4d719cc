package io.fanfare.stream.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LogState;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.UserList.Replies;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.UserLists.Standing;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListFilterTest {
    private static final String EPOCH = "5f3a9c01";
    private static final long VIEWER = 8;
    private static final long FRIEND = 12;
    private static final long OTHER = 16;

    private final List<Promise<ListFilter.Known>> readings = new ArrayList<>();
    private final List<Promise<Standing>> questions = new ArrayList<>();
    private final List<Runnable> retries = new ArrayList<>();
    private long seq = 100;

    private Map<Long, List<String>> languages = Map.of();
    private final ListFilter list = new ListFilter(
            VIEWER,
            7,
            /* folding= */ true,
            known(FRIEND),
            new ListFilter.Lists() {
                @Override
                public Future<ListFilter.Known> read(long viewer, long id) {
                    readings.add(Promise.promise());
                    return readings.get(readings.size() - 1).future();
                }

                @Override
                public Future<Standing> ask(long viewer, long id, long account) {
                    questions.add(Promise.promise());
                    return questions.get(questions.size() - 1).future();
                }

                @Override
                public void retry(Runnable again) {
                    retries.add(again);
                }
            });

    private ListFilter.Known known(Long... listed) {
        return known(Replies.LIST, listed);
    }

    private ListFilter.Known known(Replies replies, Long... listed) {
        List<Long> followed = replies == Replies.FOLLOWED ? List.of(FRIEND, OTHER) : List.of();
        return new ListFilter.Known(
                new LogState(EPOCH, seq, 1), replies, List.of(listed), followed, List.of(), languages);
    }

    @Test
    void eachAnswerCountsHoweverManyChangesPassMeanwhile() {
        receive(Event.Kind.TERMS, VIEWER);
        receive(Event.Kind.TERMS, VIEWER);
        receive(Event.Kind.TERMS, VIEWER);
        assertThat(readings).as("one at a time").hasSize(1);
        readings.get(0).complete(known());
        assertThat(wants(FRIEND)).isFalse();
        assertThat(readings).as("and one for all that passed meanwhile").hasSize(2);
        readings.get(1).complete(known(OTHER));
        assertThat(wants(FRIEND)).isFalse();
        assertThat(wants(OTHER)).isTrue();
        assertThat(readings).hasSize(2);
    }

    @Test
    void anUnfollowedAccountIsOffTheListAtOnceWithoutAReading() {
        receive(Event.Kind.UNFOLLOW, FRIEND);
        assertThat(wants(FRIEND)).isFalse();
        questions.get(0).complete(new Standing(false, false, true));
        assertThat(wants(FRIEND)).isFalse();
        assertThat(readings).isEmpty();
    }

    @Test
    void theStoreIsRightWhenAnUnfollowComesAfterALaterFollow() {
        receive(Event.Kind.UNFOLLOW, FRIEND);
        questions.get(0).complete(new Standing(true, true, false));
        assertThat(wants(FRIEND)).isTrue();
        assertThat(list.wants(repost(FRIEND))).isFalse();
        receive(Event.Kind.TERMS, FRIEND);
        questions.get(1).fail("away");
        retries.remove(0).run();
        questions.get(2).complete(new Standing(true, true, true));
        assertThat(list.wants(repost(FRIEND))).isTrue();
    }

    @Test
    void postsInOtherLanguagesThanThoseThatAreWantedAreLeftOut() {
        StreamEvent german = status(FRIEND, "{\"k\":\"POST\",\"t\":\"hallo\",\"l\":\"de\"}");
        assertThat(list.wants(german)).isTrue();
        receive(Event.Kind.TERMS, FRIEND);
        questions.get(0).complete(new Standing(true, true, true, List.of("en")));
        assertThat(list.wants(german)).isFalse();
        assertThat(wants(FRIEND)).as("says no language").isTrue();
        assertThat(list.wants(status(FRIEND, "{\"t\":\"\",\"ou\":16,\"l\":\"de\"}")))
                .as("a quote without words")
                .isTrue();
        assertThat(list.wants(status(FRIEND, "{\"t\":\"hallo\",\"ou\":16,\"l\":\"de\"}")))
                .isFalse();
        assertThat(list.wants(repost(FRIEND))).isTrue();

        languages = Map.of(FRIEND, List.of("de"));
        receive(Event.Kind.TERMS, VIEWER);
        readings.get(0).complete(known(FRIEND));
        assertThat(list.wants(german)).isTrue();
    }

    @Test
    void anAnswerRestoresNoAccountThatWasRemovedSinceTheQuestion() {
        receive(Event.Kind.TERMS, VIEWER);
        receive(Event.Kind.UNFOLLOW, FRIEND);
        readings.get(0).complete(known(FRIEND, OTHER));
        assertThat(wants(FRIEND)).isFalse();
        assertThat(wants(OTHER)).isTrue();
        assertThat(readings).hasSize(1);
        questions.get(0).complete(new Standing(true, true, true));
        assertThat(wants(FRIEND)).isTrue();
    }

    @Test
    void aReadingAnswersTheQuestionsFromBeforeIt() {
        receive(Event.Kind.TERMS, FRIEND);
        receive(Event.Kind.TERMS, VIEWER);
        readings.get(0).complete(known(FRIEND));
        questions.get(0).complete(new Standing(false, false, true));
        assertThat(wants(FRIEND)).isTrue();
    }

    @Test
    void replayedEventsAreJudgedByThePlaceOfTheUnfollow() {
        receive(Event.Kind.UNFOLLOW, FRIEND);
        assertThat(wants(FRIEND)).isFalse();
        seq = 100;
        assertThat(wants(FRIEND)).isTrue();
        seq = 101;
        assertThat(wants(FRIEND)).isFalse();
    }

    @Test
    void followeesAreHeldOnlyWhereThePolicyNeedsThem() {
        assertThat(list.weight()).isEqualTo(1);
        assertThat(list.cost()).isZero();
        receive(Event.Kind.FOLLOW, 20);
        assertThat(list.weight()).isEqualTo(1);
        assertThat(list.wants(answer(FRIEND, OTHER))).isFalse();

        receive(Event.Kind.TERMS, VIEWER);
        readings.get(0).complete(known(Replies.FOLLOWED, FRIEND));
        assertThat(list.weight()).isEqualTo(3);
        assertThat(list.wants(answer(FRIEND, OTHER))).isTrue();
        assertThat(list.wants(answer(FRIEND, 20))).isFalse();
        receive(Event.Kind.FOLLOW, 20);
        assertThat(list.wants(answer(FRIEND, 20))).isTrue();
        receive(Event.Kind.UNFOLLOW, OTHER);
        assertThat(list.wants(answer(FRIEND, OTHER))).isFalse();

        receive(Event.Kind.TERMS, VIEWER);
        receive(Event.Kind.FOLLOW, 24);
        readings.get(1).complete(known(Replies.FOLLOWED, FRIEND));
        assertThat(list.wants(answer(FRIEND, 24))).as("followed since").isTrue();
        assertThat(list.wants(answer(FRIEND, 20))).isFalse();
    }

    @Test
    void aReadingThatFailsIsRepeated() {
        receive(Event.Kind.TERMS, VIEWER);
        readings.get(0).fail("away");
        assertThat(wants(FRIEND)).isTrue();
        assertThat(readings).hasSize(1);
        retries.remove(0).run();
        readings.get(1).complete(known(OTHER));
        assertThat(wants(FRIEND)).isFalse();
        assertThat(wants(OTHER)).isTrue();
        assertThat(retries).isEmpty();
    }

    @Test
    void changesOfOthersAndKnownChangesCauseNoReading() {
        assertThat(list.wants(event(Event.Kind.TERMS, OTHER, OTHER))).isFalse();
        seq = 99;
        receive(Event.Kind.TERMS, VIEWER);
        assertThat(readings).isEmpty();
        assertThat(list.knows(EPOCH, 100)).isTrue();
        assertThat(list.knows(EPOCH, 101)).isFalse();
        assertThat(list.stateless().wants(event(Event.Kind.STATUS, FRIEND, 0))).isTrue();
    }

    @Test
    void learningUpToAPlaceDropsPendingReadings() {
        receive(Event.Kind.TERMS, VIEWER);
        Future<Void> learned = list.learnUpTo(EPOCH, 200);
        readings.get(1).complete(known(OTHER));
        assertThat(learned.succeeded()).isTrue();
        assertThat(list.knows(EPOCH, 200)).isTrue();
        readings.get(0).complete(known(FRIEND));
        assertThat(wants(FRIEND)).isFalse();
        assertThat(wants(OTHER)).isTrue();
    }

    private void receive(Event.Kind kind, long account) {
        seq++;
        assertThat(list.wants(event(kind, VIEWER, account))).isFalse();
    }

    private boolean wants(long author) {
        return list.wants(event(Event.Kind.STATUS, author, 0)) && list.wants(event(Event.Kind.DELETE, author, 0));
    }

    private StreamEvent repost(long author) {
        return status(author, "{\"k\":\"REPOST\",\"t\":\"\",\"ou\":16}");
    }

    private StreamEvent answer(long author, long answered) {
        MatchFields match = new MatchFields(
                Post.Kind.POST, List.of(), "", 0, "", answered, answered, List.of(), List.of(), null, null);
        return status(author, match.encode());
    }

    private StreamEvent status(long author, String match) {
        Event event = new Event(Event.Kind.STATUS, 1000 + seq, author, 0, Visibility.PUBLIC, match, "{}");
        return new StreamEvent(new LoggedEvent(EPOCH, seq, 0, event), new Documents(1));
    }

    private StreamEvent event(Event.Kind kind, long actor, long target) {
        Event event = new Event(kind, 1000 + seq, actor, target, Visibility.PUBLIC, "{}");
        return new StreamEvent(new LoggedEvent(EPOCH, seq, 0, event), new Documents(1));
    }
}
