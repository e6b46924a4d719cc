package io.fanfare.worker.graph;

import io.fanfare.common.model.Edge;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finishes follows, or their ends, as {@link io.fanfare.worker.handler.RepairHandler} does, but those of one follower
 * together: each would rewrite the follower's home, which takes milliseconds of Redis. Running twice is harmless for
 * the same reasons.
 */
public final class EdgesHandler implements JobHandler<Job.Repair> {
    /** The largest group that one rewrite of a home handles: it reads the newest posts of this many authors. */
    static final int TOGETHER_MAX = 50;

    /** All steps after the first of several changes of one actor; a future for each. */
    @FunctionalInterface
    public interface Steps {
        List<Future<Void>> finish(long actor, List<Edge> edges);
    }

    private final Steps steps;

    public EdgesHandler(Steps steps) {
        this.steps = steps;
    }

    /** Jobs of one actor that are finished together. */
    private record Group(long actor, List<Edge> edges) {}

    /** The position of a job's answer in its group. */
    private record Place(Group group, int at) {}

    @Override
    public List<Future<Outcome>> run(List<Job.Repair> jobs, Lease lease) {
        Map<Long, Group> open = new HashMap<>();
        List<Place> places = new ArrayList<>();
        for (Job.Repair job : jobs) {
            Group group = open.get(job.actor());
            if (group == null || group.edges().size() == TOGETHER_MAX) {
                group = new Group(job.actor(), new ArrayList<>());
                open.put(job.actor(), group);
            }
            places.add(new Place(group, group.edges().size()));
            group.edges().add(new Edge(job.object(), job.edge()));
        }
        IdentityHashMap<Group, Finished> finished = new IdentityHashMap<>();
        places.forEach(place -> finished.computeIfAbsent(place.group(), group -> new Finished(finish(group, lease))));
        return places.stream()
                .map(place -> finished.get(place.group())
                        .each()
                        .compose(each -> each.get(place.at()))
                        .map(Outcome.DONE))
                .toList();
    }

    /** A future for each edge of a group, in their order. */
    private record Finished(Future<List<Future<Void>>> each) {}

    private Future<List<Future<Void>>> finish(Group group, Lease lease) {
        return lease.ensure().map(held -> steps.finish(group.actor(), group.edges()));
    }
}
