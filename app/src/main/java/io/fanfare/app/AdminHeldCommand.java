package io.fanfare.app;

import io.fanfare.app.operate.Terminal;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.core.LoopStores;
import io.fanfare.core.held.HeldStatus;
import io.fanfare.core.held.HeldStatuses;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.ModerationLog;
import io.fanfare.server.runtime.StartFailed;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fanfare admin held}: posts that wait for a moderator. */
@Command(
        name = "held",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows, approves and rejects posts that wait for a moderator.")
final class AdminHeldCommand {
    private static final int CHARACTERS = 60;

    @Spec
    private CommandSpec spec;

    /** A post with the name of its author. */
    private record Named(HeldStatus held, String author) {}

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows them: id, time, author, signal, the beginning of the text. The newest first.")
    int list(
            @Mixin SettingsOptions options,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "100",
                            description =
                                    "At most so many, 1 to " + HeldStatuses.SITE_MAX + ". Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--json", description = "For programs: an array of objects, with whole texts.")
                    boolean json) {
        Logging.ofCommand();
        if (max < 1 || max > HeldStatuses.SITE_MAX) {
            throw new ParameterException(spec.commandLine(), "--max must be 1 to " + HeldStatuses.SITE_MAX);
        }
        List<Named> all = ask(options.joining(), (held, stores) -> held.page(PageRequest.newest(max))
                .compose(page -> named(stores.accounts(), page.items())));
        if (json) {
            JsonArray array = new JsonArray();
            all.forEach(one -> array.add(json(one)));
            System.out.println(array.encodePrettily());
        } else if (all.isEmpty()) {
            System.out.println("no post waits");
        } else {
            all.forEach(one -> System.out.println(line(one)));
        }
        return 0;
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Has a post published by a worker, or at the time for which its author has scheduled it.")
    int approve(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Option(names = "--trust", description = "No later post of the account waits.") boolean trust,
            @Mixin WhyOption why) {
        return decide(
                options.joining(),
                "approve",
                id,
                why.text(),
                trust ? " trust" : "",
                held -> found -> held.approve(found.author(), id, trust));
    }

    @Command(
            name = "reject",
            mixinStandardHelpOptions = true,
            description = "Ends a post without publishing it. Its author gets a warning.")
    int reject(
            @Mixin SettingsOptions options,
            @Parameters(paramLabel = "ID", description = "As the list shows it.") long id,
            @Option(
                            names = "--notice",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "The message to the author, at most " + Act.TEXT_CHARS_MAX + " characters.")
                    String notice,
            @Mixin WhyOption why) {
        if (notice.length() > Act.TEXT_CHARS_MAX) {
            throw new StartFailed("--notice must have at most " + Act.TEXT_CHARS_MAX + " characters: nothing is done");
        }
        return decide(
                options.joining(),
                "reject",
                id,
                why.text(),
                "",
                held -> found -> held.reject(found.author(), id, notice.strip()));
    }

    private static int decide(
            Settings settings,
            String verb,
            long id,
            String why,
            String detail,
            Function<HeldStatuses, Function<HeldStatus, Future<Void>>> work) {
        Logging.ofCommand();
        HeldStatus decided = new CommandAudit("held/" + verb, "post=" + id)
                .of(() -> ask(settings, (held, stores) -> held.find(id)
                        .map(found -> found.orElseThrow(AdminHeldCommand::none))
                        .compose(found -> {
                            Act act = Act.on(CommandAudit.actor(), "held." + verb, found.author(), why)
                                    .withDetail(found.signal().wire() + detail);
                            return new ModerationLog(
                                            stores.redis(), settings.log().auditEntries())
                                    .during(
                                            act,
                                            () -> work.apply(held).apply(found).map(found));
                        })));
        System.out.println(
                (verb.equals("approve") ? "approved" : "rejected") + " post " + id + " of account " + decided.author());
        return 0;
    }

    private static Refusal none() {
        return new Refusal(Refusal.Reason.NOT_FOUND, "No such post waits: it was decided, withdrawn, or never there.");
    }

    private static <T> T ask(Settings settings, BiFunction<HeldStatuses, LoopStores, Future<T>> question) {
        return RemoteStores.askRedis(
                settings, redis -> RemoteStores.shards(redis, settings).compose(shards -> {
                    LoopStores stores = LoopStores.of(
                            LoopStores.Parts.uncached(redis, settings, shards, Clock.systemUTC(), new SecureRandom()));
                    return question.apply(new HeldStatuses(stores), stores);
                }));
    }

    private static Future<List<Named>> named(Accounts accounts, List<HeldStatus> all) {
        List<Long> authors = all.stream().map(HeldStatus::author).distinct().toList();
        return accounts.inspect(authors).map(people -> {
            List<Named> named = new ArrayList<>();
            for (HeldStatus one : all) {
                Accounts.Inspected author = people.get(one.author());
                named.add(new Named(one, author == null ? "" : author.account().username()));
            }
            return named;
        });
    }

    private static String line(Named one) {
        String text = Terminal.printable(one.held().status().words().text());
        int end = Math.min(text.length(), CHARACTERS);
        return one.held().id() + "  " + Terminal.time(one.held().sinceMillis()) + "  " + one.author() + "  "
                + one.held().signal().wire() + "  " + text.substring(0, end) + (end < text.length() ? "..." : "");
    }

    private static JsonObject json(Named one) {
        HeldStatus held = one.held();
        return new JsonObject()
                .put("id", Long.toString(held.id()))
                .put("at", Terminal.time(held.sinceMillis()))
                .put("ends_at", Terminal.time(held.endsMillis()))
                .put("account", Long.toString(held.author()))
                .put("username", one.author())
                .put("signal", held.signal().wire())
                .put("reason", held.signal().reason())
                .put("spoiler_text", held.status().words().spoilerText())
                .put("text", held.status().words().text());
    }
}
