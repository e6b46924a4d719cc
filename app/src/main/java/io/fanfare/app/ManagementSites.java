package io.fanfare.app;

import io.fanfare.app.console.Console;
import io.fanfare.app.operate.ProcessFacts;
import io.fanfare.server.runtime.ManagementSite;
import io.fanfare.server.runtime.ServiceContext;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The one list of sites of the management server; a build without one has neither its line nor its folder. */
final class ManagementSites {
    private ManagementSites() {}

    /** The site of a process; empty in a build without any. */
    static Optional<Function<ServiceContext, ManagementSite>> of(ProcessFacts facts) {
        List<Function<ServiceContext, ManagementSite>> sites = new ArrayList<>();
        sites.add(services -> new Console(services, facts, Clock.systemUTC(), System::nanoTime, new SecureRandom()));
        return sites.stream().findFirst();
    }
}
