package io.fanfare.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageReaderTest {
    @TempDir
    private Path dir;

    @ParameterizedTest(name = "{0}, column {1}")
    @CsvSource(
            nullValues = "guess",
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plain.txt    | guess         | `one\\ntwo\\n`",
                "noname       | guess         | `one\\ntwo`",
                "a.csv        | guess         | `id,text\\n1,one\\n2,\"two\"\\n`",
                "a.csv        | guess         | `id,Message\\r\\n1,one\\r\\n2,two\\r\\n`",
                "a.csv        | body          | `body,text\\none,no\\ntwo,no\\n`",
                "a.csv        | guess         | `anything\\none\\ntwo\\n`",
                "a.tsv        | guess         | `content\\tid\\none\\t1\\n\"two\"\\t2\\n`",
                "a.jsonl      | guess         | `{\"text\":\"one\"}\\n\\n{\"content\":\"two\"}\\n`",
                "a.ndjson     | commit.record.text | `{\"commit\":{\"record\":{\"text\":\"one\"}}}\\n{\"commit.record.text\":\"two\"}\\n`",
            })
    void findsTheTextsInEveryFormat(String name, String column, String content) throws IOException {
        MessageReader reader = new MessageReader(column);
        assertThat(reader.read(file(name, unescape(content))).texts()).containsExactly("one", "two");
        assertThat(reader.skips().sentences()).isEmpty();
    }

    @Test
    void keepsLineBreaksQuotesAndDelimitersInQuotedFields() throws IOException {
        Messages messages =
                new MessageReader(null).read(file("a.csv", "text,id\n\"two\nlines, and a \"\"quote\"\"\",1\n"));
        assertThat(messages.texts()).containsExactly("two\nlines, and a \"quote\"");
    }

    @Test
    void readsGzip() throws IOException {
        Path file = dir.resolve("a.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("text\n喇叭 📣\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new MessageReader(null).read(file).texts()).containsExactly("喇叭 📣");
    }

    @Test
    void ignoresAByteOrderMark() throws IOException {
        assertThat(new MessageReader("text")
                        .read(file("a.csv", "\uFEFFtext,n\none,1\n"))
                        .texts())
                .containsExactly("one");
    }

    @Test
    void skipsRecordsOfTheWrongWidthAndNamesTheLineWhereTheyBegin() throws IOException {
        MessageReader reader = new MessageReader(null);
        Messages messages = reader.read(file("a.csv", "id,text\n1,\"a\nb\"\n2\n3,c,extra\n4,d\n"));
        assertThat(messages.texts()).containsExactly("a\nb", "d");
        assertThat(reader.skips().sentences()).containsExactly("2 malformed lines skipped (lines 4, 5)");
    }

    @Test
    void survivesAQuoteThatIsNeverClosed() throws IOException {
        MessageReader reader = new MessageReader(null);
        Messages messages = reader.read(file("a.csv", "text,id\none,1\n\"two,2\nthree,3\n"));
        assertThat(messages.texts()).containsExactly("one");
        assertThat(reader.skips().sentences()).containsExactly("1 malformed lines skipped (line 3)");
    }

    @Test
    void skipsJsonThatIsBrokenOrHasNoText() throws IOException {
        MessageReader reader = new MessageReader(null);
        Messages messages =
                reader.read(file("a.jsonl", "{\"text\":\"one\"}\n{\"text\":\n[1]\n{\"text\":7}\n{\"id\":1}\n"));
        assertThat(messages.texts()).containsExactly("one");
        assertThat(reader.skips().sentences())
                .containsExactly(
                        "2 malformed lines skipped (lines 2, 3)",
                        "2 records without the text column skipped (lines 4, 5)");
    }

    @Test
    void skipsBlankTextsAndCutsLongOnesBetweenCodePoints() throws IOException {
        MessageReader reader = new MessageReader(null);
        String fits = "📣".repeat(MessageReader.TEXT_MAX);
        Messages messages = reader.read(file("a.txt", "\n  \u3000\none\n" + fits + "\n" + fits + "📣\n"));
        assertThat(messages.texts()).containsExactly("one", fits, fits);
        assertThat(reader.skips().sentences())
                .containsExactly("2 blank texts skipped (lines 1, 2)", "1 texts cut to 500 characters (line 5)");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.csv   | `a,b\\n1,2\\n`      | `no column text or content or message; there are [a, b]: choose one with --text-column`",
                "a.jsonl | `{\"a\":\"b\"}\\n`  | `no messages in a.jsonl: 1 records without the text column skipped (line 1)`",
                "a.txt   | ``                  | `no messages in a.txt: it is empty`",
                "a.csv   | ``                  | `no column text or content or message; there are []: choose one with --text-column`",
            })
    void saysWhyThereIsNothingToPost(String name, String content, String reason) {
        assertThatThrownBy(() -> new MessageReader(null).read(file(name, unescape(content))))
                .isInstanceOf(IOException.class)
                .hasMessage(reason);
    }

    @Test
    void startsAgainWithTheFirstMessageAfterTheLast() throws IOException {
        Messages messages = new MessageReader(null).read(file("a.txt", "one\ntwo\n"));
        assertThat(messages.text(0)).isEqualTo("one");
        assertThat(messages.text(3)).isEqualTo("two");
        assertThat(messages.text(4)).isEqualTo("one");
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(dir.resolve(name), content);
    }

    private static String unescape(String text) {
        return text == null
                ? ""
                : text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
    }
}
