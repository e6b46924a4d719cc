package io.fanfare.server.http;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * The bytes of one body in one array, which grows with the bytes that arrive: a body that is declared and does not
 * arrive takes a kilobyte. Memory is charged to the budget before it is allocated, except for the first kilobyte: its
 * connection takes more than that, and connections have a limit of their own. So an ordinary post does not touch what
 * all event loops share. Confined to one event loop.
 */
final class CollectedBytes {
    private static final int FIRST_BYTES = 1 << 10;

    private final int bytesMax;
    private final BodyBudget.Claim claim;
    private byte[] bytes = new byte[0];
    private int length;

    /** @param bytesMax never more is added */
    CollectedBytes(int bytesMax, BodyBudget.Claim claim) {
        this.bytesMax = bytesMax;
        this.claim = claim;
    }

    /** Reads what has been collected. */
    interface Parser {
        void parse(byte[] bytes, int length);
    }

    /** A form that is parsed as a whole, unless it is empty. */
    BodyReader.Form then(Parser parser, ParameterReader into) {
        return new BodyReader.Form() {
            @Override
            public void add(Buffer piece) {
                CollectedBytes.this.add(piece);
            }

            @Override
            public ParameterReader finish() {
                if (length > 0) {
                    parser.parse(bytes, length);
                }
                // The charge stays: it stands for the parameters now.
                bytes = null;
                return into;
            }
        };
    }

    private void add(Buffer piece) {
        int due = length + piece.length();
        if (due > bytes.length) {
            int size = Math.min(bytesMax, Math.max(due, Math.max(FIRST_BYTES, 2 * bytes.length)));
            claim.add(charge(size) - charge(bytes.length));
            bytes = Arrays.copyOf(bytes, size);
        }
        piece.getBytes(bytes, length);
        length = due;
    }

    private static long charge(int size) {
        return size <= FIRST_BYTES ? 0 : size;
    }
}
