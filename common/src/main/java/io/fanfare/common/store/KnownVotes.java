package io.fanfare.common.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * On which articles viewers have voted, as it was read lately. A vote is not taken back, so that one that was found
 * stays; and each vote raises the score of its article, so that who had not voted at a score has not voted as long as
 * the score is the same. So pages ask only about articles that others have voted on since. Only what Redis has lost, or
 * a repair has counted again, could be shown as it was: for a minute at most. Confined to its link's event loop.
 */
final class KnownVotes {
    private static final int VIEWERS_MAX = 1000;
    private static final int ARTICLES_MAX = 100;
    private static final Duration LIFE = Duration.ofMinutes(1);

    /** In place of the score at which somebody had not voted. */
    private static final long VOTED = Long.MAX_VALUE;

    private final Cache<Long, Map<Long, Long>> scores = Caffeine.newBuilder()
            .maximumSize(VIEWERS_MAX)
            .expireAfterWrite(LIFE)
            .executor(Runnable::run)
            .build();

    /** The votes of a viewer known at this instant; of no use later. */
    Reading of(long viewer) {
        Map<Long, Long> known = known(viewer);
        return new Reading(known, known);
    }

    private Map<Long, Long> known(long viewer) {
        return scores.get(viewer, unknown -> new Newest());
    }

    /** The known votes of a viewer on some articles. */
    Reading of(long viewer, Collection<Long> ids) {
        Map<Long, Long> known = known(viewer);
        Map<Long, Long> found = new HashMap<>();
        for (Long id : ids) {
            Long score = known.get(id);
            if (score != null) {
                found.put(id, score);
            }
        }
        return new Reading(known, found);
    }

    /** Notes a vote of the viewer. */
    void voted(long viewer, long id) {
        of(viewer).note(id, 0, true);
    }

    /** Keeps the articles that were asked about last. */
    private static final class Newest extends LinkedHashMap<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > ARTICLES_MAX;
        }
    }

    /** The votes of a viewer on the articles of one page. */
    static final class Reading {
        private final Map<Long, Long> shared;
        private final Map<Long, Long> scores;

        private Reading(Map<Long, Long> shared, Map<Long, Long> scores) {
            this.shared = shared;
            this.scores = scores;
        }

        boolean has(long id) {
            return scores.containsKey(id);
        }

        boolean voted(long id) {
            return scores.get(id) == VOTED;
        }

        /** Whether the viewer may have voted since: somebody has, or may have, since there is no score to tell. */
        boolean isDoubtful(long id, long score) {
            return isOutdated(scores.get(id), score);
        }

        /** Whether the viewer has voted on an article that has this score; null = Redis must be asked. */
        Boolean voted(Long id, long score) {
            Long known = scores.get(id);
            if (known == null || isOutdated(known, score)) {
                return null;
            }
            return known == VOTED;
        }

        private static boolean isOutdated(long known, long score) {
            return score == 0 || (known != VOTED && known != score);
        }

        /** @param score one that the article had before it was asked about; 0 = it had none */
        void note(long id, long score, boolean voted) {
            long known = voted ? VOTED : score;
            scores.put(id, known);
            shared.put(id, known);
        }
    }
}
