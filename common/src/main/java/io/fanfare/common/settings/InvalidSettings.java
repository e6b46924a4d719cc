package io.fanfare.common.settings;

import java.util.List;

/**
 * The operator's mistakes in the settings, all of them at once: one sentence each, with key, value, place and what is
 * possible. Carries no stack trace.
 */
public final class InvalidSettings extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    public InvalidSettings(List<String> problems) {
        super(String.join("\n", problems), null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
