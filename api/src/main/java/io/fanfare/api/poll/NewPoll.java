package io.fanfare.api.poll;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.endpoint.VisibleCharacters;
import io.fanfare.common.model.Poll;
import io.fanfare.common.text.ControlCharacters;
import io.fanfare.server.http.Parameters;
import java.util.HashSet;
import java.util.List;

/**
 * The parameter {@code poll} of a new status. The constructor refuses ({@code Refusal(INVALID)}) what is not
 * acceptable.
 *
 * @param seconds how long people can vote
 */
public record NewPoll(List<String> options, int seconds, boolean multiple, boolean hidesTotals) {
    /** UTF-16 units of an option, so that a letter of many parts is no room for a text. */
    private static final int OPTION_UNITS_MAX = 10 * Poll.OPTION_CHARS_MAX;

    public NewPoll {
        options = List.copyOf(options);
        ValidationErrors errors = new ValidationErrors();
        if (options.size() < 2) {
            errors.add("options", "ERR_TOO_FEW", "must have more than one item");
        }
        if (options.size() > Poll.OPTIONS_MAX) {
            errors.add("options", "ERR_TOO_MANY", "can't contain more than " + Poll.OPTIONS_MAX + " items");
        }
        if (options.stream().anyMatch(NewPoll::isTooLong)) {
            errors.add(
                    "options", "ERR_TOO_LONG", "cannot be longer than " + Poll.OPTION_CHARS_MAX + " characters each");
        } else {
            options.forEach(option -> errors.addUnlessStreamSafe("options", option));
        }
        if (new HashSet<>(options).size() < options.size()) {
            errors.add("options", "ERR_DUPLICATE", "contain duplicate items");
        }
        if (seconds < Poll.SECONDS_MIN) {
            errors.add("expires_at", "ERR_INVALID", "is too soon");
        }
        if (seconds > Poll.SECONDS_MAX) {
            errors.add("expires_at", "ERR_INVALID", "is too far into the future");
        }
        errors.refuseIfAny();
    }

    private static boolean isTooLong(String option) {
        return option.length() > OPTION_UNITS_MAX || VisibleCharacters.count(option) > Poll.OPTION_CHARS_MAX;
    }

    /** Null when nothing is asked; refuses ({@code Refusal(INVALID)}) what is not acceptable. */
    public static NewPoll of(Parameters parameters) {
        return parameters.hasAny("poll")
                ? new NewPoll(
                        options(parameters),
                        parameters.number("poll[expires_in]", 0, 0, Integer.MAX_VALUE),
                        parameters.flag("poll[multiple]", false),
                        parameters.flag("poll[hide_totals]", false))
                : null;
    }

    private static List<String> options(Parameters parameters) {
        return parameters.all("poll[options]").stream()
                .map(ControlCharacters::collapsed)
                .filter(option -> !VisibleCharacters.isBlank(option))
                .toList();
    }

    /**
     * Whether these say the poll again that is published. Clients that edit do so, and cannot know whether its totals
     * are hidden, nor how long it was to last.
     */
    public static boolean isLike(Parameters parameters, Poll poll) {
        return poll != null
                && options(parameters).equals(poll.options())
                && parameters.flag("poll[multiple]", false) == poll.multiple();
    }

    /** The poll, whose end is the number of ms for which people can vote. */
    public Poll poll() {
        return new Poll(options, seconds * 1000L, multiple, hidesTotals);
    }
}
