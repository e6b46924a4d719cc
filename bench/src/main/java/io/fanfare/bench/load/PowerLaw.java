package io.fanfare.bench.load;

import io.fanfare.bench.input.SocialGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Graphs whose users differ in followers as real ones do: the user of rank r has followers in proportion to r to the
 * power of -0.8, at most all others.
 */
public final class PowerLaw {
    private static final double EXPONENT = 0.8;

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
        List<List<Integer>> followees = new ArrayList<>();
        List<Long> labels = new ArrayList<>();
        for (int user = 0; user < users; user++) {
            followees.add(new ArrayList<>());
            labels.add((long) user);
        }
        for (int user = 0; user < users; user++) {
            double share = Math.pow(user + 1.0, -EXPONENT) / weights;
            int followers = (int) Math.min(users - 1.0, Math.max(1, Math.rint(share * users * followersMean)));
            BitSet drawn = draw(user, followers, users, random);
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
