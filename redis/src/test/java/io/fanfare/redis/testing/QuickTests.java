package io.fanfare.redis.testing;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Keeps the test classes that start no server and no process, for {@code mvn verify -Pquick}. The byte code decides: a
 * class is not quick when it refers to {@link TestRedis}, starts a process or runs the Java compiler, or when a class
 * of Fanfare does that it refers to, directly or through others. So no tag and no list can get out of date.
 */
public final class QuickTests implements PostDiscoveryFilter {
    /** Set by the profile {@code quick}. */
    private static final String SWITCH = "fanfare.tests.quick";

    private static final String OURS = "io/fanfare/";
    private static final String REDIS = TestRedis.class.getName().replace('.', '/');

    /** Members of {@link TestRedis} that need no server. */
    private static final Set<String> WAITS = Set.of("await", "awaitUntil");

    /** It takes as long as a process. */
    private static final String COMPILER = "javax/tools/ToolProvider";

    /** In descriptors and, of classes that annotations name, as a text of its own. */
    private static final Pattern TYPE = Pattern.compile("L(io/fanfare/[\\w/$]+);");

    private final boolean on;
    private final Map<String, Refers> read = new HashMap<>();
    private final Map<String, Optional<String>> known = new HashMap<>();

    /** For the launcher of JUnit. */
    public QuickTests() {
        this(Boolean.getBoolean(SWITCH));
    }

    /** @param on whether the others are left out */
    public QuickTests(boolean on) {
        this.on = on;
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        Optional<String> slow = on ? test.getSource().flatMap(this::starter) : Optional.empty();
        return FilterResult.includedIf(
                slow.isEmpty(), () -> "starts nothing", () -> slow.get() + " starts a server or a process");
    }

    /** The launcher takes out what has no children left: so methods are judged too, by their class. */
    private Optional<String> starter(TestSource source) {
        if (source instanceof MethodSource method) {
            return starter(method.getClassName());
        }
        return source instanceof ClassSource type ? starter(type.getClassName()) : Optional.empty();
    }

    /** The class that starts a server or a process when this test class runs; empty = the test class is quick. */
    public Optional<String> starter(String testClass) {
        return known.computeIfAbsent(testClass, this::find);
    }

    private Optional<String> find(String testClass) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(testClass.replace('.', '/')));
        while (!open.isEmpty()) {
            String name = open.pop();
            // Its members differ; starts() has judged those that a class uses.
            if (name.equals(REDIS) || !seen.add(name)) {
                continue;
            }
            Refers refers = read.computeIfAbsent(name, QuickTests::read);
            if (refers.starts()) {
                return Optional.of(name.replace('/', '.'));
            }
            open.addAll(refers.classes());
        }
        return Optional.empty();
    }

    /**
     * The references in the byte code of a class.
     *
     * @param starts whether a server or a process is among them
     * @param classes of Fanfare
     */
    private record Refers(boolean starts, List<String> classes) {}

    private static Refers read(String name) {
        try (InputStream file = QuickTests.class.getClassLoader().getResourceAsStream(name + ".class")) {
            if (file == null) {
                throw new IllegalStateException("no such class: " + name);
            }
            return refers(new DataInputStream(new BufferedInputStream(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the constant pool, as in chapter 4.4 of the specification of the JVM. */
    private static Refers refers(DataInputStream file) throws IOException {
        file.skipNBytes(8);
        int size = file.readUnsignedShort();
        int[] tags = new int[size];
        int[] first = new int[size];
        int[] second = new int[size];
        String[] texts = new String[size];
        for (int i = 1; i < size; i++) {
            tags[i] = file.readUnsignedByte();
            switch (tags[i]) {
                case 1 -> texts[i] = file.readUTF();
                case 7, 8, 16, 19, 20 -> first[i] = file.readUnsignedShort();
                case 3, 4, 9, 10, 11, 12, 17, 18 -> {
                    first[i] = file.readUnsignedShort();
                    second[i] = file.readUnsignedShort();
                }
                case 15 -> file.skipNBytes(3);
                case 5, 6 -> {
                    file.skipNBytes(8);
                    i++; // A long or double takes two places.
                }
                default -> throw new IOException("unknown constant " + tags[i]);
            }
        }
        boolean starts = false;
        List<String> classes = new ArrayList<>();
        for (int i = 1; i < size; i++) {
            if (tags[i] == 7) {
                String name = texts[first[i]];
                if (name.startsWith(OURS)) {
                    classes.add(name);
                }
            } else if (tags[i] == 1) {
                TYPE.matcher(texts[i]).results().forEach(type -> classes.add(type.group(1)));
            } else if (tags[i] >= 9 && tags[i] <= 11) {
                starts |= starts(texts[first[first[i]]], texts[first[second[i]]]);
            }
        }
        return new Refers(starts, classes);
    }

    private static boolean starts(String owner, String member) {
        if (owner.equals(REDIS) || owner.startsWith(REDIS + "$")) {
            return !WAITS.contains(member);
        }
        return owner.equals("java/lang/ProcessBuilder")
                || (owner.equals("java/lang/Runtime") && member.equals("exec"))
                || owner.equals(COMPILER);
    }
}
