package io.fanfare.app.size;

import io.fanfare.app.size.FollowerGraph.AuthorClass;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Hot authors, the balance of shards and the node of the event log at the size of a site: a calculation with a
 * {@link FollowerGraph}. All accounts post alike.
 *
 * @param largest followers of the largest author
 * @param deliverySeconds between two followers of one post
 * @param eventMicros of Redis for an event with its copies
 * @param ceiling events a second that the node of the log may process with the event loops of this size
 * @param quarterCeiling the same with a quarter of these event loops
 * @param usersAtCeiling users with whom the same site has as many events
 */
public record Simulation(
        double largest,
        double deliverySeconds,
        List<AuthorClass> classes,
        List<Balance> balances,
        double events,
        double loops,
        double eventMicros,
        double ceiling,
        double quarterCeiling,
        long usersAtCeiling) {
    private static final int[] SHARDS = {16, 256, 1024};
    private static final double MICROS = 1e6;
    private static final double QUARTER = 0.25;

    /**
     * The fullest shard as a multiple of the mean.
     *
     * @param homes by their number, and so by deliveries
     * @param lists by the followers of its accounts
     * @param memory by bytes
     */
    public record Balance(int shards, double homes, double lists, double memory) {}

    /**
     * Reckons with the site of a size.
     *
     * @param random places the accounts in shards
     */
    public static Simulation of(Size size, Sizing sizing, RandomGenerator random) {
        Site site = size.site();
        Costs costs = sizing.costs();
        FollowerGraph graph = new FollowerGraph((double) site.users(), site.followers());
        double events = size.value(Sizing.POSTS);
        double loops = size.value(Sizing.LOOPS);
        double copy = costs.get("bus.copy").value();
        double one = costs.get("bus.event").value() - copy;
        return new Simulation(
                graph.largest(),
                costs.get("author.delivery").value() / MICROS,
                graph.classes(),
                IntStream.of(SHARDS)
                        .mapToObj(shards -> balance(shards, size, graph, random))
                        .toList(),
                events,
                loops,
                one + loops * copy,
                MICROS * Sizing.USE_MAX / (one + loops * copy),
                MICROS * Sizing.USE_MAX / (one + loops * QUARTER * copy),
                sizing.usersAt(site, other -> other.use(Resource.LOG)));
    }

    private static Balance balance(int shards, Size size, FollowerGraph graph, RandomGenerator random) {
        // The largest of so many normal variables: sqrt(2 ln n) deviations above their mean.
        double perShard = (double) size.site().users() / shards;
        double homes = 1 + Math.sqrt(2 * Math.log(shards) / perShard);
        double lists = graph.fullest(shards, random);
        // Half of a follow is on the side of the author.
        double share = size.value(Sizing.FOLLOWS) / 2 / size.memoryBytes();
        return new Balance(shards, homes, lists, 1 + share * (lists - 1));
    }
}
