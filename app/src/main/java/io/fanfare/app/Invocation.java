package io.fanfare.app;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/** How this program was started, for lines that people paste into a shell. */
final class Invocation {
    private Invocation() {}

    /** The launcher as it was called, or else the java command of this jar. */
    static String command() {
        String launcher = System.getProperty("fanfare.command");
        return launcher == null ? javaCommand() : quoted(launcher);
    }

    /** One word of a shell's line, whatever it contains. */
    static String quoted(String argument) {
        return argument.matches("[\\w@%+=:,./-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }

    private static String javaCommand() {
        CodeSource source = Main.class.getProtectionDomain().getCodeSource();
        try {
            Path jar =
                    source == null ? Path.of("") : Path.of(source.getLocation().toURI());
            return jar.toString().endsWith(".jar") ? "java -jar " + quoted(jar.toString()) : "fanfare";
        } catch (URISyntaxException e) {
            return "fanfare";
        }
    }
}
