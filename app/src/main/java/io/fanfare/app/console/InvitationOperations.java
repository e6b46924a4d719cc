package io.fanfare.app.console;

import io.fanfare.app.operate.InvitationReport;
import io.fanfare.core.account.Invitations;
import io.fanfare.core.moderation.Act;
import io.fanfare.core.moderation.Act.Actor;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Invitations to sign up, like {@code fanfare admin invitations}. One event loop. */
final class InvitationOperations {
    private static final int SHOWN = 100;

    private InvitationOperations() {}

    static List<Operation> of(ConsoleLoop loop) {
        return List.of(
                Operation.get("invitations", List.of("before"), given -> {
                            String before = given.text("before");
                            if (!before.isEmpty() && !Invitations.isCode(before)) {
                                throw Arguments.malformed("before must be the code of an invitation.");
                            }
                            return report(loop).compose(report -> report.page(before, SHOWN));
                        })
                        .forOperators(),
                Operation.moderation("invitations/create", List.of("uses", "days", "comment", "why"), (given, by) -> {
                            Duration life =
                                    Duration.ofDays(given.number("days", 0, 1, (int) Invitations.LIFE_MAX.toDays()));
                            int uses = given.number("uses", 0, 1, Invitations.USES_MAX);
                            String comment = given.text("comment", Invitations.COMMENT_MAX);
                            return change(loop, "create", by, given, report -> report.make(life, uses, comment));
                        })
                        .logging("uses", "days", "why"),
                // The code stays out of the audit log: it is still valid when the action fails.
                Operation.moderation(
                                "invitations/revoke",
                                List.of("code", "why"),
                                (given, by) ->
                                        change(loop, "revoke", by, given, report -> report.revoke(given.text("code"))))
                        .logging("why"));
    }

    private static Future<JsonObject> change(
            ConsoleLoop loop,
            String verb,
            Actor by,
            Arguments given,
            Function<InvitationReport, Future<JsonObject>> change) {
        Act act = Act.on(by, "invitations." + verb, 0, given.text("why"));
        return report(loop)
                .compose(report -> loop.stores().log().compose(log -> log.during(act, () -> change.apply(report))));
    }

    private static Future<InvitationReport> report(ConsoleLoop loop) {
        return loop.stores()
                .link()
                .map(redis -> new InvitationReport(redis, loop.settings().http().publicUrl(), loop.clock()));
    }
}
