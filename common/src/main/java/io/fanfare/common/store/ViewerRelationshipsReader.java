package io.fanfare.common.store;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.model.RelationshipDetails;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.ViewerRelationships;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads how viewers stand to accounts: in one round trip to the viewer's shard, which knows both directions of every
 * edge. What lists show is asked here at each read, so that a block or a mute is in force with the answer to it.
 */
public class ViewerRelationshipsReader {
    /**
     * Most accounts of a kind that are read at once to be held against whatever comes; with more of them, each page
     * asks for its own authors.
     */
    public static final int HELD_MAX = 500;

    /** Bounds what one viewer's streams hold. */
    private static final int HIDDEN_MAX = 100_000;

    private final Redis redis;
    private final InstantSource clock;

    /** @param clock says which mutes have ended */
    public ViewerRelationshipsReader(Redis redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** How the viewer (0 = anonymous) stands to these; one round trip. */
    public Future<ViewerRelationships> of(long viewer, Collection<Long> accounts) {
        if (viewer == 0) {
            return Future.succeededFuture(ViewerRelationships.OF_NOBODY);
        }
        List<Long> ids = accounts.stream().distinct().toList();
        if (ids.isEmpty()) {
            return Future.succeededFuture(relationships(viewer, ids, List.of()));
        }
        return BatchedPipeline.send(redis, questions(viewer, ids)).map(replies -> relationships(viewer, ids, replies));
    }

    /** The same with all else that the entity Relationship tells; one round trip as well. */
    public Future<RelationshipDetails> details(long viewer, Collection<Long> accounts) {
        List<Long> ids = accounts.stream().distinct().toList();
        if (ids.isEmpty()) {
            return Future.succeededFuture(new RelationshipDetails(
                    relationships(viewer, ids, List.of()), Set.of(), Set.of(), Set.of(), Set.of(), Map.of(), Map.of()));
        }
        List<Command> commands = questions(viewer, ids);
        int notes = commands.size();
        commands.add(Command.of("HMGET", Keys.notes(viewer), ids.toArray()));
        commands.add(Command.of("ZMSCORE", Keys.bells(viewer), ids.toArray()));
        commands.add(Command.of("ZMSCORE", Keys.endorsed(viewer), ids.toArray()));
        commands.add(Command.of("ZMSCORE", Keys.requesting(viewer), ids.toArray()));
        commands.add(Command.of("ZMSCORE", Keys.requests(viewer), ids.toArray()));
        commands.add(Command.of("HMGET", Keys.languages(viewer), ids.toArray()));
        return BatchedPipeline.send(redis, commands)
                .map(replies -> new RelationshipDetails(
                        relationships(viewer, ids, replies),
                        ofEdges(
                                ids,
                                replies.get(notes + 1).items(),
                                replies.get(0).items()),
                        ofEdges(
                                ids,
                                replies.get(notes + 2).items(),
                                replies.get(0).items()),
                        Scores.members(ids, replies.get(notes + 3)),
                        Scores.members(ids, replies.get(notes + 4)),
                        notes(ids, replies.get(notes).items()),
                        languages(
                                ids,
                                replies.get(notes + 5).items(),
                                replies.get(0).items())));
    }

    /** The accounts whose terms belong to the present edge. */
    private static Set<Long> ofEdges(List<Long> ids, List<Reply> terms, List<Reply> edges) {
        Set<Long> standing = new HashSet<>();
        for (int i = 0; i < ids.size(); i++) {
            if (Graph.rings(terms.get(i), edges.get(i))) {
                standing.add(ids.get(i));
            }
        }
        return standing;
    }

    private static Map<Long, List<String>> languages(List<Long> ids, List<Reply> lines, List<Reply> edges) {
        Map<Long, List<String>> languages = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            List<String> codes = FollowedLanguages.codes(lines.get(i), edges.get(i));
            if (!codes.isEmpty()) {
                languages.put(ids.get(i), codes);
            }
        }
        return languages;
    }

