package io.fanfare.bench.scenario;

import io.fanfare.app.operate.VerifyRun;
import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.load.BenchCluster;
import io.fanfare.bench.load.DataSet;
import io.fanfare.bench.replay.Firehose;
import io.fanfare.bench.report.BenchFailed;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Status;
import io.fanfare.redis.Command;
import io.fanfare.server.runtime.EventLoop;
import io.fanfare.verify.Report;
import io.fanfare.verify.Verifier.Scope;
import io.fanfare.verify.Verifier.Watcher;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares what was acknowledged during {@code bench failover} with what is there at rest. For the command's main
 * thread.
 */
final class FailoverCheck {
    private static final long QUIET_MAX_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** Repairs that could not judge everything are repeated after pauses of up to ten minutes. */
    private static final long REPAIRED_MAX_NANOS = TimeUnit.MINUTES.toNanos(12);

    private static final long STREAM_MAX_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_MILLIS = 100;

    /** Between an acknowledgement and the event of the post, when its job is tried again. */
    private static final long BESIDE_GAP_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int PAGE = 20;
    private static final int PRINTED_MAX = 20;

    private final EventLoop loop;
    private final BenchCluster cluster;
    private final DataSet data;
    private final SocialGraph graph;
    private final FailoverLoad load;
    private final Firehose firehose;
    private final List<String> examples = new ArrayList<>();

    FailoverCheck(
            EventLoop loop,
            BenchCluster cluster,
            DataSet data,
            SocialGraph graph,
            FailoverLoad load,
            Firehose firehose) {
        this.loop = loop;
        this.cluster = cluster;
        this.data = data;
        this.graph = graph;
        this.load = load;
        this.firehose = firehose;
    }

    /**
     * The state at rest.
     *
     * @param restSeconds from the end of the load until no job was left and every failover was repaired
     * @param lost numbers of acknowledged posts that are not there
     * @param unknown statuses of the load that are there, but that no answer named: posts made twice, or with another
     *     text than was sent
     * @param differences found by the verification, and those that it could not judge
     * @param homes first pages that are not the newest posts that are there
     * @param gaps that the stream reported
     * @param missed posts that are there, and that the stream did not bring
     * @param missedSilently those of them that are beside no gap of the stream
     * @param dead jobs that were given up
     * @param examples of what is wrong, some of them
     */
    record AtRest(
            double restSeconds,
            Set<Integer> lost,
            int unknown,
            long differences,
            int homes,
            int gaps,
            int missed,
            int missedSilently,
            long dead,
            List<String> examples) {
        /** Whether everything but what replication has lost is exact, and no loss of the stream is silent. */
        boolean isExact() {
            return unknown == 0 && differences == 0 && homes == 0 && missedSilently == 0 && dead == 0;
        }
    }

    /** Waits for rest and compares; the load must have ended. */
    AtRest run() {
        long begin = System.nanoTime();
        data.awaitQuiet(QUIET_MAX_NANOS);
        if (!loop.await(this::isRepaired, REPAIRED_MAX_NANOS, LOOK_MILLIS)) {
            throw new BenchFailed("the worker has not repaired every failover in "
                    + TimeUnit.NANOSECONDS.toMinutes(REPAIRED_MAX_NANOS) + " minutes");
        }
        data.awaitQuiet(QUIET_MAX_NANOS);
        double restSeconds = (System.nanoTime() - begin) / 1e9;
        long differences = verify();
        List<Integer> acknowledged = IntStream.range(0, load.posts().size())
                .filter(post -> load.posts().get(post).isAcknowledged())
                .boxed()
                .toList();
        Map<Long, Status> there =
                data.statuses(acknowledged.stream().map(this::id).toList());
        Set<Integer> lost = new HashSet<>();
        int unknown = 0;
        for (int post : acknowledged) {
            Status status = there.get(id(post));
            if (status == null) {
                lost.add(post);
            } else if (!status.text().equals(FailoverLoad.text(post))) {
                unknown++;
                note("status " + id(post) + " is not post " + post + ", which was acknowledged with this id");
            }
        }
        unknown += twice(there.keySet());
        int homes = homesThatDiffer(there.values());
        List<Integer> missed = missed(acknowledged, there.keySet());
        List<Firehose.Gap> gaps = loop.call(firehose::gaps);
        int silently = 0;
        for (int post : missed) {
            if (gaps.stream().noneMatch(gap -> isBeside(gap, post))) {
                silently++;
                note("the stream has lost post " + post + " without a gap: " + distances(gaps, post));
            }
        }
        return new AtRest(
                restSeconds,
                lost,
                unknown,
                differences,
                homes,
                gaps.size(),
                missed.size(),
                silently,
                data.dead(),
                List.copyOf(examples));
    }

    private long id(int post) {
        return load.posts().get(post).id();
    }

