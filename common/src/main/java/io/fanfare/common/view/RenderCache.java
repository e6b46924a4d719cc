package io.fanfare.common.view;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Post;

/**
 * Statuses and accounts that a process has shown lately, so that it neither reads nor renders them again: the fields of
 * a status that change with its {@code edit}, its {@code quoteTerms} and the mark of a moderator only, those of an
 * account that change with its {@code rev} only, once for all viewers; both are rendered again when the custom emojis
 * have changed. Counters, flags, edits, revs and whether a status still lives are not in here but read each time, so
 * nothing needs to be taken out. Entries are immutable and the whole is bounded: safe to share between event loops,
 * which must have the same public URL.
 */
public final class RenderCache {
    /** About what an entry takes besides its texts: objects, references, the cache's own book-keeping. */
    private static final int ENTRY_BYTES = 600;

    /** One part in so many is for accounts. */
    private static final int ACCOUNTS_PART = 4;

    private static final RenderCache NONE = new RenderCache(0);

    private final boolean remembers;
    private final Cache<Long, ShownStatus> statuses;
    private final Cache<Long, ShownAccount> accounts;

    /**
     * The rendering of a status.
     *
     * @param emojis the version of the custom emojis with which it was rendered
     * @param json the fields that {@link Views} has rendered of it
     */
    record ShownStatus(Post post, long emojis, Fragment json) {
        int bytes() {
            // The text stands in the draft as well.
            return ENTRY_BYTES + 2 * json.length();
        }
    }

    /**
     * The rendering of an account.
     *
     * @param emojis the version of the custom emojis with which it was rendered
     * @param json the fields that {@link Views} has rendered of it at its {@code rev}
     */
    record ShownAccount(Account account, long emojis, Fragment json) {
        int bytes() {
            return ENTRY_BYTES + 2 * json.length();
        }
    }

    private RenderCache(long bytesMax) {
        this.remembers = bytesMax > 0;
        long accountBytes = bytesMax / ACCOUNTS_PART;
        this.statuses = Caffeine.newBuilder()
                .maximumWeight(bytesMax - accountBytes)
                .weigher((Long key, ShownStatus shown) -> shown.bytes())
                .executor(Runnable::run)
                .build();
        this.accounts = Caffeine.newBuilder()
                .maximumWeight(accountBytes)
                .weigher((Long key, ShownAccount shown) -> shown.bytes())
                .executor(Runnable::run)
                .build();
    }

    /** One that holds about so many bytes; 0 = remembers nothing. */
    public static RenderCache of(long bytesMax) {
        return bytesMax == 0 ? NONE : new RenderCache(bytesMax);
    }

    /** One that remembers nothing: the same for everybody, since it costs something to make. */
    public static RenderCache none() {
        return NONE;
    }

    /**
     * A status as it was shown lately; null when it is not remembered. As good as new in all but its counters while its
     * {@code edit} and its {@code quoteTerms} are the same. It may have been deleted since.
     */
    public Post post(long id) {
        ShownStatus shown = statuses.getIfPresent(key(id));
        return shown == null ? null : shown.post();
    }

    /**
     * An account as it was shown lately; null when it is not remembered. As good as new in all but its counters while
     * its {@code rev} is the same.
     */
    public Account account(long id) {
        ShownAccount shown = accounts.getIfPresent(key(id));
        return shown == null ? null : shown.account();
    }

    /** The account as it was rendered at this {@code rev} with these emojis; null when that is not remembered. */
    ShownAccount account(long id, long rev, long emojis) {
        ShownAccount shown = accounts.getIfPresent(key(id));
        return shown == null || shown.account().rev() != rev || shown.emojis() != emojis ? null : shown;
    }

    void put(ShownAccount shown) {
        if (remembers) {
            accounts.put(key(shown.account().id()), shown);
        }
    }

    /**
     * The status as it was rendered after the same edit, on the same terms, with these emojis; null when that is not
     * remembered.
     */
    ShownStatus status(long id, Post post, long emojis) {
        ShownStatus shown = statuses.getIfPresent(key(id));
        if (shown == null || shown.post().edit() != post.edit() || shown.emojis() != emojis) {
            return null;
        }
        boolean sensitive = shown.post().content().sensitive();
        return sensitive == post.content().sensitive()
                        && shown.post().quoteTerms().equals(post.quoteTerms())
                ? shown
                : null;
    }

    void put(long id, ShownStatus shown) {
        if (remembers) {
            statuses.put(key(id), shown);
        }
    }

    /**
     * Ids of one moment differ in few of their bits, so that a hash table would put many of them into one place. This
     * spreads them, one to one.
     */
    public static Long key(long id) {
        return id * 0x9E3779B97F4A7C15L;
    }
}
