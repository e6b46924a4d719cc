package io.fanfare.common.model;

/** A post as it is stored. When it was made is in its id; the counters change, and what its author edits. */
public record Status(long id, Post post, Counters counters) {
    public long authorId() {
        return post.authorId();
    }

    public Visibility visibility() {
        return post.visibility();
    }

    public Post.Kind kind() {
        return post.kind();
    }

    public String text() {
        return post.content().text();
    }

    /** Whether it can be voted on. */
    public boolean isArticle() {
        return post.content().article() != null;
    }

    /**
     * The status with which its conversation began: what it answers, what that answers, and so on. A repost is a
     * conversation of its own, which nobody is shown.
     */
    public long conversationId() {
        if (post.conversation() != 0) {
            return post.conversation();
        }
        Reference above = post.root() == null ? post.replyTo() : post.root();
        return above == null ? id : above.statusId();
    }

    /** The status that likes, reposts and comments of this one go to: itself, or the one that it only reposts. */
    public long subjectId() {
        return kind() == Post.Kind.REPOST ? post.original().statusId() : id;
    }
}
