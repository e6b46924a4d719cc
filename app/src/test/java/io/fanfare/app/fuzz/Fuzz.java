package io.fanfare.app.fuzz;

import io.fanfare.app.InProcessServer;
import io.fanfare.app.fuzz.Attack.Expectation;
import io.fanfare.app.fuzz.Meter.Cost;
import io.fanfare.redis.testing.TestRedis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Attacks a server of this JVM and holds every attack to what it may cost: 16 times its bytes and those of its answer
 * (of a compressed answer or an archive: unpacked; of a HEAD: with the body that is left out), and 1 MiB for each
 * request that is answered, of allocation; 50 ms of an event loop at a stretch; no error in the log; an answer that is
 * no 500. What is over is tried twice more when the server is at rest, and only counts when it is over each time, so
 * that a first call or a timer of the server is no finding. These tries also wait for late and further answers, since
 * their bytes count.
 *
 * <p>A page of HTML or a feed is made of the JSON of its statuses, which the answer does not contain: it may cost as
 * much as if that came with it. A page has at most {@value #PAGE_STATUSES} statuses, of about {@value #STATUS_BYTES}
 * bytes each.
 */
final class Fuzz implements AutoCloseable {
    static final int BYTES_FACTOR = 16;
    static final long BYTES_MORE = 1 << 20;
    static final long HELD_MILLIS_MAX = 50;

    /** The head of a page of HTML or of a feed. */
    private static final Pattern PAGE = Pattern.compile("(?i)\r\ncontent-type: (?:text/html|application/rss)");

    /** The default of {@code limits.page-max}. */
    private static final int PAGE_STATUSES = 80;

    /** {@code StatusRenderer.STATUS_BYTES}; measured: 163,177 bytes of JSON for a page of 80 plain statuses. */
    private static final int STATUS_BYTES = 1700;

    /** Bytes of an answer that are unpacked: an archive of half a million attacks has 150 KB. */
    private static final int UNPACKED_BYTES_MAX = 16 << 20;

    /** Until the answer of a complete request, on a machine that is busy with other things. */
    private static final long ANSWER_MILLIS = 15_000;

    /** Longer than a server takes over what may have no answer. */
    private static final long NO_ANSWER_MILLIS = 10;

    /** A later try counts all bytes that come without a break of so long. */
    private static final long QUIET_MILLIS = 300;

    private static final long QUIET_MILLIS_MAX = 3000;

    private static final long PROGRESS_SECONDS = 60;

    /** Findings of one kind: enough to see what it is. */
    private static final int SAME_MAX = 2;

    private static final int TRIES = 3;

    /** Until the server is at rest. */
    private static final long REST_MILLIS = 5000;

    /** About how many bytes an attack has. The largest only go to where bodies of that length are taken. */
    private static final int[] SIZES = {2 << 10, 16 << 10, 16 << 10, 60 << 10, 60 << 10, 400 << 10, 1900 << 10};

    private static final int SIZES_OF_SHORT_RUNS = 4;
    private static final int USUAL_BYTES = 16 << 10;

    /** How often a short run tries each kind of attack. */
    private static final int TIMES_EACH = 3;

    private final InProcessServer server;
    private final Meter meter;
    private final LogWatch log = LogWatch.begin();
    private final ExecutorService clients;
    private final int connections;
    private final Random random;
    private final Values values;
    private final List<Generator> generators;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Integer> byGenerator = new TreeMap<>();
    private final long started;
    private long nextProgress;
    private int attacks;
    private int source;

    /**
     * An attack that costs too much, gets a wrong answer or leaves an error in the log.
     *
     * @param seconds since the fuzz began
     * @param allowed bytes that it may allocate
     */
    record Finding(double seconds, Attack attack, Cost cost, long allowed, String problem) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "after %.1f s: %s [%s]: %s; sent %d bytes, allocated %d (allowed %d), held a loop for %d ms (allowed %d)%n    %s",
                    seconds,
                    attack.generator(),
                    attack.what(),
                    problem,
                    attack.bytes(),
                    cost.allocated(),
                    allowed,
                    cost.heldMillis(),
                    HELD_MILLIS_MAX,
                    attack.beginning());
        }
    }

    /**
     * Begins.
     *
     * @param connections that attack at once
     * @param rateLimits whether the server limits rates; else attacks get deeper
     */
    Fuzz(TestRedis redis, long seed, int connections, boolean rateLimits) {
        this.random = new Random(seed);
        this.connections = connections;
        server = new InProcessServer(redis, rateLimits);
        Town town = new Town(server.port(), Town.MANY_POSTS);
        meter = new Meter(server.vertx());
        clients = Executors.newFixedThreadPool(connections, task -> {
            Thread thread = new Thread(task, "attacker");
            thread.setDaemon(true);
            meter.leaveOut(thread);
            return thread;
        });
        Operations operations = new Operations(town);
        Tokens tokens = new Tokens(town.owner().token());
        values = new Values(operations, tokens);
        generators = List.of(
                values,
                new Bodies(operations, tokens),
                new Heads(operations, tokens),
                new Framing(operations, tokens),
                new Sockets(tokens));
        started = System.nanoTime();
        nextProgress = started + TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS);
    }

    /** The cost of an idle second of the server. */
    Cost idle() throws Exception {
        return meter.cost(() -> TimeUnit.SECONDS.sleep(1));
    }

    /** Every parameter with each of the dearest shapes, and of all else as much as there is time for. */
    void runBriefly(long seconds, int attacksMax) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Values.Planned> planned = values.all(Shape.DEAR);
        for (Generator generator : generators) {
            for (int i = 0; i < TIMES_EACH * generator.kinds(); i++) {
                int kind = i % generator.kinds();
                planned.add((from, bytes) -> generator.attack(kind, from, bytes));
            }
        }
        Collections.shuffle(planned, random);
        for (int i = 0; i < attacksMax && System.nanoTime() < until; i++) {
            probe(i < planned.size() ? planned.get(i).attack(random, USUAL_BYTES) : drawn(SIZES_OF_SHORT_RUNS));
            printProgress();
        }
    }

    /** Runs random attacks, several at once. */
    void run(long seconds) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < until) {
            List<Attack> together = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                together.add(drawn(SIZES.length));
            }
            probe(together);
            printProgress();
        }
    }

    /** Prints the counts once a minute, so that a run that somebody ends early does not seem to have no findings. */
    private void printProgress() {
        if (System.nanoTime() >= nextProgress) {
            nextProgress += TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS);
            System.out.println(summary());
        }
    }

    List<Finding> findings() {
        return findings;
    }

    /** The attacks and findings so far, in a line. */
    String summary() {
        return attacks + " attacks in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started) + " s, "
                + findings.size() + " findings";
    }

    private Attack drawn(int sizes) {
        Generator generator = generators.get(random.nextInt(generators.size()));
        return generator.attack(random.nextInt(generator.kinds()), random, SIZES[random.nextInt(sizes)]);
    }

    /** The result of an attack; {@code problem} is null if the answer is right. */
    private record Outcome(String problem, long answerBytes, int answers) {
        long allowed(Attack attack) {
            return BYTES_FACTOR * (attack.bytes() + answerBytes) + BYTES_MORE * Math.max(1, answers);
        }
    }

    /** Runs attacks together; if their cost, an answer or the log shows a problem, runs each of them alone. */
    private void probe(List<Attack> together) throws Exception {
        together.removeIf(this::isKnown);
        List<String> problems = Collections.synchronizedList(new ArrayList<>());
        Cost cost = meter.cost(() -> {
            List<Future<?>> running = new ArrayList<>();
            for (Attack attack : together) {
                running.add(clients.submit(() -> {
                    String problem = exchange(attack, /* waits= */ false).problem();
                    if (problem != null) {
                        problems.add(problem);
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        });
        attacks += together.size();
        Outcome unanswered = new Outcome(null, 0, 0);
        long allowed = together.stream().mapToLong(unanswered::allowed).min().orElse(0);
        if (!problems.isEmpty()
                || cost.allocated() > allowed
                || cost.heldMillis() > HELD_MILLIS_MAX
                || log.take() != null) {
            for (Attack attack : together) {
                probe(attack);
            }
        }
    }

    private boolean isKnown(Attack attack) {
        return byGenerator.getOrDefault(attack.generator(), 0) >= SAME_MAX;
    }

    private void probe(Attack attack) throws Exception {
        if (isKnown(attack)) {
            return;
        }
        attacks++;
        Cost least = new Cost(Long.MAX_VALUE, Long.MAX_VALUE);
        String problem = null;
        long allowed = 0;
        for (int i = 0; i < TRIES; i++) {
            if (i > 0) {
                meter.awaitQuiet(REST_MILLIS);
            }
            boolean waits = i > 0;
            Outcome[] outcome = new Outcome[1];
            least = least.min(meter.cost(() -> outcome[0] = exchange(attack, waits)));
            allowed = outcome[0].allowed(attack);
            if (waits && attack.isHead()) {
                // The server makes the body that it leaves out, and may not know its length before it is sent.
                allowed += BYTES_FACTOR
                        * exchange(attack.asGet(), /* waits= */ true).answerBytes();
            }
            problem = judge(outcome[0].problem(), least, allowed);
            if (problem == null) {
                return;
            }
        }
        double seconds = (System.nanoTime() - started) / 1e9;
        Finding finding = new Finding(seconds, attack, least, allowed, problem);
        findings.add(finding);
        byGenerator.merge(attack.generator(), 1, Integer::sum);
        System.out.println(finding);
    }

    private String judge(String failed, Cost cost, long allowed) {
        String logged = log.take();
        if (failed != null) {
            return failed;
        }
        if (logged != null) {
            return "the log says " + logged;
        }
        if (cost.allocated() > allowed) {
            return "allocates too much";
        }
        return cost.heldMillis() > HELD_MILLIS_MAX ? "holds the loop for too long" : null;
    }

    /** @param waits whether all that comes is waited for and counted, unpacked */
    private Outcome exchange(Attack attack, boolean waits) {
        String from = "127.0." + (1 + source++ / 200 % 200) + "." + (1 + source % 200);
        boolean bodiless = attack.isHead();
        try (Wire wire = Wire.open(server.port(), from)) {
            wire.keepAll(waits ? UNPACKED_BYTES_MAX : 0);
            String problem = problem(attack, wire, bodiless);
            if (waits && attack.expectation() != Expectation.ANSWER) {
                wire.drainUntilQuiet(QUIET_MILLIS, QUIET_MILLIS_MAX);
            }
            Unpacked unpacked = Unpacked.of(wire.all(), bodiless);
            return new Outcome(problem, wire.received() + unpacked.saved() + pageBytes(wire.all()), unpacked.answers());
        } catch (IOException refused) {
            return new Outcome("cannot connect: " + refused, 0, 0);
        }
    }

    /** The JSON of the pages among these answers. */
    private static long pageBytes(byte[] answers) {
        String text = new String(answers, StandardCharsets.ISO_8859_1);
        return PAGE.matcher(text).results().count() * PAGE_STATUSES * STATUS_BYTES;
    }

    /** The problem with the answer; null = none. */
    private static String problem(Attack attack, Wire wire, boolean bodiless) throws IOException {
        for (Attack.Step step : attack.steps()) {
            if (step instanceof Attack.Send send) {
                wire.send(send.bytes(), send.segment(), ANSWER_MILLIS);
            } else if (step instanceof Attack.AwaitHead) {
                Wire.Reply head = wire.reply(/* headOnly= */ true, bodiless, ANSWER_MILLIS);
                if (head.status() != 101) {
                    return null;
                }
            } else if (step instanceof Attack.Pause pause) {
                wire.drain(pause.millis());
            } else if (step instanceof Attack.HalfClose) {
                wire.halfClose();
            } else {
                wire.reset();
            }
        }
        if (attack.expectation() == Expectation.NOTHING) {
            wire.drain(NO_ANSWER_MILLIS);
            return null;
        }
        Wire.Reply reply = wire.reply(attack.expectation() == Expectation.HEAD, bodiless, ANSWER_MILLIS);
        if (reply.status() == 500) {
            return "answers 500: " + reply.body();
        }
        return reply.status() == 0 && !reply.ended() ? "is not answered" : null;
    }

    @Override
    public void close() {
        meter.close();
        log.close();
        clients.shutdownNow();
        server.close();
    }
}
