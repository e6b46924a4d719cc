package io.fanfare.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageDeflaterTest {
    private static final int LONGEST = AnswerCompressor.BYTES_MAX;

    private static final List<String> WORDS = List.of(
            ("the morning train was late again so we walked along river and talked about music for hours before rain"
                            + " came down on quiet streets while shops closed their doors nobody minded because somebody"
                            + " had brought bread cheese grapes enough paper cups even candles")
                    .split(" "));

    private static final String STATUS = """
            {"replies_count":0,"reblogs_count":0,"favourites_count":0,"quotes_count":0,"id":"ID","created_at":"TIME",\
            "in_reply_to_id":null,"in_reply_to_account_id":null,"sensitive":false,"spoiler_text":"","visibility":\
            "public","language":"en","uri":"https://example.org/users/AUTHOR/statuses/ID","url":\
            "https://example.org/@AUTHOR/ID","edited_at":null,"content":"<p>TEXT</p>","mentions":[],"tags":[],\
            "media_attachments":[],"emojis":[],"card":null,"poll":null,"reblog":null,"account":{"followers_count":7,\
            "following_count":9,"last_status_at":"2026-11-30","username":"AUTHOR","acct":"AUTHOR","display_name":"",\
            "note":"","url":"https://example.org/@AUTHOR","avatar":"https://example.org/avatars/AUTHOR.png","fields":[]},\
            "favourited":false,"reblogged":false,"muted":false,"filtered":[]}""";

    private PageDeflater deflater = new PageDeflater();

    private byte[] deflated(byte[] page) {
        byte[] out = new byte[PageDeflater.bytesMax(page.length)];
        return Arrays.copyOf(out, deflater.deflate(page, page.length, out, 0));
    }

    private static byte[] inflated(byte[] deflated, int length) throws DataFormatException {
        Inflater inflater = new Inflater(/* nowrap= */ true);
        try {
            inflater.setInput(deflated);
            byte[] page = new byte[length + 1];
            int inflated = inflater.inflate(page);
            assertThat(inflater.finished()).isTrue();
            assertThat(inflater.getRemaining()).isZero();
            return Arrays.copyOf(page, inflated);
        } finally {
            inflater.end();
        }
    }

    private void assertSurvives(byte[] page) throws DataFormatException {
        assertThat(inflated(deflated(page), page.length)).isEqualTo(page);
    }

    private static byte[] statuses(Random random, int number) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            long id = random.nextLong(1L << 50);
            String time = "2026-11-30T16:" + (10 + random.nextInt(50)) + ":05.293Z";
            String author = "ada" + random.nextInt(30);
            String text = random.ints(16, 0, WORDS.size()).mapToObj(WORDS::get).collect(Collectors.joining(" "));
            all.add(STATUS.replace("ID", Long.toString(id))
                    .replace("TIME", time)
                    .replace("TEXT", text)
                    .replace("AUTHOR", author));
        }
        return ("[" + String.join(",", all) + "]").getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 8, 9, 15, 16, 17, 255, 256, 257, 258, 259, 260, 263, 264, 516, 517, 1024, LONGEST})
    void runsOfOneByteAreInflatedToTheSame(int length) throws DataFormatException {
        byte[] page = new byte[length];
        Arrays.fill(page, (byte) 'a');

        assertSurvives(page);
    }

    @Test
    void pagesWithRepetitionsAtRandomDistancesAreInflatedToTheSame() throws DataFormatException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 1500; round++) {
            byte[] page = new byte[random.nextInt(2 << random.nextInt(18))];
            int symbols = 1 + random.nextInt(256);
            for (int i = 0; i < page.length; i++) {
                page[i] = (byte) random.nextInt(symbols);
            }
            for (int copy = random.nextInt(1 + page.length / 50); copy > 0; copy--) {
                int length = random.nextInt(Math.min(1000, page.length));
                System.arraycopy(
                        page, random.nextInt(page.length - length), page, random.nextInt(page.length - length), length);
            }
            assertThat(inflated(deflated(page), page.length))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(page);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 32767, 32768, 32769, 65536})
    void bytesRepeatedAtThisDistanceAreInflatedToTheSame(int distance) throws DataFormatException {
        byte[] page = new byte[distance + 300];
        new Random(1).nextBytes(page);
        System.arraycopy(page, 0, page, distance, 300);

        assertSurvives(page);
    }

    @Test
    void noBodyBecomesLongerThanTheBound() throws DataFormatException {
        byte[] page = new byte[LONGEST];
        // Bytes with the longest codes, in an order that has no repetition of five.
        Random random = new Random(1);
        for (int i = 0; i < page.length; i++) {
            page[i] = (byte) random.nextInt(32);
        }

        byte[] deflated = deflated(page);

        assertThat(deflated.length).isGreaterThan(page.length).isLessThan(PageDeflater.bytesMax(page.length));
        assertSurvives(page);
    }

    @Test
    void aPageDoesNotDependOnThePagesBefore() {
        byte[] page = statuses(new Random(1), 20);
        byte[] first = deflated(page);
        byte[] other = deflated(statuses(new Random(2), 40));

        assertThat(deflated(page)).isEqualTo(first).isNotEqualTo(other);
    }

    @Test
    void positionsMayOverflow() throws DataFormatException {
        byte[] page = statuses(new Random(1), 20);
        byte[] first = deflated(page);
        deflater = new PageDeflater(Integer.MAX_VALUE - 3 * page.length / 2);

        for (int i = 0; i < 4; i++) {
            assertThat(deflated(page)).isEqualTo(first);
        }
        assertSurvives(page);
    }

    @Test
    void aPageOfStatusesTakesNoMoreThanATenthMoreThanWithTheLowestLevelOfZlib() {
        byte[] page = statuses(new Random(1), 20);
        Deflater zlib = new Deflater(Deflater.BEST_SPEED, /* nowrap= */ true);
        try {
            zlib.setInput(page);
            zlib.finish();
            int zlibBytes = zlib.deflate(new byte[page.length]);

            assertThat(deflated(page).length).isLessThan(zlibBytes * 11 / 10);
        } finally {
            zlib.end();
        }
    }
}
