package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Handle;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.common.testing.Contract;
import io.fanfare.common.testing.Contract.Operation;
import io.fanfare.server.http.Parameters;
import io.fanfare.stream.routes.StreamRoutes;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each parameter that the code of an operation reads is in openapi.yaml. The compiled code says which: the table of
 * routes leads to a method, and from there to all methods that get the request or its parameters.
 */
class ParameterCoverageTest {
    private static final String PARAMETERS = Parameters.class.getName().replace('.', '/');
    private static final String CALL = Call.class.getName().replace('.', '/');
    private static final String STRING = "java/lang/String";
    private static final String ENDPOINT = "io/fanfare/api/endpoint/Endpoint";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*(\\[[a-z_]+])*");
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    /** The parameters that {@code Parameters.page} reads. */
    private static final Set<String> PAGE = Set.of("limit", "max_id", "since_id", "min_id");

    /** Read to be refused with a sentence, or without effect: where a status goes, only posts have these. */
    private static final Set<String> ONLY_OF_POSTS = Set.of("media_ids", "poll", "scheduled_at", "in_reply_to_id");

    private static final Set<String> NO_POSTS = Set.of("createComment", "createArticle", "reblogStatus");

    private static final String STREAMS = "io/fanfare/stream/routes/StreamRoutes.";
    private static final String HOME = "io/fanfare/stream/routes/MastodonStreams.home(";

    /** Every stream in Fanfare's own dialect calls these methods: they read its start and its options. */
    private static final List<String> EVERY_STREAM =
            List.of("io/fanfare/stream/session/StartPositionResolver.read(", STREAMS + "options(");

    /**
     * Streams in Fanfare's own dialect, each with the method that makes its filter. {@link FilterParameterTest}
     * compares the parameters of filters and samples.
     */
    private static final Map<String, List<String>> NATIVE_STREAMS = Map.of(
            "streamFirehose", List.of(),
            "streamSample", List.of(),
            "streamFilter", List.of(),
            "streamFilterOfBody", List.of(),
            "streamHome", List.of(HOME));

    /** Streams in other dialects. Their operations list fewer parameters, so the test reads their filters alone. */
    private static final Map<String, String> OTHER_STREAMS = Map.of("streamUser", HOME);

    /** A step of a method: a text that it pushes, or a method that it calls or passes on. */
    private record Step(String text, String owner, String name, String descriptor, boolean passed) {
        static Step of(String text) {
            return new Step(text, "", "", "", false);
        }

        boolean isText() {
            return text != null;
        }

        String method() {
            return owner + "." + name + descriptor;
        }

        boolean takes(String type) {
            return owner.equals(type)
                    || descriptor.substring(0, descriptor.indexOf(')') + 1).contains("L" + type + ";");
        }
    }

    private static final Map<String, List<Step>> CODE = code();

    @Test
    void everyParameterThatAnOperationReadsIsInTheContract() {
        Map<String, String> actions = actions();
        Map<String, Set<String>> missing = new TreeMap<>();
        int read = 0;
        for (Operation operation : Contract.instance().operations()) {
            String action = actions.get(operation.method() + " " + anonymous(operation.path()));
            if (action == null) {
                continue; // A stream, or the same answer for everybody.
            }
            Set<String> names = new TreeSet<>();
            read(action, names, new HashSet<>());
            read += names.size();
            names.removeAll(listed(operation));
            if (NO_POSTS.contains(operation.id())) {
                names.removeAll(ONLY_OF_POSTS);
            }
            if (!names.isEmpty()) {
                missing.put(operation.toString(), names);
            }
        }
        assertThat(actions).hasSizeGreaterThan(200);
        assertThat(read).as("what the test has seen at all").isGreaterThan(350);
        assertThat(missing).as("parameters that openapi.yaml lacks").isEmpty();
    }

    @Test
    void everyParameterThatAStreamReadsIsInTheContract() {
        Map<String, Set<String>> read = new TreeMap<>();
        NATIVE_STREAMS.forEach((operation, filter) -> {
            Set<String> names = read.computeIfAbsent(operation, added -> new TreeSet<>());
            EVERY_STREAM.forEach(method -> readFrom(method, names));
            filter.forEach(method -> readFrom(method, names));
        });
        OTHER_STREAMS.forEach(
                (operation, method) -> readFrom(method, read.computeIfAbsent(operation, added -> new TreeSet<>())));
        assertThat(read.get("streamFilter"))
                .as("what the test has seen at all")
                .contains("since", "on_gap", "overflow", "max_rate");

        Map<String, Set<String>> missing = new TreeMap<>();
        for (Operation operation : Contract.instance().operations()) {
            Set<String> names = read.remove(operation.id());
            if (names != null) {
                names.removeAll(listed(operation));
                missing.put(operation.id(), names);
            }
        }
        assertThat(read).as("operations that openapi.yaml lacks").isEmpty();
        missing.values().removeIf(Set::isEmpty);
        assertThat(missing).as("parameters that openapi.yaml lacks").isEmpty();
    }

