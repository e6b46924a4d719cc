package io.fanfare.common.store;

/**
 * The settings and the data set or its servers do not go together: no mistake of this program, but one that people
 * mend. The message says how.
 */
public final class DataSetRefused extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DataSetRefused(String message) {
        super(message);
    }
}
