package io.fanfare.api.instance;

import static io.fanfare.api.endpoint.Endpoint.get;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.fanfare.common.view.Views;
import io.fanfare.core.emoji.KnownEmojis;
import io.vertx.core.Future;
import java.util.List;

/** The custom emojis, which the operator has added. Confined to one event loop. */
public final class EmojiRoutes {
    private final KnownEmojis known;
    private final Views views;

    /** The emojis that {@link #list} was built of. */
    private CustomEmojis shown = CustomEmojis.NONE;

    private Answer list;

    public EmojiRoutes(KnownEmojis known, Views views) {
        this.known = known;
        this.views = views;
        this.list = answer();
    }

    public List<Endpoint> endpoints() {
        return List.of(get("/api/v1/custom_emojis", Access.OPEN, call -> Future.succeededFuture(list()))
                .despite(Switch.MEMBERS_ONLY));
    }

    private Answer list() {
        if (shown != known.get()) {
            shown = known.get();
            list = answer();
        }
        return list;
    }

    private Answer answer() {
        // A thousand take a millisecond to compress, and every client asks for them.
        return Answer.array(shown.all(), views.emojis()::write).kept();
    }
}
