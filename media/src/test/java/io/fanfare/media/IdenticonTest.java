package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class IdenticonTest {
    private final Identicon identicon = new Identicon();

    @Tag("slow")
    @Test
    void itIsASmallPictureOfTwoColoursThatIsTheSameOnBothSides() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            long account = 1 + random.nextLong(Id.MAX);
            byte[] file = identicon.png(account);
            BufferedImage picture = ImageIO.read(new ByteArrayInputStream(file));

            assertThat(file).as("seed %d account %d", seed, account).hasSizeLessThan(600);
            assertThat(picture.getWidth()).isEqualTo(Identicon.SIZE);
            assertThat(picture.getHeight()).isEqualTo(Identicon.SIZE);
            assertThat(colours(picture)).hasSizeLessThanOrEqualTo(2);
            for (int x = 0; x < Identicon.SIZE; x++) {
                assertThat(column(picture, x))
                        .as("seed %d account %d x %d", seed, account, x)
                        .isEqualTo(column(picture, Identicon.SIZE - 1 - x));
            }
        }
    }

    @Test
    void anAccountAlwaysHasTheSameAndNeighboursHaveOthers() {
        Set<ByteBuffer> seen = new HashSet<>();
        for (long account = 281474976710656L; account < 281474976710656L + 1000; account++) {
            byte[] picture = identicon.png(account);
            assertThat(picture).isEqualTo(new Identicon().png(account));
            seen.add(ByteBuffer.wrap(picture));
        }
        assertThat(seen).hasSizeGreaterThan(990);
    }

    private static Set<Integer> colours(BufferedImage picture) {
        Set<Integer> colours = new HashSet<>();
        for (int x = 0; x < picture.getWidth(); x++) {
            for (int colour : column(picture, x)) {
                colours.add(colour);
            }
        }
        return colours;
    }

    private static int[] column(BufferedImage picture, int x) {
        return IntStream.range(0, picture.getHeight())
                .map(y -> picture.getRGB(x, y))
                .toArray();
    }
}
