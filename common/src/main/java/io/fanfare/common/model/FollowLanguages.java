package io.fanfare.common.model;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * In which languages a viewer wants the posts of accounts that it follows: the one rule of its home, its lists and
 * their streams. Of an account that is not here it wants all. What says no language is wanted always, and so is what an
 * account only passes on, as in Mastodon. Immutable.
 */
public final class FollowLanguages {
    /** Languages of one follow. */
    public static final int MAX = 10;

    public static final FollowLanguages NONE = new FollowLanguages(Map.of());

    /** Lower-case codes by account. */
    private final Map<Long, Set<String>> wanted;

    private FollowLanguages(Map<Long, Set<String>> wanted) {
        this.wanted = wanted;
    }

    /** The languages for these accounts, by the codes given; an account without one is left out. */
    public static FollowLanguages of(Map<Long, List<String>> codes) {
        if (codes.isEmpty()) {
            return NONE;
        }
        Map<Long, Set<String>> wanted = new HashMap<>();
        codes.forEach((account, accepted) -> {
            if (!accepted.isEmpty()) {
                wanted.put(
                        account,
                        accepted.stream().map(FollowLanguages::folded).collect(Collectors.toUnmodifiableSet()));
            }
        });
        return new FollowLanguages(wanted);
    }

    /**
     * Whether the viewer wants a post of an account.
     *
     * @param language of the post, {@code pt} stands for {@code pt-BR} and {@code pt_BR}, too; null = not given
     */
    public boolean wants(long account, String language) {
        Set<String> accepted = wanted.isEmpty() ? null : wanted.get(account);
        if (accepted == null || language == null) {
            return true;
        }
        String code = folded(language);
        int region = code.indexOf('-');
        return accepted.contains(code) || (region > 0 && accepted.contains(code.substring(0, region)));
    }

    private static String folded(String code) {
        return code.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The same for other languages of one account; an empty list = all of them. */
    public FollowLanguages with(long account, List<String> codes) {
        if (codes.isEmpty() && !wanted.containsKey(account)) {
            return this;
        }
        Map<Long, Set<String>> other = new HashMap<>(wanted);
        other.remove(account);
        other.putAll(of(Map.of(account, codes)).wanted);
        return new FollowLanguages(other);
    }

    /**
     * The language by which a post is judged: none where it quotes without words, since that only passes something on.
     *
     * @param quotes whether it shows another status
     * @param language that the post says, or that what it shows says; null = none
     */
    public static String spoken(boolean quotes, String text, String language) {
        return quotes && text.isEmpty() ? null : language;
    }

    /** Words of eight bytes that it takes, about. */
    public int weight() {
        return wanted.values().stream()
                .mapToInt(accepted -> 8 + 8 * accepted.size())
                .sum();
    }

    /** The codes that are kept in one line with spaces between. */
    public static List<String> words(String line) {
        return line.isEmpty() ? List.of() : Arrays.asList(line.split(" ", -1));
    }
}
