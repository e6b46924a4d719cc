package io.fanfare.api.post;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.SortedSetPager;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.SubjectEdges;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.core.favourite.SavedStatuses;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads what stands around a status: what it answers, and what answers it. Of all of it a viewer is shown what lists
 * show that viewer.
 */
public class Threads {
    /** Most statuses above one that are shown; each costs a round trip. */
    static final int ANCESTORS_MAX = 60;

    /** Most statuses below one that are looked at. */
    static final int DESCENDANTS_MAX = 1000;

    /**
     * Comments that are read of each status where many stand side by side; what is left out there is listed under the
     * root too.
     */
    private static final int COMMENTS_READ = 100;

    private final Redis redis;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;
    private final SavedStatuses saved;

    public Threads(Redis redis, Statuses statuses, ViewerRelationshipsReader viewerRelationships) {
        this.redis = redis;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
        this.saved = new SavedStatuses(redis, statuses, viewerRelationships);
    }

    /**
     * A page of the living statuses that have commented on, quoted or reposted another, as far as the viewer is shown
     * them; the newest first. Reposts for followers name their authors to nobody, as in Mastodon.
     *
     * @param kind one whose edges are the ids of those statuses: COMMENT, QUOTE or REPOST
     */
    public Future<Page<Status>> page(SubjectEdges.Kind kind, long subject, long viewer, PageRequest page) {
        return SortedSetPager.page(redis, kind.set(subject), page, members -> shownOf(kind, viewer, members));
    }

    /**
     * A page of an account's comments that the viewer (0 = anonymous) may see, the newest first, whatever has become of
     * what they stand under. Muted authors are not left out: the viewer asks by name. Who is blocked by the author sees
     * none.
     */
    public Future<Page<Status>> commentsBy(long author, long viewer, PageRequest page) {
        return saved.page(Keys.commentsBy(author), viewer, page);
    }

    private Future<Map<String, Status>> shownOf(
            SubjectEdges.Kind kind, long viewer, List<SortedSetPager.Member> members) {
        Map<Long, String> names = new HashMap<>();
        members.forEach(member -> names.put(member.score(), member.name()));
        return shown(viewer, members.stream().map(SortedSetPager.Member::score).toList())
                .map(shown -> shown.stream()
                        .filter(status -> kind != SubjectEdges.Kind.REPOST
                                || !status.visibility().isRestricted())
                        .collect(Collectors.toMap(status -> names.get(status.id()), status -> status)));
    }

    private Future<List<Status>> shown(long viewer, List<Long> ids) {
        return statuses.load(ids)
                .map(living -> ids.stream()
                        .filter(living::containsKey)
                        .map(living::get)
                        .toList())
                .compose(found -> viewerRelationships.shown(viewer, found));
    }

    /**
     * The answered status, the one that this answers and so on, the farthest first, at most {@value #ANCESTORS_MAX}. A
     * deleted status ends the way up; above one that is not shown to the viewer, it goes on.
     */
    public Future<List<Status>> ancestors(long viewer, Status status) {
        return new Ascending(status).run().compose(found -> viewerRelationships.shown(viewer, found));
    }

    /** Follows references upward, one a turn. */
    private final class Ascending {
        private final Deque<Status> found = new ArrayDeque<>();
        private final Promise<List<Status>> answer = Promise.promise();
        private Reference next;

        Ascending(Status from) {
            this.next = from.post().replyTo();
        }

        Future<List<Status>> run() {
            turn();
            return answer.future();
        }

        private void turn() {
            if (next == null || found.size() == ANCESTORS_MAX) {
                answer.complete(List.copyOf(found));
            } else {
                statuses.find(next.statusId()).onComplete(this::take, answer::fail);
            }
        }

        private void take(Optional<Status> status) {
            status.ifPresent(found::addFirst);
            next = status.map(living -> living.post().replyTo()).orElse(null);
            turn();
        }
    }

    /**
     * The answers to the status, their answers and so on, of {@value #DESCENDANTS_MAX} at most. Each stands behind the
     * status that it answers and before the other answers to that, as in Mastodon, since most apps show them as they
     * come; of the answers to one status those of its own author come first, then the oldest. The way down ends at one
     * that is not shown to the viewer.
     */
    public Future<List<Status>> descendants(long viewer, Status status) {
        return new Descending(viewer, status).run();
    }

    /**
     * Goes down level by level: two round trips a level, whatever its width. Comments are listed with their root too,
     * so that ids come twice.
     */
    private final class Descending {
        private final long viewer;
        private final long from;
        private final List<Status> found = new ArrayList<>();
        private final Set<Long> seen = new HashSet<>();
        private final Promise<List<Status>> answer = Promise.promise();
        private List<Status> level;

        Descending(long viewer, Status from) {
            this.viewer = viewer;
            this.from = from.id();
            this.level = List.of(from);
            seen.add(from.id());
        }

        Future<List<Status>> run() {
            turn();
            return answer.future();
        }

        private void turn() {
            // The one it begins with is among those seen.
            int left = DESCENDANTS_MAX + 1 - seen.size();
            List<Long> parents = level.stream()
                    .filter(status -> status.counters().comments() > 0)
                    .map(Status::id)
                    .toList();
            int each = parents.size() == 1 ? left : Math.min(left, COMMENTS_READ);
            List<Command> commands = parents.stream()
                    .map(id -> Command.of("ZRANGE", Keys.comments(id), 0, each - 1))
                    .toList();
            if (left == 0 || commands.isEmpty()) {
                answer.complete(inOrder());
            } else {
                BatchedPipeline.send(redis, commands)
                        .compose(replies -> shown(viewer, unseen(replies, left)))
                        .onComplete(this::take, answer::fail);
            }
        }

        private List<Long> unseen(List<Reply> replies, int left) {
            List<Long> next = new ArrayList<>();
            for (Reply reply : replies) {
                for (long id : Statuses.longs(reply)) {
                    if (next.size() < left && seen.add(id)) {
                        next.add(id);
                    }
                }
            }
            return next;
        }

        private void take(List<Status> shown) {
            found.addAll(shown);
            level = shown;
            turn();
        }

        private List<Status> inOrder() {
            Map<Long, List<Status>> answers = answers();
            List<Status> ordered = new ArrayList<>(found.size());
            Deque<Status> next = new ArrayDeque<>(answers.getOrDefault(from, List.of()));
            while (!next.isEmpty()) {
                Status status = next.removeFirst();
                ordered.add(status);
                List<Status> behind = answers.getOrDefault(status.id(), List.of());
                for (int i = behind.size() - 1; i >= 0; i--) {
                    next.addFirst(behind.get(i));
                }
            }
            return ordered;
        }

        /**
         * By what they answer; by the one it begins with where that is not there: a comment whose parent is deleted is
         * a comment on the root as well.
         */
        private Map<Long, List<Status>> answers() {
            Set<Long> there = found.stream().map(Status::id).collect(Collectors.toSet());
            return found.stream()
                    .sorted(Comparator.comparing(status -> !isToOneself(status)))
                    .collect(Collectors.groupingBy(status -> {
                        long parent = status.post().replyTo().statusId();
                        return there.contains(parent) ? parent : from;
                    }));
        }

        private static boolean isToOneself(Status status) {
            return status.post().replyTo().accountId() == status.authorId();
        }
    }
}
