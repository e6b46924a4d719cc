package io.fanfare.bench.input;

import java.util.List;

/** A graph of followers. Users are numbered from 0 in the order in which the file named them. Immutable. */
public final class SocialGraph {
    private final List<Long> labels;
    private final int[][] followees;
    private final int[] followerCounts;
    private final long edges;

    /**
     * @param labels what the file calls user i
     * @param followees whom user i follows, without repeats; not copied
     */
    public SocialGraph(List<Long> labels, int[][] followees) {
        this.labels = List.copyOf(labels);
        this.followees = followees;
        this.followerCounts = new int[followees.length];
        long count = 0;
        for (int[] followed : followees) {
            count += followed.length;
            for (int user : followed) {
                followerCounts[user]++;
            }
        }
        this.edges = count;
    }

    public int users() {
        return followees.length;
    }

    /** Number of follow edges. */
    public long edges() {
        return edges;
    }

    /** The label of the user in the file. */
    public long label(int user) {
        return labels.get(user);
    }

    /** The user's followees; not to be changed. */
    public int[] followees(int user) {
        return followees[user];
    }

    public int followerCount(int user) {
        return followerCounts[user];
    }

    /** The user's followers, in no particular order; looks through the whole graph. */
    public int[] followers(int user) {
        int[] followers = new int[followerCounts[user]];
        int found = 0;
        for (int follower = 0; follower < followees.length; follower++) {
            for (int followed : followees[follower]) {
                if (followed == user) {
                    followers[found++] = follower;
                }
            }
        }
        return followers;
    }
}