    private static void readFrom(String method, Set<String> names) {
        List<String> found =
                CODE.keySet().stream().filter(key -> key.startsWith(method)).toList();
        assertThat(found).as(method).isNotEmpty();
        found.forEach(each -> read(each, names, new HashSet<>()));
    }

    private static String anonymous(String path) {
        return path.replaceAll("\\{[^}]+}|:[a-z_]+", "*");
    }

    /** The method of each route, by verb and path. */
    private static Map<String, String> actions() {
        Map<String, String> actions = new HashMap<>();
        CODE.forEach((method, steps) -> {
            String path = null;
            String action = null;
            for (Step step : steps) {
                if (step.isText()) {
                    path = step.text().startsWith("/") ? step.text() : path;
                } else if (step.passed()) {
                    action = step.method();
                } else if (step.owner().equals(ENDPOINT) && METHODS.contains(step.name())) {
                    if (path != null && action != null) {
                        actions.put(step.name().toUpperCase(Locale.ROOT) + " " + anonymous(path), action);
                    }
                    path = null;
                    action = null;
                }
            }
        });
        return actions;
    }

    private static void read(String method, Set<String> names, Set<String> seen) {
        if (!seen.add(method)) {
            return;
        }
        List<String> pushed = new ArrayList<>();
        for (Step step : CODE.getOrDefault(method, List.of())) {
            if (step.isText()) {
                pushed.add(step.text());
                continue;
            }
            if (step.owner().equals(PARAMETERS) && step.name().equals("page")) {
                names.addAll(PAGE);
            } else if (step.takes(PARAMETERS)) {
                pushed.stream()
                        .filter(text -> NAME.matcher(text).matches())
                        .findFirst()
                        .ifPresent(names::add);
            }
            if (step.passed() || step.takes(PARAMETERS) || step.takes(CALL)) {
                read(step.method(), names, seen);
            }
            // What else takes a text has taken those before it.
            if (step.takes(PARAMETERS) || step.takes(STRING)) {
                pushed.clear();
            }
        }
    }

    /** The names of parameters and of properties of the body, those of objects as {@code source[privacy]}. */
    private static Set<String> listed(Operation operation) {
        Set<String> names = new HashSet<>();
        for (JsonNode parameter : operation.node().path("parameters")) {
            names.add(
                    Contract.instance().resolve(parameter).path("name").asText().replaceFirst("\\[]$", ""));
        }
        JsonNode body = Contract.instance().resolve(operation.node().path("requestBody"));
        body.path("content").forEach(type -> properties(type.path("schema"), "", names));
        return names;
    }

    private static void properties(JsonNode reference, String within, Set<String> names) {
        JsonNode schema = Contract.instance().resolve(reference);
        for (String several : List.of("allOf", "anyOf", "oneOf")) {
            schema.path(several).forEach(part -> properties(part, within, names));
        }
        schema.path("properties").fields().forEachRemaining(property -> {
            String plain = property.getKey().replaceFirst("\\[]$", "");
            String name = within.isEmpty() ? plain : within + "[" + plain + "]";
            names.add(name);
            properties(property.getValue(), name, names);
        });
        if (schema.has("items")) {
            properties(schema.path("items"), within, names);
        }
    }

    private static Map<String, List<Step>> code() {
        Map<String, List<Step>> code = new HashMap<>();
        for (Class<?> inModule : List.of(Endpoint.class, Parameters.class, StreamRoutes.class)) {
            try {
                Path place = Path.of(inModule.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
                if (Files.isDirectory(place)) {
                    collect(place, code);
                } else {
                    try (FileSystem jar = FileSystems.newFileSystem(place)) {
                        collect(jar.getPath("/"), code);
                    }
                }
            } catch (IOException | URISyntaxException e) {
                throw new AssertionError(e);
            }
        }
        return code;
    }

    private static void collect(Path folder, Map<String, List<Step>> code) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    collect(new ClassReader(in), code);
                }
            }
        }
    }

    private static void collect(ClassReader bytes, Map<String, List<Step>> code) {
        bytes.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        List<Step> steps = new ArrayList<>();
                        code.put(bytes.getClassName() + "." + name + descriptor, steps);
                        return new Steps(steps);
                    }
                },
                ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    /** Collects the steps of a method. */
    private static final class Steps extends MethodVisitor {
        private final List<Step> steps;

        Steps(List<Step> steps) {
            super(Opcodes.ASM9);
            this.steps = steps;
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof String text) {
                steps.add(Step.of(text));
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            steps.add(new Step(null, owner, name, descriptor, false));
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle) {
                    steps.add(new Step(null, handle.getOwner(), handle.getName(), handle.getDesc(), true));
                }
            }
        }
    }
}
