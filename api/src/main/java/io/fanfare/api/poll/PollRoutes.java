package io.fanfare.api.poll;

import static io.fanfare.api.endpoint.Endpoint.get;
import static io.fanfare.api.endpoint.Endpoint.post;

import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.MemoryPressure;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.Views;
import io.fanfare.core.poll.Polls;
import io.fanfare.core.post.VisibleStatuses;
import io.vertx.core.Future;
import java.util.List;

/**
 * Polls, whose ids are those of their statuses: who may see the status may see the poll, and vote. Only whoever blocks
 * its author may not vote; whom the author blocks does not see it.
 */
public final class PollRoutes {
    /** Stands for an invalid option. */
    private static final int NONE = -1;

    private final Polls polls;
    private final VisibleStatuses visible;
    private final ViewerRelationshipsReader viewerRelationships;
    private final MemoryPressure pressure;
    private final Views views;

    public PollRoutes(
            Polls polls,
            VisibleStatuses visible,
            ViewerRelationshipsReader viewerRelationships,
            MemoryPressure pressure,
            Views views) {
        this.polls = polls;
        this.visible = visible;
        this.viewerRelationships = viewerRelationships;
        this.pressure = pressure;
        this.views = views;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                get("/api/v1/polls/:id", Access.viewer("read:statuses"), this::show),
                post("/api/v1/polls/:id/votes", Access.user("write:statuses"), this::vote));
    }

    private Future<Answer> show(Call call) {
        return asking(call).compose(status -> answer(call, status));
    }

    private Future<Answer> vote(Call call) {
        List<Integer> choices = call.parameters().all("choices").stream()
                .map(PollRoutes::choice)
                .toList();
        return asking(call)
                .compose(status -> {
                    pressure.check(status.id());
                    return checkBlocks(call.viewer(), status);
                })
                .compose(status -> polls.vote(status, call.viewer(), choices).map(status))
                .compose(status -> answer(call, status));
    }

    private Future<Status> checkBlocks(long voter, Status status) {
        return viewerRelationships.over(voter, List.of(status)).map(relationships -> {
            if (relationships.blocks(status.authorId())) {
                throw new Refusal(
                        Refusal.Reason.FORBIDDEN,
                        "You block the author of this poll: unblock the account to vote in it.");
            }
            return status;
        });
    }

    private static int choice(String text) {
        return text.length() == 1 && Character.isDigit(text.charAt(0)) ? Character.digit(text.charAt(0), 10) : NONE;
    }

    private Future<Status> asking(Call call) {
        return visible.find(call.viewer(), call.id()).map(status -> {
            if (status.post().content().poll() == null) {
                throw Refusal.unknown();
            }
            return status;
        });
    }

    private Future<Answer> answer(Call call, Status status) {
        return polls.standings(List.of(status), call.viewer()).map(standings -> {
            Poll.Standing standing = standings.get(status.id());
            return Answer.json(json -> views.polls().write(json, status, standing, call.viewer()));
        });
    }
}
