package io.fanfare.app;

import io.fanfare.app.operate.PostReport.Named;
import io.fanfare.app.operate.Terminal;
import io.fanfare.common.event.Event;
import io.fanfare.common.event.EventKey;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Edge;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.core.feed.Homes;
import io.fanfare.core.moderation.Act;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin post}: what is known of a status. Its text is never shown. */
@picocli.CommandLine.Command(
        name = "post",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what is known of a status, without its text: author, kind, visibility, whether it is deleted, the lists that have it, its event, and how many homes of the first 1000 followers have it.",
            "Its jobs: `fanfare admin queue job ID`. A follower who has not read for long has no home, and one who has it may be hidden the status by a block or mute when it is read."
        },
        exitCodeListHeading = ExitStatus.HEADING,
        exitCodeList = {"0:Redis has such a status, or the tombstone of one", "1:it has none"})
final class AdminPostCommand implements Callable<Integer> {
    private static final int FOLLOWERS_MAX = 1000;
    private static final Object[] FIELDS = {
        "uid", "vis", "kind", "gone", "reply", "orig", "likes", "reposts", "quotes", "comments"
    };

    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "ID|URL", arity = "0..1", description = "The status: its id, or its address.")
    private String status;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Logging.ofCommand();
        long id = named(status).id();
        Settings settings = options.joining();
        try (RemoteStores.Session stores = RemoteStores.open(settings)) {
            List<Reply> fields = stores.askRedis(redis -> redis.send(Command.of("HMGET", Keys.status(id), FIELDS)))
                    .items();
            JsonObject found = new JsonObject().put("id", Long.toString(id)).put("shard", Id.shard(id));
            boolean there = !fields.get(0).isNil();
            if (there) {
                long author = fields.get(0).asLong();
                describe(found, fields);
                List<String> lists = stores.askRedis(redis -> lists(redis, author, id));
                found.put("lists", new JsonArray(lists));
                found.put("event", stores.askRedis(redis -> event(redis, settings, id)));
                found.mergeIn(stores.askRedis(redis -> deliveries(redis, settings, author, id)));
            } else {
                found.put("state", "absent");
            }
            System.out.println(json ? found.encodePrettily() : text(found));
            return there ? 0 : 1;
        }
    }

    @picocli.CommandLine.Command(
            name = "delete",
            mixinStandardHelpOptions = true,
            description = {
                "Deletes a status for good, as its author would, with its pictures: it is gone for everybody at once, streams say so, and a job takes it out of all lists. Give the folder or the settings of the service, so that its archive is found.",
                "A status that was deleted before is not an error. Reposts of it go with it, quotes stay without it. One line for the audit log is written to standard error."
            },
            exitCodeListHeading = ExitStatus.HEADING,
            exitCodeList = {
                "0:the status is deleted, now or before",
                "1:there is no such status, or Redis or the archive is away"
            })
    int delete(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID|URL", description = "The status: its id, or its address.") String status,
            @Mixin WhyOption why,
            @Option(
                            names = "--notice",
                            paramLabel = "TEXT",
                            description = "Warns the author, with this message of at most " + Act.TEXT_CHARS_MAX
                                    + " characters, which may be empty. Without it nobody is warned.")
                    String notice,
            @Option(names = "--json", description = "For programs: one object.") boolean json) {
        Logging.ofCommand();
        Named post = named(status);
        String reason = why.text();
        if (notice != null && notice.length() > Act.TEXT_CHARS_MAX) {
            throw new StartFailed("--notice must have at most " + Act.TEXT_CHARS_MAX + " characters: nothing is done");
        }
        CommandAudit audit = new CommandAudit("post/delete", "status=" + post.id());
        JsonObject done = audit.of(() -> RemoteStores.askPosts(
                options.joining(), posts -> posts.delete(post, CommandAudit.actor(), reason, notice)));
        System.out.println(
                json
                        ? done.encode()
                        : "status " + done.getString("id") + " of " + done.getString("username")
                                + (done.getBoolean("changed") ? " is deleted" : " was deleted before"));
        return 0;
    }

    /** Throws when it names no status. */
    private Named named(String status) {
        return Optional.ofNullable(status)
                .flatMap(Named::read)
                .orElseThrow(() ->
                        new ParameterException(spec.commandLine(), "ID must be the id of a status, or its address"));
    }

    private static void describe(JsonObject found, List<Reply> fields) {
        found.put("author_id", fields.get(0).asString())
                .put("state", fields.get(3).isNil() ? "alive" : "deleted")
                .put("visibility", orElse(fields.get(1), "public"))
                .put("kind", orElse(fields.get(2), "post"))
                .put("reply_to", orElse(fields.get(4), ""))
                .put("original", orElse(fields.get(5), ""));
        for (int i = 6; i < FIELDS.length; i++) {
            found.put(FIELDS[i].toString(), Long.parseLong(orElse(fields.get(i), "0")));
        }
    }

    private static String orElse(Reply field, String ordinary) {
        return field.isNil() ? ordinary : field.asString();
    }

    /** The lists that contain the status, among those that can contain one without a hashtag. */
    private Future<List<String>> lists(RedisLink redis, long author, long id) {
        Map<String, String> lists = new LinkedHashMap<>();
        lists.put("profile", Keys.profile(author));
        lists.put("comments_by", Keys.commentsBy(author));
        lists.put("outbox", Keys.outbox(author));
        lists.put("public", Keys.PUBLIC);
        List<Command> scores = new ArrayList<>();
        lists.values().forEach(key -> scores.add(Command.of("ZSCORE", key, id)));
        return redis.pipeline(scores).map(replies -> {
            List<String> names = List.copyOf(lists.keySet());
            List<String> having = new ArrayList<>();
            for (int i = 0; i < replies.size(); i++) {
                if (!replies.get(i).isFailure() && !replies.get(i).isNil()) {
                    having.add(names.get(i));
                }
            }
            return having;
        });
    }

    private Future<String> event(RedisLink redis, Settings settings, long id) {
        long age = Clock.systemUTC().millis() - Id.epochMillis(id);
        return age > settings.stream().logAge().toMillis()
                ? Future.succeededFuture("too old to be remembered")
                : new EventLog(redis, new SecureRandom(), settings.stream())
                        .missing(List.of(new EventKey(Event.Kind.STATUS, id)))
                        .map(missing -> missing.isEmpty() ? "appended" : "not yet appended");
    }

    private Future<JsonObject> deliveries(RedisLink redis, Settings settings, long author, long id) {
        Homes homes = new Homes(redis, settings.feeds());
        return redis.send(Command.of("ZCARD", Keys.followers(author))).compose(followers -> new Graph(redis, settings)
                .followersAfter(author, 0, FOLLOWERS_MAX)
                .map(edges -> edges.stream().map(Edge::accountId).toList())
                .compose(readers -> homes.existing(readers)
                        .compose(existing -> homes.lacking(readers, id).map(lacking -> new JsonObject()
                                .put("followers", followers.asLong())
                                .put("followers_looked_at", readers.size())
                                .put("homes_existing", existing)
                                .put("homes_having_it", readers.size() - lacking.size())))));
    }

    private static String text(JsonObject found) {
        StringBuilder text = new StringBuilder();
        found.forEach(field -> {
            Object value = field.getValue();
            String shown = value instanceof JsonArray all
                    ? all.isEmpty()
                            ? "none"
                            : all.stream()
                                    .map(Object::toString)
                                    .reduce((a, b) -> a + ", " + b)
                                    .orElse("")
                    : value.toString();
            if (!shown.isEmpty()) {
                text.append(String.format(
                        Locale.ROOT, "%-20s %s%n", field.getKey().replace('_', ' '), Terminal.printable(shown)));
            }
        });
        return text.toString().stripTrailing();
    }
}
