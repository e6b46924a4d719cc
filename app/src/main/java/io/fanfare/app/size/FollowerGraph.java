package io.fanfare.app.size;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The followers of all accounts by a power law: the account of rank r has c * r^-0.8 of them, as in the graphs of the
 * benchmarks, and at most 22 % of all accounts follow one of them. Ranks are continuous, so that nothing is kept for
 * each account. Immutable.
 */
final class FollowerGraph {
    private static final double EXPONENT = 0.8;
    private static final double TOP_SHARE = 0.22;

    /** The largest accounts, which are placed one by one. */
    private static final int PLACED_MAX = 100_000;

    private static final double CLASS_STEP = 10;
    private static final int SEARCH_STEPS = 200;

    private final double accounts;
    private final double follows;
    private final double top;
    private final double factor;

    /**
     * The accounts with a similar number of followers.
     *
     * @param followersMin of each account
     * @param follows of all of them together, as a share of all follows; where all accounts post alike, also their
     *     share of the deliveries
     */
    record AuthorClass(double followersMin, double accounts, double follows) {}

    /** @param followers of an average account */
    FollowerGraph(double accounts, double followers) {
        this.accounts = accounts;
        this.follows = accounts * followers;
        this.top = Math.max(TOP_SHARE * accounts, followers);
        double low = Double.MIN_NORMAL;
        double high = top * Math.pow(accounts, EXPONENT) + 1;
        for (int step = 0; step < SEARCH_STEPS; step++) {
            double middle = (low + high) / 2;
            if (followers(accounts, middle) < follows) {
                low = middle;
            } else {
                high = middle;
            }
        }
        this.factor = high;
    }

    /** Followers of the largest account. */
    double largest() {
        return Math.min(top, followers(Math.min(1, accounts), factor));
    }

    /** From the largest accounts to the smallest, in powers of ten. */
    List<AuthorClass> classes() {
        List<AuthorClass> classes = new ArrayList<>();
        double before = 0;
        for (double followersMin = Math.pow(CLASS_STEP, Math.floor(Math.log10(Math.max(1, largest()))));
                before < accounts && follows > 0;
                followersMin /= CLASS_STEP) {
            boolean isLast = followersMin <= CLASS_STEP;
            double until = isLast ? accounts : rank(followersMin);
            classes.add(new AuthorClass(
                    isLast ? 0 : followersMin,
                    until - before,
                    (followers(until, factor) - followers(before, factor)) / follows));
            before = until;
        }
        return classes;
    }

    /** The follower lists of the fullest shard as a multiple of the mean, with accounts placed at random. */
    double fullest(int shards, RandomGenerator random) {
        int placed = (int) Math.min(PLACED_MAX, accounts);
        double[] lists = new double[shards];
        Arrays.fill(lists, (follows - followers(placed, factor)) / shards);
        for (int rank = 0; rank < placed; rank++) {
            lists[random.nextInt(shards)] += followers(rank + 1, factor) - followers(rank, factor);
        }
        return follows == 0 ? 1 : Arrays.stream(lists).max().orElseThrow() * shards / follows;
    }

    /** Accounts with at least so many followers. */
    private double rank(double followersMin) {
        return Math.min(accounts, Math.pow(factor / followersMin, 1 / EXPONENT));
    }

    /** Followers of the accounts up to a rank together. */
    private double followers(double rank, double factor) {
        double capped = Math.min(rank, Math.pow(factor / top, 1 / EXPONENT));
        double power = 1 - EXPONENT;
        return capped * top + factor / power * (Math.pow(rank, power) - Math.pow(capped, power));
    }
}
