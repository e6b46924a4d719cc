package io.fanfare.api.endpoint;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.text.TextEntities;
import io.fanfare.core.posting.PostGate;
import io.fanfare.core.posting.PostReview;
import io.vertx.core.Future;
import java.util.List;

/**
 * The gate for posts of clients: the memory of Redis, the limits of an author for a day, and those of a new author. The
 * age of an account is in its id, so that posts of others cost nothing for it.
 */
public record RequestGate(
        MemoryPressure pressure, RateLimits rates, ViewerRelationshipsReader relationships, PostReview review)
        implements PostGate {
    @Override
    public void checkRoom(long author) {
        pressure.check(author);
    }

    @Override
    public Future<Void> count(Post post) {
        if (rates.newUntil(post.authorId()) == 0) {
            return rates.takePost(post);
        }
        return reachesOut(post)
                .compose(out -> out ? rates.takeNewAccountPost(post.authorId()) : Future.succeededFuture())
                .compose(taken -> rates.takePost(post));
    }

    /** Whether a post has a link, is a direct message, or names an account that does not follow its author. */
    private Future<Boolean> reachesOut(Post post) {
        List<TextEntities.Entity> entities = TextEntities.in(post.content().text());
        boolean links = entities.stream().anyMatch(entity -> entity.kind() == TextEntities.Kind.ADDRESS);
        boolean names = entities.stream().anyMatch(entity -> entity.kind() == TextEntities.Kind.MENTION);
        if (links || post.visibility() == Visibility.DIRECT || !names) {
            return Future.succeededFuture(links || post.visibility() == Visibility.DIRECT);
        }
        List<Long> named = post.content().mentions().stream()
                .map(Content.Mention::accountId)
                .filter(account -> account != post.authorId())
                .toList();
        // The accounts that a scheduled post names are looked up when it is published, without this gate.
        return post.content().mentions().isEmpty()
                ? Future.succeededFuture(true)
                : relationships.of(post.authorId(), named).map(found -> !named.stream()
                        .allMatch(found::isFollowedBy));
    }
}
