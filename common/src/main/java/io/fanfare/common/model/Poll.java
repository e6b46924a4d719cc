package io.fanfare.common.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The poll of a status.
 *
 * @param options that a voter can choose, each of one line
 * @param endsMillis from when on nobody can vote, epoch ms
 * @param multiple whether one voter may choose several
 * @param hidesTotals whether the numbers are shown only when the voting is over
 */
public record Poll(List<String> options, long endsMillis, boolean multiple, boolean hidesTotals) {
    /** Options of a poll. */
    public static final int OPTIONS_MAX = 4;

    /** Characters of an option, as readers count them. */
    public static final int OPTION_CHARS_MAX = 50;

    /** How long people can vote, in seconds: five minutes to a month. */
    public static final int SECONDS_MIN = 300;

    public static final int SECONDS_MAX = 2_629_746;

    public Poll {
        options = List.copyOf(options);
    }

    /**
     * How a poll stands.
     *
     * @param votes of each option
     * @param voters accounts that have voted
     * @param own the options that the viewer has chosen, in the order of the votes
     * @param ended whether the voting is over
     */
    public record Standing(List<Long> votes, long voters, List<Integer> own, boolean ended) {
        public Standing {
            votes = List.copyOf(votes);
            own = List.copyOf(own);
        }

        /** The same for nobody in particular. */
        public Standing neutral() {
            return new Standing(votes, voters, List.of(), ended);
        }
    }

    /** How it stands when it has just been published. */
    public Standing first() {
        return new Standing(options.stream().map(option -> 0L).toList(), 0, List.of(), false);
    }

    /** All of it as text: a line for each option behind the first. */
    public String lines() {
        return endsMillis + (multiple ? " 1" : " 0") + (hidesTotals ? " 1\n" : " 0\n") + String.join("\n", options);
    }

    /** Reads the output of {@link #lines}; empty for anything else. */
    public static Optional<Poll> of(String lines) {
        String[] all = lines.split("\n", -1);
        String[] words = all[0].split(" ", -1);
        if (words.length != 3 || all.length < 2) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Poll(
                    Arrays.asList(all).subList(1, all.length),
                    Long.parseLong(words[0]),
                    words[1].equals("1"),
                    words[2].equals("1")));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
