package io.fanfare.server.runtime;

import java.lang.reflect.Proxy;

/**
 * Handlers for SIGTERM and SIGINT. A shutdown hook would not do: the JVM ends with 143 whatever the hook achieves, and
 * a second signal has no effect.
 *
 * <p>By reflection, because javac warns about {@code sun.misc.Signal} in a way that cannot be switched off, and there
 * is no other API.
 */
public final class Signals {
    private Signals() {}

    /** Runs {@code action} on a thread of the JVM's whenever the signal ({@code TERM}, {@code INT}) arrives. */
    public static void on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM does not let us handle signals", e);
        }
    }
}
