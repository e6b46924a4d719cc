package io.fanfare.server.runtime;

/**
 * Where settings and data are when a command line does not say it. A package sets the two system properties for its
 * users; elsewhere the data is in {@code ./data} and there is no file of settings.
 */
public final class DefaultPlaces {
    /** Of {@code --data}, as picocli resolves it. */
    public static final String DATA = "${sys:fanfare.data:-data}";

    /** Of {@code --config}, as picocli resolves it; unset = none. */
    public static final String CONFIG = "${sys:fanfare.config}";

    private DefaultPlaces() {}
}
