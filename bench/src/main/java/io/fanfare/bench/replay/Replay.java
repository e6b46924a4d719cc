package io.fanfare.bench.replay;

import io.fanfare.app.operate.Progress;
import io.fanfare.app.operate.VerifyRun;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.replay.FeedClient.Call;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.Verifier.Watcher;
import io.vertx.core.Future;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * One run of {@code fanfare replay}, step by step. {@link #run} is called on a thread that may block; all work is done
 * on the event loop, and the thread reads what a step has left once the step is done.
 */
final class Replay {
    private static final int HOME_READS_AT_ONCE = 16;
    private static final int HOMES_COMPARED_AT_ONCE = 64;
    private static final int HOME_MAX_DEFAULT = 1000;

    /** About how many posts are followed to their last delivery. */
    private static final int DELIVERY_SAMPLES = 500;

    private static final long QUIET_LOOK_MILLIS = 20;
    private static final long STORE_LOOK_MILLIS = 1;
    private static final long HTTP_LOOK_MILLIS = 10;

    private final EventLoop loop;
    private final Target target;
    private final Plan plan;
    private final SocialGraph graph;
    private final Messages messages;
    private final Votes votes;
    private final PrintStream out;
    private final SecureRandom random = new SecureRandom();
    private final Latencies latencies = Latencies.empty();
    private final FeedClient client;
    private final Ledger ledger;

    Replay(
            EventLoop loop,
            Target target,
            Plan plan,
            SocialGraph graph,
            Messages messages,
            Votes votes,
            PrintStream out) {
        this.votes = votes;
        this.loop = loop;
        this.target = target;
        this.plan = plan;
        this.graph = graph;
        this.messages = messages;
        this.out = out;
        this.client = loop.call(() -> new FeedClient(
                loop.vertx(), plan.atOnce() + HOME_READS_AT_ONCE, target::url, plan.patience(), System::nanoTime));
        this.ledger = Ledger.draw(plan.posts(), graph, plan.byFollowers(), new Random(plan.seed()));
    }

    /**
     * The whole run. Throws {@link EventLoop.StepFailed} when it cannot be carried through; differences are in the
     * outcome.
     */
    Outcome run() {
        Backend before = openStage();
        List<Person> people = makePeople(before);
        readEveryHomeOnce(people);
        OptionalLong builtBefore = loop.await(before::homesBuilt);
        Firehose firehose = listen(people.get(0));
        DeliveryProbe probe = probe(before);

        Poster poster = post(people, probe);
        long answeredNanos = System.nanoTime();
        VoteRun voteRun = vote(people);
        long votedNanos = System.nanoTime() - answeredNanos;
        awaitProbe(probe);
        loop.run(before::close);

        // The server may have been restarted since, with its Redis elsewhere: what is compared is what is there now.
        Backend after = openStage();
        StreamCheck stream = new StreamCheck(firehose, ledger);
        boolean quiet = awaitQuiet(after, stream);
        long quietNanos = System.nanoTime();
        long pulled = loop.await(after::pulledAuthors);
        Differences differences = compareHomes(after, people, pulled > 0);
        OptionalLong rebuilt = rebuilt(builtBefore, loop.await(after::homesBuilt));
        if (pulled == 0 && rebuilt.orElse(0) != 0) {
            differences.add(rebuilt.getAsLong()
                    + " homes were rebuilt during the run: what they show does not prove that it was delivered");
        }
        differences.addAll(poster.differences());
        differences.addAll(loop.await(voteRun::compare));
        // On its loop, since events of others may still come.
        loop.run(() -> {
            stream.compare(people, differences);
            return Future.succeededFuture();
        });
        long verifyBegin = System.nanoTime();
        Optional<Report> verified = verify(differences);
        long verifyNanos = System.nanoTime() - verifyBegin;
        latencies.fill(ledger, firehose);
        loop.run(() -> Future.join(after.close(), firehose.close(), client.close()));
        return new Outcome(
                ledger.acknowledgedCount(),
                new ExpectedHomes(graph, ledger).deliveries(),
                answeredNanos - poster.beginNanos(),
                votes.cast().size(),
                votedNanos,
                quiet,
                quietNanos - poster.beginNanos(),
                people.size(),
                pulled > 0 ? "whole, over HTTP, since readers pull " + pulled + " authors" : after.means(),
                rebuilt,
                verified,
                verifyNanos,
                stream.arrived(),
                firehose.reconnects(),
                firehose.gaps().size(),
                client.retries(),
                latencies,
                probe.abandoned(),
                differences);
    }

    private Backend openStage() {
        return target.settings().isEmpty()
                ? new HttpBackend(client, "replay-" + Long.toHexString(random.nextLong()))
                : loop.await(
                        () -> StoreBackend.open(loop.vertx(), target.settings().get(), random));
    }

    private List<Person> makePeople(Backend backend) {
        List<String> names = IntStream.range(0, graph.users())
                .mapToObj(user -> "r" + plan.run() + "_" + graph.label(user))
                .toList();
        List<Person> people = loop.await(() -> backend.people(names));
        loop.run(() -> backend.follows(people, graph));
        out.printf("accounts   %,d made, with %,d follow edges%n", people.size(), graph.edges());
        return people;
    }

    /** A home exists from its first read on; only then do deliveries go into it. */
    private void readEveryHomeOnce(List<Person> people) {
        loop.run(() -> BoundedParallel.each(
                people,
                HOME_READS_AT_ONCE,
                person -> client.require(Call.get("/api/v1/timelines/home?limit=1", person.token()))));
    }

    private Firehose listen(Person listener) {
        Firehose firehose =
                loop.call(() -> new Firehose(loop.vertx(), target::url, listener.token(), System::nanoTime));
        loop.run(firehose::listen);
        return firehose;
    }

    private DeliveryProbe probe(Backend backend) {
        long lookMillis = backend.seesQuiet() ? STORE_LOOK_MILLIS : HTTP_LOOK_MILLIS;
        return new DeliveryProbe(
                loop.vertx(), backend, lookMillis, System::nanoTime, latencies.delivered()::recordValue);
    }

    private Poster post(List<Person> people, DeliveryProbe probe) {
        int every = Math.max(1, plan.posts() / DELIVERY_SAMPLES);
        Map<Integer, List<Person>> followers = new HashMap<>();
        try (Progress progress = Progress.of("posting", plan.posts(), out)) {
            Poster poster = new Poster(loop.vertx(), client, plan, messages, people, ledger, System::nanoTime, post -> {
                progress.step();
                if (post % every == 0) {
                    int author = ledger.author(post);
                    probe.watch(
                            ledger.id(post),
                            ledger.startedNanos(post),
                            followers.computeIfAbsent(author, a -> followersOf(a, people)));
                }
            });
            loop.run(poster::run);
            return poster;
        }
    }

    private VoteRun vote(List<Person> people) {
        VoteRun run = new VoteRun(client, plan, votes, people, ledger);
        if (votes.cast().isEmpty()) {
            return run;
        }
        try (Progress progress = Progress.of("voting", votes.cast().size(), out)) {
            loop.run(() -> run.run(progress::step));
        }
        return run;
    }

    private List<Person> followersOf(int author, List<Person> people) {
        List<Person> followers = new ArrayList<>();
        for (int follower : graph.followers(author)) {
            followers.add(people.get(follower));
        }
        return followers;
    }

    /** It ends by itself: a watch is given up after a while. */
    private void awaitProbe(DeliveryProbe probe) {
        boolean ended = loop.await(
                () -> Future.succeededFuture(probe.isIdle()), plan.settle().toNanos(), QUIET_LOOK_MILLIS);
        if (!ended) {
            out.println("posts are still watched for their last delivery");
        }
    }

    /** Quiet = no job waits or runs, and the stream has brought everything; false when that was not reached in time. */
    private boolean awaitQuiet(Backend backend, StreamCheck stream) {
        return loop.await(
                () -> backend.quiet().map(idle -> idle && stream.isComplete()),
                plan.settle().toNanos(),
                QUIET_LOOK_MILLIS);
    }

    /** If the queue cannot be read, homes that differ have time until the settling ends. */
    private Differences compareHomes(Backend backend, List<Person> people, boolean pulled) {
        long until = System.nanoTime() + plan.settle().toNanos();
        Differences differences = compareHomesOnce(backend, people, pulled);
        while (differences.count() > 0 && !backend.seesQuiet() && System.nanoTime() < until) {
            differences = compareHomesOnce(backend, people, pulled);
        }
        return differences;
    }

    /**
     * The homes as they are kept show that everything was delivered; the first pages over HTTP, that it is shown. When
     * readers pull some authors, only whole homes over HTTP show all; that the others were delivered is left to the
     * verification.
     */
    private Differences compareHomesOnce(Backend backend, List<Person> people, boolean pulled) {
        Differences differences = new Differences();
        int homeMax = target.settings().map(all -> all.feeds().homeMax()).orElse(HOME_MAX_DEFAULT);
        Backend overHttp = new HttpBackend(client, "");
        if (pulled) {
            HomeCheck walked = new HomeCheck("home over HTTP", ledger, people, homeMax, homeMax, differences);
            compare(people, walked, reader -> overHttp.home(reader, homeMax));
            return differences;
        }
        // A trim leaves about three quarters of homeMax above the floor; its looks may miss a few.
        HomeCheck kept = new HomeCheck("home", ledger, people, homeMax, Math.max(1, homeMax * 3 / 5), differences);
        compare(people, kept, reader -> backend.home(reader, homeMax));
        if (backend.seesQuiet()) {
            HomeCheck shown =
                    new HomeCheck("first page", ledger, people, HttpBackend.PAGE, HttpBackend.PAGE, differences);
            compare(people, shown, reader -> overHttp.home(reader, HttpBackend.PAGE));
        }
        return differences;
    }

    /**
     * Checks what the homes alone do not show: both sides of the edges, counters, lists and keys of the whole data set.
     */
    private Optional<Report> verify(Differences differences) {
        if (target.settings().isEmpty()) {
            return Optional.empty();
        }
        VerifyRun run = new VerifyRun(loop.vertx(), target.settings().get(), target.administrator());
        Report report = loop.await(() -> run.run(Scope.ALL, false, Watcher.SILENT));
        report.left().forEach(difference -> differences.add(difference.kind().wire() + ": " + difference.detail()));
        return Optional.of(report);
    }

    private void compare(List<Person> people, HomeCheck check, Function<Person, Future<List<Long>>> read) {
        ExpectedHomes expected = new ExpectedHomes(graph, ledger);
        List<Integer> users = IntStream.range(0, people.size()).boxed().toList();
        loop.run(() -> BoundedParallel.each(users, HOMES_COMPARED_AT_ONCE, user -> {
            Person reader = people.get(user);
            return read.apply(reader).onSuccess(home -> check.compare(reader, expected.of(user), home));
        }));
    }

    private static OptionalLong rebuilt(OptionalLong before, OptionalLong after) {
        if (before.isEmpty() || after.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(after.getAsLong() - before.getAsLong());
    }
}
