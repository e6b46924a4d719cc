package io.fanfare.common.event.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fanfare.common.event.Event;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Clip;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.Json;
import io.fanfare.common.view.RenderCache;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** New statuses lie in the log as records, and what is told of them is what anybody is shown. */
class StatusRecordTest {
    private static final long NOW = 1_767_322_985_678L;

    private static final CustomEmojis EMOJIS = new CustomEmojis(
            7,
            List.of(
                    new CustomEmoji("party", "a.png", "Fun"),
                    new CustomEmoji("ab", "b.png", ""),
                    new CustomEmoji("x1", "c.png", "")));

    private final Views views = new Views("https://social.example", RenderCache.none(), () -> EMOJIS);

    @Test
    void anEventContainsTheStatusAsAnonymousViewersSeeIt() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Account author = author(random);
            Status status = status(random, author.id());
            RenderContext context = RenderContext.of(author);

            Event logged = new EventBodies(views).posted(status, context.seenBy(author.id()));

            assertThat(StatusRecord.is(logged.body())).isTrue();
            assertThat(EventBodies.rendered(logged).body())
                    .isEqualTo(new String(Json.bytes(json -> views.statuses().write(json, status, context)), UTF_8));
            assertThat(EventBodies.rendered(logged).withBody(logged.body())).isEqualTo(logged);
        }
    }

    /** Streams would lose a part that no random status has, and no test would notice. */
    @Test
    void theRandomStatusesHaveEachPartThatAPostMayHave() throws ReflectiveOperationException {
        Random random = new Random(1);
        List<Content> contents = IntStream.range(0, 500)
                .mapToObj(i -> status(random, 1).post().content())
                .toList();
        for (RecordComponent part : Content.class.getRecordComponents()) {
            Object without = part.getAccessor().invoke(Content.NONE);
            Set<Object> values = new HashSet<>();
            for (Content content : contents) {
                values.add(part.getAccessor().invoke(content));
            }
            values.remove(without);
            assertThat(values).as(part.getName()).isNotEmpty();
        }
    }

    /** A process that only streams knows no emojis; nor does it need the ones of now. */
    @Test
    void anEventKeepsTheEmojisOfTheTimeOfItsAppend() {
        Account author = new Account(Id.of(NOW, 3, 0), "ann", "Ann :ab:", "I write.", 12, 5, 301, NOW);
        Post post = Post.of(
                author.id(),
                Visibility.PUBLIC,
                Content.of("go :party:").with(new Poll(List.of("a :x1:", "b"), NOW + 600_000, false, false)));
        Status status = new Status(Id.of(NOW, 3, 1), post, Counters.NONE);
        RenderContext context = RenderContext.of(author);

        Event logged = new EventBodies(views).posted(status, context);

        assertThat(EventBodies.rendered(logged).body())
                .isEqualTo(new String(Json.bytes(json -> views.statuses().write(json, status, context)), UTF_8))
                .contains("\"emojis\":[{\"shortcode\":\"party\",\"url\":\"https://social.example/media/a.png\"")
                .contains("\"emojis\":[{\"shortcode\":\"ab\",")
                .contains("\"emojis\":[{\"shortcode\":\"x1\",");
    }

    /** Each of the three shows the first fifty of its own, and has others behind them that the rest shows. */
    @Test
    void anEventContainsAsManyEmojisAsAreShown() {
        CustomEmojis many = new CustomEmojis(
                1,
                IntStream.range(0, 300)
                        .mapToObj(i -> new CustomEmoji("e" + i, i + ".png", ""))
                        .toList());
        Views shows = new Views("https://social.example", RenderCache.none(), () -> many);
        Account author = new Account(Id.of(NOW, 3, 0), "ann", codes(50, 0), codes(100, 30), 12, 5, 301, NOW);
        Poll poll = new Poll(List.of(codes(140, 80), codes(0, 60)), NOW + 600_000, false, false);
        Post post = Post.of(
                author.id(), Visibility.PUBLIC, Content.of(codes(20, 180)).with(poll));
        Status status = new Status(Id.of(NOW, 3, 1), post, Counters.NONE);
        RenderContext context = RenderContext.of(author);

        Event logged = new EventBodies(shows).posted(status, context);

        assertThat(StatusRecord.is(logged.body())).isTrue();
        assertThat(EventBodies.rendered(logged).body())
                .isEqualTo(new String(Json.bytes(json -> shows.statuses().write(json, status, context)), UTF_8));
    }

    /** Upwards or downwards. */
    private static String codes(int from, int to) {
        return IntStream.range(0, Math.abs(to - from))
                .mapToObj(i -> ":e" + (from < to ? from + i : from - i) + ":")
                .collect(Collectors.joining(" "));
    }

    @Test
    void anEditOfAPollIsSentWithItsVotes() {
        Account author = new Account(Id.of(NOW, 3, 0), "ann", "Ann", "I write.", 12, 5, 301, NOW);
        Poll poll = new Poll(List.of("a b", "\u00e9"), NOW + 600_000, true, true);
        Post post = Post.of(author.id(), Visibility.PUBLIC, Content.of("which").with(poll))
                .with(Content.of("which one").with(poll), Id.of(NOW, 3, 2));
        Status status = new Status(Id.of(NOW, 3, 1), post, Counters.NONE);
        RenderContext context =
                RenderContext.of(author).with(status.id(), new Poll.Standing(List.of(2L, 1L), 2, List.of(), true));

        Event logged = new EventBodies(views).changed(status, status.post().edit(), context.seenBy(author.id()));

        assertThat(StatusRecord.is(logged.body())).isTrue();
        assertThat(EventBodies.rendered(logged).body())
                .isEqualTo(new String(Json.bytes(json -> views.statuses().write(json, status, context)), UTF_8))
                .contains("\"expired\":true,\"multiple\":true,\"votes_count\":3,\"voters_count\":2");
    }

    @Test
    void aPlainStatusTakesAFifthOfItsJson() {
        Account author = new Account(Id.of(NOW, 3, 0), "ann", "Ann", "I write.", 12, 5, 301, NOW);
        Status status = new Status(Id.of(NOW, 3, 1), Post.of(author.id(), "Hello, everybody"), Counters.NONE);

        Event logged = new EventBodies(views).posted(status, RenderContext.of(author));

        assertThat(5 * (logged.match().length() + logged.body().length()))
                .isLessThan(EventBodies.rendered(logged).body().length());
    }

    /** The shown status may be gone when the event is read again, and was there when it was sent first. */
    @Test
    void anEventThatShowsAnotherStatusIsLoggedAsItIsSent() {
        Account author = author(new Random(1));
        Status original = new Status(Id.of(NOW, 3, 1), Post.of(author.id(), "Hello"), Counters.NONE);
        Post post = new Post(
                author.id(),
                Visibility.PUBLIC,
                Post.Kind.REPOST,
                Content.NONE,
                null,
                null,
                Reference.to(original),
                null);

        Event logged = new EventBodies(views)
                .posted(new Status(Id.of(NOW, 3, 2), post, Counters.NONE), RenderContext.of(author));

        assertThat(EventBodies.rendered(logged)).isSameAs(logged);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[secret", "[{},{}", "[{},{\"u\":secret}]"})
    void anUnreadableBodyIsNotQuotedInTheError(String body) {
        Event logged = new Event(Event.Kind.STATUS, 7, 8, 0, Visibility.PUBLIC, "{\"t\":\"secret\"}", body);

        assertThatThrownBy(() -> EventBodies.rendered(logged))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("secret");
    }

    private static Account author(Random random) {
        ProfileSettings profileSettings = random.nextBoolean()
                ? ProfileSettings.PLAIN
                : new ProfileSettings(
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        fields(random),
                        random.nextBoolean() ? "" : "a.jpg",
                        random.nextBoolean() ? "" : "b.png",
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean());
        return new Account(
                Id.of(NOW, 3, 0),
                "ann_" + random.nextInt(100),
                text(random),
                text(random),
                number(random),
                number(random),
                number(random),
                random.nextBoolean() ? 0 : NOW,
                profileSettings,
                random.nextInt(9));
    }

    private static List<ProfileSettings.Field> fields(Random random) {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(i -> new ProfileSettings.Field(text(random), text(random)))
                .toList();
    }

    private static Status status(Random random, long author) {
        boolean comment = random.nextInt(4) == 0;
        Reference replyTo =
                comment || random.nextInt(4) == 0 ? new Reference(Id.of(NOW, 5, 1), 11 + number(random)) : null;
        Content content = new Content(
                text(random),
                text(random),
                random.nextBoolean(),
                random.nextBoolean() ? null : "zh",
                IntStream.range(0, random.nextInt(3))
                        .mapToObj(i -> new Mention(21 + i, "bob" + i))
                        .toList(),
                IntStream.range(0, random.nextInt(3)).mapToObj(i -> "话题" + i).toList(),
                random.nextBoolean() ? null : new Place(random.nextInt(90) / 8.0, -179.875, text(random)),
                random.nextBoolean() || comment ? null : article(random),
                attachments(random),
                random.nextInt(3) > 0
                        ? null
                        : new Poll(
                                // An option is one line.
                                List.of(
                                        text(random).replace('\n', ' ') + "a",
                                        text(random).replace('\n', ' ') + "b"),
                                NOW + number(random),
                                random.nextBoolean(),
                                random.nextBoolean()));
        Post post = new Post(
                        author,
                        // A direct message has no event of its own, so no record.
                        List.of(Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE)
                                .get(random.nextInt(3)),
                        comment ? Post.Kind.COMMENT : Post.Kind.POST,
                        content,
                        replyTo,
                        null,
                        null,
                        null)
                .postedWith(
                        random.nextBoolean()
                                ? null
                                : new Application(
                                        text(random) + "!", random.nextBoolean() ? null : "https://" + text(random)));
        Counters counters = random.nextInt(3) > 0
                ? Counters.NONE
                : new Counters(number(random), number(random), number(random), number(random));
        return new Status(Id.of(NOW + random.nextInt(1000), 3, 1), post, counters);
    }

    private static List<Attachment> attachments(Random random) {
        return IntStream.range(0, random.nextInt(Attachment.MAX + 1))
                .mapToObj(i -> new Attachment(
                        Id.of(NOW, 3, i),
                        i + ".jpg",
                        1600,
                        900 + i,
                        640,
                        360,
                        "L1Eyb[~qe=~q~qoLjakCbHayfia#",
                        new Attachment.Focus(random.nextInt(5) / 4.0 - 0.5, 0),
                        text(random),
                        random.nextBoolean() ? null : new Clip(Clip.Kind.VIDEO, i, 800_000, 30_000, 1001)))
                .toList();
    }

    private static Article article(Random random) {
        List<String> groups =
                IntStream.range(0, random.nextInt(3)).mapToObj(i -> "编程" + i).toList();
        return new Article(text(random), random.nextBoolean() ? null : "https://x.example/" + random.nextInt(), groups);
    }

    private static long number(Random random) {
        return random.nextInt(3);
    }

    private static String text(Random random) {
        String pieces = "a b<&\"'\\\t\n\r\u2028\u0001|@bob0 #话题1 Grüße 你好💬 :ab: :party: https://x.example/y?z=1 [{}],";
        int from = pieces.offsetByCodePoints(0, random.nextInt(25));
        return random.nextInt(4) == 0 ? "" : pieces.substring(from).repeat(1 + random.nextInt(2));
    }
}
