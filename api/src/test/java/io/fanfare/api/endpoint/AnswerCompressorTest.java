package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class AnswerCompressorTest {
    private final AnswerCompressor compressor = new AnswerCompressor(true);

    private static Answer answer(String text) {
        return Answer.json(Buffer.buffer("[\"" + text.repeat(1000) + "\"]"));
    }

    private Buffer gzip(Answer answer) {
        return answer.gzip(compressor);
    }

    private static String unpacked(Buffer body) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body.getBytes()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aKeptAnswerIsCompressedOnceAndAlsoWithOtherHeaders() throws IOException {
        Answer kept = answer("party").kept();

        Buffer first = gzip(kept);

        assertThat(gzip(kept)).isSameAs(first);
        assertThat(gzip(kept.header("X-Other", "1"))).isSameAs(first);
        assertThat(unpacked(first)).isEqualTo(kept.body().toString());
    }

    @Test
    void anotherAnswerHasItsOwnBody() throws IOException {
        Buffer first = gzip(answer("party").kept());

        assertThat(unpacked(gzip(answer("zoo").kept())))
                .isEqualTo(answer("zoo").body().toString());
        assertThat(unpacked(first)).isEqualTo(answer("party").body().toString());
    }

    @Test
    void anAnswerThatIsNotKeptIsCompressedForEachRequest() {
        Answer passing = answer("party");

        assertThat(gzip(passing)).isNotSameAs(gzip(passing)).isEqualTo(gzip(passing));
    }

    /** A kept answer is compressed once, so it may take longer. The next answer has a level of its own. */
    @Test
    void aKeptAnswerIsCompressedMoreThanOneForASingleRequest() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            text.append("{\"id\":\"" + i * 7919 + "\",\"content\":\"<p>Post " + i + " of " + i * 31 % 97 + "</p>\"},");
        }
        Answer passing = Answer.json(Buffer.buffer("[" + text + "{}]"));

        Buffer once = gzip(passing);
        Buffer kept = gzip(passing.kept());

        assertThat(kept.length()).isLessThan(once.length());
        assertThat(unpacked(kept)).isEqualTo(unpacked(once));
        assertThat(gzip(passing)).isEqualTo(once);
    }

    @Test
    void pagesInOtherScriptsTakeNoMoreThanWithTheLowestLevelOfZlib() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(1);
        for (int i = 0; i < 4000; i++) {
            text.append((char) (0x4e00 + random.nextInt(2000)));
        }
        Answer page = Answer.json(Buffer.buffer("[\"" + text + "\"]"));
        Deflater zlib = new Deflater(Deflater.BEST_SPEED, /* nowrap= */ true);
        zlib.setInput(page.body().getBytes());
        zlib.finish();
        int zlibBytes = zlib.deflate(new byte[page.body().length()]);
        zlib.end();

        assertThat(gzip(page).length()).isEqualTo(zlibBytes + 18);
        assertThat(unpacked(gzip(page))).isEqualTo(page.body().toString());
    }

    @Test
    void anHtmlPageIsCompressedAsWell() throws IOException {
        Answer page = Answer.page("<p>" + "a paragraph of a page ".repeat(1000) + "</p>");

        assertThat(gzip(page).length()).isLessThan(page.body().length() / 10);
        assertThat(unpacked(gzip(page))).isEqualTo(page.body().toString());
    }
}
