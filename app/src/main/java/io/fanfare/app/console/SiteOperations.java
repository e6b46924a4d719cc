package io.fanfare.app.console;

import io.fanfare.app.operate.ModerationReport;
import io.fanfare.app.operate.SiteReport;
import io.fanfare.app.operate.SiteReport.TextName;
import io.fanfare.common.id.Shards;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.core.site.Site;
import io.fanfare.redis.RedisLink;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Rules, announcements and texts of the site, like {@code fanfare admin rules}, {@code announcements} and
 * {@code texts}. One event loop.
 */
final class SiteOperations {
    private static final int ID_MAX = 999_999_999;

    /** Room for the longest text. */
    private static final int BODY_BYTES_MAX = 256 << 10;

    private final Stores stores;
    private final Shards shards;
    private final Settings settings;
    private final SecureRandom random;
    private final InstantSource clock;

    SiteOperations(Stores stores, Shards shards, Settings settings, SecureRandom random, InstantSource clock) {
        this.stores = stores;
        this.shards = shards;
        this.settings = settings;
        this.random = random;
        this.clock = clock;
    }

    /** A change that the arguments name. */
    private interface Change {
        UnaryOperator<Site> of(SiteReport report, Arguments given);
    }

    List<Operation> operations() {
        return List.of(
                Operation.get("site", List.of(), given -> report().compose(SiteReport::show)),
                Operation.get("texts", List.of("text", "effective"), given -> report().compose(
                                report -> report.text(name(given)))),
                change(
                        "rules/add",
                        List.of("text", "hint"),
                        (report, given) -> SiteReport.addRule(given.text("text"), given.text("hint"))),
                change(
                        "rules/edit",
                        List.of("rule", "text", "hint"),
                        (report, given) ->
                                SiteReport.editRule(id(given, "rule"), given.text("text"), given.text("hint"))),
                change(
                        "rules/translate",
                        List.of("rule", "language", "text", "hint"),
                        (report, given) -> SiteReport.translateRule(
                                id(given, "rule"), given.text("language"), given.text("text"), given.text("hint"))),
                change("rules/move", List.of("rule", "place"), (report, given) -> {
                    long rule = id(given, "rule");
                    int place = given.requiredNumber("place", 1, Site.RULES_MAX);
                    return site -> site.withRuleAt(rule, place);
                }),
                change("rules/remove", List.of("rule"), (report, given) -> {
                    long rule = id(given, "rule");
                    return site -> site.withoutRule(rule);
                }),
                change(
                        "announcements/add",
                        List.of("text", "from", "starts", "ends"),
                        (report, given) -> report.announce(
                                given.text("text"), given.text("from"), given.text("starts"), given.text("ends"))),
                change(
                        "announcements/edit",
                        List.of("announcement", "text"),
                        (report, given) -> report.editAnnouncement(id(given, "announcement"), given.text("text"))),
                change("announcements/remove", List.of("announcement"), (report, given) -> {
                    long announcement = id(given, "announcement");
                    return site -> site.withoutAnnouncement(announcement);
                }),
                change(
                        "texts/set",
                        List.of("text", "effective", "words"),
                        (report, given) -> report.write(name(given), given.text("words"))),
                change("texts/remove", List.of("text", "effective"), (report, given) -> name(given)::removedFrom),
                Operation.moderation("texts/contact", List.of("account", "why"), this::contact));
    }

    private static long id(Arguments given, String name) {
        return given.requiredNumber(name, 1, ID_MAX);
    }

    private static TextName name(Arguments given) {
        return TextName.of(given.text("text"), given.text("effective"));
    }

    private Operation change(String path, List<String> arguments, Change change) {
        List<String> all = Stream.concat(arguments.stream(), Stream.of("why")).toList();
        return Operation.moderation(path, all, (given, by) -> report().compose(report -> {
                    UnaryOperator<Site> wanted = change.of(report, given);
                    return report.change(act(path, given, by), wanted);
                }))
                .withBody(BODY_BYTES_MAX);
    }

    private static Act act(String path, Arguments given, Actor by) {
        return Act.on(by, Operation.action(path), 0, given.text("why"))
                .withDetail(given.line(List.of("rule", "announcement", "effective", "account")));
    }

    private Future<JsonObject> contact(Arguments given, Actor by) {
        return stores.link().compose(redis -> new ModerationReport(redis, shards, settings, random)
                .accountOrNone(given.text("account"))
                .compose(id -> report(redis).change(act("texts/contact", given, by), site -> site.withContact(id))));
    }

    private Future<SiteReport> report() {
        return stores.link().map(this::report);
    }

    private SiteReport report(RedisLink redis) {
        return new SiteReport(redis, new ModerationLog(redis, settings.log().auditEntries()), clock);
    }
}
