package io.fanfare.common.settings;

import io.fanfare.secret.Secret;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Turns layers of text into {@link Settings}: a later layer wins over an earlier one. Any unknown key, impossible value
 * or impossible combination fails the whole with {@link InvalidSettings}, which lists them all.
 */
public final class SettingsLoader {
    /** Settings, or groups with their dot, that may differ between the processes of one data set. */
    static final List<String> PROCESS_LOCAL = List.of(
            "http.host", "http.port", "http.event-loops", "feeds.cache-bytes", "management.", "worker.", "log.");

    private final List<Setting> schema = Setting.all();
    private final List<String> problems = new ArrayList<>();

    private SettingsLoader() {}

    /** One effective value: {@code text} as it was written, {@code ***} for a secret. */
    public record Effective(String key, String text, String place) {}

    /** The settings that these layers add up to; the first is {@link SettingsLayer#defaults()}. */
    public static Settings load(List<SettingsLayer> layers) {
        SettingsLoader loader = new SettingsLoader();
        return loader.bind(loader.merge(layers));
    }

    /** The defaults with some assignments {@code key=value}: for tests and tools. */
    public static Settings defaultsWith(String... assignments) {
        return load(List.of(SettingsLayer.defaults(), SettingsLayer.flags(List.of(assignments))));
    }

    /**
     * The settings that joining processes must share: the texts, secrets included, of every setting that differs from
     * its default and is not a matter of one process - where it listens, its loops, its log.
     */
    public static Map<String, String> shared(List<SettingsLayer> layers) {
        Map<String, SettingsLayer.Entry> defaults = SettingsLayer.defaults().values();
        Map<String, String> shared = new LinkedHashMap<>();
        new SettingsLoader().merge(layers).forEach((key, entry) -> {
            boolean differs = !entry.text().equals(defaults.get(key).text());
            if (differs && PROCESS_LOCAL.stream().noneMatch(key::startsWith)) {
                shared.put(key, entry.text());
            }
        });
        return shared;
    }

    /** Every value with its origin, in the order of the file, without secrets; fails as {@link #load} does. */
    public static List<Effective> explain(List<SettingsLayer> layers) {
        SettingsLoader loader = new SettingsLoader();
        Map<String, SettingsLayer.Entry> merged = loader.merge(layers);
        Objects.requireNonNull(loader.bind(merged));
        return loader.schema.stream()
                .map(setting -> effective(setting, merged.get(setting.key())))
                .toList();
    }

    private static Effective effective(Setting setting, SettingsLayer.Entry entry) {
        String text = setting.secret() ? new Secret(entry.text()).toString() : entry.text();
        return new Effective(setting.key(), text, entry.place());
    }

    private Map<String, SettingsLayer.Entry> merge(List<SettingsLayer> layers) {
        List<String> known = schema.stream().map(Setting::key).toList();
        Map<String, SettingsLayer.Entry> merged = new LinkedHashMap<>();
        for (SettingsLayer layer : layers) {
            problems.addAll(layer.problems());
            layer.values().forEach((key, entry) -> {
                if (known.contains(key)) {
                    merged.put(key, entry);
                } else if (!isGroupLeftEmpty(key, entry, known)) {
                    problems.add(key + " (" + entry.place() + ") is no setting" + Suggestion.hint(key, known));
                }
            });
        }
        return merged;
    }

    /** A file may keep a group's name with every line below it commented out. */
    private static boolean isGroupLeftEmpty(String key, SettingsLayer.Entry entry, List<String> known) {
        return entry.text().isEmpty() && known.stream().anyMatch(other -> other.startsWith(key + "."));
    }

    private Map<String, Object> parse(Map<String, SettingsLayer.Entry> texts) {
        Map<String, Object> values = new HashMap<>();
        for (Setting setting : schema) {
            SettingsLayer.Entry entry = texts.get(setting.key());
            if (entry == null) {
                problems.add(setting.key() + " has no value");
                continue;
            }
            try {
                values.put(setting.key(), setting.parse(entry.text()));
            } catch (IllegalArgumentException | ArithmeticException e) {
                String shown = setting.secret() ? "its value" : "'" + entry.text() + "'";
                problems.add(setting.key() + ": " + shown + " (" + entry.place() + ") is not possible; possible is "
                        + setting.possible());
            }
        }
        return values;
    }

    private Settings bind(Map<String, SettingsLayer.Entry> texts) {
        Settings settings = (Settings) make("", Settings.class, parse(texts));
        if (!problems.isEmpty()) {
            throw new InvalidSettings(problems);
        }
        return settings;
    }

    /** Makes a record of its parts; null when one of them is missing, which has been reported where it went missing. */
    private Object make(String prefix, Class<?> type, Map<String, Object> values) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = new Object[components.length];
        boolean whole = true;
        for (int i = 0; i < components.length; i++) {
            String key = prefix + Setting.kebab(components[i].getName());
            Class<?> part = components[i].getType();
            arguments[i] = Setting.isGroup(part) ? make(key + ".", part, values) : values.get(key);
            whole &= arguments[i] != null;
        }
        return whole ? construct(type, arguments) : null;
    }

    private Object construct(Class<?> type, Object[] arguments) {
        Class<?>[] parts = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(parts);
            return canonical.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                problems.add(refused.getMessage());
                return null;
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
