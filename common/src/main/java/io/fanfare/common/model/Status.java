package io.fanfare.common.model;

/** A post as it is stored. When it was made is in its id; only the counters ever change. */
public record Status(long id, Draft draft, Counters counters) {
    public long authorId() {
        return draft.authorId();
    }

    public Visibility visibility() {
        return draft.visibility();
    }

    public Draft.Kind kind() {
        return draft.kind();
    }

    public String text() {
        return draft.content().text();
    }

    /** What likes, reposts and comments of this status go to: itself, or what it only passes on. */
    public long subjectId() {
        return kind() == Draft.Kind.REPOST ? draft.original().statusId() : id;
    }
}
