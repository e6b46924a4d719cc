package io.fanfare.common.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.fanfare.failure.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings of one source: texts by key, each with its place, and the parts that could not be read. Whether a key
 * exists is checked later, so that every problem is reported at once.
 *
 * @param values by key of the file ({@code feeds.home-max}), in the order of the source
 * @param problems sentences for the operator
 */
public record SettingsLayer(Map<String, Entry> values, List<String> problems) {
    /** Begins the place of every value that nobody has set. */
    public static final String DEFAULTS_PLACE = "the defaults";

    /** As the parser shows places and tabs in its messages. */
    private static final Pattern MARK = Pattern.compile("^ in 'reader', (line \\d+, column \\d+):");

    /** Far more than all settings with long comments. */
    private static final int FILE_BYTES_MAX = 1 << 20;

    private static final String TAB = "\\t(TAB)";

    /** The file that is packed into the jar and annotated for operators. */
    private static final String DEFAULTS = "config/fanfare.yaml";

    private static final String PREFIX = "FANFARE_";

    /** Variables of ours that are no settings: the launcher reads them, {@code fanfare listen} or {@code migrate}. */
    private static final Set<String> OTHER_VARIABLES =
            Set.of("FANFARE_JAVA_OPTS", "FANFARE_RESTART", "FANFARE_TOKEN", "FANFARE_TARGET_PASSWORD");

    /** A text and where it stands, to follow "in": {@code fanfare.yaml, line 12}. */
    public record Entry(String text, String place) {}

    public SettingsLayer {
        values = new LinkedHashMap<>(values);
        problems = List.copyOf(problems);
    }

    /** The packed defaults: every key. */
    public static SettingsLayer defaults() {
        try (InputStream in = SettingsLayer.class.getClassLoader().getResourceAsStream(DEFAULTS)) {
            if (in == null) {
                throw new IllegalStateException("no such resource: " + DEFAULTS);
            }
            String lines = withoutComments(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return yaml(DEFAULTS_PLACE, new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalStateException(DEFAULTS + " cannot be read", e);
        }
    }

    /**
     * The same lines, those of comments empty: they are most of the file, and a parser that nothing has compiled yet is
     * slow. No value of the defaults goes over several lines.
     */
    private static String withoutComments(String yaml) {
        return yaml.lines()
                .map(line -> line.stripLeading().startsWith("#") ? "" : line)
                .collect(Collectors.joining("\n"));
    }

    /** The operator's YAML file; what it leaves out stays as it was. */
    public static SettingsLayer file(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
            return bytes.length > FILE_BYTES_MAX
                    ? broken("the settings file " + file + " is longer than " + FILE_BYTES_MAX + " bytes")
                    : yaml(file.toString(), new ByteArrayInputStream(bytes));
        } catch (NoSuchFileException e) {
            return broken("the settings file " + file + " does not exist");
        } catch (JsonProcessingException e) {
            return broken("the settings file " + file + " is not YAML: " + trouble(e));
        } catch (IOException e) {
            return broken("the settings file " + file + " cannot be read: " + Reason.of(e));
        }
    }

    /**
     * The place where the parser stopped, and the reason. Its message has its task, the fault and the line, each with a
     * place; the place of the fault is the last one.
     */
    private static String trouble(JsonProcessingException e) {
        String place = "line " + e.getLocation().getLineNr();
        String problem = "";
        String last = "";
        for (String line : e.getOriginalMessage().lines().toList()) {
            Matcher mark = MARK.matcher(line);
            if (mark.find()) {
                place = mark.group(1);
                problem = last;
            }
            last = line;
        }
        if (problem.contains(TAB)) {
            return place + ": there is a TAB, which YAML does not allow there; write spaces instead";
        }
        String found = problem.isEmpty() ? last : problem;
        return place + ": " + found.replaceFirst(" *\\(Do not use .*\\)", "").replaceFirst("\\.$", "")
                + "; two spaces indent a setting under its group, and a value with special signs needs quotes";
    }

    /** The variables that begin with {@code FANFARE_}. */
    public static SettingsLayer environment(Map<String, String> environment) {
        Map<String, String> keys = new TreeMap<>();
        Setting.all().forEach(setting -> keys.put(setting.environmentName(), setting.key()));
        Map<String, Entry> values = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            String name = variable.getKey();
            if (keys.containsKey(name)) {
                values.put(keys.get(name), new Entry(variable.getValue(), "the environment variable " + name));
            } else if (name.startsWith(PREFIX) && !OTHER_VARIABLES.contains(name)) {
                problems.add(
                        "the environment variable " + name + " is no setting" + Suggestion.hint(name, keys.keySet()));
            }
        }
        return new SettingsLayer(values, problems);
    }

    /** Assignments {@code key=value} from the command line. */
    public static SettingsLayer flags(List<String> assignments) {
        Map<String, Entry> values = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                problems.add("--set " + assignment + " is no assignment; write --set feeds.home-max=500");
            } else {
                values.put(
                        assignment.substring(0, equals),
                        new Entry(assignment.substring(equals + 1), "the command line"));
            }
        }
        return new SettingsLayer(values, problems);
    }

    /** Values from elsewhere, such as the running service's own file. */
    public static SettingsLayer of(String place, Map<String, String> texts) {
        Map<String, Entry> values = new LinkedHashMap<>();
        texts.forEach((key, text) -> values.put(key, new Entry(text, place)));
        return new SettingsLayer(values, List.of());
    }

    private static SettingsLayer broken(String problem) {
        return new SettingsLayer(Map.of(), List.of(problem));
    }

    /** Flattens nested maps of scalars; anything else is a problem of that place. */
    private static SettingsLayer yaml(String name, InputStream in) throws IOException {
        Map<String, Entry> values = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        Deque<String> path = new ArrayDeque<>();
        // Token by token rather than by ObjectMapper: it keeps the lines and the exact texts, and costs a start 100 ms
        // less.
        try (YAMLParser yaml = new YAMLFactory().createParser(in)) {
            for (JsonToken token = yaml.nextToken(); token != null; token = yaml.nextToken()) {
                String place = name + ", line " + yaml.currentTokenLocation().getLineNr();
                if (token == JsonToken.FIELD_NAME) {
                    path.addLast(yaml.currentName());
                } else if (token == JsonToken.END_OBJECT) {
                    path.pollLast();
                } else if (token.isScalarValue() && !path.isEmpty()) {
                    String key = String.join(".", path);
                    String text = token == JsonToken.VALUE_NULL ? "" : yaml.getText();
                    if (values.put(key, new Entry(text, place)) != null) {
                        problems.add(key + " is given twice, again in " + place);
                    }
                    path.removeLast();
                } else if (token != JsonToken.START_OBJECT && token != JsonToken.VALUE_NULL) {
                    problems.add(place + ": a list or a bare value is not possible here; write key: value");
                    yaml.skipChildren();
                    path.pollLast();
                }
            }
        }
        return new SettingsLayer(values, problems);
    }
}
