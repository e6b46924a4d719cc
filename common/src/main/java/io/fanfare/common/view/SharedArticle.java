package io.fanfare.common.view;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.function.Function;

/**
 * An article that is rendered once and shown to many viewers, who differ in their vote and their flags only. Confined
 * to one thread.
 */
public final class SharedArticle {
    /** Flags of a viewer; their sum is what {@link #element} takes. */
    public static final int FAVOURITED = 1;

    public static final int REBLOGGED = 2;
    public static final int BOOKMARKED = 4;
    public static final int PINNED = 8;
    public static final int MUTED = 16;

    /** In place of flags: nobody in particular is looking. */
    public static final int ANONYMOUS = -1;

    private final Function<Optional<Boolean>, byte[]> renderer;

    /** By {@link #index}, for those of whom nothing is known but their vote. */
    private final Buffer[] plain = new Buffer[3];

    /** The same for those who have done nothing with it, which nearly all have. */
    private final Buffer[] unflagged = new Buffer[3];

    /** @param renderer makes an object without flags for those who have voted, or not */
    SharedArticle(Function<Optional<Boolean>, byte[]> renderer) {
        this.renderer = renderer;
    }

    /**
     * A comma and its JSON object, to be one of an array. Must not be changed.
     *
     * @param voted empty = it is not known, or it cannot be voted on
     */
    public Buffer element(Optional<Boolean> voted, int flags) {
        int index = index(voted);
        if (plain[index] == null) {
            byte[] object = renderer.apply(voted);
            plain[index] =
                    Buffer.buffer(object.length + 1).appendByte((byte) ',').appendBytes(object);
        }
        if (flags == ANONYMOUS) {
            return plain[index];
        }
        if (unflagged[index] == null) {
            unflagged[index] = flagged(plain[index], 0);
        }
        return flags == 0 ? unflagged[index] : flagged(plain[index], flags);
    }

    private static int index(Optional<Boolean> voted) {
        return voted.isEmpty() ? 0 : voted.get() ? 2 : 1;
    }

    private static Buffer flagged(Buffer element, int flags) {
        byte[] last = ViewerFlagsJson.of(flags).asUnquotedUTF8();
        int brace = element.length() - 1;
        return Buffer.buffer(brace + last.length + 1)
                .appendBuffer(element, 0, brace)
                .appendBytes(last)
                .appendByte((byte) '}');
    }
}
