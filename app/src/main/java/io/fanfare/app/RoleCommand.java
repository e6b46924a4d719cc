package io.fanfare.app;

import io.fanfare.app.operate.ProcessFacts;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Release;
import io.fanfare.server.runtime.Role;
import io.fanfare.server.runtime.ServerTls;
import io.fanfare.server.runtime.Service;
import io.fanfare.server.runtime.SigningKeyFile;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code fanfare api}, {@code worker}, {@code stream}: one role in a process of its own, any number of them, joining
 * the data of others.
 */
abstract class RoleCommand implements Callable<Integer> {
    @Mixin
    private SettingsOptions options;

    private final Role role;

    private RoleCommand(Role role) {
        this.role = role;
    }

    /** {@code fanfare api}. */
    @Command(
            name = "api",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Runs one API process against the data of others.")
    static final class Api extends Public {
        Api() {
            super(Role.API);
        }
    }

    /** {@code fanfare worker}. */
    @Command(
            name = "worker",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Runs one worker process; start as many as there is work for.")
    static final class Worker extends RoleCommand {
        Worker() {
            super(Role.WORKER);
        }

        /** A worker checks no token: where none is set it needs no key, and gets one that is good for nothing. */
        @Override
        Settings settings(SettingsOptions options) {
            Settings joined = options.joining();
            boolean keyless = joined.auth().keys().contains("");
            return keyless ? joined.with(joined.auth().keptAs(SigningKeyFile.drawn(new SecureRandom()))) : joined;
        }
    }

    /** {@code fanfare stream}. */
    @Command(
            name = "stream",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Runs one stream process against the data of others.")
    static final class Stream extends Public {
        Stream() {
            super(Role.STREAM);
        }
    }

    /** A role that clients talk to. */
    private abstract static class Public extends RoleCommand {
        @Option(
                names = "--port",
                paramLabel = "N",
                description = "Port to listen on, 0 = any free one: short for --set http.port=N. Default: 8080.")
        private Integer port;

        Public(Role role) {
            super(role);
        }

        @Override
        Settings settings(SettingsOptions options) {
            options.assignPort(port);
            return PublicAddress.concrete(options.joining(), new Random());
        }

        @Override
        ServerTls tls(Settings settings) {
            return ServerTls.load(settings.http(), InstantSource.system());
        }

        @Override
        String listening(Settings settings) {
            return " url=" + PublicAddress.url(settings.http());
        }
    }

    abstract Settings settings(SettingsOptions options);

    @Override
    public Integer call() {
        Settings settings = settings(options);
        Logging.ofService(settings.log());
        if (options.running().isPresent()) {
            DataFolder.unpackSqlite(options.data(), /* alone= */ false);
        }
        ProcessFacts facts = new ProcessFacts(
                Release.running().toString(),
                List.of(role.toString()),
                settings.console().isOpen() ? options.explained() : List.of(),
                settings.console().isOpen() ? options.administrator() : Optional.empty());
        ServerTls tls = tls(settings);
        return new Service(Composition.eventLoops(role, settings))
                .run(
                        settings,
                        shared -> Composition.keepingNodes(Composition.of(role, shared, tls), settings, options.data()),
                        ManagementSites.of(facts),
                        management -> LoggerFactory.getLogger(RoleCommand.class)
                                .info(
                                        "ready role={}{} management={} version=\"{}\"",
                                        role,
                                        listening(settings),
                                        management,
                                        Release.running()));
    }

    /** How it speaks with clients. */
    ServerTls tls(Settings settings) {
        return ServerTls.NONE;
    }

    /** The address for clients, for the log; empty if the process has none. */
    String listening(Settings settings) {
        return "";
    }
}
