package io.fanfare.app;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The libraries on the class path of this module: those that the jar bundles, and those of the tests. */
final class ClassPath {
    private ClassPath() {}

    /**
     * In a Maven repository a library lies at {@code group/artifact/version/file.jar}; our own modules are left out.
     */
    static List<Artifact> artifacts() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith(".jar"))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(jar -> jar.getNameCount() > 3 && isOfARepository(jar))
                .map(jar -> new Artifact(
                        jar.getParent().getParent(),
                        jar.getParent().getFileName().toString()))
                .filter(artifact -> !artifact.is("io.fanfare:*"))
                .toList();
    }

    private static boolean isOfARepository(Path jar) {
        return jar.getFileName()
                .toString()
                .startsWith(jar.getParent().getParent().getFileName() + "-"
                        + jar.getParent().getFileName());
    }

    /** @param folder of all its versions; ends with group and name */
    record Artifact(Path folder, String version) {
        String name() {
            return folder.getFileName().toString();
        }

        /** @param pattern {@code group:name}; a star stands for any part of one name */
        boolean is(String pattern) {
            String path = pattern.substring(0, pattern.indexOf(':')).replace('.', '/') + "/"
                    + pattern.substring(pattern.indexOf(':') + 1);
            return folder.getFileSystem().getPathMatcher("glob:**/" + path).matches(folder);
        }
    }
}
