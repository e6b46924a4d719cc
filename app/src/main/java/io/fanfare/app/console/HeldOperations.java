package io.fanfare.app.console;

import io.fanfare.app.operate.HeldReport;
import io.fanfare.core.moderation.Act;
import io.vertx.core.Future;
import java.util.List;

/** Posts that wait for a moderator, like {@code fanfare admin held}. One event loop. */
final class HeldOperations {
    private static final int SHOWN = 50;

    private HeldOperations() {}

    static List<Operation> of(ConsoleLoop loop) {
        return List.of(
                Operation.get("held", List.of("before"), given -> report(loop)
                                .compose(report -> report.page(given.before(), SHOWN)))
                        .forOperators(),
                Operation.moderation("held/approve", List.of("post", "trust", "why"), (given, by) -> {
                    long post = given.id("post");
                    return report(loop)
                            .compose(report -> report.approve(by, post, given.flag("trust"), given.text("why")));
                }),
                Operation.moderation("held/reject", List.of("post", "notice", "why"), (given, by) -> {
                            long post = given.id("post");
                            String notice = given.text("notice", Act.TEXT_CHARS_MAX);
                            return report(loop).compose(report -> report.reject(by, post, notice, given.text("why")));
                        })
                        .logging("post", "why"));
    }

    private static Future<HeldReport> report(ConsoleLoop loop) {
        return loop.loopStores().map(HeldReport::new);
    }
}
