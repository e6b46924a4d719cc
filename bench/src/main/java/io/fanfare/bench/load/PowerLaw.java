package io.fanfare.bench.load;

import io.fanfare.bench.input.SocialGraph;
import io.fanfare.bench.report.BenchFailed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Graphs whose users differ in followers as real ones do: the user of rank r has followers in proportion to r to the
 * power of -0.8, at most all others.
 */
public final class PowerLaw {
    private static final double EXPONENT = 0.8;
    private static final double STEEPEST = 4;
    private static final double STEP = 0.05;
    private static final int BISECTIONS = 20;

    /** Keeps the first ranks of a large graph from being followed by nearly everybody. */
    private static final double RANK_SHIFT = 3;

    /**
     * Larger than any number of users, and no divisor of it, so that multiplying by it spreads ranks over all users.
     */
    private static final long LARGE_PRIME = Integer.MAX_VALUE;

    private PowerLaw() {}

    /**
     * Draws who follows whom; users have {@code followersMean} followers on average (somewhat fewer where the greatest
     * would have more than there are users).
     */
    public static SocialGraph graph(int users, int followersMean, RandomGenerator random) {
        double weights = 0;
        for (int rank = 1; rank <= users; rank++) {
            weights += Math.pow(rank, -EXPONENT);
        }
        double most = users * (double) followersMean / weights;
        return graph(users, most, EXPONENT, random);
    }

    /**
     * Draws who follows whom: the first user has {@code most} followers, and a post has {@code fanOut} of them on
     * average if authors post in proportion to their followers.
     *
     * @throws BenchFailed if no exponent of the power law gives that average
     */
    public static SocialGraph graphOfFanOut(int users, int most, int fanOut, RandomGenerator random) {
        // Two exponents can give this average. The search takes the steeper one, whose graph has far fewer follows.
        double flat = STEEPEST;
        while (meanFanOut(users, most, flat) > fanOut && flat > 0) {
            flat -= STEP;
        }
        if (flat == STEEPEST || flat <= 0) {
            throw new BenchFailed("a fan-out of " + fanOut + " on average is not possible with " + users
                    + " users of whom the first has " + most + " followers: change one of them");
        }
        double steep = flat + STEP;
        for (int step = 0; step < BISECTIONS; step++) {
            double middle = (flat + steep) / 2;
            if (meanFanOut(users, most, middle) > fanOut) {
                steep = middle;
            } else {
                flat = middle;
            }
        }
        return graph(users, most, flat, random);
    }

    /**
     * Draws the followees of one user of a graph that is too large to be kept: {@code count} different others, of whom
     * the one of rank r is drawn with a weight of (r + 3) to the power of -0.8, so that 22 % of a million users with 50
     * followees each follow the first rank. Ranks are spread over the numbers of users. The same user has the same
     * followees in each call.
     *
     * @throws BenchFailed if there are not so many others
     */
    public static int[] followees(int user, int users, int count, long seed) {
        if (count >= users) {
            throw new BenchFailed(count + " followees need more than " + users + " users");
        }
        RandomGenerator random = new SplittableRandom(seed * LARGE_PRIME + user);
        double first = Math.pow(RANK_SHIFT, 1 - EXPONENT);
        double range = Math.pow(RANK_SHIFT + users, 1 - EXPONENT) - first;
        int[] drawn = new int[count];
        Set<Integer> seen = new HashSet<>();
        while (seen.size() < count) {
            // The inverse of the integral of the weights.
            double place = Math.pow(first + random.nextDouble() * range, 1 / (1 - EXPONENT)) - RANK_SHIFT;
            long rank = Math.min(users - 1L, Math.max(0, (long) place));
            int candidate = (int) (rank * LARGE_PRIME % users);
            if (candidate != user && seen.add(candidate)) {
                drawn[seen.size() - 1] = candidate;
            }
        }
        return drawn;
    }

    private static double meanFanOut(int users, int most, double exponent) {
        double deliveries = 0;
        double posts = 0;
        for (int user = 0; user < users; user++) {
            double followers = followers(user, users, most, exponent);
            deliveries += followers * followers;
            posts += followers;
        }
        return deliveries / posts;
    }

    private static int followers(int user, int users, double most, double exponent) {
        return (int) Math.min(users - 1.0, Math.max(1, Math.rint(most * Math.pow(user + 1.0, -exponent))));
    }

    private static SocialGraph graph(int users, double most, double exponent, RandomGenerator random) {
        List<List<Integer>> followees = new ArrayList<>();
        List<Long> labels = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            followees.add(new ArrayList<>());
            labels.add((long) user);
        }
        for (int user = 0; user < users; user++) {
            BitSet drawn = draw(user, followers(user, users, most, exponent), users, random);
            for (int follower = drawn.nextSetBit(0); follower >= 0; follower = drawn.nextSetBit(follower + 1)) {
                followees.get(follower).add(user);
            }
        }
        int[][] lists = new int[users][];
        for (int user = 0; user < users; user++) {
            lists[user] =
                    followees.get(user).stream().mapToInt(Integer::intValue).toArray();
        }
        return new SocialGraph(labels, lists);
    }

    private static BitSet draw(int user, int count, int users, RandomGenerator random) {
        BitSet drawn = new BitSet(users);
        int found = 0;
        while (found < count) {
            int candidate = random.nextInt(users);
            if (candidate != user && !drawn.get(candidate)) {
                drawn.set(candidate);
                found++;
            }
        }
        return drawn;
    }
}
