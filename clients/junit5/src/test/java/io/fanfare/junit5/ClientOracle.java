package io.fanfare.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.client.Fanfare;
import io.fanfare.client.error.FanfareException;
import io.fanfare.client.stream.Batch;
import io.fanfare.client.stream.EventStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Posts and deletes while servers, clients and connections fail, and compares: every acknowledged status once with each
 * consumer, every delete once, no status after its delete. All of it runs through the library.
 */
final class ClientOracle implements AutoCloseable {
    /** A fault, and how many of a hundred it is. */
    enum Fault {
        SERVER_KILLED(12),
        SERVER_STOPPED(4),
        CLIENT_KILLED(24),
        CONSUMER_RESTARTED(15),
        CONNECTIONS_CUT(25),
        CONNECTIONS_STALLED(8),
        CONSUMERS_SLOW(12);

        private final int percent;

        Fault(int percent) {
            this.percent = percent;
        }
    }

    private static final int PROCESSES = 2;
    private static final int THREADS = 6;
    private static final Duration SETTLE_MAX = Duration.ofMinutes(2);

    private final LocalServer server;
    private final Path dir;
    private final Random random;
    private final CuttingProxy proxy;
    private final Person listener;

    /** They have accounts before the first fault: a sign-up has not the patience of their posts. */
    private final List<Person> authors;

    private final List<Process> processes = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> posted = new ConcurrentLinkedQueue<>();
    private final Set<String> deleted = new HashSet<>();
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final AtomicLong repeats = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();
    private final Thread publisher = new Thread(this::publish, "publisher");
    private volatile boolean publishes = true;
    private volatile boolean slow;
    private volatile Throwable failure;

