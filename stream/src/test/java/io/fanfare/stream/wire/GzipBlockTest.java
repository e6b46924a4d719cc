package io.fanfare.stream.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GzipBlockTest {
    private final BlockDeflater deflater = new BlockDeflater();
    private final Random random = new Random(7);

    @AfterEach
    void close() {
        deflater.close();
    }

    @Test
    void anyBlocksInAnyOrderAreOneMemberOfWhichReadersCheckTheEnd() throws IOException {
        for (int round = 0; round < 300; round++) {
            List<GzipBlock> blocks = new ArrayList<>();
            ByteArrayOutputStream texts = new ByteArrayOutputStream();
            for (int i = random.nextInt(1, 8); i > 0; i--) {
                byte[] text = text();
                texts.writeBytes(text);
                blocks.add(block(text));
            }
            assertThat(read(blocks)).isEqualTo(texts.toByteArray());
        }
    }

    /** The reader compares checksum and length with what it has unpacked, and would throw. */
    private static byte[] read(List<GzipBlock> blocks) throws IOException {
        Buffer member = blocks.get(0).asFirst();
        int crc = 0;
        int length = 0;
        for (int i = 0; i < blocks.size(); i++) {
            GzipBlock block = blocks.get(i);
            crc = block.checksum(crc);
            length += block.length();
            if (i > 0) {
                member.appendBuffer(block.bytes());
            }
        }
        member.appendBuffer(GzipBlock.end(crc, length));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(member.getBytes()))) {
            return in.readAllBytes();
        }
    }

    private GzipBlock block(byte[] text) {
        return switch (random.nextInt(3)) {
            case 0 -> GzipBlock.stored(Buffer.buffer(text));
            case 1 -> deflater.deflate(Buffer.buffer(text));
            default -> {
                int middle = random.nextInt(text.length + 1);
                Buffer whole = Buffer.buffer(text);
                yield GzipBlock.joined(List.of(
                        deflater.deflate(whole.getBuffer(0, middle)),
                        GzipBlock.stored(whole.getBuffer(middle, text.length))));
            }
        };
    }

    /** A text of any length, perhaps more than a stored block holds. Half of them cannot be compressed. */
    private byte[] text() {
        byte[] text = new byte[random.nextInt(1 << random.nextInt(1, 18))];
        if (random.nextBoolean()) {
            random.nextBytes(text);
        }
        return text;
    }

    @Test
    void theChecksumOfManyTextsIsThatOfTheWhole() {
        CRC32 whole = new CRC32();
        int crc = 0;
        for (int length = 0; length < 2000; length++) {
            byte[] text = new byte[length];
            random.nextBytes(text);
            whole.update(text);
            crc = GzipBlock.stored(Buffer.buffer(text)).checksum(crc);
            assertThat(crc).isEqualTo((int) whole.getValue());
        }
    }

    @Test
    void aLengthBeyondFourGigabytesBeginsAgainAtZero() {
        assertThat(GzipBlock.end(1, -1).getUnsignedIntLE(6)).isEqualTo(0xffffffffL);
    }

    @Test
    void aTextThatRepeatsItselfTakesAFractionAndOneThatDoesNotFewBytesMore() {
        assertThat(deflater.deflate(Buffer.buffer("so it goes ".repeat(1000)))
                        .bytes()
                        .length())
                .isLessThan(200);
        byte[] noise = new byte[1 << 18];
        random.nextBytes(noise);
        assertThat(deflater.deflate(Buffer.buffer(noise)).bytes().length()).isBetween(1 << 18, (1 << 18) + 200);
    }
}
