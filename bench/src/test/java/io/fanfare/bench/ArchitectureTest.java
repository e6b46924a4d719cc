package io.fanfare.bench;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import io.fanfare.common.testing.ArchitectureRules;

/** All rules, on the classes of every module. */
@AnalyzeClasses(packages = "io.fanfare", importOptions = ArchitectureRules.MainClasses.class)
@ArchTag("slow")
class ArchitectureTest {
    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureRules.class);
}