    ClientOracle(LocalServer server, Path dir, Random random) {
        this.server = server;
        this.dir = dir;
        this.random = random;
        this.proxy = new CuttingProxy(
                Integer.parseInt(server.url().substring(server.url().lastIndexOf(':') + 1)));
        this.listener = server.person("listener");
        this.authors = List.of(author("ann"), author("bob"));
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(process(i));
        }
        for (int i = 0; i < THREADS; i++) {
            workers.add(new Worker(i));
        }
        server.await("all consumers are connected", () -> IntStream.range(0, PROCESSES + THREADS)
                .noneMatch(i -> Ledger.cursor(file(i)).isEmpty()));
        publisher.start();
    }

    /** So many faults, one after the other, while posts go on. */
    void run(int howMany) throws InterruptedException {
        List<Fault> deck = deck(howMany);
        for (Fault fault : deck) {
            int unused = faults.merge(fault, 1, Integer::sum);
            inflict(fault);
            awaitPosts(5);
        }
    }

    private List<Fault> deck(int howMany) {
        List<Fault> deck = new ArrayList<>(List.of(Fault.values()));
        while (deck.size() < howMany) {
            int dice = random.nextInt(100);
            for (Fault fault : Fault.values()) {
                dice -= fault.percent;
                if (dice < 0) {
                    deck.add(fault);
                    break;
                }
            }
        }
        Collections.shuffle(deck, random);
        return deck;
    }

    private void inflict(Fault fault) throws InterruptedException {
        switch (fault) {
            case SERVER_KILLED -> {
                server.kill();
                server.startAgain();
            }
            case SERVER_STOPPED -> {
                server.stop();
                server.startAgain();
            }
            case CLIENT_KILLED -> {
                int i = random.nextInt(PROCESSES);
                int status = processes.get(i).destroyForcibly().waitFor();
                assertThat(status).isEqualTo(137);
                processes.set(i, process(i));
            }
            case CONSUMER_RESTARTED -> workers.get(random.nextInt(THREADS)).restart();
            case CONNECTIONS_CUT -> proxy.cut();
            case CONNECTIONS_STALLED -> {
                proxy.stall(true);
                TimeUnit.MILLISECONDS.sleep(Consumer.SILENCE_MAX.toMillis() + 500);
                proxy.stall(false);
            }
            case CONSUMERS_SLOW -> {
                slow = true;
                awaitPosts(20);
                slow = false;
            }
        }
    }

    private void awaitPosts(int more) {
        int until = posted.size() + more;
        server.await(more + " more posts are acknowledged", () -> posted.size() >= until || failure != null);
    }

    private void publish() {
        Random dice = new Random(random.nextLong());
        try {
            for (int i = 0; publishes; i++) {
                Person author = authors.get(i % authors.size());
                String id = author.post("oracle post " + i).id();
                posted.add(id);
                if (dice.nextInt(10) == 0) {
                    author.client().statuses().delete(id);
                    deleted.add(id);
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (FanfareException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** With the patience for a restart of the server. */
    private Person author(String name) {
        Person person = server.person(name);
        Fanfare patient =
                Fanfare.at(server.url()).token(person.token()).attempts(30).build();
        return new Person(server, name, person.id(), person.token(), patient);
    }

    /** Ends the posting, waits until everybody has everything, and compares. */
    void judge() throws InterruptedException {
        publishes = false;
        publisher.join(SETTLE_MAX.toMillis());
        assertThat(failure).isNull();
        assertThat(publisher.isAlive()).isFalse();
        String last = server.person("ann").post("oracle end").id();
        posted.add(last);
        for (int i = 0; i < PROCESSES + THREADS; i++) {
            Path file = file(i);
            server.await("consumer " + i + " has the last status", () -> Ledger.effects(file)
                    .contains("status:" + last));
        }
        // A job that a killed worker had claimed runs again after its lease, which may be after the last post.
        long begin = System.nanoTime();
        long until = begin + SETTLE_MAX.toNanos();
        List<String> differences = differences();
        while (!differences.isEmpty() && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(100);
            differences = differences();
        }
        System.out.println(report() + " complete_after_ms=" + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        assertThat(differences).isEmpty();
    }

    private List<String> differences() {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < PROCESSES + THREADS; i++) {
            compare(i, Ledger.effects(file(i)), posted, deleted, differences);
        }
        return differences;
    }

    static void compare(
            int consumer,
            List<String> effects,
            Collection<String> posted,
            Set<String> deleted,
            List<String> differences) {
        Set<String> seen = new HashSet<>();
        for (String effect : effects) {
            if (!seen.add(effect)) {
                differences.add("consumer " + consumer + " has " + effect + " twice");
            }
            if (effect.startsWith("gap:")) {
                differences.add("consumer " + consumer + " has a gap of a log that has everything");
            }
            if (effect.startsWith("status:") && seen.contains("delete:" + effect.substring(7))) {
                differences.add("consumer " + consumer + " has " + effect + " after its delete");
            }
        }
        for (String id : posted) {
            if (!deleted.contains(id) && !seen.contains("status:" + id)) {
                differences.add("consumer " + consumer + " lacks status " + id);
            }
            if (deleted.contains(id) && !seen.contains("delete:" + id)) {
                differences.add("consumer " + consumer + " lacks the delete of " + id);
            }
        }
    }

    private String report() {
        return "faults=" + faults + " posts=" + posted.size() + " deletes=" + deleted.size() + " consumers="
                + (PROCESSES + THREADS) + " connections="
                + (connections.get()
                        + workers.stream()
                                .mapToLong(worker -> worker.stream.connections())
                                .sum())
                + " repeats_left_out="
                + (repeats.get()
                        + workers.stream()
                                .mapToLong(worker -> worker.stream.repeats())
                                .sum());
    }

    private Path file(int consumer) {
        return dir.resolve("consumer-" + consumer);
    }

    private static String phrase(int consumer) {
        return consumer % 2 == 0 ? "-" : "oracle";
    }

    private Process process(int consumer) {
        try {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Consumer.class.getName(),
                            server.url(),
                            listener.token(),
                            file(consumer).toString(),
                            phrase(consumer))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            dir.resolve("consumer-" + consumer + ".log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A consumer in this JVM, behind the proxy. */
    private final class Worker implements Runnable {
        private final int number;
        private final Fanfare client;
        private EventStream stream;
        private Thread thread;

        Worker(int index) {
            number = PROCESSES + index;
            client = Fanfare.at(proxy.url()).token(listener.token()).build();
            begin();
        }

        private void begin() {
            stream = Consumer.stream(client, phrase(number))
                    .from(Ledger.cursor(file(number)))
                    .buffer(20, 1_000_000)
                    .open();
            thread = new Thread(this, "consumer-" + number);
            thread.start();
        }

        @Override
        public void run() {
            try (Ledger ledger = new Ledger(file(number))) {
                for (Batch batch : stream) {
                    ledger.store(batch);
                    if (slow) {
                        TimeUnit.MILLISECONDS.sleep(200);
                    }
                }
            } catch (FanfareException e) {
                failure = e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Received events that are not stored are dropped with the stream. */
        void restart() throws InterruptedException {
            end();
            begin();
        }

        void end() throws InterruptedException {
            repeats.addAndGet(stream.repeats());
            connections.addAndGet(stream.connections());
            stream.close();
            thread.join(SETTLE_MAX.toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
    }

    @Override
    public void close() {
        publishes = false;
        try {
            for (Worker worker : workers) {
                worker.end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        processes.forEach(Process::destroyForcibly);
        proxy.close();
    }
}
