package io.fanfare.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.app.FanfareProcess;
import io.fanfare.app.fuzz.Swarm.Manner;
import io.fanfare.common.testing.Contract;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every known attack at once on a server in a process of its own, started as {@code ./fanfare up} starts it, beside a
 * hundred people who use it as always. {@code -Dsiege.seconds=N} for another duration than a minute.
 */
@Tag("faults")
class SiegeTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int SECONDS = Integer.getInteger("siege.seconds", 60);
    private static final int CALM_SECONDS = 20;
    private static final int USERS = 100;
    private static final int ATTACKERS = 10;
    private static final int ADDRESSES = 40;
    private static final double P99_MILLIS_MAX = 250;
    private static final long RSS_BYTES_MAX = 1L << 30;
    private static final Duration STOP_MAX = Duration.ofSeconds(60);

    /** Statuses that a server may send before it knows the operation. */
    private static final Set<String> BEFORE_ROUTING = Set.of("400", "408", "414", "431");

    /** Which kinds of attackers take part, with commas between; empty = all. */
    private static final List<String> ONLY =
            List.of(System.getProperty("siege.only", "").split(",", -1));

    /** A thread that is busy for so much of each second is named in the report. */
    private static final long BUSY_MILLIS = 20;

    private static final byte[] NOTHING = {};
    private static final int ALL = 1 << 16;

    @TempDir
    Path dir;

    @Test
    void ordinaryUsersNoticeNoSiege() throws Exception {
        System.out.println("seed=" + SEED);
        try (FanfareProcess up = FanfareProcess.upWith(dir.resolve("data"), javaOptions())) {
            int port = URI.create(up.runtime().httpUrl()).getPort();
            Town town = new Town(port, /* posts= */ 1, "127.4.0.1");
            List<String> clients = new ArrayList<>();
            List<Town.Person> people = people(town, clients);
            List<String> tokens = people.subList(USERS, USERS + ATTACKERS).stream()
                    .map(Town.Person::token)
                    .toList();
            try (OrdinaryUsers users = new OrdinaryUsers(port, people.subList(0, USERS), clients, SEED);
                    Swarm swarm = swarm(port, tokens)) {
                users.start();
                TimeUnit.SECONDS.sleep(CALM_SECONDS);
                System.out.println("before the siege:\n" + users.report());
                users.restart();
                swarm.start();
                Peak peak = watch(up);
                String report = users.report();
                double p99 = users.quantile(0.99);
                Map<String, Integer> failed = users.failed();
                System.out.printf("in the siege, %d s:%n%s%n", peak.seconds(), report);
                System.out.printf("  all          p99 %.1f ms%n", p99);
                System.out.printf("  peak of resident memory %d MiB%n", peak.rss() >> 20);
                System.out.println("  processor time of the server, ms: " + peak.processor());
                swarm.counts().forEach((what, count) -> System.out.println("  " + what + ": " + count));

                SoftAssertions all = new SoftAssertions();
                all.assertThat(up.handle().isAlive())
                        .as("alive: " + lastLines(up.output()))
                        .isTrue();
                all.assertThat(p99).as("p99 in ms").isLessThan(P99_MILLIS_MAX);
                all.assertThat(failed)
                        .as("requests of ordinary users that failed")
                        .isEmpty();
                all.assertThat(peak.rss()).as("resident memory").isLessThan(RSS_BYTES_MAX);
                all.assertThat(traces(up.output())).as("stack traces").isEmpty();
                all.assertThat(undocumented(swarm.counts()))
                        .as("answers that are not documented")
                        .isEmpty();
                all.assertAll();
            }
            assertThat(up.stop(STOP_MAX)).isZero();
        }
    }

    /** The script's options for java, so that this server runs like an operator's. */
    private static List<String> javaOptions() throws IOException {
        List<String> options = new ArrayList<>();
        Pattern option = Pattern.compile("(?<=[\\s'])-X(mx|X:)[^\\s'\"\\\\$]+(?=[\\s'])");
        for (String line : Files.readAllLines(Path.of("src/main/launcher/launch.sh"))) {
            Matcher found = option.matcher(line.strip().startsWith("#") ? "" : line);
            while (found.find()) {
                boolean archive = found.group().contains("Archive");
                if (!archive && !options.contains(found.group())) {
                    options.add(found.group());
                }
            }
        }
        assertThat(options).contains("-Xmx512m", "-XX:+ExitOnOutOfMemoryError");
        return options;
    }

    /** Each signs up from an address of their own, with an app of their own, and follows a few of those before. */
    private static List<Town.Person> people(Town town, List<String> clients) {
        List<Town.Person> people = new ArrayList<>();
        for (int i = 0; i < USERS + ATTACKERS; i++) {
            Town.Person person = town.from(OrdinaryUsers.address(i)).signUp("user" + i);
            clients.add(town.register());
            for (int j = Math.max(0, i - 5); j < i; j++) {
                town.post("/api/v1/accounts/" + people.get(j).id() + "/follow", person.token(), "");
            }
            people.add(person);
        }
        return people;
    }

    private static Swarm swarm(int port, List<String> tokens) throws IOException {
        Swarm swarm = new Swarm(port);
        byte[] file = new RawRequest("GET", "/docs/swagger-ui-bundle.js").bytes();
        byte[] instance = new RawRequest("GET", "/api/v2/instance").bytes();
        String script = "GET /docs/swagger-ui-bundle.js";
        add(swarm, 2000, new Manner("idle", "", NOTHING, NOTHING, false, false, 0, 2048), ADDRESSES);
        add(swarm, 360, new Manner("slow reader", script, file, NOTHING, false, false, 0, 50), ADDRESSES);
        for (int i = 0; i < 40; i++) {
            byte[] firehose = new RawRequest("GET", "/api/v1/streaming/firehose")
                    .token(tokens.get(i % tokens.size()))
                    .bytes();
            add(
                    swarm,
                    1,
                    new Manner("slow reader", "GET /api/v1/streaming/firehose", firehose, NOTHING, false, false, 0, 1),
                    1);
        }
        byte[] trickle = "x".repeat(60_000).getBytes(StandardCharsets.US_ASCII);
        add(
                swarm,
                150,
                new Manner(
                        "slow writer",
                        "POST /oauth/token",
                        head("/oauth/token", 60_000),
                        trickle,
                        false,
                        false,
                        5,
                        2048),
                ADDRESSES);
        byte[] large = "x".repeat(2_000_000).getBytes(StandardCharsets.US_ASCII);
        add(
                swarm,
                150,
                new Manner(
                        "slow writer",
                        "POST /api/v1/streaming/filter",
                        head("/api/v1/streaming/filter", 2_000_000),
                        large,
                        false,
                        false,
                        10_000,
                        2048),
                ADDRESSES);
        byte[] line = "GET /api/v1/instance HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] headers = "X: y\r\n".repeat(2500).getBytes(StandardCharsets.US_ASCII);
        add(
                swarm,
                100,
                new Manner("slow writer", "GET /api/v1/instance", line, headers, false, false, 1, 2048),
                ADDRESSES);
        byte[] both = new byte[file.length + instance.length];
        System.arraycopy(file, 0, both, 0, file.length);
        System.arraycopy(instance, 0, both, file.length, instance.length);
        add(swarm, 1, new Manner("pipeliner", script, NOTHING, both, false, true, ALL, 0), 1);
        byte[] nonsense = Frames.repeated(Frames.text("x"), 1000);
        byte[] pings = Frames.repeated(Frames.frame(true, Frames.PING, new byte[125]), 1000);
        String socket = "GET /api/v1/streaming";
        for (int i = 0; i < 70; i++) {
            byte[] upgrade = Frames.handshake("/api/v1/streaming", tokens.get(i % tokens.size()));
            add(
                    swarm,
                    1,
                    i < 50
                            ? new Manner("nonsense", socket, upgrade, nonsense, true, true, ALL, 0)
                            : new Manner("pings", socket, upgrade, pings, true, true, ALL, 0),
                    1);
        }
        for (int i = 0; i < 16; i++) {
            byte[] filter = new RawRequest("POST", "/api/v1/streaming/filter")
                    .token(tokens.get(i % tokens.size()))
                    .body("application/json", "{\"track\":\"" + AccumulationTest.phrases(i) + "\"}")
                    .bytes();
            add(
                    swarm,
                    1,
                    new Manner("dear filter", "POST /api/v1/streaming/filter", filter, NOTHING, false, false, 0, 2048),
                    1);
        }
        byte[] status = new RawRequest("POST", "/api/v1/statuses")
                .token(tokens.get(0))
                .body("application/x-www-form-urlencoded", "status=" + "\u4e00".repeat(500))
                .bytes();
        // One every two seconds or so.
        add(
                swarm,
                1,
                new Manner(
                        "dear status", "POST /api/v1/statuses", NOTHING, status, false, true, status.length / 20, 2048),
                1);
        return swarm;
    }

    private static void add(Swarm swarm, int count, Manner manner, int addresses) {
        if (ONLY.contains("") || ONLY.contains(manner.name())) {
            swarm.add(count, manner, addresses);
        }
    }

    private static byte[] head(String path, int length) {
        return new RawRequest("POST", path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Content-Length", Integer.toString(length))
                .head();
    }

    /**
     * The server's use of resources.
     *
     * @param processor milliseconds of its busiest threads
     */
    private record Peak(long rss, int seconds, Map<String, Long> processor) {}

    /** Until the time is over or the process is. */
    private static Peak watch(FanfareProcess up) throws Exception {
        LinuxProcess process = new LinuxProcess(up.handle().pid());
        Map<String, Long> before = process.processorMillis();
        long peak = 0;
        for (int second = 0; second < SECONDS; second++) {
            TimeUnit.SECONDS.sleep(1);
            peak = Math.max(peak, process.residentPeak());
            if (!up.handle().isAlive()) {
                return new Peak(peak, second, Map.of());
            }
        }
        Map<String, Long> busiest = new TreeMap<>();
        process.processorMillis().forEach((thread, millis) -> {
            long spent = millis - before.getOrDefault(thread, 0L);
            if (spent > SECONDS * BUSY_MILLIS) {
                busiest.put(thread, spent);
            }
        });
        return new Peak(peak, SECONDS, busiest);
    }

    private static List<String> traces(String log) {
        return log.lines()
                .filter(line -> line.startsWith("\tat ") || line.matches("[a-z.]+\\.[A-Z]\\w+(Exception|Error)\\b.*"))
                .distinct()
                .limit(20)
                .toList();
    }

    private static String lastLines(String log) {
        List<String> lines = log.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    private static Set<String> undocumented(Map<String, Long> counts) {
        Pattern answer = Pattern.compile(".* (GET|POST) (\\S+) (\\d{3})");
        Set<String> undocumented = new TreeSet<>();
        for (String what : counts.keySet()) {
            Matcher found = answer.matcher(what);
            if (found.matches() && !BEFORE_ROUTING.contains(found.group(3))) {
                boolean listed = Contract.instance()
                        .find(found.group(1), found.group(2))
                        .map(operation -> operation.statuses().contains(Integer.parseInt(found.group(3))))
                        .orElse(false);
                if (!listed) {
                    undocumented.add(what);
                }
            }
        }
        return undocumented;
    }
}
