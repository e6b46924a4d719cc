package io.fanfare.common.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AttachmentTest {
    private static final String OLD =
            "7 0f.jpg 1600 900 640 360 L1Eyb[~qe=~q~qoLjakCbHayfia# 0.5 -0.25 a cat, with / and\nlines";
    private static final Clip CLIP = new Clip(Clip.Kind.VIDEO, 88_650, 862_056, 30_000, 1001);

    @Test
    void theLineOfAPictureIsAsItWasAlways() {
        Attachment picture = Attachment.of(OLD).orElseThrow();

        assertThat(picture.line()).isEqualTo(OLD);
        assertThat(picture.type()).isEqualTo("image");
        assertThat(picture.isClip()).isFalse();
        assertThat(picture.description()).isEqualTo("a cat, with / and\nlines");
    }

    @Test
    void aVideoOrSoundIsReadAsItWasWritten() {
        for (String blurhash : List.of("", "L1Eyb[~qe=~q~qoLjakCbHayfia#")) {
            for (Clip clip : List.of(CLIP, new Clip(Clip.Kind.AUDIO, 0, 0, 0, 0))) {
                Attachment written = new Attachment(
                        7, "0f.mp4", 1280, 720, 0, 0, blurhash, Attachment.Focus.CENTRE, "said / of it", clip);

                assertThat(Attachment.of(written.line())).contains(written);
                assertThat(written.line().split(" ", 10))
                        .as("the parts of a picture")
                        .hasSize(10);
            }
        }
    }

    @Test
    void fieldsThatANewerProcessAddedAreSkipped() {
        String line = "7 0f.mp4 1280 720 0 0 /v/88650/862056/30000/1001/more 0.0 0.0 ";

        assertThat(Attachment.of(line).orElseThrow().clip()).isEqualTo(CLIP);
        assertThat(Attachment.of(line.replace("/v/", "/x/"))).isEmpty();
        assertThat(Attachment.of(line.replace("88650", "long"))).isEmpty();
        assertThat(Attachment.of(line.replace("/88650/862056/30000/1001/more", "")))
                .isEmpty();
    }
}
