package io.fanfare.app.operate;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Warning.Action;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.LoopStores;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.notification.NotificationPublisher;
import io.fanfare.core.post.Announcer;
import io.fanfare.core.posting.StatusDeletion;
import io.fanfare.core.posting.StatusDeletion.Deleted;
import io.fanfare.core.queue.JobQueue;
import io.fanfare.redis.Redis;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Deletes single posts for an operator, whoever has written them. For a link's event loop. */
public final class PostReport {
    /** The forms in which pages and the API show the address of a post. */
    private static final Pattern URL =
            Pattern.compile("https?://[^/\\s]+(?:/[^@\\s]*)?/(?:@(\\w+)|users/(\\w+)/statuses)/(\\d+)/?");

    private final ModerationLog log;
    private final StatusDeletion deletion;
    private final Accounts accounts;
    private final Statuses statuses;
    private final Warnings warnings;
    private final NotificationPublisher publisher;

    private PostReport(StatusDeletion deletion, LoopStores stores, ModerationLog log) {
        this.log = log;
        this.deletion = deletion;
        this.accounts = stores.accounts();
        this.statuses = stores.statuses();
        this.warnings = stores.notifications().warnings();
        this.publisher = stores.notificationPublisher();
    }

    /**
     * On a link of its own.
     *
     * @param archive closed by the caller; {@link Archive#none} where old posts cannot be deleted
     */
    public static PostReport of(
            RedisLink redis, Settings settings, Shards shards, Archive archive, JobQueue queue, SecureRandom random) {
        LoopStores stores = LoopStores.of(LoopStores.Parts.uncached(redis, settings, shards, Clock.systemUTC(), random)
                .with(archive));
        return new PostReport(
                new StatusDeletion(stores, new Announcer(stores.events(), queue)),
                stores,
                new ModerationLog(redis, settings.log().auditEntries()));
    }

    /**
     * The post that a person means.
     *
     * @param author the user name that its address has, folded; empty when the id alone is given
     */
    public record Named(long id, String author) {
        /** Empty = neither an id nor the address of a post. */
        public static Optional<Named> read(String idOrUrl) {
            Matcher url = URL.matcher(idOrUrl);
            boolean isUrl = url.matches();
            long id = Id.parse(isUrl ? url.group(3) : idOrUrl);
            String author = isUrl ? Optional.ofNullable(url.group(1)).orElse(url.group(2)) : "";
            return id > 0 ? Optional.of(new Named(id, author.toLowerCase(Locale.ROOT))) : Optional.empty();
        }
    }

    /**
     * Deletes a status and logs it, for programs: whether it existed until now. Fails with a {@link Refusal} for an
     * unknown id, and for an address that names another author: the id of another server may equal one of ours.
     *
     * @param notice the message of the warning to its author, which is kept before the post is deleted; null = no
     *     warning
     */
    public Future<JsonObject> delete(Named post, Actor by, String why, String notice) {
        return deletion.find(post.id()).compose(found -> name(found.authorId()).compose(name -> {
            if (!post.author().isEmpty() && !post.author().equals(name)) {
                throw new Refusal(
                        Refusal.Reason.INVALID,
                        "The post is by another account than its address says: nothing is deleted.");
            }
            Act act = Act.on(by, "post.delete", found.authorId(), why).withStatus(post.id());
            return log.during(act, () -> warn(found, notice)
                            .compose(warning -> deletion.byOperator(post.id()).compose(deleted -> publisher
                                    .announce(found.authorId(), warning)
                                    .map(deleted))))
                    .map(deleted -> json(deleted, name));
        }));
    }

    /** The id of the warning; 0 = none, since the operator wants none, or the post was deleted before. */
    private Future<Long> warn(Status post, String notice) {
        return notice == null
                ? Future.succeededFuture(0L)
                : statuses.find(post.id())
                        .compose(living -> living.isEmpty()
                                ? Future.succeededFuture(0L)
                                : warnings.addAbout(post.authorId(), Action.DELETE_STATUSES, notice, post.id()));
    }

    /**
     * The beginnings of posts: the content warning, then the text; null of one that is deleted. One that cannot be read
     * now, since the archive that has it is away, is left out.
     *
     * @param charsMax of each
     */
    public Future<Map<Long, String>> beginnings(Collection<Long> posts, int charsMax) {
        return statuses.reachable(posts, Redis.NOW).map(found -> {
            Map<Long, String> beginnings = new HashMap<>();
            for (long id : posts) {
                Status status = found.living().get(id);
                if (status != null || !found.unreachable().contains(id)) {
                    beginnings.put(id, status == null ? null : beginning(status, charsMax));
                }
            }
            return beginnings;
        });
    }

    private static String beginning(Status status, int charsMax) {
        String words = (status.post().content().spoilerText() + " " + status.text()).strip();
        if (words.length() <= charsMax) {
            return words;
        }
        // Not in the middle of a character of two chars.
        int end = Character.isHighSurrogate(words.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
        return words.substring(0, end) + "…";
    }

    /** Empty when the account is gone. */
    private Future<String> name(long author) {
        return accounts.inspect(List.of(author)).map(found -> Optional.ofNullable(found.get(author))
                .map(one -> one.account())
                .map(Account::username)
                .orElse(""));
    }

    private static JsonObject json(Deleted deleted, String author) {
        Status status = deleted.status();
        return new JsonObject()
                .put("id", Long.toString(status.id()))
                .put("author_id", Long.toString(status.authorId()))
                .put("username", author)
                .put("kind", status.kind().name().toLowerCase(Locale.ROOT))
                .put("changed", deleted.changed());
    }
}
