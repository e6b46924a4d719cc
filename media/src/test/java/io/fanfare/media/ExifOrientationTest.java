package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ExifOrientationTest {
    private static final int BLOCK_BYTES = 65_527;
    private static final int ORIENTATION = 0x0112;
    private static final int SHORT = 3;
    private static final int RATIONAL = 5;
    private static final int RATIONAL_BYTES = 8;

    @Test
    void anOrientationBehindEntriesThatAllNameTheWholeBlockIsFound() {
        int entries = (BLOCK_BYTES - 10) / 12;
        ByteBuffer tiff = directory(entries);
        for (int i = 1; i < entries; i++) {
            entry(tiff, 0x1000 + i, RATIONAL, BLOCK_BYTES / RATIONAL_BYTES, 8);
        }
        entry(tiff, ORIENTATION, SHORT, 1, 6);
        assertThat(ExifOrientation.of(tiff)).isEqualTo(6);
    }

    @Test
    void anOrientationOfAnotherTypeOrValueIsUpright() {
        assertThat(ExifOrientation.of(entry(directory(1), ORIENTATION, SHORT, 1, 8)))
                .isEqualTo(8);
        assertThat(ExifOrientation.of(entry(directory(1), ORIENTATION, SHORT, 1, 9)))
                .isEqualTo(1);
        assertThat(ExifOrientation.of(entry(directory(1), ORIENTATION, SHORT, 1, 0)))
                .isEqualTo(1);
        assertThat(ExifOrientation.of(entry(directory(1), ORIENTATION, RATIONAL, 1, 6)))
                .isEqualTo(1);
    }

    @Test
    void aDirectoryOutsideOfTheBlockIsUpright() {
        for (int at : new int[] {BLOCK_BYTES - 1, BLOCK_BYTES, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
            ByteBuffer tiff = entry(directory(1), ORIENTATION, SHORT, 1, 6).putInt(4, at);
            assertThat(ExifOrientation.of(tiff)).as("directory at %d", at).isEqualTo(1);
        }
    }

    @Test
    void entriesBeyondTheEndOfTheBlockAreUpright() {
        ByteBuffer tiff = ByteBuffer.allocate(21).order(ByteOrder.LITTLE_ENDIAN);
        tiff.putShort((short) 0x4949).putShort((short) 42).putInt(8).putShort((short) 0xffff);
        tiff.putShort((short) ORIENTATION).putShort((short) SHORT).putInt(1).putShort((short) 6);
        assertThat(ExifOrientation.of(tiff)).isEqualTo(1);
    }

    /** A block whose first directory has so many entries, which follow. */
    private static ByteBuffer directory(int entries) {
        ByteBuffer tiff = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return tiff.putShort((short) 0x4949).putShort((short) 42).putInt(8).putShort((short) entries);
    }

    @CanIgnoreReturnValue
    private static ByteBuffer entry(ByteBuffer tiff, int tag, int type, int count, int value) {
        return tiff.putShort((short) tag).putShort((short) type).putInt(count).putInt(value);
    }
}
