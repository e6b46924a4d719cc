package io.fanfare.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The program of a jar that writes the report that the jar contains, and needs no library. */
public final class FakeBenchmarks {
    private static final String REPORT = "report.json";
    private static final String PROGRAM = FakeBenchmarks.class.getName().replace('.', '/') + ".class";

    private FakeBenchmarks() {}

    /** Writes a jar of a product into a new folder, with the program that writes the given report beside it. */
    static Path jar(Path folder, String report) throws IOException {
        Files.createDirectory(folder);
        new JarOutputStream(Files.newOutputStream(folder.resolve("fanfare.jar")), new Manifest()).close();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, FakeBenchmarks.class.getName());
        try (OutputStream file = Files.newOutputStream(folder.resolve("fanfare-bench.jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest);
                InputStream program = FakeBenchmarks.class.getResourceAsStream("/" + PROGRAM)) {
            jar.putNextEntry(new JarEntry(PROGRAM));
            program.transferTo(jar);
            jar.putNextEntry(new JarEntry(REPORT));
            jar.write(report.getBytes(StandardCharsets.UTF_8));
        }
        return folder.resolve("fanfare.jar");
    }

    public static void main(String[] args) throws IOException {
        List<String> options = List.of(args);
        System.out.println("arguments " + options);
        try (InputStream report = FakeBenchmarks.class.getResourceAsStream("/" + REPORT)) {
            String text = new String(report.readAllBytes(), StandardCharsets.UTF_8);
            if (text.isEmpty()) {
                System.out.println("no redis-server can be started");
                System.exit(1);
            }
            Files.writeString(Path.of(options.get(options.indexOf("--json") + 1)), text);
        }
    }
}
