package io.fanfare.app.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;

/** Watches the log for what no request may leave there: an error, or a stack trace at any level. */
final class LogWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger root = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);
    private final AtomicReference<String> first = new AtomicReference<>();

    static LogWatch begin() {
        LogWatch log = new LogWatch();
        log.setContext(log.root.getLoggerContext());
        log.start();
        log.root.addAppender(log);
        return log;
    }

    /** Returns and forgets the first forbidden line since the previous call; null = none. */
    String take() {
        return first.getAndSet(null);
    }

    @Override
    protected void append(ILoggingEvent event) {
        boolean trace = event.getThrowableProxy() != null;
        if (trace || event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            String cause = trace
                    ? ": " + event.getThrowableProxy().getClassName() + " "
                            + event.getThrowableProxy().getMessage()
                    : "";
            String line = event.getLevel() + " " + event.getFormattedMessage() + cause;
            first.compareAndSet(null, line);
        }
    }

    @Override
    public void close() {
        root.detachAppender(this);
    }
}
