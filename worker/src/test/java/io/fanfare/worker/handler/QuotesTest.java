package io.fanfare.worker.handler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.body.EventBodies;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.JobType;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.Verification;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * Quotes, their ends and their terms, and marks of moderators, as they are at rest, whatever was cut off and however
 * often a job runs.
 */
@ParameterizedClass
@KindsOfRedis
class QuotesTest {
    private static final long SEED = Long.getLong("fanfare.tests.seed", System.nanoTime());
    private static final int STEPS = 150;
    private static final List<QuotePolicy> POLICIES = List.of(QuotePolicy.values());

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final TestRedis.Kind kind;
    private final Random random = new Random(SEED);

    /** Jobs that are due, each as what it does. */
    private final List<Runnable> jobs = new ArrayList<>();

    /** Living quotes of a post, by the post. */
    private final Map<Long, Set<Long>> quotes = new HashMap<>();

    private final Set<Long> revoked = new HashSet<>();

    /** Posts that a moderator has marked as sensitive. */
    private final Set<Long> marked = new HashSet<>();

    private final Map<Long, Long> authors = new HashMap<>();
    private Feeds feeds;
    private long[] u;

    QuotesTest(TestRedis.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        feeds = Feeds.on(kind.redis());
        u = feeds.users(4);
        for (long user : u) {
            feeds.redis.askAt(Keys.home(user), "EXPIRE", Keys.home(user), "1000");
        }
    }

    @AfterEach
    void close() {
        feeds.close();
    }

    private Status find(long id) {
        return feeds.get(() -> feeds.statuses.find(id)).orElseThrow();
    }

    private void post(Reference quoted) {
        long author = u[random.nextInt(u.length)];
        long id = feeds.post(
                new Post(author, Visibility.PUBLIC, Post.Kind.POST, Content.of("hello"), null, null, quoted, null));
        authors.put(id, author);
        quotes.put(id, new HashSet<>());
        if (quoted != null) {
            quotes.get(quoted.statusId()).add(id);
        }
        jobs.add(() -> feeds.run(feeds.fanOut, new Job.FanOut(author, id, 0)));
    }

    /** With its far side, or as a process that dies behind the script. */
    private void revoke(long quoted, long quote) {
        long change = feeds.get(() -> feeds.edits.unquote(ref(quote), quoted))
                .orElseThrow()
                .change();
        if (random.nextBoolean()) {
            Status from = find(quote);
            Status what = find(quoted);
            feeds.get(() -> feeds.stores.quotes().revoke(from, what));
        }
        quotes.get(quoted).remove(quote);
        revoked.add(quote);
        settleTerms(quote, change);
    }

    private void allow(long id) {
        QuotePolicy policy = POLICIES.get(random.nextInt(POLICIES.size()));
        long change = feeds.get(() -> feeds.edits.quotableBy(policy, ref(id)))
                .orElseThrow()
                .change();
        settleTerms(id, change);
    }

    private void mark(long id) {
        boolean on = random.nextBoolean();
        long change =
                feeds.get(() -> feeds.edits.mark(ref(id), on)).orElseThrow().change();
        if (on) {
            marked.add(id);
        } else {
            marked.remove(id);
        }
        settleTerms(id, change);
    }

    private void settleTerms(long id, long change) {
        if (change != 0) {
            RepairHandler handler = new RepairHandler(feeds.stores.quotes()::finish);
            Job.Repair job = new Job.Repair(JobType.QUOTE_TERMS, authors.get(id), id, change);
            jobs.add(() -> feeds.run(handler, job));
        }
    }

    private Reference ref(long id) {
        return new Reference(id, authors.get(id));
    }

    private void delete(long id) {
        long author = authors.remove(id);
        feeds.get(() -> feeds.statuses.delete(author, id));
        quotes.values().forEach(all -> all.remove(id));
        quotes.remove(id);
        revoked.remove(id);
        marked.remove(id);
        jobs.add(() -> feeds.run(feeds.retract, new Job.Retract(author, id, 0)));
    }

    private void runSome(double part) {
        Collections.shuffle(jobs, random);
        int count = (int) Math.ceil(jobs.size() * part);
        List<Runnable> due = new ArrayList<>(jobs.subList(0, count));
        jobs.subList(0, count).clear();
        due.forEach(Runnable::run);
        // At least once: some run again.
        due.stream().filter(job -> random.nextInt(4) == 0).forEach(Runnable::run);
    }

    private long any() {
        List<Long> all = authors.keySet().stream().sorted().toList();
        return all.get(random.nextInt(all.size()));
    }

    @Test
    void bothSidesAgreeAtRestAndStreamsEndWithWhatAnswersShow() throws JsonProcessingException {
        System.out.println("seed " + SEED + " on " + kind);
        post(null);
        for (int step = 0; step < STEPS; step++) {
            long id = any();
            switch (random.nextInt(9)) {
                case 0 -> post(null);
                case 1, 2, 3 -> post(ref(id));
                case 4 -> allow(id);
                case 6 -> mark(id);
                case 5 -> {
                    if (authors.size() > 3) {
                        delete(id);
                    }
                }
                default -> quotes.get(id).stream().sorted().findFirst().ifPresent(quote -> revoke(id, quote));
            }
            if (random.nextInt(3) == 0) {
                runSome(random.nextDouble());
            }
        }
        while (!jobs.isEmpty()) {
            runSome(1);
        }

        quotes.forEach((id, expected) -> {
            assertThat(feeds.members(Keys.quotes(id)))
                    .containsExactlyInAnyOrderElementsOf(
                            expected.stream().map(String::valueOf).toList());
            assertThat(find(id).counters().quotes()).isEqualTo(expected.size());
        });
        Map<Long, JsonNode> last = new HashMap<>();
        for (LoggedEvent logged : feeds.get(() -> feeds.events.read(0, 1000)).events()) {
            Event event = logged.event();
            if (event.kind() == Event.Kind.STATUS || event.kind() == Event.Kind.EDIT) {
                last.put(
                        event.status(),
                        MAPPER.readTree(EventBodies.rendered(event).body()));
            }
        }
        assertThat(last.keySet()).containsAll(authors.keySet());
        for (long id : authors.keySet()) {
            assertThat(last.get(id).at("/quote/state").asText().equals("revoked"))
                    .as("status %d", id)
                    .isEqualTo(revoked.contains(id));
            assertThat(last.get(id).path("sensitive").asBoolean())
                    .as("status %d", id)
                    .isEqualTo(marked.contains(id))
                    .isEqualTo(find(id).post().content().sensitive());
            QuotePolicy policy = find(id).post().quoteTerms().policy();
            assertThat(last.get(id).at("/quote_approval/automatic").path(0).asText("nobody"))
                    .as("status %d", id)
                    .isEqualTo(policy.wire());
        }
        Verification.assertClean(feeds.verified());
    }
}
