package io.fanfare.core.feed;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.TagHistory;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.BatchedPipeline;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Owns the public timeline and those of tags: each a ZSET of the newest {@value #MAX} public statuses that are no
 * comments and no reposts; the public one has no replies to others either, those of tags have all, as in Mastodon.
 * Written by the fan-out, so that a status is there a moment after its post; its author sees it at once, because a page
 * also reads what its viewer has posted in the last {@value #OWN_SECONDS} s. As in homes, an id in them proves nothing:
 * what a page shows lives, is public and may be seen by the viewer, and clean-up only saves space.
 */
public class PublicTimelines {
    /** Statuses that each list keeps. */
    static final int MAX = 1000;

    /** For how long a viewer's posts are looked for: the fan-out lists them sooner, as a rule. */
    private static final int OWN_SECONDS = 60;

    private static final int OWN_MAX = 40;

    /** Bytes of a tag's digest in its key: so many tags that any two share one do not exist. */
    private static final int DIGEST_BYTES = 16;

    private final Redis redis;
    private final Statuses statuses;
    private final ViewerRelationshipsReader viewerRelationships;
    private final Duration tagLife;
    private final InstantSource clock;
    private final TagTrends trends;

    public PublicTimelines(
            Redis redis,
            Statuses statuses,
            ViewerRelationshipsReader viewerRelationships,
            Settings.Feeds settings,
            InstantSource clock) {
        this.redis = redis;
        this.statuses = statuses;
        this.viewerRelationships = viewerRelationships;
        this.tagLife = Duration.ofDays(settings.tagDays());
        this.clock = clock;
        this.trends = new TagTrends(redis, clock, tagLife);
    }

    /** How tags were used lately; their timelines are counted on the way. */
    public TagTrends trends() {
        return trends;
    }

    /**
     * Which statuses of tags are wanted: those with one of {@code any}, all of {@code all} and none of {@code none}.
     * All folded.
     */
    public record Tags(Set<String> any, Set<String> all, Set<String> none) {
        public Tags {
            any = Set.copyOf(any);
            all = Set.copyOf(all);
            none = Set.copyOf(none);
        }

        private boolean fit(Status status) {
            Set<String> tags = Set.copyOf(status.post().content().tags());
            return any.stream().anyMatch(tags::contains)
                    && tags.containsAll(all)
                    && none.stream().noneMatch(tags::contains);
        }
    }

    /** Whether the public timeline lists this status. */
    static boolean lists(Status status) {
        Post post = status.post();
        boolean own = post.replyTo() == null || post.replyTo().accountId() == post.authorId();
        return listsTagged(status) && own;
    }

    /** Whether the timelines of its tags list this status. */
    static boolean listsTagged(Status status) {
        return status.kind() == Post.Kind.POST && status.visibility() == Visibility.PUBLIC;
    }

    /** A page of everything public; {@code viewer} 0 = anonymous. */
    public Future<Page<Status>> all(long viewer, PageRequest page) {
        return all(viewer, page, status -> true);
    }

    /** The same of those that are wanted. */
    public Future<Page<Status>> all(long viewer, PageRequest page, Predicate<Status> wanted) {
        return page(List.of(Keys.PUBLIC), viewer, page, status -> lists(status) && wanted.test(status));
    }

    /** A page of what has these tags; reads as many lists as {@code any} names. */
    public Future<Page<Status>> tagged(Tags tags, long viewer, PageRequest page) {
        return tagged(tags, viewer, page, status -> true);
    }

    /** The same of those that are wanted. */
    public Future<Page<Status>> tagged(Tags tags, long viewer, PageRequest page, Predicate<Status> wanted) {
        List<String> keys = tags.any().stream().map(PublicTimelines::key).toList();
        return page(keys, viewer, page, status -> listsTagged(status) && tags.fit(status) && wanted.test(status));
    }

    private Future<Page<Status>> page(List<String> keys, long viewer, PageRequest page, Predicate<Status> wanted) {
        List<Command> commands = new ArrayList<>(keys.size());
        for (String key : keys) {
            commands.add(Command.of(
                    "ZRANGE", key, "(" + page.maxId(), "(" + page.floor(), "BYSCORE", "REV", "LIMIT", 0, MAX));
        }
        if (viewer != 0) {
            commands.add(own(viewer, page));
        }
        TimelineFilter filter = new TimelineFilter(statuses, candidates -> viewerRelationships
                .over(viewer, candidates)
                .map(relationships -> status -> wanted.test(status) && relationships.shows(status)));
        return BatchedPipeline.send(redis, commands).compose(replies -> page(filter, page, listed(replies)));
    }

    /**
     * Tags in use that begin with these folded letters, {@value TagNames#FOUND_MAX} at most: itself first, then those
     * that most accounts have used lately. The newest of the viewer's own are known at once, as in the timelines.
     *
     * @param viewer 0 = anonymous
     */
    public Future<List<String>> tagsBeginningWith(String prefix, long viewer) {
        Future<Set<String>> own = viewer == 0 ? Future.succeededFuture(Set.of()) : ownTags(viewer, prefix);
        Future<List<String>> names = trends.names().beginningWith(prefix).otherwise(List.of());
        return Future.all(own, names).compose(both -> {
            Set<String> candidates = new LinkedHashSet<>(List.of(prefix));
            candidates.addAll(names.result());
            candidates.removeAll(own.result());
            return used(List.copyOf(candidates)).compose(used -> {
                Set<String> all = new LinkedHashSet<>(own.result());
                all.addAll(used);
                // The deletion of the last status with a tag may not know its tags any more.
                Set<String> gone = new LinkedHashSet<>(names.result());
                gone.removeAll(all);
                return trends.names().forget(gone).otherwiseEmpty().compose(forgotten -> ranked(all, prefix));
            });
        });
    }

    private Future<Set<String>> ownTags(long viewer, String prefix) {
        return redis.send(own(viewer, PageRequest.newest(OWN_MAX)))
                .compose(ids -> statuses.load(Statuses.longs(ids)))
                .map(living -> living.values().stream()
                        .filter(PublicTimelines::listsTagged)
                        .flatMap(status -> status.post().content().tags().stream())
                        .filter(tag -> tag.startsWith(prefix))
                        .limit(TagNames.FOUND_MAX)
                        .collect(Collectors.toSet()));
    }

    private Future<List<String>> used(List<String> candidates) {
        List<Command> commands =
                candidates.stream().map(tag -> Command.of("EXISTS", key(tag))).toList();
        return BatchedPipeline.send(redis, commands).map(found -> {
            List<String> used = new ArrayList<>();
            for (int i = 0; i < candidates.size(); i++) {
                if (found.get(i).asLong() > 0) {
                    used.add(candidates.get(i));
                }
            }
            return used;
        });
    }

    private Future<List<String>> ranked(Set<String> tags, String first) {
        return trends.histories(List.copyOf(tags)).map(histories -> tags.stream()
                .sorted(Comparator.comparing((String tag) -> !tag.equals(first))
                        .thenComparing(Comparator.comparingLong((String tag) -> accounts(histories.get(tag)))
                                .reversed()))
                .toList());
    }

    private static long accounts(TagHistory history) {
        return history.days().stream().mapToLong(TagHistory.Day::accounts).sum();
    }

    private Command own(long viewer, PageRequest page) {
        long since = Id.of(Math.max(Id.EPOCH_MILLIS, clock.millis() - 1000L * OWN_SECONDS), 0, 0);
        return Command.of(
                "ZRANGE",
                Keys.outbox(viewer),
                "(" + page.maxId(),
                "(" + Math.max(page.floor(), since),
                "BYSCORE",
                "REV",
                "LIMIT",
                0,
                OWN_MAX);
    }

    private Future<Page<Status>> page(TimelineFilter filter, PageRequest page, IdRange listed) {
        return page.minId() > 0
                ? PageUp.fromList(redis, filter, page, listed).run()
                : PageDown.fromList(redis, filter, page, listed).run();
    }

    /** Each was read whole: below its last entry there is nothing that could be shown. */
    private static IdRange listed(List<Reply> replies) {
        List<IdRange> lists = new ArrayList<>(replies.size());
        for (Reply reply : replies) {
            lists.add(new IdRange(Statuses.longs(reply), 0));
        }
        return IdRange.merged(lists);
    }

    /**
     * Lists those of these statuses that are to be listed, and counts them under their tags. Fails when one list could
     * not be written; all others are. Doing it again changes nothing.
     */
    public Future<Void> add(Collection<Status> fresh) {
        List<Command> commands = new ArrayList<>();
        byKey(fresh).forEach((key, ids) -> {
            List<Object> entries = new ArrayList<>(2 * ids.size());
            for (long id : ids) {
                entries.addAll(List.of(id, id));
            }
            commands.add(Command.of("ZADD", key, entries.toArray()));
            commands.add(Command.of("ZREMRANGEBYRANK", key, 0, -MAX - 1));
            if (!key.equals(Keys.PUBLIC)) {
                commands.add(Command.of("EXPIRE", key, tagLife.toSeconds()));
            }
        });
        return Future.join(sendAll(commands), trends.count(tagged(fresh))).mapEmpty();
    }

    private static List<Status> tagged(Collection<Status> statuses) {
        return statuses.stream()
                .filter(PublicTimelines::listsTagged)
                .filter(status -> !status.post().content().tags().isEmpty())
                .toList();
    }

    /**
     * Takes these out of the lists that name them. Of a tombstone the tags are not known any more: its entries in their
     * lists are never shown, and leave with the oldest.
     */
    public Future<Void> remove(Collection<Status> deleted) {
        List<Command> commands = new ArrayList<>();
        byKey(deleted).forEach((key, ids) -> commands.add(Command.of("ZREM", key, ids.toArray())));
        return Future.join(sendAll(commands), trends.drop(tagged(deleted))).mapEmpty();
    }

    /** Takes an edited status out of the lists of the tags that it had before and has no more. */
    public Future<Void> removeTags(Status edited, Collection<Status> before) {
        Set<String> tags = new LinkedHashSet<>();
        if (listsTagged(edited)) {
            before.forEach(version -> tags.addAll(version.post().content().tags()));
            tags.removeAll(edited.post().content().tags());
        }
        List<Command> commands = tags.stream()
                .map(tag -> Command.of("ZREM", key(tag), edited.id()))
                .toList();
        return Future.join(sendAll(commands), trends.drop(edited, tags)).mapEmpty();
    }

    /** The lists have nothing to do with each other: one that cannot be written does not keep the others from it. */
    private Future<Void> sendAll(List<Command> commands) {
        return BatchedPipeline.sendEach(redis, commands).compose(replies -> BatchedPipeline.check(replies));
    }

    private static Map<String, List<Long>> byKey(Collection<Status> statuses) {
        Map<String, List<Long>> ids = new LinkedHashMap<>();
        for (Status status : statuses) {
            for (String key : keys(status)) {
                ids.computeIfAbsent(key, absent -> new ArrayList<>()).add(status.id());
            }
        }
        return ids;
    }

    private static Set<String> keys(Status status) {
        Set<String> keys = new LinkedHashSet<>();
        if (lists(status)) {
            keys.add(Keys.PUBLIC);
        }
        if (listsTagged(status)) {
            status.post().content().tags().forEach(tag -> keys.add(key(tag)));
        }
        return keys;
    }

    /** Reads the oldest of a list between these, both exclusive; oldest first. */
    static Command newer(String key, long floor, long end, int limit) {
        return Command.of("ZRANGE", key, "(" + floor, "(" + end, "BYSCORE", "LIMIT", 0, limit);
    }

    /** The key of the list of a tag, which must be folded. */
    public static String key(String tag) {
        return Keys.tag(digest(tag));
    }

    /** The digest of a tag in keys; the tag must be folded. */
    static String digest(String tag) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(tag.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
