package io.fanfare.redis.testing;

import io.fanfare.redis.testing.TestRedis.Kind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The kinds of Redis that a build tests, for a {@code @ParameterizedClass} or {@code @ParameterizedTest} with a
 * {@link Kind}. Plain {@code mvn verify} takes the cluster alone: it refuses what a single server lets pass, a script
 * whose keys lie in two slots or a command at the wrong node. Both kinds run in CI, with {@code -Dtest}, and in an IDE.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ArgumentsSource(KindsOfRedis.OfThisBuild.class)
public @interface KindsOfRedis {
    /** Set by the build, to {@code every} or the name of one. */
    String SWITCH = "fanfare.tests.redis";

    /** Reads the {@link #SWITCH}. */
    final class OfThisBuild implements ArgumentsProvider {
        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            return of(System.getProperty(SWITCH)).stream().map(Arguments::of);
        }

        static List<Kind> of(String named) {
            return named == null || named.equals("every")
                    ? List.of(Kind.values())
                    : List.of(Kind.valueOf(named.toUpperCase(Locale.ROOT)));
        }
    }
}
