package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.redis.Command;
import io.fanfare.redis.RedisLink;
import io.fanfare.redis.Reply;
import io.fanfare.verify.HomeAudit;
import io.fanfare.verify.HomeAudit.Result;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fanfare admin home}: one home beside what it would be if it were built now. */
@picocli.CommandLine.Command(
        name = "home",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Shows the home of an account as it is stored, and compares it with the profiles of those the account follows, as `admin verify` does.",
        exitCodeListHeading = ExitStatus.HEADING,
        exitCodeList = {
            "0:the home is as it should be, there is none, or it was dropped",
            "1:it is not; --rebuild mends that"
        })
final class AdminHomeCommand implements Callable<Integer> {
    /** Beside a running service a difference counts when it is still there after these pauses, ms. */
    private static final List<Long> LOOK_AGAIN = List.of(500L, 2000L);

    private static final Pattern HEAD = Pattern.compile("f(\\d+)(?:/(\\d+))?.*");

    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "NAME", description = "The account's name, or its id.")
    private String name;

    @Option(names = "--rebuild", description = "Drops the home; the next read rebuilds it.")
    private boolean rebuild;

    @Option(names = "--json", description = "For programs: one object.")
    private boolean json;

    /** The stored state of a home feed, as read for one report. */
    private record Home(
            long account, String head, long length, long seconds, String dial, long followees, Result audit) {}

    @Override
    public Integer call() {
        Logging.ofCommand();
        Settings settings = options.joining();
        try (RemoteStores.Session stores = RemoteStores.open(settings)) {
            long account = stores.account(name);
            Home home = stores.askRedis(redis -> look(redis, settings, account));
            for (long pause : LOOK_AGAIN) {
                if (!isWrong(home.audit())) {
                    break;
                }
                home = stores.askRedis(redis -> stores.pause(pause).compose(waited -> look(redis, settings, account)));
            }
            boolean dropped = rebuild
                    && stores.askRedis(redis -> redis.send(Command.of("DEL", Keys.home(account))))
                                    .asLong()
                            == 1;
            System.out.println(json ? json(home, dropped).encodePrettily() : text(home, dropped));
            return isWrong(home.audit()) && !dropped ? 1 : 0;
        }
    }

    private static Future<Home> look(RedisLink redis, Settings settings, long account) {
        String key = Keys.home(account);
        return redis.pipeline(List.of(
                        Command.of("LINDEX", key, 0),
                        Command.of("LLEN", key),
                        Command.of("TTL", key),
                        Command.of("HGET", Keys.user(account), "dial"),
                        Command.of("ZCARD", Keys.following(account))))
                .compose(replies -> new HomeAudit(redis, new Graph(redis, settings), settings.feeds())
                        .look(account)
                        .map(audit -> new Home(
                                account,
                                text(replies.get(0)),
                                number(replies.get(1)),
                                number(replies.get(2)),
                                text(replies.get(3)),
                                number(replies.get(4)),
                                audit)));
    }

    /** Empty for nil, and for a key of another type, which the audit tells of. */
    private static String text(Reply reply) {
        return reply.isFailure() || reply.isNil() ? "" : reply.asString();
    }

    private static long number(Reply reply) {
        return reply.isFailure() ? 0 : reply.asLong();
    }

    private static boolean isWrong(Result audit) {
        return audit.state() == HomeAudit.State.BROKEN
                || audit.missing() > 0
                || audit.overcounted()
                || audit.overlong()
                || audit.endless();
    }

    private static String floor(Home home) {
        Matcher head = HEAD.matcher(home.head());
        return head.matches() ? head.group(1) : "-";
    }

    private static String sorted(Home home) {
        Matcher head = HEAD.matcher(home.head());
        return head.matches() && head.group(2) != null ? head.group(2) : "0";
    }

    private static String text(Home home, boolean dropped) {
        Result audit = home.audit();
        return String.join(
                System.lineSeparator(),
                line("account", home.account() + ", shard " + Id.shard(home.account())),
                line("state", audit.state().name().toLowerCase(Locale.ROOT)),
                line(
                        "entries",
                        audit.entries() + " above the floor, " + sorted(home) + " sorted; list of " + home.length()),
                line("floor", floor(home) + " (what is older is read from the profiles)"),
                line("lives", home.seconds() < 0 ? "-" : home.seconds() / 3600 + " h more without a reader"),
                line("follows", Long.toString(home.followees())),
                line("dial", home.dial().isEmpty() ? "pushed" : Terminal.printable(home.dial())),
                line("leftovers", audit.leftovers() + " ids that no profile has; reads leave them out"),
                verdict(audit, dropped));
    }

    private static String verdict(Result audit, boolean dropped) {
        String found = audit.state() == HomeAudit.State.BROKEN
                ? "the home is broken"
                : audit.state() == HomeAudit.State.ABSENT
                        ? "there is no home: the next read builds it"
                        : audit.missing() > 0
                                ? audit.missing() + " statuses are missing, from " + audit.oldestMissing() + " to "
                                        + audit.newestMissing()
                                : isWrong(audit) ? "its order, length or life is wrong" : "the home is as it should be";
        return dropped ? found + "; dropped, the next read rebuilds it" : found;
    }

    private static String line(String what, String value) {
        return String.format(Locale.ROOT, "%-10s %s", what, value);
    }

    private static JsonObject json(Home home, boolean dropped) {
        Result audit = home.audit();
        return new JsonObject()
                .put("account_id", Long.toString(home.account()))
                .put("shard", Id.shard(home.account()))
                .put("state", audit.state().name().toLowerCase(Locale.ROOT))
                .put("entries", audit.entries())
                .put("sorted", Long.parseLong(sorted(home)))
                .put("length", home.length())
                .put("floor", floor(home))
                .put("seconds_left", home.seconds())
                .put("following", home.followees())
                .put("dial", home.dial())
                .put("missing", audit.missing())
                .put("leftovers", audit.leftovers())
                .put("wrong", isWrong(audit))
                .put("dropped", dropped);
    }
}
