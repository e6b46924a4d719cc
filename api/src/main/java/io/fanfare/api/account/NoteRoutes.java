package io.fanfare.api.account;

import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.vertx.core.Future;
import java.util.List;

/** Private notes of the viewer about other accounts. */
public final class NoteRoutes {
    private final Accounts accounts;
    private final Notes notes;
    private final MemoryPressure pressure;
    private final ViewerRelationshipsReader viewerRelationships;

    public NoteRoutes(
            Accounts accounts, Notes notes, MemoryPressure pressure, ViewerRelationshipsReader viewerRelationships) {
        this.accounts = accounts;
        this.notes = notes;
        this.pressure = pressure;
        this.viewerRelationships = viewerRelationships;
    }

    public List<Endpoint> endpoints() {
        return List.of(post("/api/v1/accounts/:id/note", Access.user("write:accounts"), this::note));
    }

    private Future<Answer> note(Call call) {
        String text = NewNote.of(call.parameters()).text();
        if (!text.isEmpty()) {
            pressure.check(call.viewer());
        }
        return accounts.requireHolder(call.id())
                .compose(there -> notes.set(call.viewer(), call.id(), text))
                .compose(done -> Relationships.one(viewerRelationships, call));
    }
}
