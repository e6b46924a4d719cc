package io.fanfare.junit5;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts a Fanfare server with its own Redis for a test class, and ends it with the class. Methods and constructors of
 * the class may have parameters of the types {@link LocalServer} and {@link io.fanfare.client.Fanfare} (a client
 * without a token). After a failed test the last lines of the server's log are printed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(FanfareExtension.class)
public @interface FanfareServer {
    /**
     * Settings as {@code key=value}, as for {@code fanfare up --set}. Limits of rates are off and passwords are hashed
     * cheaply unless they say otherwise.
     */
    String[] settings() default {};

    /** Whether all test classes of the JVM that say so, with the same settings, share one server. */
    boolean shared() default false;
}
