package io.fanfare.common;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import io.fanfare.common.testing.ArchitectureRules;

/** All rules, on the classes of this module and of those below it: the first test of this module. */
@AnalyzeClasses(packages = "io.fanfare", importOptions = ArchitectureRules.MainClasses.class)
class CommonArchitectureTest {
    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureRules.class);
}
