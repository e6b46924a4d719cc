package io.fanfare.app.fuzz;

import java.util.random.RandomGenerator;

/** Makes attacks of several kinds. What it makes depends on the arguments alone. */
interface Generator {
    /** Its name in reports. */
    String name();

    /** How many kinds of attack it has. */
    int kinds();

    /**
     * Makes an attack.
     *
     * @param kind 0 to {@link #kinds} - 1
     * @param bytes about how large it should be, where its size is not that of the thing itself
     */
    Attack attack(int kind, RandomGenerator random, int bytes);
}