    private void note(String example) {
        if (examples.size() < PRINTED_MAX) {
            examples.add(example);
        }
    }

    private Future<Boolean> isRepaired() {
        List<Future<Boolean>> shards = IntStream.range(0, data.shards().count())
                .mapToObj(shard -> cluster.link()
                        .send(Command.of("MGET", Keys.homeGeneration(shard), Keys.repairedGeneration(shard)))
                        .map(both -> {
                            String generation = both.items().get(0).asString();
                            return generation == null
                                    || generation.equals(both.items().get(1).asString());
                        }))
                .toList();
        return Future.all(shards).map(all -> all.<Boolean>list().stream().allMatch(repaired -> repaired));
    }

    private long verify() {
        Report report = loop.await(() -> new VerifyRun(loop.vertx(), cluster.settings(), Optional.empty())
                .run(Scope.ALL, false, Watcher.SILENT));
        report.left().forEach(difference -> note(difference.kind().wire() + ": " + difference.detail()));
        report.inFlux()
                .forEach(difference -> note("in flux: " + difference.kind().wire() + ": " + difference.detail()));
        return report.leftCount() + report.inFluxCount();
    }

    /** Statuses on profiles that are posts of the load under another id than was acknowledged. */
    private int twice(Set<Long> acknowledged) {
        Map<String, Long> texts = new HashMap<>();
        for (int post = 0; post < load.posts().size(); post++) {
            if (load.posts().get(post).isAcknowledged()) {
                texts.put(FailoverLoad.text(post), id(post));
            }
        }
        List<Long> others = load.posts().stream()
                .map(FailoverLoad.Request::user)
                .distinct()
                .flatMap(author -> data.profile(author).stream())
                .filter(id -> !acknowledged.contains(id))
                .toList();
        int twice = 0;
        for (Status status : data.statuses(others).values()) {
            Long known = texts.get(status.text());
            if (known != null) {
                twice++;
                note("status " + status.id() + " repeats the acknowledged status " + known);
            }
        }
        return twice;
    }

    /** Users whose first page is not what they and those whom they follow have posted. */
    private int homesThatDiffer(Iterable<Status> there) {
        Map<Long, List<Long>> byAuthor = new HashMap<>();
        there.forEach(status -> byAuthor.computeIfAbsent(status.authorId(), author -> new ArrayList<>())
                .add(status.id()));
        Set<Long> ours = new HashSet<>();
        byAuthor.values().forEach(ours::addAll);
        List<List<Long>> pages = data.firstPages(PAGE);
        int differ = 0;
        for (int user = 0; user < graph.users(); user++) {
            List<Long> page = pages.get(user);
            List<Long> expected = IntStream.concat(IntStream.of(user), IntStream.of(graph.followees(user)))
                    .boxed()
                    .flatMap(author -> byAuthor.getOrDefault(data.id(author), List.of()).stream())
                    .sorted(Comparator.reverseOrder())
                    .limit(PAGE)
                    .toList();
            // Older posts, made before the load, follow on the page.
            List<Long> shown = page.stream().filter(ours::contains).toList();
            if (!shown.equals(expected) || !page.subList(0, expected.size()).equals(expected)) {
                differ++;
                note("the home of user " + user + " shows " + shown + " and not " + expected);
            }
        }
        return differ;
    }

    /** Posts that are there and that the stream has not brought. */
    private List<Integer> missed(List<Integer> acknowledged, Set<Long> there) {
        List<Integer> existing =
                acknowledged.stream().filter(post -> there.contains(id(post))).toList();
        boolean unused = loop.await(
                () -> Future.succeededFuture(existing.isEmpty() || hasArrived(existing.get(existing.size() - 1))),
                STREAM_MAX_NANOS,
                LOOK_MILLIS);
        return existing.stream().filter(post -> !hasArrived(post)).toList();
    }

    private boolean hasArrived(int post) {
        return firehose.arrivedNanos(id(post)) != 0;
    }

    /** How far before and after gaps the post was acknowledged: its event may have come that much later. */
    private String distances(List<Firehose.Gap> gaps, int post) {
        long acknowledged = load.posts().get(post).answeredNanos();
        return gaps.stream()
                .map(gap -> acknowledged < gap.fromNanos()
                        ? String.format("%.1f s before a gap", (gap.fromNanos() - acknowledged) / 1e9)
                        : String.format("%.1f s after the end of a gap", (acknowledged - gap.toNanos()) / 1e9))
                .collect(Collectors.joining(", "));
    }

    private boolean isBeside(Firehose.Gap gap, int post) {
        long acknowledged = load.posts().get(post).answeredNanos();
        return gap.fromNanos() - BESIDE_GAP_NANOS <= acknowledged && acknowledged <= gap.toNanos() + BESIDE_GAP_NANOS;
    }
}
