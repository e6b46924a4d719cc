package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.auth.AccountAccess;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.ScheduledStatus;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.testing.Milliseconds;
import io.fanfare.core.LoopStores;
import io.fanfare.core.graph.ActorEdges;
import io.fanfare.core.graph.Backlinks;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.held.Signal;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.post.Edits;
import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.core.queue.JobType;
import io.fanfare.core.schedule.ScheduledStatuses;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.Reply;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.Difference.Kind;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.testing.Verification;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Each kind of damage, done to a small world at rest: exactly it is found, it is repaired, and nothing else changes.
 */
@ParameterizedClass
@KindsOfRedis
class VerifierTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private long ann;
    private long bob;
    private long cleo;
    private long dora;
    private long post;
    private long repost;
    private long quote;
    private long comment;

    /**
     * Bob and Cleo follow Ann, Ann follows Bob and mutes Cleo. Bob likes Ann's post, reposts and quotes it; Ann answers
     * the quote. Dora blocks Cleo. All have homes.
     */
    @BeforeEach
    void aSmallWorldAtRest() {
        f = StoreFixture.on(kind.redis());
        long[] users = f.users(4);
        ann = users[0];
        bob = users[1];
        cleo = users[2];
        dora = users[3];
        f.follow(bob, ann);
        f.follow(cleo, ann);
        f.follow(ann, bob);
        for (long reader : users) {
            f.home(reader, 4);
        }
        post = f.post(ann);
        f.fanOut(ann, post);
        like(bob, post);
        Milliseconds.awaitNext(); // Else the id of the repost may be the lower one.
        repost = publish(refers(bob, Post.Kind.REPOST, null, new Reference(post, ann)));
        quote = publish(refers(bob, Post.Kind.POST, null, new Reference(post, ann)));
        comment = publish(refers(ann, Post.Kind.COMMENT, new Reference(quote, bob), null));
        Blocks blocks = new Blocks(f.link, f.settings, f.stores.graph(), f.stores.follows());
        f.get(() -> blocks.block(dora, cleo));
        f.get(() -> blocks.mute(ann, cleo, false));
        noJobs();
        Verification.assertClean(verify(false));
    }

    @AfterEach
    void close() {
        f.close();
    }

    private void like(long account, long status) {
        long edge = f.get(() -> new ActorEdges(f.link, f.settings)
                        .mark(Keys.favourites(account), account, status, JobType.LIKE))
                .edge();
        f.get(() ->
                new SubjectEdges(f.link, f.settings).link(SubjectEdges.Kind.LIKE, status, ann, account, edge, null));
    }

    private static Post refers(long author, Post.Kind kind, Reference answered, Reference original) {
        return new Post(author, Visibility.PUBLIC, kind, Content.NONE, answered, null, original, null);
    }

    private long publish(Post draft) {
        Status status = f.get(() -> f.stores.statuses().post(draft, null)).status();
        f.get(() -> new Backlinks(new SubjectEdges(f.link, f.settings)).add(status));
        if (draft.kind() != Post.Kind.COMMENT) {
            f.fanOut(status.authorId(), status.id());
        }
        return status.id();
    }

    /** Every job has run: what they do has been done. */
    private void noJobs() {
        for (int shard = 0; shard < f.settings.redis().shards(); shard++) {
            for (String lane : List.of("high", "normal", "low")) {
                run("DEL", Keys.lane(shard, lane));
            }
        }
    }

    private Report verify(boolean repair) {
        return f.get(() -> Verification.of(f.link, f.settings, Scope.ALL, repair));
    }

    @Test
    void aSuspendedAccountIsCheckedAndRepairedAsOthersAre() {
        f.get(() -> new AccountAccess(f.link).suspend(ann));
        Verification.assertClean(verify(false));

        run("HINCRBY", Keys.user(ann), "followers", 5);
        run("ZREM", Keys.followers(ann), bob);
        run("ZREM", Keys.followers(bob), ann);
        assertThat(verify(true).left()).isEmpty();
        Verification.assertClean(verify(false));
        f.get(() -> new AccountAccess(f.link).unsuspend(ann));
        assertThat(f.account(ann).followersCount()).isEqualTo(2);
        assertThat(f.account(bob).followersCount()).isEqualTo(1);
        Verification.assertClean(verify(false));
    }

    /** A command at the key that is its first argument. */
    @CanIgnoreReturnValue
    private Reply run(String name, String key, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(name, key));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return f.redis.askAt(key, command.toArray(String[]::new));
    }

    /** Exactly these differences are found; one repair mends them, and a second finds and changes nothing. */
    @CanIgnoreReturnValue
    private List<Difference> isFoundAndMended(Kind... kinds) {
        Report found = verify(false);
        assertThat(found.inFlux()).isEmpty();
        assertThat(found.left()).extracting(Difference::kind).containsExactlyInAnyOrder(kinds);
        Report repaired = verify(true);
        assertThat(repaired.left()).isEmpty();
        assertThat(repaired.repaired()).extracting(Difference::kind).contains(kinds);
        noJobs();
        nothingChangesAnyMore();
        return found.left();
    }

    private void nothingChangesAnyMore() {
        Map<String, String> before = everything();
        Report again = verify(true);
        Verification.assertClean(again);
        assertThat(again.repairedCount()).isZero();
        assertThat(everything()).isEqualTo(before);
    }

    private Map<String, String> everything() {
        Map<String, String> dumps = new TreeMap<>();
        for (String key : f.redis.keys()) {
            dumps.put(key, Base64.getEncoder().encodeToString(run("DUMP", key).asBytes()));
        }
        return dumps;
    }

    /** It is found, and what cannot be repaired stays as it is. */
    private void isFoundAndLeft(Kind expected) {
        Map<String, String> before = everything();
        Report report = verify(true);
        assertThat(report.left()).extracting(Difference::kind).containsExactly(expected);
        assertThat(report.isClean()).isFalse();
        assertThat(expected.remedy()).isNotEmpty();
        assertThat(everything()).isEqualTo(before);
    }

    // Counters and lists of accounts.

    @Test
    void aWrongCounterOfAnAccountIsSetToTheSizeOfItsSet() {
        run("HSET", Keys.user(ann), "followers", 7);
        run("HINCRBY", Keys.user(bob), "posts", 3);
        isFoundAndMended(Kind.ACCOUNT_LISTS, Kind.ACCOUNT_LISTS);
        assertThat(f.account(ann).followersCount()).isEqualTo(2);
        assertThat(f.account(bob).statusesCount()).isEqualTo(2);
    }

    @Test
    void anOutboxThatIsNotTheNewestOfTheProfileIsFilledAgain() {
        run("ZREM", Keys.outbox(bob), quote);
        isFoundAndMended(Kind.ACCOUNT_LISTS);
        assertThat(f.members(Keys.outbox(bob))).containsExactly("" + repost, "" + quote);
    }

    @Test
    void theListOfPulledAuthorsFollowsTheirDials() {
        String pulled = Keys.pulledAuthors(Id.shard(ann));
        run("HSET", Keys.user(ann), "dial", "pull 5000");
        isFoundAndMended(Kind.ACCOUNT_LISTS);
        assertThat(f.members(pulled)).containsExactly("" + ann);
        run("ZADD", pulled, 1, ann);
        isFoundAndMended(Kind.ACCOUNT_LISTS);
        run("HDEL", Keys.user(ann), "dial");
        isFoundAndMended(Kind.ACCOUNT_LISTS);
        assertThat(f.members(pulled)).isEmpty();
    }

    @Test
    void aListedStatusThatIsGoneIsRemovedFromTheProfile() {
        run("ZADD", Keys.profile(cleo), 4711, 4711);
        run("ZADD", Keys.outbox(cleo), 4711, 4711);
        run("HSET", Keys.user(cleo), "posts", 1, "last", 4711);
        run("HINCRBY", Keys.counts(Id.shard(cleo)), "statuses", 1);
        assertThat(verify(false).left()).extracting(Difference::kind).contains(Kind.LISTING);
        Verification.assertClean(verify(true));
        nothingChangesAnyMore();
        assertThat(f.members(Keys.profile(cleo))).isEmpty();
        assertThat(f.account(cleo).statusesCount()).isZero();
    }

    @Test
    void aLivingStatusThatNoProfileListsIsListedAgain() {
        run("ZREM", Keys.profile(bob), repost);
        run("ZREM", Keys.outbox(bob), repost);
        run("HINCRBY", Keys.user(bob), "posts", -1);
        run("HINCRBY", Keys.counts(Id.shard(bob)), "statuses", -1);
        isFoundAndMended(Kind.LISTING);
        assertThat(f.members(Keys.profile(bob))).containsExactly("" + repost, "" + quote);
    }

    @Test
    void theIndexOfRepostsFollowsTheReposts() {
        run("ZREM", Keys.reblogged(bob), post);
        isFoundAndMended(Kind.LISTING);
        run("ZADD", Keys.reblogged(cleo), 4711, post);
        isFoundAndMended(Kind.LISTING);
        assertThat(f.members(Keys.reblogged(cleo))).isEmpty();
    }

    @Test
    void theCounterOfAShardIsTheSumOfItsProfiles() {
        run("HINCRBY", Keys.counts(Id.shard(bob)), "statuses", 5);
        isFoundAndMended(Kind.SHARD_COUNTER);
    }

    @Test
    void aScheduledStatusGetsItsLostJobAgain() {
        long due = System.currentTimeMillis() + 3_600_000;
        ScheduledStatus status = ScheduledStatus.of(due, "later");
        long id = f.get(() -> new ScheduledStatuses(f.link).schedule(ann, status, null))
                .id();
        Verification.assertClean(verify(false));
        String timers = Keys.timers(Id.shard(ann));
        List<String> jobs = f.members(timers);
        run("DEL", timers);
        isFoundAndMended(Kind.SCHEDULED);
        assertThat(f.members(timers)).isEqualTo(jobs).hasSize(1);
        run("HDEL", Keys.scheduledWords(ann), id);
        run("DEL", timers);
        isFoundAndMended(Kind.SCHEDULED);
        assertThat(f.members(Keys.scheduled(ann))).isEmpty();
    }

    @Test
    void aPostThatWaitsGetsItsLostJobAgain() {
        LoopStores stores = LoopStores.of(LoopStores.Parts.uncached(
                f.link, f.settings, new Shards(f.settings.redis().shards()), InstantSource.system(), new Random(1)));
        HeldStatuses held = new HeldStatuses(stores);
        f.get(() -> held.hold(ann, ScheduledStatus.of(0, "held"), Signal.LINKS, "digest"));
        Verification.assertClean(verify(false));
        String timers = Keys.timers(Id.shard(ann));
        List<String> jobs = f.members(timers);
        run("DEL", timers);
        isFoundAndMended(Kind.HELD);
        assertThat(f.members(timers)).isEqualTo(jobs).hasSize(1);
    }

    @Test
    void aSubscriptionWithoutItsTokenIsRemoved() {
        run("HSET", Keys.tokens(ann), "good", "1 client push");
        String line = " 0 mention all 1 - key auth https://push.example.com/x -";
        run("HSET", Keys.push(ann), "last", "3");
        run("HSET", Keys.push(ann), "good", "1" + line);
        run("HSET", Keys.tokens(ann), "!suspended", "1 client push");
        run("HSET", Keys.push(ann), "suspended", "2" + line);
        Verification.assertClean(verify(false));
        run("HSET", Keys.push(ann), "ended", "2" + line);
        run("HSET", Keys.push(ann), "broken", "3");
        isFoundAndMended(Kind.PUSH, Kind.PUSH);
        assertThat(f.hash(Keys.push(ann))).containsOnlyKeys("last", "good", "suspended");
    }

    // Statuses.

    @Test
    void theVotesOfAPollAreThoseOfItsVotersAlsoWhenItsStatusIsArchived() {
        long archived = Id.of(Id.EPOCH_MILLIS + 77, 3, 0);
        String votes = Keys.pollVotes(archived);
        run("HSET", Keys.archived(3), "max", archived);
        run("HSET", votes, ann, "0", "v0", 1, "n1", ann, "voters", 1);
        Verification.assertClean(verify(false));

        run("HSET", votes, "v0", 7);

        isFoundAndMended(Kind.POLL);
        assertThat(f.hash(votes)).containsEntry("v0", "1").containsEntry("voters", "1");
    }

    @Test
    void theVotesOfAPollAreThoseOfItsVoters() {
        Poll poll = new Poll(List.of("a", "b", "c"), System.currentTimeMillis() + 600_000, true, false);
        long question =
                publish(Post.of(ann, Visibility.PUBLIC, Content.of("which").with(poll)));
        Status status = f.get(() -> f.stores.statuses().find(question)).orElseThrow();
        Polls polls = new Polls(f.link, InstantSource.system());
        f.get(() -> polls.vote(status, bob, List.of(0, 2)));
        f.get(() -> polls.vote(status, cleo, List.of(2)));
        f.get(() -> polls.vote(status, dora, List.of(1)));
        f.get(() -> polls.vote(status, cleo, List.of(0)));
        noJobs();
        Verification.assertClean(verify(false));
        String votes = Keys.pollVotes(question);
        Map<String, String> right = f.hash(votes);
        for (String[] damage : new String[][] {
            {"HSET", "v0", "9"},
            {"HDEL", "v2"},
            {"HSET", "v3", "1"},
            {"HINCRBY", "voters", "1"},
            {"HINCRBY", "voters", "-1"},
            {"HDEL", "n3"},
            {"HSET", "n1", "" + cleo},
            {"HSET", "" + bob, "0,7,2"},
            {"HSET", "" + bob, "0,2,x,12,2"},
            {"HSET", "" + ann, "4"}
        }) {
            run(damage[0], votes, (Object[]) Arrays.copyOfRange(damage, 1, damage.length));
            isFoundAndMended(Kind.POLL);
            Map<String, String> mended = f.hash(votes);
            assertThat(mended).as(String.join(" ", damage)).hasSameSizeAs(right);
            assertThat(mended)
                    .containsEntry("voters", "3")
                    .containsEntry("v0", "2")
                    .containsEntry("" + bob, "0,2");
            assertThat(List.of(mended.get("n1"), mended.get("n2"), mended.get("n3")))
                    .containsExactlyInAnyOrder("" + bob, "" + cleo, "" + dora);
        }
        run("HSET", votes, "" + dora, "8");
        isFoundAndMended(Kind.POLL);
        assertThat(f.hash(votes)).containsEntry("voters", "2").doesNotContainKeys("" + dora, "n3", "v1");
        run("HSET", votes, "" + dora, "1");
        isFoundAndMended(Kind.POLL);
        assertThat(f.hash(votes)).containsEntry("n3", "" + dora).hasSameSizeAs(right);
        run("HSET", votes, "" + ann, "1");
        isFoundAndMended(Kind.POLL);
        assertThat(f.hash(votes))
                .containsEntry("voters", "4")
                .containsEntry("v1", "2")
                .containsEntry("n4", "" + ann);
    }

    @Test
    void aWrongCounterOfAStatusIsSetToTheSizeOfItsList() {
        run("HSET", Keys.status(post), "likes", 9);
        run("HSET", Keys.status(comment), "comments", 1);
        isFoundAndMended(Kind.STATUS_COUNTER, Kind.STATUS_COUNTER);
    }

    @Test
    void aLikeThatTheStatusDoesNotListIsListedAgain() {
        run("ZREM", Keys.likes(post), bob);
        run("HSET", Keys.status(post), "likes", 0);
        isFoundAndMended(Kind.LIKE);
        assertThat(f.members(Keys.likes(post))).containsExactly("" + bob);
    }

    @Test
    void aListedLikeThatNobodyGaveIsRemoved() {
        run("ZREM", Keys.favourites(bob), post);
        isFoundAndMended(Kind.LIKE);
        assertThat(f.hash(Keys.status(post))).containsEntry("likes", "0");
    }

    @Test
    void aLikeOfAStatusThatIsGoneIsALeftoverAndNoDifference() {
        run("ZADD", Keys.favourites(cleo), 99, Id.of(Id.EPOCH_MILLIS + 5, 0, 0));
        Report report = verify(true);
        Verification.assertClean(report);
        assertThat(report.looked()).containsEntry("leftovers", 1L);
    }

    @Test
    void repostsQuotesAndCommentsThatAreNotListedAreListedAgain() {
        run("DEL", Keys.reposts(post));
        run("DEL", Keys.quotes(post));
        run("DEL", Keys.comments(quote));
        run("HSET", Keys.status(post), "reposts", 0, "quotes", 0);
        run("HSET", Keys.status(quote), "comments", 0);
        isFoundAndMended(Kind.REPOST, Kind.QUOTE, Kind.COMMENT);
        assertThat(f.members(Keys.comments(quote))).containsExactly("" + comment);
    }

    @Test
    void listedQuotesAndCommentsThatAreGoneAreRemoved() {
        run("ZADD", Keys.quotes(post), 4711, 4711);
        run("ZADD", Keys.comments(post), 4712, 4712);
        run("HSET", Keys.status(post), "quotes", 2, "comments", 1);
        isFoundAndMended(Kind.QUOTE, Kind.COMMENT);
        assertThat(f.hash(Keys.status(post))).containsEntry("quotes", "1").containsEntry("comments", "0");
    }

    // Edges.

    @Test
    void aFollowThatTheFolloweeHasForgottenIsCompleted() {
        run("ZREM", Keys.followers(ann), bob);
        run("HSET", Keys.user(ann), "followers", 1);
        isFoundAndMended(Kind.FOLLOW);
        assertThat(f.members(Keys.followers(ann))).contains("" + bob);
        assertThat(f.account(ann).followersCount()).isEqualTo(2);
    }

    /** Issue E1: the follower's side has lost the unfollow; link alone refuses for ever. */
    @Test
    void aFollowWhoseEndOnlyTheFolloweeRemembersIsCompleted() {
        long edge = run("ZSCORE", Keys.following(bob), ann).asLong();
        run("ZADD", Keys.unlinked(ann), edge, bob);
        run("EXPIRE", Keys.unlinked(ann), 1000);
        isFoundAndMended(Kind.FOLLOW);
        run("ZADD", Keys.unlinked(ann), edge, bob);
        run("EXPIRE", Keys.unlinked(ann), 1000);
        run("ZREM", Keys.followers(ann), bob);
        run("HSET", Keys.user(ann), "followers", 1);
        isFoundAndMended(Kind.FOLLOW);
        assertThat(f.members(Keys.followers(ann))).contains("" + bob);
    }

    @Test
    void aFollowerWhoDoesNotFollowIsRemoved() {
        run("ZREM", Keys.following(cleo), ann);
        run("HSET", Keys.user(cleo), "following", 0);
        run("HINCRBY", Keys.user(cleo), "version", 1);
        isFoundAndMended(Kind.FOLLOW);
        assertThat(f.members(Keys.followers(ann))).containsExactly("" + bob);
        assertThat(f.list(cleo)).hasSize(1);
    }

    @Test
    void aLaterEdgeThatTheFollowersSideHasLostGivesWay() {
        long edge = run("ZSCORE", Keys.following(bob), ann).asLong();
        run("ZADD", Keys.followers(ann), edge + 4096, bob);
        isFoundAndMended(Kind.FOLLOW);
        assertThat(run("ZSCORE", Keys.followers(ann), bob).asLong()).isEqualTo(edge);
    }

    @Test
    void oneSidedRequestsToFollowAreCompletedOrRemoved() {
        run("HSET", Keys.user(dora), "locked", "1");
        run("ZADD", Keys.requesting(bob), 4096, dora);
        isFoundAndMended(Kind.REQUEST);
        assertThat(f.members(Keys.requests(dora))).containsExactly("" + bob);
        run("ZADD", Keys.requests(dora), 4097, cleo);
        isFoundAndMended(Kind.REQUEST);
        assertThat(f.members(Keys.requests(dora))).containsExactly("" + bob);
        run("ZREM", Keys.requesting(bob), dora);
        isFoundAndMended(Kind.REQUEST);
        assertThat(f.members(Keys.requests(dora))).isEmpty();
    }

    @Test
    void aRequestToFollowAnUnlockedAccountBecomesAFollow() {
        run("ZADD", Keys.requesting(bob), 4096, dora);
        run("ZADD", Keys.requests(dora), 4096, bob);
        isFoundAndMended(Kind.REQUEST_TO_OPEN);
        assertThat(f.members(Keys.following(bob))).contains("" + dora);
        assertThat(f.members(Keys.followers(dora))).contains("" + bob);
        assertThat(f.members(Keys.requests(dora))).isEmpty();
        assertThat(f.members(Keys.requesting(bob))).isEmpty();
    }

    @Test
    void aBlockThatTheBlockedOneDoesNotKnowIsCompleted() {
        run("ZREM", Keys.blockedBy(cleo), dora);
        isFoundAndMended(Kind.BLOCK);
        assertThat(f.members(Keys.blockedBy(cleo))).containsExactly("" + dora);
    }

    @Test
    void aBlockThatNobodyMadeIsRemoved() {
        run("ZREM", Keys.blocks(dora), cleo);
        isFoundAndMended(Kind.BLOCK);
        assertThat(f.members(Keys.blockedBy(cleo))).isEmpty();
    }

    @Test
    void aFollowAcrossABlockEnds() {
        long edge = Id.of(Id.EPOCH_MILLIS + 9, Id.shard(cleo), 0);
        run("ZADD", Keys.following(cleo), edge, dora);
        run("ZADD", Keys.followers(dora), edge, cleo);
        run("HSET", Keys.user(cleo), "following", 2);
        run("HSET", Keys.user(dora), "followers", 1);
        isFoundAndMended(Kind.FOLLOW_ACROSS_BLOCK);
        assertThat(f.members(Keys.followers(dora))).isEmpty();
    }

    @Test
    void termsOfAFollowOrMuteThatIsNotThereAreRemoved() {
        run("ZADD", Keys.noReposts(bob), 5, cleo);
        run("ZADD", Keys.notifyingMutes(ann), 5, cleo);
        run("ZADD", Keys.bells(bob), 5, cleo);
        run("HSET", Keys.languages(bob), cleo, "5 en de");
        isFoundAndMended(Kind.TERMS, Kind.TERMS, Kind.TERMS, Kind.TERMS);
        assertThat(run("HLEN", Keys.languages(bob)).asLong()).isZero();
        assertThat(f.members(Keys.bells(bob))).isEmpty();
        assertThat(f.members(Keys.noReposts(bob))).isEmpty();
        assertThat(run("ZSCORE", Keys.notifyingMutes(ann), cleo).asLong())
                .isEqualTo(run("ZSCORE", Keys.mutes(ann), cleo).asLong());
    }

    @Test
    void anUnfollowedMemberOrOneOfAMissingListIsRemoved() {
        run("HSET", Keys.lists(cleo), 7, "list 0 friends");
        String wrong = String.format(Locale.ROOT, "%016d %016d", 7, dora);
        run("ZADD", Keys.listed(cleo), 0, wrong);
        run("ZADD", Keys.listed(cleo), 0, String.format(Locale.ROOT, "%016d %016d", 7, cleo));
        run("ZADD", Keys.listed(bob), 0, String.format(Locale.ROOT, "%016d %016d", 8, bob));
        isFoundAndMended(Kind.LISTED, Kind.LISTED);
        assertThat(f.members(Keys.listed(cleo))).hasSize(1).doesNotContain(wrong);
        assertThat(f.members(Keys.listed(bob))).isEmpty();
    }

    @Test
    void aConversationIsListedAsItsLineSaysOrNotAtAll() {
        run("HSET", Keys.conversationLines(bob), 77, "78 1 0 76 " + ann + " 75,76");
        run("HSET", Keys.conversationLines(bob), "kdigest", 99);
        run("ZADD", Keys.conversations(cleo), 5, 77);
        isFoundAndMended(Kind.CONVERSATION, Kind.CONVERSATION, Kind.CONVERSATION);
        assertThat(run("ZSCORE", Keys.conversations(bob), 77).asLong()).isEqualTo(76);
        assertThat(f.hash(Keys.conversationLines(bob))).hasSize(2).containsKey("77");
        assertThat(f.members(Keys.conversations(cleo))).isEmpty();
    }

    @Test
    void aBellRingsForTheFollowThereIsAndOnlyWhenTheFolloweeKnowsOfIt() {
        String edge = run("ZSCORE", Keys.following(bob), ann).asString();
        run("ZADD", Keys.bells(bob), edge, ann);
        isFoundAndMended(Kind.TERMS);
        assertThat(f.members(Keys.listeners(ann))).containsExactly("" + bob);

        run("ZADD", Keys.bells(bob), 5, ann);
        isFoundAndMended(Kind.TERMS);
        assertThat(f.members(Keys.bells(bob))).isEmpty();
    }

    @Test
    void anEndOfAMuteThatIsNotThereIsRemoved() {
        run("ZADD", Keys.muteEnds(bob), 5, cleo);
        isFoundAndMended(Kind.TERMS);
        assertThat(f.members(Keys.muteEnds(bob))).isEmpty();
    }

    // Homes.

    @Test
    void aHomeThatLacksAPostIsDroppedAndTheNextReadRebuildsIt() {
        run("LREM", Keys.home(cleo), 0, post);
        List<Difference> found = isFoundAndMended(Kind.HOME);
        assertThat(found.get(0).detail()).contains("home of account " + cleo, "lacks 1", "" + post);
        assertThat(f.home(cleo, 4)).containsExactly(post);
        nothingChangesAnyMore();
    }

    @Test
    void aHomeWhoseHeadCountsTooMuchIsDropped() {
        long[] entries = {post, repost, quote};
        f.redis.askAt(Keys.home(bob), "DEL", Keys.home(bob));
        f.arrangeHome(bob, "f0/3", "" + entries[2], "" + entries[0], "" + entries[1]);
        isFoundAndMended(Kind.HOME);
    }

    @Test
    void aHomeThatIsNoListOrHasNoEndIsDropped() {
        run("DEL", Keys.home(bob));
        run("SET", Keys.home(bob), "nonsense");
        run("PERSIST", Keys.home(cleo));
        isFoundAndMended(Kind.HOME, Kind.HOME);
        assertThat(f.home(bob, 4)).as("its repost is folded").hasSize(2);
    }

    @Test
    void repeatsAndLeftoversInAHomeAreNoDifference() {
        run("RPUSH", Keys.home(cleo), post, quote);
        Report report = verify(false);
        Verification.assertClean(report);
        assertThat(report.looked()).containsEntry("leftovers", 1L);
    }

    @Test
    void belowTheFloorAHomeMayLackAnything() {
        run("DEL", Keys.home(cleo));
        f.arrangeHome(cleo, "f" + post);
        Verification.assertClean(verify(false));
    }

    // Keys.

    @Test
    void leftoversOfADeletedAccountAreRemovedOnceItsErasureIsOver() {
        long gone = f.get(() -> f.stores.accounts().signUp("gone", "", "")).id();
        run("SADD", Keys.markers(gone), "x");
        run("HSET", Keys.user(gone), "state", "deleted", "erasing", 1);
        f.redis.askAt(Keys.NAMES, "ZREM", Keys.NAMES, "gone " + gone);
        Verification.assertClean(verify(false));

        run("HDEL", Keys.user(gone), "erasing");
        isFoundAndMended(Kind.ORPHAN);
        assertThat(f.hash(Keys.user(gone))).containsEntry("state", "deleted");
        assertThat(f.redis.keys()).doesNotContain(Keys.markers(gone));
    }

    private long deleted(String name) {
        long gone = f.get(() -> f.stores.accounts().signUp(name, "", "")).id();
        f.get(() -> new AccountAccess(f.link).delete(gone));
        noJobs();
        String timers = Keys.timers(Id.shard(gone));
        Verification.assertClean(verify(false));
        assertThat(f.members(timers)).hasSize(1);
        run("DEL", timers);
        return gone;
    }

    @Test
    void anErasureThatNoJobGoesOnWithGetsItsJobAgain() {
        long gone = deleted("gone");
        Verification.assertClean(verify(false));

        run("HINCRBY", Keys.user(gone), "deleted", -7 * 3_600_000);
        assertThat(isFoundAndMended(Kind.ERASURE))
                .extracting(Difference::account)
                .containsExactly(gone);
        assertThat(f.members(Keys.timers(Id.shard(gone))))
                .containsExactly(JobCodec.encode(new Job.Repair(JobType.DELETE_ACCOUNT, gone, gone, 0)));
    }

    @Test
    void anErasureWhoseJobIsADeadLetterGetsItsJobAgain() {
        long gone = deleted("gone");
        String dead = Keys.dead(Id.shard(gone));
        String job = JobCodec.encode(new Job.Repair(JobType.DELETE_ACCOUNT, gone, gone, 700));
        run("ZADD", dead, System.currentTimeMillis() + 1000, "because\t0 24 1 " + job);
        isFoundAndMended(Kind.ERASURE);
        assertThat(f.members(dead)).hasSize(1);
        run("DEL", Keys.timers(Id.shard(gone)));
        Report alone = f.get(() -> Verification.of(f.link, f.settings, new Scope(gone, 0, 0), false));
        assertThat(alone.left()).extracting(Difference::kind).containsExactly(Kind.ERASURE);

        run("HDEL", Keys.user(gone), "erasing");
        Verification.assertClean(verify(false));
    }

    @Test
    void theNameOfADeletedAccountLeadsToItsTombstone() {
        long gone = deleted("gone");
        run("HDEL", Keys.user(gone), "erasing");
        f.redis.askAt(Keys.NAMES, "ZREM", Keys.NAMES, "gone " + gone);
        run("DEL", Keys.login("gone"));
        isFoundAndMended(Kind.NAME);
        assertThat(run("GET", Keys.login("gone")).asLong()).isEqualTo(gone);
        assertThat(f.members(Keys.NAMES)).noneMatch(name -> name.startsWith("gone "));
    }

    @Test
    void aBlockOfADeletedAccountThatItsErasureHasNotSeenEnds() {
        long gone = deleted("gone");
        run("ZADD", Keys.blocks(dora), 7, gone);
        isFoundAndMended(Kind.BLOCK);
        assertThat(f.members(Keys.blocks(dora))).doesNotContain("" + gone);
    }

    @Test
    void articlesThatDisagreeWithTheirStatusesVotersOrPlacesAreMended() {
        Content content = Content.of("Title").with(new Article("Title", null, List.of("java")));
        Post draft = Post.of(ann, Visibility.PUBLIC, content);
        List<Long> ids = new ArrayList<>();
        Articles articles = new Articles(f.link, f.settings, InstantSource.system());
        for (int i = 0; i < 5; i++) {
            ids.add(publish(draft));
            Status status = new Status(ids.get(i), draft, Counters.NONE);
            f.get(() -> articles.add(status));
            f.get(() -> articles.vote(status, bob));
        }
        for (long former : ids.subList(0, 2)) { // As versions before kept voters.
            run("DEL", Keys.articleVoters(former), Keys.articleBallots(former));
            run("ZADD", Keys.articleVoters(former), 1, ann, 2, bob);
            run("EXPIRE", Keys.articleVoters(former), 1000);
        }
        noJobs();
        assertThat(verify(false).left()).isEmpty();

        run("ZREM", Keys.ARTICLES_BY_SCORE, ids.get(0));
        run("ZINCRBY", Keys.ARTICLES_BY_SCORE, 3 * 432, ids.get(1));
        run("ZINCRBY", Keys.ARTICLES_BY_SCORE, 1, ids.get(2));
        run("ZINCRBY", Keys.articlesByScore("java"), -1, ids.get(3));
        f.get(() -> f.stores.statuses().delete(ann, ids.get(4)));
        noJobs();

        assertThat(isFoundAndMended(Kind.ARTICLE, Kind.ARTICLE, Kind.ARTICLE, Kind.ARTICLE, Kind.ARTICLE))
                .extracting(Difference::detail)
                .anyMatch(detail -> detail.endsWith("is not ranked"))
                .anyMatch(detail -> detail.endsWith("counts 5 votes, and has 2 voters"))
                .anyMatch(detail -> detail.endsWith("is ranked, but does not exist"));
        List<Articles.Ranked> ranked = f.get(() -> articles.byScore("java", Optional.empty(), 9));
        assertThat(ranked)
                .containsExactlyInAnyOrderElementsOf(ids.subList(0, 4).stream()
                        .map(id -> new Articles.Ranked(id, Article.score(id, 2)))
                        .toList());
    }

    @Test
    void anArticleWithoutGroupsThatAnotherVersionHasDeletedLeavesTheRanking() {
        Content content = Content.of("Title").with(new Article("Title", null, List.of()));
        Post draft = Post.of(ann, Visibility.PUBLIC, content);
        Status status = new Status(publish(draft), draft, Counters.NONE);
        Articles articles = new Articles(f.link, f.settings, InstantSource.system());
        f.get(() -> articles.add(status));
        f.get(() -> f.stores.statuses().delete(ann, status.id()));
        noJobs();

        isFoundAndMended(Kind.ARTICLE);
        assertThat(f.get(() -> articles.byScore("", Optional.empty(), 9))).isEmpty();
    }

    @Test
    void keysThatNothingNamesAreFound() {
        run("SET", "session:1", "somebody else's");
        isFoundAndLeft(Kind.UNKNOWN_KEY);
    }

    @Test
    void keysOfAnAccountThatDoesNotExistStaySinceTheyMayBeAllThatIsLeftOfIt() {
        long nobody = Id.of(Id.EPOCH_MILLIS + 77, 3, 0);
        run("ZADD", Keys.bookmarks(nobody), 5, post);
        isFoundAndLeft(Kind.ORPHAN);
        run("EXPIRE", Keys.bookmarks(nobody), 1000);
        Verification.assertClean(verify(true));
    }

    @Test
    void homesAndListsOfWhatDoesNotExistAreRemoved() {
        long nobody = Id.of(Id.EPOCH_MILLIS + 77, 3, 0);
        run("RPUSH", Keys.home(nobody), "f0");
        run("ZADD", Keys.likes(nobody), 5, ann);
        run("HSET", Keys.pollVotes(nobody), ann, 0);
        run("SET", Keys.email("nobody@example.org"), nobody);
        isFoundAndMended(Kind.ORPHAN, Kind.ORPHAN, Kind.ORPHAN, Kind.ORPHAN);
    }

    /**
     * A change of the address was cut before the claim on the former one ended, or before the account had the new one.
     */
    @Test
    void claimsOfAddressesThatTheirAccountsDoNotHaveAreFreed() {
        long eve = f.get(() -> f.stores.accounts().signUp("eve", "eve@example.org", ""))
                .id();
        run("SET", Keys.email("wanted@example.org"), eve);
        run("SET", Keys.addressChange(eve), "wanted 1 0 wanted@example.org", "EX", 1000);
        run("SET", Keys.email("ends@example.org"), eve, "EX", 1000);
        Verification.assertClean(verify(true));

        run("SET", Keys.email("former@example.org"), eve);
        run("DEL", Keys.addressChange(eve));
        isFoundAndMended(Kind.ORPHAN, Kind.ORPHAN);
        assertThat(f.redis.keys())
                .contains(Keys.email("eve@example.org"), Keys.email("ends@example.org"))
                .doesNotContain(Keys.email("former@example.org"), Keys.email("wanted@example.org"));
    }

    /** The account has the address again when the repair reaches it. */
    @Test
    void anAddressThatItsAccountHasGotSinceStaysClaimed() {
        String claim = Keys.email("again@example.org");
        run("SET", claim, ann);
        List<Difference> found = verify(false).left();
        run("HSET", Keys.user(ann), "email", "again@example.org");
        Repairer repairer = new Repairer(f.link, f.settings, null, null, null);
        assertThat(found).hasSize(1);
        f.get(() -> repairer.repair(found.get(0)));
        assertThat(f.redis.keys()).contains(claim);
    }

    @Test
    void aRoleThatAnswersShowIsTheOneOfTheListOfRoles() {
        run("HSET", Keys.MODERATION_ROLES, ann, "moderator");
        run("HSET", Keys.user(dora), "role", "owner");
        isFoundAndMended(Kind.ROLE, Kind.ROLE);
        assertThat(f.hash(Keys.user(ann))).containsEntry("role", "moderator");
        assertThat(f.hash(Keys.user(dora))).doesNotContainKey("role");
    }

    @Test
    void theIndexOfNamesListsNobodyWhoIsGone() {
        run("ZADD", Keys.NAMES, 0, "nobody " + Id.of(Id.EPOCH_MILLIS + 77, 3, 0));
        isFoundAndMended(Kind.NAME);
        assertThat(f.members(Keys.NAMES)).noneMatch(member -> member.startsWith("nobody "));
    }

    /** A process of a version that knew no edits has deleted the status. */
    @Test
    void theHistoryOfADeletedStatusIsRemovedAndThatOfALivingOneStays() {
        long gone = f.post(ann);
        f.delete(ann, gone);
        run("ZADD", Keys.edits(gone), 0, "{\"text\":\"words\"}");
        Edits edits = new Edits(f.link, f.settings);
        f.get(() -> edits.edit(ann, post, Content.of("other")));
        isFoundAndMended(Kind.ORPHAN);
        assertThat(f.redis.keys()).contains(Keys.edits(post)).doesNotContain(Keys.edits(gone));
    }

    @Test
    void anAccountWhoseNameLeadsNowhereGetsItBack() {
        run("DEL", Keys.login("user3"));
        isFoundAndMended(Kind.NAME);
        run("ZREM", Keys.NAMES, "user3 " + dora);
        isFoundAndMended(Kind.NAME);
        assertThat(f.get(() -> f.stores.accounts().idByUsername("user3"))).contains(dora);
    }

    @Test
    void aBatchWithoutALeaseIsTakenBackByWorkers() {
        run("LPUSH", Keys.batch(3, "w.1"), "0 0 1 mute.1 1 2 3");
        isFoundAndMended(Kind.LOST_BATCH);

        JobQueue queue = new JobQueue(f.link, new Shards(f.settings.redis().shards()), f.settings.queue());
        List<JobQueue.Leased> leases = f.get(queue::leases);
        assertThat(leases).extracting(JobQueue.Leased::name).containsExactly("w.1");
        assertThat(f.get(() -> queue.reap(leases.get(0)))).isEqualTo(1);
        assertThat(f.get(() -> queue.fetch(3, "w.2", 1, true)).jobs())
                .extracting(ClaimedJob::line)
                .containsExactly("1 0 1 mute.1 1 2 3");
    }

    @Test
    void aKeyOfAnotherTypeIsReportedAndBlocksNoOtherRepair() {
        run("SET", Keys.blocks(bob), "nonsense");
        run("HSET", Keys.user(ann), "followers", 7);
        Report report = verify(true);
        assertThat(report.left()).extracting(Difference::kind).containsExactly(Kind.BROKEN);
        assertThat(report.repaired()).extracting(Difference::kind).containsExactly(Kind.ACCOUNT_LISTS);
    }

    // Scopes, and a service that goes on.

    @Test
    void oneAccountAloneShowsItsEdgesFromBothEnds() {
        run("ZREM", Keys.following(cleo), ann);
        run("HSET", Keys.user(cleo), "following", 0);
        run("HSET", Keys.user(bob), "posts", 9);
        Report report = f.get(() -> Verification.of(f.link, f.settings, new Scope(ann, 0, 0), false));
        assertThat(report.left()).extracting(Difference::kind).containsExactly(Kind.FOLLOW);
        assertThat(report.looked()).containsEntry("accounts", 1L).doesNotContainEntry("keys", 1L);
    }

    @Test
    void aSampleLooksAtSoManyAccounts() {
        Report report = f.get(() -> Verification.of(f.link, f.settings, new Scope(0, 3, 42), false));
        assertThat(report.looked()).containsEntry("accounts", 3L);
        Verification.assertClean(report);
    }

    @Test
    void aDifferenceThatAWaitingJobMayExplainIsInFluxAndNotRepaired() {
        f.post(ann); // Its job waits.
        Map<String, String> before = everything();
        Report report = verify(true);
        assertThat(report.left()).isEmpty();
        assertThat(report.repaired()).isEmpty();
        assertThat(report.inFlux()).isNotEmpty().allMatch(difference -> difference.kind() == Kind.HOME);
        assertThat(report.isClean()).isFalse();
        assertThat(everything()).isEqualTo(before);
    }
}
