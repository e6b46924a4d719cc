package io.fanfare.core.feed;

import io.fanfare.common.model.FollowLanguages;
import io.fanfare.common.store.FollowedLanguages;
import io.fanfare.redis.Reply;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * The authors whose posts a home holds: the reader's followees, and the reader. Immutable, eight bytes each, and quick
 * to search, since it is kept.
 */
final class FolloweeSet extends AbstractList<Long> implements RandomAccess {
    private final long[] sorted;
    private final long[] withoutReposts;
    private final long[] leftOut;
    private final FollowLanguages languages;

    private FolloweeSet(long[] sorted, long[] withoutReposts, long[] leftOut, FollowLanguages languages) {
        this.sorted = sorted;
        this.withoutReposts = withoutReposts;
        this.leftOut = leftOut;
        this.languages = languages;
    }

    /**
     * The reader and whom the reader follows.
     *
     * @param noReposts those of them whose reposts the reader does not want
     * @param exclusive whom the reader's exclusive lists take out of the home; the reader stays in it
     * @param languages of the posts that the reader wants of some of them, see {@link FollowedLanguages#of}
     */
    static FolloweeSet of(
            long reader, List<Reply> followed, List<Reply> noReposts, List<Reply> exclusive, List<Reply> languages) {
        long[] ids = new long[followed.size() + 1];
        ids[0] = reader;
        for (int i = 1; i < ids.length; i++) {
            ids[i] = followed.get(i - 1).asLong();
        }
        Arrays.sort(ids);
        long[] quiet = noReposts.stream().mapToLong(Reply::asLong).sorted().toArray();
        long[] elsewhere = exclusive.stream()
                .mapToLong(Reply::asLong)
                .filter(account -> account != reader)
                .sorted()
                .distinct()
                .toArray();
        return new FolloweeSet(ids, quiet, elsewhere, FollowLanguages.of(FollowedLanguages.of(languages)));
    }

    @Override
    public Long get(int index) {
        return sorted[index];
    }

    @Override
    public int size() {
        return sorted.length;
    }

    boolean include(long account) {
        return Arrays.binarySearch(sorted, account) >= 0;
    }

    /** Whether the reader wants what this one of them only passes on. */
    boolean includeRepostsOf(long account) {
        return Arrays.binarySearch(withoutReposts, account) < 0;
    }

    /** Whether the reader wants what this one of them posts in a language; null = not given. */
    boolean wants(long account, String language) {
        return languages.wants(account, language);
    }

    /** Whether the home shows what this one of them posts and reposts. */
    boolean includeInHome(long account) {
        return include(account) && Arrays.binarySearch(leftOut, account) < 0;
    }

    /** The authors whose posts the home shows: their profiles are worth reading for it. */
    List<Long> inHome() {
        return leftOut.length == 0 ? this : stream().filter(this::includeInHome).toList();
    }

    /** How many ids it holds. */
    int weight() {
        return sorted.length + withoutReposts.length + leftOut.length + languages.weight();
    }
}
