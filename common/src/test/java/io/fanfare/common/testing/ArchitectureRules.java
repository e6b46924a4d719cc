package io.fanfare.common.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.vertx.core.CompositeFuture;
import java.time.Clock;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Holds every package to its imports, and that time and chance are passed in. An exception to a rule here is an ADR.
 * Common checks the rules on its own classes, so that a wrong import fails early; bench checks them on all.
 */
public final class ArchitectureRules {
    private static final String OURS = "io.fanfare.";

    /** Ambient sources of time and chance, for code to which nobody passes them: owner to methods. */
    private static final Map<String, Set<String>> AMBIENT = Map.of(
            "java.lang.System", Set.of("currentTimeMillis", "nanoTime"),
            "java.time.Instant", Set.of("now"),
            "java.time.LocalDate", Set.of("now"),
            "java.time.LocalDateTime", Set.of("now"),
            "java.time.ZonedDateTime", Set.of("now"),
            "java.time.Clock", Set.of("systemUTC", "systemDefaultZone"),
            "java.lang.Math", Set.of("random"),
            "java.util.concurrent.ThreadLocalRandom", Set.of("current"),
            "java.util.UUID", Set.of("randomUUID"),
            "java.lang.Thread", Set.of("sleep"));

    private ArchitectureRules() {}

    @ArchTest
    static final ArchRule packages_import_what_the_table_allows = classes().should(importOnlyWhatTheTableAllows());

    @ArchTest
    static final ArchRule the_product_knows_no_benchmark = noClasses()
            .that()
            .resideOutsideOfPackage("io.fanfare.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fanfare.bench..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule http_stays_at_the_edge = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.fanfare.api..",
                    "io.fanfare.stream..",
                    "io.fanfare.server.http..",
                    "io.fanfare.server.runtime..",
                    "io.fanfare.app..",
                    "io.fanfare.bench..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.ext.web..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule the_web_client_knows_no_requests = noClasses()
            .that()
            .resideInAPackage("io.fanfare.web..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.core.http..", "io.vertx.ext.web..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule sockets_stay_in_the_redis_link = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.fanfare.redis..", "io.fanfare.server.runtime..", "io.fanfare.app..", "io.fanfare.bench..")
            .should()
            .dependOnClassesThat(describe(
                    "sockets", // The name of a peer is none.
                    type -> type.getPackageName().startsWith("io.vertx.core.net")
                            && !type.getSimpleName().equals("SocketAddress")))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule mails_leave_by_one_package = noClasses()
            .that()
            .resideOutsideOfPackage("io.fanfare.worker.mail..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.mail..", "org.eclipse.angus..")
            .allowEmptyShould(true);

    /** Commands and starts may look for free ports, and for processes of the machine itself. */
    @ArchTest
    static final ArchRule sockets_that_block_stay_in_the_mail_sender = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.fanfare.api..",
                    "io.fanfare.worker..",
                    "io.fanfare.stream..",
                    "io.fanfare.core..",
                    "io.fanfare.common..")
            .and()
            .resideOutsideOfPackage("io.fanfare.worker.mail..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(java.net.Socket.class)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule what_vertx_does_not_publish_stays_in_one_package = noClasses()
            .that()
            .resideOutsideOfPackage("io.fanfare.vertx..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.core.internal..", "io.vertx.core.impl..", "io.vertx.core.http.impl..")
            .allowEmptyShould(true);

    /** It has no context, so that its time-out comes on a thread of no event loop: {@code LoopContext.within}. */
    @ArchTest
    static final ArchRule a_composite_future_has_no_timeout_of_its_own = noClasses()
            .should()
            .accessTargetWhere(JavaAccess.Predicates.target(describe(
                    "the time-out of a composite future",
                    target -> target.getName().equals("timeout")
                            && target.getOwner().isAssignableTo(CompositeFuture.class))))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule sql_stays_in_the_archive = noClasses()
            .that()
            .resideOutsideOfPackage("io.fanfare.archive..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.sql..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule time_and_chance_are_passed_in = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.fanfare.server.runtime..",
                    "io.fanfare.redis.embedded..",
                    // The classes in which programs of others begin; the packages below get time and chance from them.
                    "io.fanfare.client",
                    "io.fanfare.junit5",
                    "io.fanfare.app..",
                    "io.fanfare.bench..")
            // Only the phase of timers comes from the clock.
            .and()
            .doNotHaveFullyQualifiedName("io.fanfare.vertx.Ticks")
            .should()
            .accessTargetWhere(JavaAccess.Predicates.target(
                    describe("the clock, unseeded chance or sleep", ArchitectureRules::ambient)))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule no_cycles_between_packages =
            slices().matching("io.fanfare.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule confinement_needs_no_atomics = noClasses()
            .that(confined())
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent.atomic..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule confinement_needs_no_locks = noMethods()
            .that()
            .areDeclaredInClassesThat(confined())
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED)
            .allowEmptyShould(true);

    /** See {@link PackageImports}. */
    private static ArchCondition<JavaClass> importOnlyWhatTheTableAllows() {
        return new ArchCondition<>("import only what the table of packages allows") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Set<String> allowed = PackageImports.allowed(name(type));
                if (allowed.isEmpty()) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " is in a package without a row"));
                }
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass imported = dependency.getTargetClass().getBaseComponentType();
                    if (imported.getPackageName().startsWith(OURS) && !allowed.contains(name(imported))) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static String name(JavaClass type) {
        return type.getPackageName().substring(OURS.length());
    }

    private static DescribedPredicate<JavaClass> confined() {
        return DescribedPredicate.and(
                        JavaClass.Predicates.resideInAnyPackage(packages(
                                "io.fanfare.",
                                "api",
                                "worker",
                                "stream",
                                "common",
                                "redis",
                                "vertx",
                                "verify",
                                "media",
                                "server")),
                        // Their threads are no event loops.
                        JavaClass.Predicates.resideOutsideOfPackage("io.fanfare.redis.embedded.."),
                        // All event loops share these: a lock is held for a look at their tables.
                        DescribedPredicate.not(JavaClass.Predicates.simpleName("PendingHandshakes")
                                .or(JavaClass.Predicates.simpleName("UploadSlots"))))
                .as("are confined to one event loop");
    }

    private static boolean ambient(AccessTarget target) {
        String owner = target.getOwner().getName();
        String name = target.getName();
        if (name.equals(JavaConstructor.CONSTRUCTOR_NAME)) {
            boolean seeded = target instanceof CodeUnitAccessTarget unit
                    && !unit.getRawParameterTypes().isEmpty();
            return owner.equals(Random.class.getName()) && !seeded;
        }
        boolean withClock = target instanceof CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
        return AMBIENT.getOrDefault(owner, Set.of()).contains(name) && !withClock;
    }

    private static String[] packages(String prefix, String... names) {
        return Stream.of(names).map(name -> prefix + name + "..").toArray(String[]::new);
    }

    /** Leaves out the tests of this module and the shared ones in their jar, whatever the build folder is called. */
    public static final class MainClasses implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("-tests.jar");
        }
    }
}
