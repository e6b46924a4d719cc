package io.fanfare.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.core.queue.ClaimedJob;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobCodec;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.RedisError;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                        .startsWith("failed 12 times, at last with a mistake in Fanfare (IllegalStateException) at"
                                + " RetryPolicyTest.java:")
                        .doesNotContain("post"));
    }

    @ParameterizedTest
    @CsvSource({"fan_out 1 2 0, 12, 600_000", "link 1 2 3, 24, 600_000", "mute 1 2 3, 12, 60_000"})
    void aClassOfJobsDecidesHowOftenAndHowSoonTheyAreTried(String fields, int tries, String mostMillis) {
        String line = fields.replaceFirst(" ", ".1 ");
        long most = Long.parseLong(mostMillis.replace("_", ""));
        long longest = 0;
        for (int i = 0; i < 500; i++) {
            Outcome.Retry retry =
                    (Outcome.Retry) policy.afterError(failed(line, tries - 2), new IllegalStateException());
            longest = Math.max(longest, retry.delayMillis());
        }
        assertThat(longest).isBetween(Math.min(most, 250L << (tries - 2)) * 9 / 10, most);
        assertThat(policy.afterError(failed(line, tries - 1), new IllegalStateException()))
                .isInstanceOfSatisfying(
                        Outcome.Dead.class, dead -> assertThat(dead.reason()).startsWith("failed " + tries + " times"));
    }

    private static ClaimedJob failed(String job, int times) {
        return JobCodec.decode("0 " + times + " 1000 " + job);
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
    void aCommandThatTheServerDoesNotAllowCountsAsNoAttempt(String error) {
        assertThat(policy.afterError(job(11), new RedisError(RedisError.Kind.COMMAND, error)))
                .isInstanceOfSatisfying(Outcome.Retry.class, retry -> {
                    assertThat(retry.countsAttempt()).isFalse();
                    assertThat(retry.delayMillis()).isBetween(5_000L, 10_000L);
                });
    }

    @Test
    void wordsOfRedisAreKept() {
        assertThat(RetryPolicy.describe(new RedisError(RedisError.Kind.COMMAND, "WRONGTYPE Operation against a key")))
                .isEqualTo("Redis answered: WRONGTYPE Operation against a key");
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
        return failed(JobCodec.encode(new Job.FanOut(1, 2, 0)), attempt);
    }
}
