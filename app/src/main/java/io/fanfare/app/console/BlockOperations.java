package io.fanfare.app.console;

import io.fanfare.app.operate.BlockReport;
import io.fanfare.common.siteblock.SiteBlock;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.core.moderation.Act;
import io.vertx.core.Future;
import java.util.List;

/** Blocks of networks, mail domains and user names, like {@code fanfare admin blocks}. One event loop. */
final class BlockOperations {
    private static final int SHOWN = 100;

    /** Room for the values of one change. */
    private static final int BODY_BYTES_MAX = 256 << 10;

    private BlockOperations() {}

    static List<Operation> of(ConsoleLoop loop) {
        return List.of(
                Operation.get("blocks", List.of("kind", "before"), given -> {
                            Kind kind = BlockReport.kind(given.text("kind"));
                            return report(loop).compose(report -> report.page(kind, given.before(), SHOWN));
                        })
                        .forOperators(),
                Operation.moderation(
                                "blocks/add",
                                List.of("kind", "values", "severity", "days", "why"),
                                (given, by) -> report(loop)
                                        .compose(report -> report.add(
                                                by,
                                                BlockReport.kind(given.text("kind")),
                                                values(given),
                                                given.text("severity"),
                                                given.number("days", 0, 1, BlockReport.DAYS_MAX),
                                                given.text("why", SiteBlock.COMMENT_CHARS_MAX))))
                        .withBody(BODY_BYTES_MAX),
                Operation.moderation("blocks/remove", List.of("kind", "values", "why"), (given, by) -> report(loop)
                                .compose(report -> report.remove(
                                        by,
                                        BlockReport.kind(given.text("kind")),
                                        values(given),
                                        given.text("why", Act.TEXT_CHARS_MAX))))
                        .withBody(BODY_BYTES_MAX));
    }

    private static List<String> values(Arguments given) {
        return BlockReport.lines(given.text("values")).toList();
    }

    private static Future<BlockReport> report(ConsoleLoop loop) {
        return loop.stores()
                .link()
                .compose(redis -> loop.stores().log().map(log -> new BlockReport(redis, log, loop.clock())));
    }
}
