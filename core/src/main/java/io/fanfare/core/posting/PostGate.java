package io.fanfare.core.posting;

import io.fanfare.common.model.Post;
import io.vertx.core.Future;

/** Refuses posts for which there is no room, or which exceed a limit of their author. */
public interface PostGate {
    /** A gate for posts that another gate has admitted before. */
    PostGate OPEN = new PostGate() {
        @Override
        public void checkRoom(long author) {}

        @Override
        public Future<Void> count(Post post) {
            return Future.succeededFuture();
        }
    };

    /** Throws {@code Refusal(OVERLOADED)} while the memory of Redis is nearly full. */
    void checkRoom(long author);

    /** Counts a post against the limits of its author; fails with {@code Refusal(TOO_MANY)} beyond them. */
    Future<Void> count(Post post);

    /** The review of posts by signals of abuse; off unless a feature has switched it on. */
    default PostReview review() {
        return new PostReview();
    }
}
