package io.fanfare.core.emoji;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.CustomEmoji;
import io.fanfare.common.model.CustomEmojis;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.redis.testing.KindsOfRedis;
import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Every file belongs to an emoji or is due, and every loop sees a change. */
@ParameterizedClass
@KindsOfRedis
class EmojisTest {
    @Parameter
    TestRedis.Kind kind;

    private StoreFixture f;
    private Emojis emojis;

    @BeforeEach
    void open() {
        f = StoreFixture.on(kind.redis());
        emojis = new Emojis(f.link);
    }

    @AfterEach
    void close() {
        f.close();
    }

    @CanIgnoreReturnValue
    private boolean add(String shortcode, String file, String category, boolean replace) {
        f.get(() -> emojis.reserve(file));
        return f.get(() -> emojis.add(new CustomEmoji(shortcode, file, category), replace));
    }

    private Set<String> due() {
        return f.redis.askAt(Keys.mediaDue(0), "ZRANGE", Keys.mediaDue(0), "0", "-1").items().stream()
                .map(member -> member.asString())
                .collect(Collectors.toSet());
    }

    @Test
    void anAddedEmojiIsListedAndARemovedOneIsNot() {
        assertThat(add("party", "a.png", "Fun things", false)).isFalse();
        assertThat(add("ab", "b.png", "", false)).isFalse();

        assertThat(f.get(emojis::load).all())
                .containsExactly(new CustomEmoji("ab", "b.png", ""), new CustomEmoji("party", "a.png", "Fun things"));
        assertThat(due()).isEmpty();

        assertThat(f.get(() -> emojis.remove("party"))).isTrue();
        assertThat(f.get(() -> emojis.remove("party"))).isFalse();
        assertThat(f.get(emojis::load).all()).containsExactly(new CustomEmoji("ab", "b.png", ""));
        assertThat(due()).containsExactly("a.png");
    }

    @Test
    void aShortcodeThatIsTakenIsReplacedOnlyWhenThatIsWanted() {
        add("party", "a.png", "", false);

        assertThatThrownBy(() -> add("party", "b.png", "", false))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("--replace");
        assertThat(due()).containsExactly("b.png");
        assertThat(add("party", "b.png", "x", true)).isTrue();
        assertThat(due()).containsExactly("a.png");
        assertThat(f.get(emojis::load).all()).containsExactly(new CustomEmoji("party", "b.png", "x"));
    }

    /** The sweep may be at it: an emoji without its file would never be seen. */
    @Test
    void aFileThatIsAboutToBeDeletedBecomesNoEmoji() {
        assertThatThrownBy(() -> f.get(() -> emojis.add(new CustomEmoji("party", "a.png", ""), false)))
                .isInstanceOf(Refusal.class);
        f.redis.askAt(Keys.mediaDue(0), "ZADD", Keys.mediaDue(0), "1", "a.png");
        assertThatThrownBy(() -> f.get(() -> emojis.add(new CustomEmoji("party", "a.png", ""), false)))
                .isInstanceOf(Refusal.class);
        assertThat(f.get(emojis::load).all()).isEmpty();
    }

    @Test
    void thereIsALimitWithinWhichOneMayStillBeReplaced() {
        List<String> many = new ArrayList<>(List.of("HSET", Keys.emojis(0), "-", "1"));
        for (int i = 0; i < Emojis.MAX; i++) {
            many.addAll(List.of("x" + i, i + ".png"));
        }
        f.redis.askAt(Keys.emojis(0), many.toArray(String[]::new));

        assertThatThrownBy(() -> add("party", "a.png", "", false))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("" + Emojis.MAX);
        assertThat(add("x1", "b.png", "", true)).isTrue();
        assertThat(f.get(() -> emojis.remove("x2"))).isTrue();
        assertThat(add("party", "a.png", "", false)).isFalse();
    }

    @Test
    void aLoopReadsThemAgainOnlyWhenTheyHaveChanged() {
        KnownEmojis known = new KnownEmojis(emojis);
        f.get(known::look);
        assertThat(known.get()).isSameAs(CustomEmojis.NONE);

        add("party", "a.png", "", false);
        f.get(known::look);
        CustomEmojis first = known.get();
        assertThat(first.all()).hasSize(1);
        f.get(known::look);
        assertThat(known.get()).isSameAs(first);

        f.get(() -> emojis.remove("party"));
        f.get(known::look);
        assertThat(known.get().all()).isEmpty();
        assertThat(known.get().version()).isGreaterThan(first.version());
    }

    @Test
    void theTableIsThatOfANaiveModelAndNoFileIsLost() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        Map<String, CustomEmoji> model = new TreeMap<>();
        Set<String> files = new HashSet<>();
        Set<Long> versions = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            String code = "c" + random.nextInt(6);
            boolean changed;
            if (random.nextInt(3) == 0) {
                changed = model.remove(code) != null;
                assertThat(f.get(() -> emojis.remove(code))).isEqualTo(changed);
            } else {
                String file = i + ".png";
                files.add(file);
                boolean replace = random.nextBoolean();
                changed = replace || !model.containsKey(code);
                if (changed) {
                    CustomEmoji emoji = new CustomEmoji(code, file, random.nextBoolean() ? "" : "a b");
                    boolean replaced = model.put(code, emoji) != null;
                    assertThat(add(code, file, emoji.category(), replace)).isEqualTo(replaced);
                } else {
                    assertThatThrownBy(() -> add(code, file, "", replace)).isInstanceOf(Refusal.class);
                }
            }
            CustomEmojis now = f.get(emojis::load);
            assertThat(now.all()).containsExactlyElementsOf(model.values());
            assertThat(versions.add(now.version())).isEqualTo(changed || i == 0);
            Set<String> kept = new HashSet<>(due());
            model.values().forEach(emoji -> assertThat(kept.add(emoji.file())).isTrue());
            assertThat(kept).isEqualTo(files);
        }
    }
}
