package io.fanfare.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.sun.management.ThreadMXBean;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Refusal;
import io.vertx.core.MultiMap;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How parameters are read, and that what strangers write costs no more than its bytes. */
class ParametersTest {
    private static final int BYTES = 166_000;
    private static final long ALLOCATED_MAX = 16L * BYTES + (1 << 20);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void anEmptyListSaysThatThereIsNothing() {
        Parameters parameters = json("{'a':[],'b':null,'c':[{}]}").parameters();

        assertThat(parameters.hasList("a")).isTrue();
        assertThat(parameters.has("a")).isFalse();
        assertThat(parameters.all("a")).isEmpty();
        assertThat(parameters.text("a", "absent")).isEqualTo("absent");
        assertThat(parameters.hasAny("a")).isFalse();
        assertThat(parameters.hasList("b")).isFalse();
        assertThat(parameters.hasList("c")).isFalse();
    }

    @Test
    void nullIsABodyThatSaysNothingAndOtherJsonIsNone() {
        assertThat(json("null").parameters().has("a")).isFalse();
        for (String json : List.of("[]", "true", "1", "'a'", "null null", "null {}", "nul", "{} null")) {
            check(false, () -> json(json));
        }
    }

    @Test
    void theBodyComesBeforeTheQueryAndTheLastOfANameCounts() {
        ParameterReader query = new ParameterReader();
        query.addAll(
                MultiMap.caseInsensitiveMultiMap().add("a", "1").add("b", "1").add("b", "2"));
        ParameterReader body = query.under();
        form(body, "a=3&c=4&c=%C3%BC+%2B&d");
        Parameters parameters = body.parameters();

        assertThat(parameters.text("a")).isEqualTo("3");
        assertThat(parameters.text("b")).isEqualTo("2");
        assertThat(parameters.text("c")).isEqualTo("ü +");
        assertThat(parameters.has("d")).isTrue();
        assertThat(parameters.all("b")).containsExactly("1", "2");
    }

    /** Mastodon.py, for one, makes such ids of the dates that people give it. */
    @Test
    void idsThatMastodonWouldMakeOfADateMeanThatMoment() {
        long millis = Instant.parse("2026-11-23T10:00:00Z").toEpochMilli();
        ParameterReader reader = new ParameterReader();
        form(reader, "max_id=" + (millis << 16) + "&since_id=" + ((millis - 1000) << 16) + "&min_id=" + (5L << 16));
        assertThat(reader.parameters().page(20, 40))
                .isEqualTo(new PageRequest(Id.of(millis, 0, 0), Id.of(millis - 1000, 0, 0), 5L << 16, 20));

        ParameterReader early = new ParameterReader();
        long before = Instant.parse("2020-01-01T00:00:00Z").toEpochMilli() << 16;
        form(early, "max_id=" + before + "&min_id=" + before);
        assertThat(early.parameters().page(20, 40))
                .isEqualTo(new PageRequest(PageRequest.BOTTOM, 0, PageRequest.BOTTOM, 20));

        ParameterReader huge = new ParameterReader();
        form(huge, "max_id=999999999999999999&since_id=" + Id.MAX);
        assertThat(huge.parameters().page(20, 40)).isEqualTo(new PageRequest(Id.MAX, Id.MAX, 0, 20));
    }

