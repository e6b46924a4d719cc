package io.fanfare.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.MailLanguage;
import io.fanfare.core.queue.ClaimedJob.Problem;
import io.fanfare.redis.Script;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobCodecTest {
    private static final long A = 281474976710660L;

    /** One of each type that is no repair, in the order of the constants. */
    private static final List<Job> OTHERS = List.of(
            new Job.FanOut(A, 281474976714752L, 281474976718848L),
            new Job.Announce(A, 281474976714752L),
            new Job.Deliver(A, 281474976714752L, 0, 281474976718848L, Set.of(3, 250)),
            new Job.CatchUp(A, 281474976714752L, 281474976718848L, 7),
            new Job.Retract(A, 281474976714752L, 0),
            new Job.Edit(A, 281474976714752L, 281474976718848L, 7),
            new Job.Publish(A, 281474976714752L, 1795251986000L),
            new Job.EndPoll(A, 281474976714752L, 100),
            new Job.Push(A, 281474976714752L, 3),
            new Job.Picture(A, 281474976714752L),
            new Job.Mail(A, MailKind.RESET, 0, 1795251986000L, MailLanguage.ZH),
            new Job.Changes(
                    A,
                    List.of(
                            new Job.Repair(JobType.LINK, A, 4, 281474976718848L),
                            new Job.Repair(JobType.UNREQUEST, A, 5, 281474976718849L))));

    @Test
    void everyTypeIsWrittenAsItAlwaysWas() throws IOException {
        assertThat(oneOfEach()).extracting(JobCodec::encode).isEqualTo(golden());
        assertThat(oneOfEach()).extracting(Job::type).containsExactly(JobType.values());
    }

    @Test
    void everyTypeIsReadAsItAlwaysWas() throws IOException {
        List<Job> jobs = oneOfEach();
        for (int i = 0; i < jobs.size(); i++) {
            String line = "2 11 1795251986000 " + golden().get(i);
            assertThat(JobCodec.decode(line)).isEqualTo(new ClaimedJob(line, 2, 11, 1795251986000L, jobs.get(i), null));
        }
    }

    @Test
    void onlyTypesThatRepairAreRepairs() {
        assertThatThrownBy(() -> new Job.Repair(JobType.FAN_OUT, A, 4, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThat(OTHERS).noneMatch(job -> job.type().isRepair());
    }

    @Test
    void changesOfEdgesAreBoundedInNumberAndBytes() {
        List<Job.Repair> most = Collections.nCopies(
                Job.Changes.MAX, new Job.Repair(JobType.UNREQUEST, A, 9007199254740991L, 9007199254740990L));
        Job changes = new Job.Changes(A, most);
        String line = "1000000 1000000 9007199254740991 " + JobCodec.encode(changes);

        assertThat(line).hasSizeLessThan(JobCodec.LINE_MAX);
        assertThat(JobCodec.decode(line).job()).isEqualTo(changes);
        assertThat(JobCodec.decode(line + " link:2:3").problem()).isEqualTo(Problem.MALFORMED);
        Job.Repair ofAnother = new Job.Repair(JobType.LINK, 4, 5, 6);
        assertThatThrownBy(() -> new Job.Changes(A, List.of(ofAnother))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Job.Changes(A, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDeliveryMayBeForNoShard() {
        Job none = new Job.Deliver(A, 281474976714752L, 0, 0, Set.of());
        String line = "0 0 5 " + JobCodec.encode(none);

        assertThat(line).endsWith(" 0 0 -");
        assertThat(JobCodec.decode(line).job()).isEqualTo(none);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 5 fan_out.2 1 2 3", "1 3 5 dance.1", "0 0 5 dance.1 with words"})
    void typesAndVersionsOfTheFutureAreKnownAsSuch(String line) {
        ClaimedJob job = JobCodec.decode(line);

        assertThat(job.problem()).isEqualTo(Problem.UNKNOWN_TYPE);
        assertThat(job.enqueuedAtMillis()).isEqualTo(5);
        assertThat(job.job()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "rubbish",
                "0 0 5",
                "0 0 5 ",
                "0 0 5 fan_out",
                "0 0 5 .1 1 2 3",
                "0 0 5 fan_out. 1 2 3",
                "0 0 5 fan_out.x 1 2 3",
                "0 0 5 fan_out.1",
                "0 0 5 fan_out.1 1 2",
                "0 0 5 fan_out.1 1 2 3 4",
                "0 0 5 fan_out.1 1 2 3 ",
                "0 0 5 deliver.1 1 2 3",
                "0 0 5 deliver.1 1 2 3 2 5",
                "0 0 5 changes.1 1",
                "0 0 5 changes.1 1 ",
                "0 0 5 changes.1 0 link:2:3",
                "0 0 5 changes.1 1 link:2",
                "0 0 5 changes.1 1 link:2:3:4",
                "0 0 5 changes.1 1 link:2:3 like:2:3",
                "0 0 5 changes.1 1 link:2:3 link:x:3",
                "0 0 5 changes.1 1 link:2:3 link:2:-3",
                "0 0 5 deliver.1 1 2 3 4 ",
                "0 0 5 deliver.1 1 2 3 4 5,",
                "0 0 5 deliver.1 1 2 3 4 5,99999",
                "0 0 5 fan_out.1  1 2 3",
                "0 0 5 fan_out.1 1 2 -3",
                "0 0 5 fan_out.1 0 2 3",
                "0 0 5 fan_out.1 1 2 9007199254740992",
                "-1 0 5 fan_out.1 1 2 3",
                "0 x 5 fan_out.1 1 2 3",
                "0 99999999999 5 fan_out.1 1 2 3"
            })
    void aLineThatIsNoJobIsMalformed(String line) {
        ClaimedJob job = JobCodec.decode(line);

        assertThat(job.problem()).isEqualTo(Problem.MALFORMED);
        assertThat(job.line()).isEqualTo(line);
        assertThat(job.job()).isNull();
    }

    @Test
    void aLineOverTheLimitIsMalformed() {
        assertThat(JobCodec.decode("0 0 5 dance.1 " + "x".repeat(8192)).problem())
                .isEqualTo(Problem.MALFORMED);
    }

    @Test
    void scriptsHaveTheVersionThatIsReadFromOnePlace() throws IOException {
        assertThat(text("/lua/lib/enqueue.lua")).contains("\nlocal job_version = '." + JobCodec.VERSION + " '\n");
        assertThat(scriptsWith("'block' .. job_version .. ")).isPositive();
        assertThat(scriptsWith("type .. job_version .. ")).isPositive();
        for (JobType type : JobType.values()) {
            assertThat(scriptsWith('\'' + type.wire() + '.'))
                    .as("scripts that write a version of %s themselves", type.wire())
                    .isZero();
        }
    }

    /** A number, since a failure that prints every script buries what failed. */
    private static long scriptsWith(String part) {
        return Script.texts().stream().filter(text -> text.contains(part)).count();
    }

    /** All repairs have the same three fields: a golden line says all of one. */
    private static List<Job> oneOfEach() throws IOException {
        Iterator<Job> others = OTHERS.iterator();
        List<Job> jobs = new ArrayList<>();
        for (String line : golden()) {
            String[] fields = line.split("[ .]", -1);
            JobType type = JobType.of(fields[0]);
            jobs.add(
                    type.isRepair()
                            ? new Job.Repair(
                                    type,
                                    Long.parseLong(fields[2]),
                                    Long.parseLong(fields[3]),
                                    Long.parseLong(fields[4]))
                            : others.next());
        }
        return jobs;
    }

    private static List<String> golden() throws IOException {
        return text("/golden/jobs.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = JobCodecTest.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
