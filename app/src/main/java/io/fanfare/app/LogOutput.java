package io.fanfare.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sets Logback up as {@code config/logback.xml} would, from the same properties. Logback finds this class through
 * {@code META-INF/services} and then reads no file, which would cost a start a third of its time; unless the operator
 * names one with {@code -Dlogback.configurationFile=FILE}.
 */
public final class LogOutput extends ContextAwareBase implements Configurator {
    private static final String OWN_FILE = "logback.configurationFile";
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{24} - %msg%n";

    @Override
    public ExecutionStatus configure(LoggerContext logging) {
        if (System.getProperty(OWN_FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(logging);
        console.setName("console");
        console.setTarget(System.getProperty("fanfare.log.target", "System.out"));
        console.setEncoder(
                System.getProperty("fanfare.log.format", "text").equals("json") ? json(logging) : text(logging));
        console.start();
        Logger root = logging.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getProperty("fanfare.log.level"), Level.INFO));
        root.addAppender(console);
        logging.getLogger("io.netty").setLevel(Level.WARN);
        // While a process stops: a stack trace for each connection that comes too late.
        logging.getLogger("io.netty.bootstrap.ServerBootstrap").setLevel(Level.ERROR);
        logging.getLogger("io.vertx").setLevel(Level.WARN);
        // JdbcArchive says when the database goes and comes back.
        logging.getLogger("com.zaxxer.hikari").setLevel(Level.ERROR);
        // Audit events are no degree of trouble.
        logging.getLogger("fanfare.audit").setLevel(Level.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext logging) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(logging);
        encoder.setPattern(PATTERN);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext logging) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(logging);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMDC(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }
}
