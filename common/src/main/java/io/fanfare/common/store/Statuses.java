package io.fanfare.common.store;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Draft;
import io.fanfare.common.model.Draft.Kind;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Refusal.Reason;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.redis.Script;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Owns {@code status}, {@code profile}, {@code outbox} and {@code idem} keys.
 *
 * <p>Fields of a {@code status:{s}:p} HASH; those with their ordinary value are left out:
 *
 * <dl>
 *   <dt>{@code uid}
 *   <dd>author
 *   <dt>{@code text}
 *   <dd>as posted
 *   <dt>{@code vis}
 *   <dd>{@link Visibility#wire()}; absent = public
 *   <dt>{@code kind}
 *   <dd>{@code comment} or {@code repost}; absent = post
 *   <dt>{@code cw}, {@code sens}, {@code lang}, {@code app}
 *   <dd>content warning; 1 = sensitive; language; name of the client
 *   <dt>{@code mentions}, {@code tags}, {@code place}
 *   <dd>{@code <account id>:<name>} and hashtags, each with spaces between; latitude, longitude and name
 *   <dt>{@code reply}, {@code replyto}, {@code root}, {@code orig}, {@code origto}
 *   <dd>status and account replied to; status with whose comments it is listed, if that is another; status and account reposted or quoted
 *   <dt>{@code likes}, {@code reposts}, {@code quotes}, {@code comments}
 *   <dd>counters; absent = 0
 *   <dt>{@code gone}
 *   <dd>1 = tombstone of a deleted status, which keeps only {@code uid} and {@code vis}, for {@code feeds.tombstone-days}
 * </dl>
 *
 * <p>A profile holds every living post: it is not cut at its thousand newest before there is an archive to take the rest, or posts would be lost. For the same reason
 * {@code archived}, the highest id that has left a profile for the archive, is read as 0. An outbox is always the newest {@code feeds.outbox-max} of its profile.
 */
public class Statuses {
    private static final Script POST = Script.load("post");
    private static final Script DELETE = Script.load("delete");
    private static final Duration IDEMPOTENCY = Duration.ofHours(1);

    private final Redis redis;
    private final Settings settings;

    public Statuses(Redis redis, Settings settings) {
        this.redis = redis;
        this.settings = settings;
    }

    /** What posting answered. {@code repeated}: the Idempotency-Key had been used, this is the status made then. */
    public record Posted(Status status, boolean repeated) {}

    /**
     * Publishes: one script assigns the id, stores the status, adds it to profile, outbox and own home, counts it and enqueues its fan-out job - all or nothing.
     *
     * <p>Fails with {@code Refusal(FORBIDDEN)} when the author has no active account, {@code Refusal(OVERLOADED)} when {@code queue.depth-max} jobs wait already, and a
     * {@link io.fanfare.common.redis.RedisError} when Redis is away or full. After {@code LOST} the status may have been published: repeat with the same idempotency key.
     *
     * @param idempotencyKey null = none. Used with another body within an hour: {@code Refusal(INVALID)}; after the status made with it was deleted:
     *     {@code Refusal(NOT_FOUND)}
     */
    public Future<Posted> post(Draft draft, String idempotencyKey) {
        List<String> fields = fields(draft);
        return redis.send(postCall(draft.authorId(), fields, idempotencyKey))
                .compose(reply -> posted(draft, fields, reply.items()));
    }

    private Command postCall(long author, List<String> fields, String idempotencyKey) {
        int shard = Id.shard(author);
        List<String> keys = new ArrayList<>(List.of(
                Keys.user(author),
                Keys.ids(shard),
                Keys.profile(author),
                Keys.outbox(author),
                Keys.home(author),
                Keys.queueStats(shard)));
        for (Lane lane : List.of(Lane.HIGH, Lane.NORMAL, Lane.LOW)) {
            keys.add(Keys.lane(shard, lane.key()));
        }
        if (idempotencyKey != null) {
            keys.add(Keys.idempotency(author, digest(List.of(idempotencyKey))));
        }
        Settings.Feeds feeds = settings.feeds();
        List<Object> args = new ArrayList<>(List.of(
                "",
                shard,
                author,
                Keys.statusPrefix(author),
                feeds.outboxMax(),
                feeds.homeMax(),
                feeds.homeSlack(),
                feeds.fanOutPage(),
                Lane.NORMAL_MAX,
                settings.queue().depthMax(),
                idempotencyKey == null ? "" : digest(fields),
                IDEMPOTENCY.toSeconds()));
        args.addAll(fields);
        return POST.call(keys, args.toArray());
    }

    private Future<Posted> posted(Draft draft, List<String> fields, List<Reply> answer) {
        return switch (answer.get(0).asString()) {
            case "posted" ->
                Future.succeededFuture(new Posted(status(answer.get(1).asLong(), map(fields)), false));
            case "repeated" -> find(answer.get(1).asLong()).compose(Statuses::repeated);
            case "conflict" ->
                refuse(
                        Reason.INVALID,
                        "This Idempotency-Key was used for another status within the last hour: use a new one.");
            case "inactive" -> refuse(Reason.FORBIDDEN, "This account cannot post.");
            case "full" ->
                refuse(
                        Reason.OVERLOADED,
                        "Too many posts are still on their way to their readers: try again in a few seconds.");
            default -> throw new IllegalStateException("post answered " + answer + " to " + draft.authorId());
        };
    }

    private static Future<Posted> repeated(Optional<Status> status) {
        return status.isPresent()
                ? Future.succeededFuture(new Posted(status.get(), true))
                : refuse(
                        Reason.NOT_FOUND,
                        "The status made with this Idempotency-Key has been deleted: post it with a new one.");
    }

    private static <T> Future<T> refuse(Reason reason, String message) {
        return Future.failedFuture(new Refusal(reason, message));
    }

    /** The status, if it exists and is not deleted. Says nothing about who may see it. */
    public Future<Optional<Status>> find(long id) {
        return redis.send(Command.of("HGETALL", Keys.status(id))).map(reply -> living(id, reply));
    }

    /** What is left of a deleted status: id, author and visibility. Empty when it lives, never existed, or was deleted more than {@code feeds.tombstone-days} ago. */
    public Future<Optional<Status>> findDeleted(long id) {
        return redis.send(Command.of("HGETALL", Keys.status(id)))
                .map(reply -> map(strings(reply)))
                .map(fields -> fields.containsKey("gone") ? Optional.of(status(id, fields)) : Optional.empty());
    }

    /** The living ones among these, by id; one round trip per node. */
    public Future<Map<Long, Status>> load(Collection<Long> ids) {
        List<Long> wanted = List.copyOf(ids);
        List<Command> commands = new ArrayList<>(wanted.size());
        for (long id : wanted) {
            commands.add(Command.of("HGETALL", Keys.status(id)));
        }
        return Chunks.send(redis, commands).map(replies -> living(wanted, replies));
    }

    /**
     * Deletes the author's status: tombstone, author's lists, counters and clean-up job in one script. Answers the status as it was; empty when there is none, when it is
     * deleted already, or when it is somebody else's.
     */
    public Future<Optional<Status>> delete(long author, long id) {
        if (Id.shard(author) != Id.shard(id)) {
            return Future.succeededFuture(
                    Optional.empty()); // Somebody else's, as its id tells; and the script must not name keys of two
            // slots.
        }
        int shard = Id.shard(author);
        List<String> keys = List.of(
                Keys.user(author),
                Keys.status(id),
                Keys.profile(author),
                Keys.outbox(author),
                Keys.home(author),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.HIGH.key()));
        Duration tombstone = Duration.ofDays(settings.feeds().tombstoneDays());
        return redis.send(DELETE.call(
                        keys,
                        "",
                        author,
                        id,
                        tombstone.toSeconds(),
                        settings.feeds().outboxMax()))
                .map(reply -> living(id, reply));
    }

    /** The author's newest posts, as many as a home could hold of them: what a backfill merges and a clean-up takes out. */
    public Future<Stretch> recent(long author) {
        int limit = settings.feeds().homeMax();
        return redis.send(older(author, Id.MAX, limit)).map(reply -> older(reply, limit));
    }

    /** Reads an author's posts below an id, newest first. */
    static Command older(long author, long below, int limit) {
        return Command.of("ZRANGE", Keys.profile(author), "(" + below, "0", "BYSCORE", "REV", "LIMIT", 0, limit);
    }

    /** The answer to {@link #older(long, long, int)} with the same limit. */
    static Stretch older(Reply reply, int limit) {
        List<Long> ids = longs(reply);
        return new Stretch(ids, ids.size() == limit ? ids.get(limit - 1) - 1 : 0);
    }

    /** Reads an author's posts between two ids, both exclusive, oldest first. */
    static Command newer(long author, long above, long below, int limit) {
        return Command.of("ZRANGE", Keys.profile(author), "(" + above, "(" + below, "BYSCORE", "LIMIT", 0, limit);
    }

    static List<Long> longs(Reply reply) {
        List<Long> values = new ArrayList<>(reply.items().size());
        for (Reply item : reply.items()) {
            values.add(item.asLong());
        }
        return values;
    }

    private static Map<Long, Status> living(List<Long> ids, List<Reply> replies) {
        Map<Long, Status> statuses = new HashMap<>(ids.size() * 2);
        for (int i = 0; i < ids.size(); i++) {
            living(ids.get(i), replies.get(i)).ifPresent(status -> statuses.put(status.id(), status));
        }
        return statuses;
    }

    private static Optional<Status> living(long id, Reply reply) {
        Map<String, String> fields = map(strings(reply));
        return fields.isEmpty() || fields.containsKey("gone") ? Optional.empty() : Optional.of(status(id, fields));
    }

    private static List<String> strings(Reply reply) {
        List<String> values = new ArrayList<>(reply.items().size());
        for (Reply item : reply.items()) {
            values.add(item.asString());
        }
        return values;
    }

    private static Map<String, String> map(List<String> fieldsAndValues) {
        Map<String, String> map = new HashMap<>(fieldsAndValues.size());
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            map.put(fieldsAndValues.get(i), fieldsAndValues.get(i + 1));
        }
        return map;
    }

    private static List<String> fields(Draft draft) {
        Content content = draft.content();
        List<String> fields = new ArrayList<>(List.of("uid", Long.toString(draft.authorId()), "text", content.text()));
        put(
                fields,
                "vis",
                draft.visibility() == Visibility.PUBLIC
                        ? ""
                        : draft.visibility().wire());
        put(fields, "kind", draft.kind() == Kind.POST ? "" : draft.kind().name().toLowerCase(Locale.ROOT));
        put(fields, "cw", content.spoilerText());
        put(fields, "sens", content.sensitive() ? "1" : "");
        put(fields, "lang", content.language());
        put(fields, "mentions", mentions(content.mentions()));
        put(fields, "tags", String.join(" ", content.tags()));
        put(fields, "place", place(content.place()));
        putReference(fields, "reply", draft.replyTo());
        put(fields, "root", draft.rootId() == 0 ? "" : Long.toString(draft.rootId()));
        putReference(fields, "orig", draft.original());
        put(fields, "app", draft.clientName());
        return fields;
    }

    private static String mentions(List<Mention> mentions) {
        return mentions.stream()
                .map(mention -> mention.accountId() + ":" + mention.username())
                .collect(Collectors.joining(" "));
    }

    private static String place(Place place) {
        return place == null ? "" : place.latitude() + " " + place.longitude() + " " + place.name();
    }

    private static void putReference(List<String> fields, String name, Reference to) {
        if (to != null) {
            put(fields, name, Long.toString(to.statusId()));
            put(fields, name + "to", Long.toString(to.accountId()));
        }
    }

    private static void put(List<String> fields, String name, String value) {
        if (value != null && !value.isEmpty()) {
            fields.add(name);
            fields.add(value);
        }
    }

    private static Status status(long id, Map<String, String> fields) {
        Content content = new Content(
                fields.getOrDefault("text", ""),
                fields.getOrDefault("cw", ""),
                fields.containsKey("sens"),
                fields.get("lang"),
                words(fields, "mentions").stream().map(Statuses::mention).toList(),
                words(fields, "tags"),
                place(fields.get("place")));
        Draft draft = new Draft(
                Long.parseLong(fields.get("uid")),
                fields.containsKey("vis") ? Visibility.of(fields.get("vis")) : Visibility.PUBLIC,
                fields.containsKey("kind") ? Kind.valueOf(fields.get("kind").toUpperCase(Locale.ROOT)) : Kind.POST,
                content,
                reference(fields, "reply"),
                number(fields, "root"),
                reference(fields, "orig"),
                fields.get("app"));
        return new Status(id, draft, counters(fields));
    }

    private static Counters counters(Map<String, String> fields) {
        return new Counters(
                number(fields, "likes"),
                number(fields, "reposts"),
                number(fields, "quotes"),
                number(fields, "comments"));
    }

    private static List<String> words(Map<String, String> fields, String name) {
        String value = fields.get(name);
        return value == null ? List.of() : List.of(value.split(" ", -1));
    }

    private static Mention mention(String word) {
        int colon = word.indexOf(':');
        return new Mention(Long.parseLong(word.substring(0, colon)), word.substring(colon + 1));
    }

    private static Place place(String value) {
        if (value == null) {
            return null;
        }
        String[] words = value.split(" ", 3);
        return new Place(Double.parseDouble(words[0]), Double.parseDouble(words[1]), words[2]);
    }

    private static Reference reference(Map<String, String> fields, String name) {
        return fields.containsKey(name) ? new Reference(number(fields, name), number(fields, name + "to")) : null;
    }

    private static long number(Map<String, String> fields, String name) {
        String value = fields.get(name);
        return value == null ? 0 : Long.parseLong(value);
    }

    /** 128 bits are plenty: keys of one author are compared with each other only. Lengths keep neighbouring texts apart. */
    private static String digest(List<String> parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                sha.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                sha.update(bytes);
            }
            return HexFormat.of().formatHex(sha.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
