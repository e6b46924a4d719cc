package io.fanfare.app.console;

import io.fanfare.app.operate.AppealReport;
import io.vertx.core.Future;
import java.util.List;

/** Appeals against warnings, like {@code fanfare admin appeals}. One event loop. */
final class AppealOperations {
    private static final int SHOWN = 50;

    private AppealOperations() {}

    static List<Operation> of(ConsoleLoop loop) {
        return List.of(
                Operation.get("appeals", List.of("before"), given -> report(loop)
                                .compose(report -> report.page(given.before(), SHOWN)))
                        .forOperators(),
                decision(loop, "appeals/approve", true),
                decision(loop, "appeals/reject", false));
    }

    private static Operation decision(ConsoleLoop loop, String path, boolean approve) {
        return Operation.moderation(path, List.of("account", "appeal", "why"), (given, by) -> {
            long appeal = given.id("appeal");
            return report(loop)
                    .compose(report -> report.decide(by, given.text("account"), appeal, approve, given.text("why")));
        });
    }

    private static Future<AppealReport> report(ConsoleLoop loop) {
        return loop.loopStores().compose(stores -> loop.stores().queue().map(queue -> new AppealReport(stores, queue)));
    }
}
