package io.fanfare.app.replay;

import io.fanfare.app.replay.FeedClient.Call;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * One run of {@code fanfare replay}, step by step. {@link #run} is called on a thread that may block; all work is done on one event loop, and the thread reads what a step has
 * left only after that step's future has completed.
 */
final class Replay {
    private static final int HOME_READS_AT_ONCE = 16;
    private static final int HOMES_COMPARED_AT_ONCE = 64;
    private static final long LOOK_MILLIS = 20;
    private static final int HOME_MAX_DEFAULT = 1000;
    private static final int DELIVERY_SAMPLES = 500;
    private static final long STORE_LOOK_MILLIS = 1;
    private static final long HTTP_LOOK_MILLIS = 10;

    private final Vertx vertx;
    private final Context loop;
    private final Target target;
    private final Plan plan;
    private final SocialGraph graph;
    private final Messages messages;
    private final PrintStream out;
    private final SecureRandom random = new SecureRandom();
    private final Histogram delivered = latencies();

    Replay(Vertx vertx, Target target, Plan plan, SocialGraph graph, Messages messages, PrintStream out) {
        this.vertx = vertx;
        this.loop = vertx.getOrCreateContext();
        this.target = target;
        this.plan = plan;
        this.graph = graph;
        this.messages = messages;
        this.out = out;
    }

    /** The whole run. Throws {@link ReplayFailed} when it cannot be carried through; differences are in the outcome. */
    Outcome run() {
        FeedClient client = on(() -> Future.succeededFuture(new FeedClient(
                vertx, plan.atOnce() + HOME_READS_AT_ONCE, target::url, plan.patience(), System::nanoTime)));
        Stage stage = openStage(client);
        List<Person> people = makePeople(stage);
        readEveryHomeOnce(client, people);
        OptionalLong builtBefore = on(stage::homesBuilt);

        Ledger ledger = Ledger.draw(plan.posts(), graph, plan.byFollowers(), new Random(plan.seed()));
        Firehose firehose = on(() -> {
            Firehose opened = new Firehose(vertx, target::url, people.get(0).token(), System::nanoTime);
            return opened.listen().map(opened);
        });
        DeliveryProbe probe = new DeliveryProbe(
                vertx,
                stage,
                stage.seesQuiet() ? STORE_LOOK_MILLIS : HTTP_LOOK_MILLIS,
                System::nanoTime,
                nanos -> delivered.recordValue(nanos));
        Poster poster = post(client, people, ledger, probe);
        long answeredNanos = System.nanoTime();
        waitFor(plan.settle().toNanos(), () -> Future.succeededFuture(probe.isIdle()));

        // The server may have been restarted in between, with its Redis elsewhere: what is compared is what is there
        // now.
        on(stage::close);
        Stage now = openStage(client);
        boolean quiet = waitForQuiet(now, firehose, ledger);
        long quietNanos = System.nanoTime();
        Differences differences = compareHomes(now, people, ledger);
        OptionalLong builtAfter = on(now::homesBuilt);
        OptionalLong rebuilt = builtBefore.isPresent() && builtAfter.isPresent()
                ? OptionalLong.of(builtAfter.getAsLong() - builtBefore.getAsLong())
                : OptionalLong.empty();
        if (rebuilt.orElse(0) != 0) {
            differences.add(rebuilt.getAsLong()
                    + " homes were rebuilt during the run: what they show does not prove that it was delivered");
        }
        differences.addAll(poster.differences());
        long streamed = compareStream(firehose, people, ledger, differences);
        on(() -> Future.join(now.close(), firehose.close(), client.close()).mapEmpty());
        return new Outcome(
                ledger.acknowledgedCount(),
                new ExpectedHomes(graph, ledger).deliveries(),
                answeredNanos - poster.beginNanos(),
                quietNanos - poster.beginNanos(),
                quiet,
                people.size(),
                now.means(),
                rebuilt,
                streamed,
                firehose.reconnects(),
                firehose.gaps(),
                client.retries(),
                acknowledged(ledger),
                delivered,
                arrived(firehose, ledger),
                probe.abandoned(),
                differences);
    }

    private Stage openStage(FeedClient client) {
        return target.settings().isEmpty()
                ? new HttpStage(client, "replay-" + Long.toHexString(random.nextLong()))
                : on(() -> StoreStage.open(vertx, target.settings().get(), random));
    }

    private List<Person> makePeople(Stage stage) {
        List<String> names = new ArrayList<>();
        for (int user = 0; user < graph.users(); user++) {
            names.add("r" + plan.run() + "_" + graph.label(user));
        }
        List<Person> people = on(() -> stage.people(names));
        on(() -> stage.follows(people, graph));
        out.printf("accounts   %,d made, %,d follow edges%n", people.size(), graph.edges());
        return people;
    }

    /** A home exists from its first read on; only then do deliveries go into it. */
    private void readEveryHomeOnce(FeedClient client, List<Person> people) {
        on(() -> InParallel.each(
                people,
                HOME_READS_AT_ONCE,
                person -> client.require(Call.get("/api/v1/timelines/home?limit=1", person.token()))));
    }

    private Poster post(FeedClient client, List<Person> people, Ledger ledger, DeliveryProbe probe) {
        int every = Math.max(1, plan.posts() / DELIVERY_SAMPLES);
        Map<Integer, List<Person>> followers = new HashMap<>();
        try (Progress progress = Progress.of("posting", plan.posts(), out)) {
            Poster poster = new Poster(
                    vertx,
                    client,
                    plan.run(),
                    messages,
                    people,
                    ledger,
                    plan.atOnce(),
                    plan.rate(),
                    System::nanoTime,
                    post -> {
                        progress.step();
                        if (post % every == 0) {
                            List<Person> readers = followers.computeIfAbsent(
                                    ledger.author(post), author -> followersOf(author, people));
                            probe.watch(ledger.id(post), ledger.startedNanos(post), readers);
                        }
                    });
            on(poster::run);
            return poster;
        }
    }

    private List<Person> followersOf(int author, List<Person> people) {
        List<Person> followers = new ArrayList<>();
        for (int follower : graph.followers(author)) {
            followers.add(people.get(follower));
        }
        return followers;
    }

    /** Quiet = no job waits or runs, and the stream has brought everything; false when that was not reached in time. */
    private boolean waitForQuiet(Stage stage, Firehose firehose, Ledger ledger) {
        return waitFor(plan.settle().toNanos(), () -> stage.quiet().map(idle -> idle && allArrived(firehose, ledger)));
    }

    /** Looks again and again until the condition holds; false when it did not in time. */
    private boolean waitFor(long atMostNanos, Supplier<Future<Boolean>> condition) {
        long until = System.nanoTime() + atMostNanos;
        while (!on(condition)) {
            if (System.nanoTime() > until) {
                return false;
            }
            pause(LOOK_MILLIS);
        }
        return true;
    }

    private static boolean allArrived(Firehose firehose, Ledger ledger) {
        for (int post = 0; post < ledger.posts(); post++) {
            if (ledger.id(post) != 0 && firehose.arrivedNanos(ledger.id(post)) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Where the queue cannot be seen, homes that differ are given time until the settling ends. */
    private Differences compareHomes(Stage stage, List<Person> people, Ledger ledger) {
        int homeMax =
                target.settings().map(settings -> settings.feeds().homeMax()).orElse(HOME_MAX_DEFAULT);
        ExpectedHomes expected = new ExpectedHomes(graph, ledger);
        long until = System.nanoTime() + plan.settle().toNanos();
        while (true) {
            Differences differences = new Differences();
            HomeCheck check = new HomeCheck(ledger, people, homeMax, differences);
            List<Integer> users = new ArrayList<>();
            for (int user = 0; user < people.size(); user++) {
                users.add(user);
            }
            on(() -> InParallel.each(users, HOMES_COMPARED_AT_ONCE, user -> stage.home(people.get(user), homeMax)
                    .map(home -> {
                        check.compare(people.get(user), expected.of(user), home);
                        return user;
                    })));
            if (differences.count() == 0 || stage.seesQuiet() || System.nanoTime() > until) {
                return differences;
            }
            pause(LOOK_MILLIS);
        }
    }

    /** Answers how many of the acknowledged posts came; notes those that did not, and statuses of ours that nobody acknowledged. */
    private long compareStream(Firehose firehose, List<Person> people, Ledger ledger, Differences differences) {
        long came = 0;
        for (int post = 0; post < ledger.posts(); post++) {
            long id = ledger.id(post);
            if (id != 0 && firehose.arrivedNanos(id) == 0) {
                differences.add("the stream did not bring status " + id + " (post " + post + ")");
            } else if (id != 0) {
                came++;
            }
        }
        Set<Long> ours = new HashSet<>();
        people.forEach(person -> ours.add(person.id()));
        firehose.authors().forEach((id, author) -> {
            if (ours.contains(author) && ledger.post(id) < 0) {
                differences.add("the stream brought status " + id + " of ours that was never acknowledged");
            }
        });
        differences.addAll(firehose.differences());
        return came;
    }

    private static Histogram acknowledged(Ledger ledger) {
        Histogram histogram = latencies();
        for (int post = 0; post < ledger.posts(); post++) {
            if (ledger.id(post) != 0) {
                histogram.recordValue(ledger.acknowledgedAfterNanos(post));
            }
        }
        return histogram;
    }

    private static Histogram arrived(Firehose firehose, Ledger ledger) {
        Histogram histogram = latencies();
        for (int post = 0; post < ledger.posts(); post++) {
            long at = ledger.id(post) == 0 ? 0 : firehose.arrivedNanos(ledger.id(post));
            if (at != 0) {
                histogram.recordValue(at - ledger.startedNanos(post));
            }
        }
        return histogram;
    }

    private static Histogram latencies() {
        return new Histogram(3);
    }

    /** Runs one step on the event loop and waits for it. */
    private <T> T on(Supplier<Future<T>> step) {
        Promise<T> promise = Promise.promise();
        loop.runOnContext(
                v -> Future.succeededFuture().compose(nothing -> step.get()).onComplete(promise));
        try {
            return promise.future().toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new ReplayFailed(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplayFailed(e);
        }
    }

    private void pause(long millis) {
        on(() -> vertx.timer(millis, TimeUnit.MILLISECONDS));
    }

    /** The run could not be carried through; the message says why. */
    static final class ReplayFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ReplayFailed(Throwable cause) {
            super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
        }
    }
}