    @Test
    void listsAndObjectsAreAlikeInEveryForm() {
        ParameterReader inForm = new ParameterReader();
        form(inForm, "id[]=1&id[]=2&source[language]=en&field[0][name]=a&field[0][value]=b&field[1][name]=c\r\n");
        ParameterReader inJson = json(
                "{'id':[1,'2'],'source':{'language':'en'},'field':[{'name':'a','value':'b'},{'name':'c'}],'n':null}");

        for (ParameterReader reader : List.of(inForm, inJson)) {
            Parameters parameters = reader.parameters();
            assertThat(parameters.all("id")).containsExactly("1", "2");
            assertThat(parameters.text("source[language]")).isEqualTo("en");
            assertThat(parameters.hasAny("source")).isTrue();
            assertThat(parameters.has("n")).isFalse();
            assertThat(parameters.objects("field"))
                    .containsExactly(Map.of("name", "a", "value", "b"), Map.of("name", "c"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, true",
        "true, true",
        "True, true",
        "t, true",
        "on, true",
        "yes, true",
        "y, true",
        "' 1 ', true",
        "2, true",
        "checked, true",
        "enabled, true",
        "0, false",
        "false, false",
        "FALSE, false",
        "' false', false",
        "f, false",
        "off, false",
        "no, false",
        "n, false"
    })
    void everyWordIsATruthValue(String written, boolean read) {
        ParameterReader reader = new ParameterReader();
        reader.addAll(MultiMap.caseInsensitiveMultiMap().add("a", written).add("blank", " "));

        assertThat(reader.parameters().flag("a", !read)).isEqualTo(read);
        assertThat(reader.parameters().flag("blank", read)).isEqualTo(read);
        assertThat(reader.parameters().flag("absent", read)).isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "+7, 7",
        "007, 7",
        "' 7', 7",
        "'7 ', 7",
        "7.9, 7",
        "7e3, 7",
        "7px, 7",
        "'7,5', 7",
        "-7, -7",
        "- 7, 0",
        "seven, 0",
        "٧, 0",
        "99999999999999999999999999999999999999999999999999, 50",
        "-99999999999, -50"
    })
    void aNumberEndsAtTheFirstSignThatIsNoDigit(String written, int read) {
        ParameterReader reader = new ParameterReader();
        reader.addAll(MultiMap.caseInsensitiveMultiMap().add("a", written));

        assertThat(reader.parameters().number("a", 3, -50, 50)).isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource({"600.0, 600", "1.000, 1", "-3.0, -3", "1.50, 1.50", "0.0, 0", "6.0e2, 6.0e2", "7, 7"})
    void aNumberWithoutAFractionIsWhole(String written, String read) {
        Parameters parameters =
                json("{'a':" + written + ",'b':[" + written + "]}").parameters();

        assertThat(parameters.text("a")).isEqualTo(read);
        assertThat(parameters.all("b")).containsExactly(read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"caf%E9", "%FF", "a%C3", "%ED%A0%80", "%EF%BF%BD%E9", "\ufffd%E9"})
    void aFormInAnotherCharsetIsRefused(String value) {
        assertThatThrownBy(() -> form(new ParameterReader(), "status=" + value))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aFormOfRawBytesInAnotherCharsetIsRefusedToo() {
        byte[] latin = "status=caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> new ParameterReader().addForm(latin, latin.length))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aSignOfReplacementThatAClientWritesIsRead() {
        ParameterReader reader = new ParameterReader();
        form(reader, "a=%ef%bf%bd&b=\ufffd&c=caf%C3%A9&d=caf\u00e9");
        Parameters parameters = reader.parameters();

        assertThat(List.of(parameters.text("a"), parameters.text("b"), parameters.text("c"), parameters.text("d")))
                .containsExactly("\ufffd", "\ufffd", "caf\u00e9", "caf\u00e9");
    }

    @Test
    void aControlCharacterIsASpaceInWhateverForm() {
        ParameterReader reader = new ParameterReader();
        form(reader, "a=x%00y%1B%5B2J%7F%C2%9B&b=1%092%0D%0A3");
        assertThat(reader.parameters().text("a")).isEqualTo("x y [2J  ");
        assertThat(reader.parameters().text("b")).isEqualTo("1\t2\r\n3");
        assertThat(json("{'a':'x\\u0000y\\u001b'}").parameters().text("a")).isEqualTo("x y ");
    }

    @Test
    void halfACharacterIsRepaired() {
        assertThat(json("{'a':'x\\ud800y'}").parameters().text("a")).isEqualTo("x\uFFFDy");
    }

    @ParameterizedTest
    @CsvSource({"512, true", "513, false", "5000, false"})
    void aRequestHasSoManyValuesInWhateverForm(int count, boolean read) {
        String form = IntStream.range(0, count).mapToObj(i -> "a" + i + "=x").collect(Collectors.joining("&"));
        String same = "a[]=x" + "&a[]=x".repeat(count - 1);
        String fields =
                IntStream.range(0, count).mapToObj(i -> "'a" + i + "':1").collect(Collectors.joining(","));
        String nulls = "'a':null" + ",'a':null".repeat(count - 1);
        String objects = "'a':{}" + ",'a':{}".repeat(count - 1);

        check(read, () -> form(new ParameterReader(), form));
        check(read, () -> form(new ParameterReader(), same));
        check(read, () -> json("{" + fields + "}"));
        check(read, () -> json("{" + nulls + "}"));
        check(read, () -> json("{" + objects + "}"));
        // The list is a value as well.
        check(read, () -> json("{'a':[1" + ",1".repeat(count - 2) + "]}"));
    }

    @Test
    void valuesAreCountedOverAllSources() {
        ParameterReader query = new ParameterReader();
        IntStream.range(0, 300).forEach(i -> query.add("q" + i, "x"));

        check(true, () -> form(query.under(), "a=x" + "&a=x".repeat(211)));
        check(false, () -> form(query.under(), "a=x" + "&a=x".repeat(212)));
    }

    @ParameterizedTest
    @CsvSource({"100, true", "101, false", "2000, false", "60000, false"})
    void aNameHasSoManyCharactersInWhateverForm(int chars, boolean read) {
        String name = "n".repeat(chars);

        check(read, () -> form(new ParameterReader(), name + "=x"));
        check(read, () -> json("{'" + name + "':1}"));
        check(read, () -> json("{'a':{'" + name.substring(3) + "':1}}"));
        check(read, () -> json("{'a':[{'" + name.substring(6) + "':1}]}"));
    }

    static Stream<Arguments> hostile() {
        return Stream.of(
                Arguments.of(
                        "a long prefix before many fields",
                        "{'" + "p".repeat(BYTES / 2) + "':{" + many("'a':1,", BYTES / 2) + "'z':1}}"),
                Arguments.of(
                        "a prefix of 90 before many fields",
                        "{'" + "p".repeat(90) + "':{" + many("'a':1,", BYTES) + "'z':1}}"),
                Arguments.of(
                        "deep objects before many fields",
                        "{'a':".repeat(30) + "{" + many("'a':1,", BYTES) + "'z':1" + "}".repeat(31)),
                Arguments.of(
                        "many names",
                        "{"
                                + IntStream.range(0, BYTES / 10)
                                        .mapToObj(i -> "'" + i + "':1,")
                                        .collect(Collectors.joining())
                                + "'z':1}"),
                Arguments.of("one name again and again", "{" + many("'a':1,", BYTES) + "'z':1}"),
                Arguments.of("lists again and again", "{" + many("'a':[1,1],", BYTES) + "'z':1}"),
                Arguments.of("100,000 entries of a list", "{'a':[" + many("1,", BYTES) + "1]}"),
                Arguments.of("a list of empty lists", "{'a':[" + many("[],", BYTES) + "1]}"),
                Arguments.of("a list of objects", "{'a':[" + many("{'b':1},", BYTES) + "1]}"),
                Arguments.of("brackets in a name", "{'" + many("[0]", 90) + "':{" + many("'[]':1,", BYTES) + "'z':1}}"),
                Arguments.of("half characters", "{'a':'" + many("\\ud800", BYTES) + "'}"),
                Arguments.of("one long text", "{'a':'" + "x".repeat(BYTES) + "'}"),
                Arguments.of("one long name", "{'" + "x".repeat(BYTES) + "':1}"),
                Arguments.of("a long number", "{'a':" + "1".repeat(BYTES) + "}"),
                Arguments.of("deep lists", "{'a':" + "[".repeat(BYTES) + "}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void hostileJsonCostsNoMoreThanItsBytes(String what, String json) {
        byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        long allocated = allocatedBy(() -> new ParameterReader().addJson(bytes, bytes.length));

        assertThat(allocated).as(what).isLessThan(ALLOCATED_MAX);
    }

    @ParameterizedTest
    @CsvSource({"a&", "a=1&", "a[]=1&", "%61=%31&", "&", "=&", "a=%F0%9F%92%A9"})
    void hostileFormsCostNoMoreThanTheirBytes(String repeated) {
        byte[] bytes = many(repeated, BYTES).getBytes(StandardCharsets.UTF_8);
        long allocated = allocatedBy(() -> new ParameterReader().addForm(bytes, bytes.length));

        assertThat(allocated).isLessThan(ALLOCATED_MAX);
    }

    /** A string for each run of escapes once made this 20 times the bytes. */
    @ParameterizedTest
    @CsvSource({"%7E1", "a%C2%AD", "%23a", "%20", "+", "%F0%9F%92%A9"})
    void aValueOfManyEscapesCostsNoMoreThanAFewCopiesOfIt(String repeated) {
        byte[] bytes = ("a=" + many(repeated, BYTES)).getBytes(StandardCharsets.UTF_8);
        long allocated = allocatedBy(() -> new ParameterReader().addForm(bytes, bytes.length));

        assertThat(allocated).isLessThan(8L * BYTES);
    }

    @Test
    void aFieldWithoutANameIsLeftOutAndOnlyAWholeEscapeIsOne() {
        ParameterReader reader = form(new ParameterReader(), "&&=x&a==b&c=%e2%82%ac&d=\u20ac;e=1&");
        Parameters parameters = reader.parameters();

        assertThat(parameters.has("")).isFalse();
        assertThat(parameters.text("a")).isEqualTo("=b");
        assertThat(parameters.text("c")).isEqualTo("\u20ac");
        assertThat(parameters.text("d")).isEqualTo("\u20ac;e=1");
        for (String broken : List.of("a=%", "a=%4", "a=%zz", "%4=1")) {
            check(false, () -> form(new ParameterReader(), broken));
        }
    }

    @Test
    void listsOfObjectsAreReadInOnePass() {
        ParameterReader reader = new ParameterReader();
        IntStream.range(0, 512).forEach(i -> reader.add("f[" + i + "][name]", "x"));
        Parameters parameters = reader.parameters();

        assertThat(parameters.objects("f")).hasSize(512);
        assertThat(allocatedBy(() -> assertThat(parameters.objects("f").size()).isPositive()))
                .isLessThan(1 << 20);
    }

    private static String many(String part, int bytes) {
        return part.repeat(bytes / part.length());
    }

    private static long allocatedBy(Runnable reading) {
        // Classes are loaded, and what stays compiled, before anything is measured.
        attempt(reading);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        attempt(reading);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static void attempt(Runnable reading) {
        try {
            reading.run();
        } catch (Refusal refused) {
            assertThat(refused.reason()).isEqualTo(Refusal.Reason.MALFORMED);
        }
    }

    private interface Reading {
        ParameterReader read();
    }

    private static void check(boolean read, Reading reading) {
        if (read) {
            assertThat(reading.read().parameters()).isNotNull();
        } else {
            assertThatThrownBy(reading::read)
                    .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.reason())
                            .isEqualTo(Refusal.Reason.MALFORMED));
        }
    }

    @CanIgnoreReturnValue
    private static ParameterReader form(ParameterReader reader, String form) {
        byte[] bytes = form.getBytes(StandardCharsets.UTF_8);
        reader.addForm(bytes, bytes.length);
        return reader;
    }

    /** @param json with ' for " */
    private static ParameterReader json(String json) {
        ParameterReader reader = new ParameterReader();
        byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        reader.addJson(bytes, bytes.length);
        return reader;
    }
}
