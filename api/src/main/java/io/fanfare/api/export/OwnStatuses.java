package io.fanfare.api.export;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.Edges;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.core.LoopStores;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A walk through all that an account has written up to a moment, a page at a time: what its profile lists, newest
 * first, on into the archive, then direct messages and comments. Each is met once, whatever is posted, deleted or
 * archived meanwhile: cursors are ids, and what moves goes on to a part that comes later. One event loop.
 */
final class OwnStatuses {
    /** Statuses that are read at once. */
    static final int PAGE = 40;

    /** Statuses whose versions are all rendered at once. */
    private static final int EDITED_AT_ONCE = 2;

    private enum Part {
        PROFILE,
        ARCHIVE,
        /** Statuses that no profile lists, by the scores of {@code comments-by}. */
        OTHERS
    }

    /** The place of a walk: in its part behind this id or score. */
    record Place(Part part, long at) {
        static final Place BEGIN = new Place(Part.PROFILE, Id.MAX);
    }

    private static final Place OTHERS = new Place(Part.OTHERS, -Id.MAX);

    /**
     * A page.
     *
     * @param next null = there are no more
     */
    record Found(List<Status> statuses, Place next) {}

    private final Redis redis;
    private final Statuses statuses;
    private final long account;
    private final long newest;

    private OwnStatuses(LoopStores stores, long account, long newest) {
        this.redis = stores.redis();
        this.statuses = stores.statuses();
        this.account = account;
        this.newest = newest;
    }

    /** All that there are now. */
    static Future<OwnStatuses> upToNow(LoopStores stores, long account) {
        String others = Keys.commentsBy(account);
        List<Command> newest = List.of(
                Command.of("ZRANGE", Keys.profile(account), 0, 0, "REV"),
                Command.of("ZRANGE", others, 0, 0),
                Command.of("ZRANGE", others, 0, 0, "REV"));
        return BatchedPipeline.send(stores.redis(), newest).compose(replies -> stores.statuses()
                .archived()
                .borders(List.of(account))
                .map(borders -> {
                    long last = borders.get(0);
                    for (Reply reply : replies) {
                        for (long id : Statuses.longs(reply)) {
                            last = Math.max(last, id);
                        }
                    }
                    return new OwnStatuses(stores, account, last);
                }));
    }

    /** A page from a place on. It may be empty where others follow. */
    Future<Found> page(Place place) {
        return ids(place).compose(ids -> statuses.load(ids.ids()).map(living -> found(ids, living)));
    }

    private record Ids(List<Long> ids, Place next) {}

    private Future<Ids> ids(Place place) {
        return switch (place.part()) {
            case PROFILE ->
                redis.send(Statuses.older(account, place.at(), PAGE))
                        .map(reply -> Statuses.older(reply, PAGE))
                        // What is archived meanwhile is found there: it is older than what was read here.
                        .map(range -> ids(range, place.part(), new Place(Part.ARCHIVE, last(range, place.at()))));
            case ARCHIVE -> archived(place.at()).map(range -> ids(range, place.part(), OTHERS));
            case OTHERS ->
                redis.send(Edges.upward(Keys.commentsBy(account), place.at(), Id.MAX, PAGE))
                        .map(Edges::of)
                        .map(OwnStatuses::others);
        };
    }

    /** The archived statuses below an id. An account without any causes no query: there may be no archive. */
    private Future<IdRange> archived(long below) {
        return statuses.archived()
                .borders(List.of(account))
                .compose(borders -> borders.get(0) == 0
                        ? Future.succeededFuture(new IdRange(List.of(), 0))
                        : statuses.archived().older(List.of(account), below, PAGE));
    }

    private static long last(IdRange range, long before) {
        List<Long> ids = range.ids();
        return ids.isEmpty() ? before : ids.get(ids.size() - 1);
    }

    private static Ids ids(IdRange range, Part part, Place then) {
        return new Ids(range.ids(), range.bound() == 0 ? then : new Place(part, range.bound() + 1));
    }

    private static Ids others(List<Edge> page) {
        List<Long> ids = page.stream().map(Edge::accountId).toList();
        return new Ids(
                ids,
                page.size() < PAGE
                        ? null
                        : new Place(Part.OTHERS, page.get(PAGE - 1).edgeId()));
    }

    private Found found(Ids page, Map<Long, Status> living) {
        List<Status> found = new ArrayList<>();
        for (long id : page.ids()) {
            Status status = living.get(id);
            if (status != null && status.authorId() == account && id <= newest) {
                found.add(status);
            }
        }
        return new Found(found, page.next());
    }

    /** The pieces of a walk. What is rendered at once has few statuses with many versions. */
    ChunkSource pieces(Function<List<Status>, Future<Buffer>> render) {
        return ChunkSource.walk(
                new Found(List.of(), Place.BEGIN),
                at -> at.statuses().isEmpty()
                        ? page(at.next()).map(found -> new ChunkSource.Step<>(Buffer.buffer(), goingOn(found)))
                        : render(at, render));
    }

    private static Future<ChunkSource.Step<Found>> render(Found at, Function<List<Status>, Future<Buffer>> render) {
        List<Status> all = at.statuses();
        int count = 0;
        for (int edited = 0; count < all.size() && edited < EDITED_AT_ONCE; count++) {
            edited += all.get(count).post().edit() == 0 ? 0 : 1;
        }
        Found rest = goingOn(new Found(all.subList(count, all.size()), at.next()));
        return render.apply(all.subList(0, count)).map(piece -> new ChunkSource.Step<>(piece, rest));
    }

    /** Null when nothing comes any more. */
    private static Found goingOn(Found at) {
        return at.statuses().isEmpty() && at.next() == null ? null : at;
    }
}
