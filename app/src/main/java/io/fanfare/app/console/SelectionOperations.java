package io.fanfare.app.console;

import io.fanfare.app.operate.SelectionReport;
import io.fanfare.app.operate.SelectionReport.Kind;
import io.fanfare.app.operate.SelectionReport.Wanted;
import io.fanfare.core.moderation.Act;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;

/** Acts on many accounts, like {@code fanfare admin accounts selection}. One event loop. */
final class SelectionOperations {
    private static final int SHOWN = 20;
    private static final int TEXT_CHARS_MAX = 200;

    /** Room for the longest list of names. */
    private static final int BODY_BYTES_MAX = 64 << 10;

    private SelectionOperations() {}

    static List<Operation> of(ConsoleLoop loop) {
        return List.of(
                Operation.get("selections", List.of("before"), given -> report(loop)
                                .compose(report -> report.page(given.before(), SHOWN)))
                        .forOperators(),
                Operation.post(
                                "accounts/selection/make",
                                List.of("names", "from", "like", "wide", "since", "until", "text"),
                                given -> {
                                    Wanted wanted = wanted(given);
                                    return report(loop).compose(report -> report.make(wanted));
                                })
                        .withBody(BODY_BYTES_MAX)
                        .logging(),
                Operation.moderation(
                                "accounts/selection/act", List.of("selection", "act", "text", "why"), (given, by) -> {
                                    long number = given.id("selection");
                                    Kind kind = given.one("act", Kind.class);
                                    String text = given.text("text", Act.TEXT_CHARS_MAX);
                                    return report(loop)
                                            .compose(report -> report.act(by, number, kind, text, given.text("why")));
                                })
                        .logging("selection", "act", "why"),
                Operation.moderation("accounts/selection/undo", List.of("selection", "why"), (given, by) -> {
                    long number = given.id("selection");
                    return report(loop).compose(report -> report.undo(by, number, given.text("why")));
                }));
    }

    private static Wanted wanted(Arguments given) {
        return new Wanted(
                Stream.of(given.text("names").split("[\\s,]+", -1))
                        .filter(name -> !name.isEmpty())
                        .toList(),
                given.text("from").strip(),
                given.text("like").strip(),
                given.flag("wide"),
                given.text("since").strip(),
                given.text("until").strip(),
                given.text("text", TEXT_CHARS_MAX));
    }

    private static Future<SelectionReport> report(ConsoleLoop loop) {
        return loop.stores()
                .link()
                .map(redis -> new SelectionReport(redis, loop.shards(), loop.settings(), loop.random(), loop.clock()));
    }
}
