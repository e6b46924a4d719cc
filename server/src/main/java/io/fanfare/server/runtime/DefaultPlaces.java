package io.fanfare.server.runtime;

/**
 * Default values of the options {@code --data} and {@code --config}, as picocli resolves them. A package sets the two
 * system properties for its users; elsewhere the data is in {@code ./data} and there is no file of settings.
 */
public final class DefaultPlaces {
    /** The default of {@code --data}. */
    public static final String DATA = "${sys:fanfare.data:-data}";

    /** The default of {@code --config}; unset = none. */
    public static final String CONFIG = "${sys:fanfare.config}";

    private DefaultPlaces() {}
}
