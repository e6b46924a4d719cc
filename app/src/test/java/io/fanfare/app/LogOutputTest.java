package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which loggers say how much, however the log is set up. */
class LogOutputTest {
    private static final Path FILE = Path.of("..", "config", "logback.xml");

    @Test
    void theFileForOperatorsSaysWhatIsInForceWithoutIt() throws Exception {
        LoggerContext byFile = new LoggerContext();
        JoranConfigurator reader = new JoranConfigurator();
        reader.setContext(byFile);
        reader.doConfigure(FILE.toFile());

        assertThat(levels(byFile)).isEqualTo(levels(withoutFile()));
    }

    /** While a process stops, those who come are turned away one by one: a stack trace for each would flood the log. */
    @Test
    void connectionsThatComeWhileAServerStopsAreNotLogged() {
        LoggerContext logging = withoutFile();

        assertThat(logging.getLogger("io.netty.bootstrap.ServerBootstrap").getEffectiveLevel())
                .isEqualTo(Level.ERROR);
        assertThat(logging.getLogger("io.netty.channel").getEffectiveLevel()).isEqualTo(Level.WARN);
    }

    private static LoggerContext withoutFile() {
        LoggerContext logging = new LoggerContext();
        LogOutput output = new LogOutput();
        output.setContext(logging);
        assertThat(output.configure(logging)).isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
        return logging;
    }

    /** The loggers with a level of their own, and that level. */
    private static Map<String, Level> levels(LoggerContext logging) {
        return logging.getLoggerList().stream()
                .filter(logger -> logger.getLevel() != null)
                .collect(Collectors.toMap(Logger::getName, Logger::getLevel));
    }
}
