package io.fanfare.junit5;

import io.fanfare.client.Fanfare;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;

/** The life of the servers of {@link FanfareServer}: the store of JUnit closes each with its class or with the run. */
final class FanfareExtension implements BeforeAllCallback, ParameterResolver, TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(FanfareExtension.class);
    private static final int LOG_LINES = 100;

    @Override
    public void beforeAll(ExtensionContext context) {
        LocalServer unused = server(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == LocalServer.class || type == Fanfare.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        LocalServer server = server(context);
        return parameter.getParameter().getType() == LocalServer.class ? server : server.client();
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        LocalServer server = server(context);
        System.err.println("The last lines of the server at " + server.url() + " (" + context.getDisplayName() + "):");
        server.log(LOG_LINES).forEach(line -> System.err.println("  " + line));
    }

    /** That of the outermost class with the annotation, so that nested classes have the same one. */
    private static LocalServer server(ExtensionContext context) {
        ExtensionContext owner = context;
        FanfareServer wanted = null;
        for (ExtensionContext each = context;
                each.getParent().isPresent();
                each = each.getParent().get()) {
            FanfareServer found = each.getTestClass()
                    .flatMap(type -> AnnotationSupport.findAnnotation(type, FanfareServer.class))
                    .orElse(null);
            if (found != null) {
                owner = each;
                wanted = found;
            }
        }
        if (wanted == null) {
            throw new IllegalStateException("the test class has no @FanfareServer");
        }
        List<String> settings = Arrays.asList(wanted.settings());
        ExtensionContext.Store store = (wanted.shared() ? context.getRoot() : owner).getStore(NAMESPACE);
        return store.getOrComputeIfAbsent(
                settings, key -> LocalServer.start(settings.toArray(String[]::new)), LocalServer.class);
    }
}
