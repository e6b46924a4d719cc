package io.fanfare.common.view;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.common.model.FilterMatch;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Status;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** The last fields of a status: what its viewer did with it, and which filters match. */
final class ViewerFlagsJson {
    /** Indexed by the sum of the flags of {@link SharedArticle}. */
    private static final List<Fragment> FLAGS = IntStream.range(0, 32)
            .mapToObj(flags -> rendered(flags, /* filtered= */ false))
            .toList();

    /** The same without the field {@code filtered}, which follows. */
    private static final List<Fragment> FILTERED_FLAGS = IntStream.range(0, 32)
            .mapToObj(flags -> rendered(flags, /* filtered= */ true))
            .toList();

    private ViewerFlagsJson() {}

    /** The fields for a sum of flags of {@link SharedArticle}; no filter matches. */
    static Fragment of(int flags) {
        return FLAGS.get(flags);
    }

    /**
     * Writes nothing for an anonymous viewer.
     *
     * @param status the id of the status that filters may match
     * @param subject the id of the status that the viewer acts on: that of the original for a repost
     */
    static void fields(JsonGenerator json, long status, long subject, boolean muted, RenderContext context)
            throws IOException {
        if (context.viewer() == 0) {
            return;
        }
        int flags = flags(subject, context) + (muted ? SharedArticle.MUTED : 0);
        List<FilterMatch> matches =
                context.filtered().isEmpty() ? null : context.filtered().get(status);
        if (matches == null) {
            json.writeRaw(FLAGS.get(flags));
        } else {
            json.writeRaw(FILTERED_FLAGS.get(flags));
            FilterJson.results(json, matches);
        }
    }

    /** Whether the viewer has muted the conversation of a status, or of a repost's original. */
    static boolean isMuted(Status status, RenderContext context) {
        if (context.mutedConversations().isEmpty()) {
            return false;
        }
        Status subject = status.kind() == Post.Kind.REPOST ? context.originals().get(status.subjectId()) : status;
        return subject != null && context.mutedConversations().contains(subject.conversationId());
    }

    private static int flags(long subject, RenderContext context) {
        int favourited = context.favourited().contains(subject) ? SharedArticle.FAVOURITED : 0;
        int reblogged = context.reblogged().contains(subject) ? SharedArticle.REBLOGGED : 0;
        int bookmarked = context.bookmarked().contains(subject) ? SharedArticle.BOOKMARKED : 0;
        int pinned = context.pinned().contains(subject) ? SharedArticle.PINNED : 0;
        return favourited + reblogged + bookmarked + pinned;
    }

    private static Fragment rendered(int flags, boolean filtered) {
        return Json.fields(json -> {
            json.writeBooleanField("favourited", (flags & SharedArticle.FAVOURITED) != 0);
            json.writeBooleanField("reblogged", (flags & SharedArticle.REBLOGGED) != 0);
            json.writeBooleanField("bookmarked", (flags & SharedArticle.BOOKMARKED) != 0);
            json.writeBooleanField("muted", (flags & SharedArticle.MUTED) != 0);
            json.writeBooleanField("pinned", (flags & SharedArticle.PINNED) != 0);
            if (!filtered) {
                Json.emptyArray(json, "filtered");
            }
        });
    }
}
