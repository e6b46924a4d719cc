package io.fanfare.common.view;

import java.util.Optional;
import java.util.function.Function;

/**
 * An article that is rendered once and written for many viewers, who differ in their vote and their flags only.
 * Confined to one thread.
 */
public final class SharedArticle {
    /** Flags of a viewer; their sum is what {@link #write} takes. */
    public static final int FAVOURITED = 1;

    public static final int REBLOGGED = 2;
    public static final int BOOKMARKED = 4;

    /** In place of flags: nobody in particular is looking. */
    public static final int ANONYMOUS = -1;

    private final Function<Optional<Boolean>, byte[]> renderer;

    /** JSON for those of whom it is not known whether they have voted, who have not, and who have. */
    private final byte[][] byVote = new byte[3][];

    /** @param renderer makes an object without flags for those who have voted, or not */
    SharedArticle(Function<Optional<Boolean>, byte[]> renderer) {
        this.renderer = renderer;
    }

    /** How many bytes {@link #write} writes. */
    public int length(Optional<Boolean> voted, int flags) {
        int length = object(voted).length;
        return flags == ANONYMOUS ? length : length + Views.flags(flags).length();
    }

    /** Writes its JSON object; answers where it ends. */
    public int write(byte[] to, int from, Optional<Boolean> voted, int flags) {
        byte[] object = object(voted);
        System.arraycopy(object, 0, to, from, object.length);
        int end = from + object.length;
        if (flags == ANONYMOUS) {
            return end;
        }
        byte[] last = Views.flags(flags).asUnquotedUTF8();
        System.arraycopy(last, 0, to, end - 1, last.length); // In place of the brace that ends the object.
        end += last.length;
        to[end - 1] = '}';
        return end;
    }

    private byte[] object(Optional<Boolean> voted) {
        int index = voted.isEmpty() ? 0 : voted.get() ? 2 : 1;
        if (byVote[index] == null) {
            byVote[index] = renderer.apply(voted);
        }
        return byVote[index];
    }
}
