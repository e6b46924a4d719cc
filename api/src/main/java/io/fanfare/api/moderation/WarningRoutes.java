package io.fanfare.api.moderation;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.Links;
import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.moderation.Appeals;
import io.fanfare.server.http.Parameters;
import io.vertx.core.Future;
import java.util.List;

/** The viewer's own warnings, each of which can be appealed once. */
final class WarningRoutes {
    private static final int LIMIT = 40;

    /** The characters of an appeal. As in Mastodon. */
    private static final int TEXT_MAX = 2000;

    private final Notices notices;
    private final Appeals appeals;
    private final Settings.Limits limits;
    private final String publicUrl;

    WarningRoutes(Notices notices, Appeals appeals, Settings.Limits limits, String publicUrl) {
        this.notices = notices;
        this.appeals = appeals;
        this.limits = limits;
        this.publicUrl = publicUrl;
    }

    List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/warnings", Access.user("read:accounts"), this::list),
                post("/api/v1/warnings/:id/appeal", Access.user("write:accounts"), this::appeal));
    }

    private Future<Answer> list(Call call) {
        return notices.store()
                .page(call.viewer(), call.parameters().page(LIMIT, limits.pageMax()))
                .compose(page ->
                        notices.answer(page.items()).map(answer -> answer.link(Links.of(publicUrl, call, page))));
    }

    private Future<Answer> appeal(Call call) {
        return appeals.make(call.viewer(), call.id(), text(call.parameters()))
                .compose(warning -> notices.answer(call.viewer(), call.id()));
    }

    private static String text(Parameters given) {
        String text = given.text("text", "").strip();
        ValidationErrors errors = new ValidationErrors();
        if (text.isEmpty()) {
            errors.add("text", "ERR_BLANK", "can't be blank");
        } else if (text.codePointCount(0, text.length()) > TEXT_MAX) {
            errors.add("text", "ERR_TOO_LONG", "is too long (at most " + TEXT_MAX + " characters)");
        } else {
            errors.addUnlessStreamSafe("text", text);
        }
        errors.refuseIfAny();
        return text;
    }
}