    private static Map<Long, String> notes(List<Long> ids, List<Reply> texts) {
        Map<Long, String> notes = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            if (!texts.get(i).isNil()) {
                notes.put(ids.get(i), texts.get(i).asString());
            }
        }
        return notes;
    }

    private static List<Command> questions(long viewer, List<Long> ids) {
        List<String> keys = List.of(
                Keys.following(viewer),
                Keys.noReposts(viewer),
                Keys.followers(viewer),
                Keys.blocks(viewer),
                Keys.blockedBy(viewer),
                Keys.mutes(viewer),
                Keys.notifyingMutes(viewer),
                Keys.muteEnds(viewer));
        List<Command> commands = new ArrayList<>(keys.size());
        for (String key : keys) {
            commands.add(Command.of("ZMSCORE", key, ids.toArray()));
        }
        return commands;
    }

    private ViewerRelationships relationships(long viewer, List<Long> ids, List<Reply> replies) {
        List<Set<Long>> sets = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            sets.add(replies.isEmpty() ? Set.of() : Scores.members(ids, replies.get(i)));
        }
        Map<Long, Long> muteEnds =
                replies.isEmpty() ? Map.of() : scores(ids, replies.get(7).items());
        long now = clock.millis();
        Set<Long> muted = new HashSet<>(sets.get(5));
        muted.removeIf(account -> muteEnds.getOrDefault(account, Long.MAX_VALUE) <= now);
        return new ViewerRelationships(
                viewer,
                new HashSet<>(ids),
                sets.get(0),
                sets.get(1),
                sets.get(2),
                sets.get(3),
                sets.get(4),
                muted,
                muteEnds,
                sets.get(6));
    }

    private static Map<Long, Long> scores(List<Long> ids, List<Reply> scores) {
        Map<Long, Long> known = Map.of(); // Nearly always.
        for (int i = 0; i < ids.size(); i++) {
            if (!scores.get(i).isNil()) {
                known = known.isEmpty() ? new HashMap<>() : known;
                known.put(ids.get(i), scores.get(i).asLong());
            }
        }
        return known;
    }

    /** How the viewer stands to everybody who has to do with these statuses: see {@link ViewerRelationships#people}. */
    public Future<ViewerRelationships> over(long viewer, Collection<Status> statuses) {
        return of(viewer, ViewerRelationships.people(statuses));
    }

    /** The statuses, of these, that a list shows, in their order. */
    public Future<List<Status>> shown(long viewer, List<Status> statuses) {
        return over(viewer, statuses)
                .map(relationships ->
                        statuses.stream().filter(relationships::shows).toList());
    }

    /**
     * The accounts of which lists show the viewer nothing: whom the viewer blocks or mutes, and who blocks the viewer;
     * of each kind the newest {@value #HIDDEN_MAX}, which is more than there are.
     *
     * @param blocked those with a block in whatever direction
     * @param muted when the mute ends, ms; {@link Long#MAX_VALUE} = never. It may have ended already
     */
    public record Hidden(Set<Long> blocked, Map<Long, Long> muted) {}

    /** Reads all of them, for somebody who is going to hold them. */
    public Future<Hidden> allHidden(long viewer) {
        List<Command> commands = new ArrayList<>();
        for (String key : List.of(Keys.blocks(viewer), Keys.blockedBy(viewer), Keys.mutes(viewer))) {
            commands.add(Command.of("ZRANGE", key, 0, HIDDEN_MAX - 1, "REV"));
        }
        commands.add(Command.of("ZRANGE", Keys.muteEnds(viewer), 0, HIDDEN_MAX - 1, "WITHSCORES"));
        return BatchedPipeline.send(redis, commands).map(replies -> {
            Set<Long> blocked = new HashSet<>(Statuses.longs(replies.get(0)));
            blocked.addAll(Statuses.longs(replies.get(1)));
            Map<Long, Long> muted = new HashMap<>();
            Statuses.longs(replies.get(2)).forEach(account -> muted.put(account, Long.MAX_VALUE));
            Edges.of(replies.get(3)).forEach(end -> muted.replace(end.accountId(), end.edgeId()));
            return new Hidden(blocked, muted);
        });
    }

    /**
     * Reads the accounts of which nothing is shown to the viewer: to be sent with whatever else goes to the viewer's
     * shard, and answered to {@link #heldNow}.
     */
    public static List<Command> hidden(long viewer) {
        List<Command> commands = new ArrayList<>();
        for (String key : List.of(Keys.blocks(viewer), Keys.blockedBy(viewer), Keys.mutes(viewer))) {
            commands.add(Command.of("ZRANGE", key, 0, HELD_MAX));
        }
        commands.add(Command.of("ZRANGE", Keys.muteEnds(viewer), 0, HELD_MAX, "WITHSCORES"));
        return commands;
    }

    /** Reads the replies of {@link #hidden(long)}, as of now. */
    public Optional<Set<Long>> heldNow(List<Reply> replies) {
        return held(replies, clock.millis());
    }

    /**
     * The accounts of which nothing is shown to the viewer, as they were at any instant since a moment: see
     * {@link Redis#pipeline(List, long)}. Empty when they are too many to hold, so that pages have to ask.
     *
     * @param viewer 0 = anonymous
     */
    public Future<Optional<Set<Long>>> hidden(long viewer, long since) {
        if (viewer == 0) {
            return Future.succeededFuture(Optional.of(Set.of()));
        }
        List<Command> commands = new ArrayList<>();
        for (String key : List.of(Keys.blocks(viewer), Keys.blockedBy(viewer), Keys.mutes(viewer))) {
            commands.add(Command.tracked("ZRANGE", key, 0, HELD_MAX));
        }
        commands.add(Command.tracked("ZRANGE", Keys.muteEnds(viewer), 0, HELD_MAX, "WITHSCORES"));
        return BatchedPipeline.send(redis, commands, since).map(this::heldNow);
    }

    /**
     * The accounts that {@link #hidden(long)} has read; empty when they are too many to hold, so that pages have to
     * ask.
     *
     * @param now ms; mutes that have ended by then are none
     */
    static Optional<Set<Long>> held(List<Reply> replies, long now) {
        Set<Long> hidden = new HashSet<>(Statuses.longs(replies.get(2)));
        if (hidden.size() > HELD_MAX) {
            return Optional.empty();
        }
        for (Edge end : Edges.of(replies.get(3))) {
            if (end.edgeId() <= now) {
                hidden.remove(end.accountId());
            }
        }
        return held(replies.subList(0, 2)).map(others -> {
            hidden.addAll(others);
            return hidden;
        });
    }

    /** The accounts of some lists that were read up to {@link #HELD_MAX}; empty when one of them is longer. */
    public static Optional<Set<Long>> held(List<Reply> lists) {
        Set<Long> hidden = new HashSet<>();
        for (Reply list : lists) {
            List<Long> members = Statuses.longs(list);
            if (members.size() > HELD_MAX) {
                return Optional.empty();
            }
            hidden.addAll(members);
        }
        return Optional.of(hidden);
    }
}
