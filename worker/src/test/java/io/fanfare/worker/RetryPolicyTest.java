package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.queue.ClaimedJob;
import io.fanfare.common.queue.Job;
import io.fanfare.common.queue.JobCodec;
import io.fanfare.common.queue.JobType;
import io.fanfare.common.queue.Outcome;
import io.fanfare.common.redis.RedisError;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    private static final Settings.Queue SETTINGS = SettingsLoader.defaultsWith(
                    "queue.retry-base=250ms", "queue.retry-max=10m", "queue.attempts-max=12")
            .queue();

    private final RetryPolicy policy = new RetryPolicy(SETTINGS, new Random(1));

    @ParameterizedTest
    @CsvSource({"0, 250", "1, 500", "5, 8000", "10, 256000"})
    void delaysGrowAndAreScattered(int attempt, long boundMillis) {
        long longest = 0;
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < 1000; i++) {
            Outcome.Retry retry = (Outcome.Retry) policy.afterError(job(attempt), new IllegalStateException());
            assertThat(retry.countsAttempt()).isTrue();
            longest = Math.max(longest, retry.delayMillis());
            shortest = Math.min(shortest, retry.delayMillis());
        }
        assertThat(longest).isBetween(boundMillis * 9 / 10, boundMillis);
        assertThat(shortest).isBetween(0L, boundMillis / 10);
    }

    @Test
    void delaysHaveAnEndEvenForAbsurdAttempts() {
        RetryPolicy patient = new RetryPolicy(
                SettingsLoader.defaultsWith("queue.attempts-max=100").queue(), new Random(1));
        for (int attempt = 0; attempt < 99; attempt++) {
            Outcome.Retry retry = (Outcome.Retry) patient.afterError(job(attempt), new IllegalStateException());
            assertThat(retry.delayMillis()).isBetween(0L, 600_000L);
        }
    }

    @Test
    void theTwelfthFailureIsTheLast() {
        assertThat(policy.afterError(job(10), new IllegalStateException())).isInstanceOf(Outcome.Retry.class);
        assertThat(policy.afterError(job(11), new IllegalStateException("of somebody's post")))
                .isInstanceOfSatisfying(Outcome.Dead.class, dead -> assertThat(dead.reason())
                        .startsWith("failed 12 times, at last with IllegalStateException at RetryPolicyTest.java:")
                        .doesNotContain("post"));
    }

    @ParameterizedTest
    @EnumSource(JobType.class)
    void edgesAndDeletesAreTriedTwiceAsOftenAndEventsSooner(JobType type) {
        boolean repair = Set.of(
                        JobType.RETRACT,
                        JobType.PUBLISH,
                        JobType.LIKE,
                        JobType.UNLIKE,
                        JobType.LINK,
                        JobType.UNLINK,
                        JobType.BLOCK,
                        JobType.UNBLOCK,
                        JobType.TERMS,
                        JobType.REQUEST,
                        JobType.UNREQUEST,
                        JobType.REQUESTS,
                        JobType.QUOTE_TERMS,
                        JobType.DELETE_ACCOUNT,
                        JobType.CHANGES)
                .contains(type);
        boolean event = Set.of(JobType.MUTE, JobType.UNMUTE, JobType.PUSH).contains(type);
        int last = repair ? 23 : 11;
        long longest = 0;
        for (int i = 0; i < 500; i++) {
            Outcome.Retry retry = (Outcome.Retry) policy.afterError(job(type, last - 1), new IllegalStateException());
            longest = Math.max(longest, retry.delayMillis());
        }
        assertThat(longest).isBetween(event ? 50_000L : 230_000L, event ? 60_000L : 600_000L);
        assertThat(policy.afterError(job(type, last), new IllegalStateException()))
                .isInstanceOfSatisfying(Outcome.Dead.class, dead -> assertThat(dead.reason())
                        .startsWith("failed " + (last + 1) + " times"));
    }

    private static ClaimedJob job(JobType type, int attempt) {
        Job job = type.isRepair()
                ? new Job.Repair(type, 1, 2, 3)
                : switch (type) {
                    case FAN_OUT -> new Job.FanOut(1, 2, 0);
                    case ANNOUNCE -> new Job.Announce(1, 2);
                    case DELIVER -> new Job.Deliver(1, 2, 0, 3, Set.of(1));
                    case CATCH_UP -> new Job.CatchUp(1, 2, 3, 0);
                    case RETRACT -> new Job.Retract(1, 2, 0);
                    case EDIT -> new Job.Edit(1, 2, 3, 0);
                    case PUBLISH -> new Job.Publish(1, 2, 3);
                    case END_POLL -> new Job.EndPoll(1, 2, 3);
                    case PUSH -> new Job.Push(1, 2, 3);
                    case PICTURE -> new Job.Picture(1, 2);
                    case CHANGES -> new Job.Changes(1, List.of(new Job.Repair(JobType.LINK, 1, 2, 3)));
                    default -> throw new AssertionError(type);
                };
        return JobCodec.decode("0 " + attempt + " 1000 " + JobCodec.encode(job));
    }

    /** As Redis words them, outside of scripts and in them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM User fanfare has no permissions to run the 'publish' command",
                "NOPERM this user has no permissions to access one of the keys used as arguments",
                "NOAUTH Authentication required.",
                "WRONGPASS invalid username-password pair or user is disabled.",
                "ERR max number of clients reached",
                "ERR The user executing the script can't run this command or subcommand script: 4a2b",
                "ERR The user executing the script can't access at least one of the keys mentioned in the command"
            })
    void whatTheServerDoesNotAllowIsNoAttempt(String error) {
        assertThat(policy.afterError(job(11), new RedisError(RedisError.Kind.COMMAND, error)))
                .isInstanceOfSatisfying(Outcome.Retry.class, retry -> {
                    assertThat(retry.countsAttempt()).isFalse();
                    assertThat(retry.delayMillis()).isBetween(5_000L, 10_000L);
                });
    }

    @Test
    void wordsOfRedisAreKept() {
        assertThat(RetryPolicy.describe(new RedisError(RedisError.Kind.COMMAND, "WRONGTYPE Operation against a key")))
                .isEqualTo("RedisError WRONGTYPE Operation against a key");
    }

    @Test
    void unknownTypesWaitForADayMalformedOnesNotAtAll() {
        ClaimedJob unknown = JobCodec.decode("0 0 1000 dance.1");
        long day = 24 * 3_600_000L;

        assertThat(policy.undecodable(unknown, 1000 + day))
                .isEqualTo(new Outcome.Retry(30_000, false, "unknown type or version"));
        assertThat(policy.undecodable(unknown, 1001 + day)).isEqualTo(new Outcome.Dead("unknown type or version"));
        assertThat(policy.undecodable(JobCodec.decode("rubbish"), 0)).isEqualTo(new Outcome.Dead("malformed"));
    }

    private static ClaimedJob job(int attempt) {
        return JobCodec.decode("0 " + attempt + " 1000 " + JobCodec.encode(new Job.FanOut(1, 2, 0)));
    }
}
