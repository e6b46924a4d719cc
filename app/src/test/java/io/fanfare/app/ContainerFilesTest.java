package io.fanfare.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLayer;
import io.fanfare.common.settings.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The files for container engines name settings, roles and paths that exist; {@code .ci/image} runs the image. */
class ContainerFilesTest {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Path COMPOSE = Path.of("../config/compose/compose.yaml");
    private static final Path CHART = Path.of("../config/helm/fanfare");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::([-?])([^}]*))?}");
    private static final Pattern CHART_ENVIRONMENT = Pattern.compile("- name: (FANFARE_\\w+)");
    private static final Pattern SECRET = Pattern.compile("#   (FANFARE_\\w+) ");
    private static final Map<String, String> VALUES =
            Map.of("FANFARE_DOMAIN", "social.example", "FANFARE_SIGNING_KEY", "0123456789abcdef".repeat(4));
    private static final Set<String> ROLES = Set.of("api", "worker", "stream");

    @Test
    void everyRoleOfComposeGetsSettingsThatItAccepts() throws IOException {
        JsonNode compose = YAML.readTree(COMPOSE.toFile());
        Set<String> roles = new TreeSet<>();
        for (JsonNode service : compose.path("services")) {
            if (service.path("command").size() == 1) {
                roles.add(service.path("command").get(0).asText());
            }
        }
        assertThat(roles).containsExactlyInAnyOrderElementsOf(ROLES);

        Map<String, String> environment = new LinkedHashMap<>();
        compose.path("x-fanfare")
                .path("environment")
                .properties()
                .forEach(variable -> environment.put(
                        variable.getKey(), substituted(variable.getValue().asText())));
        Settings settings = SettingsLoader.load(
                List.of(SettingsLayer.defaults(), imageEnvironment(), SettingsLayer.environment(environment)));

        assertThat(settings.http().publicUrl()).isEqualTo("https://social.example");
        assertThat(settings.management().port()).isEqualTo(9090);
        assertThat(settings.http().trustedProxies())
                .contains(compose.at("/services/caddy/networks/default/ipv4_address")
                        .asText());
    }

    @Test
    void composeNamesTheVariablesThatItWantsInItsHead() throws IOException {
        String text = Files.readString(COMPOSE);
        Set<String> wanted = new TreeSet<>();
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            if ("?".equals(variable.group(2))) {
                wanted.add(variable.group(1));
            }
        }
        assertThat(wanted).isNotEmpty().allSatisfy(name -> assertThat(text).contains("#   " + name + "="));
    }

    @Test
    void theFilesOfComposeAndTheVariablesOfTheCaddyfileExist() throws IOException {
        JsonNode compose = YAML.readTree(COMPOSE.toFile());
        String caddyfile = Files.readString(Path.of("../config/proxy/Caddyfile"));
        for (JsonNode service : compose.path("services")) {
            for (JsonNode volume : service.path("volumes")) {
                String source = volume.asText().split(":", 2)[0];
                if (source.startsWith(".")) {
                    assertThat(COMPOSE.resolveSibling(source)).exists();
                } else {
                    assertThat(compose.path("volumes").has(source)).as(source).isTrue();
                }
            }
        }
        compose.at("/services/caddy/environment").fieldNames().forEachRemaining(name -> assertThat(caddyfile)
                .contains("{$" + name + ":"));
    }

    @Test
    void theChartSetsAndNamesSettingsThatExist() throws IOException {
        Set<String> known = SettingsLayer.defaults().values().keySet().stream()
                .map(key -> "FANFARE_" + key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"))
                .collect(Collectors.toSet());
        Set<String> named = new TreeSet<>();
        for (Map.Entry<Path, Pattern> file : Map.of(
                        CHART.resolve("templates/roles.yaml"), CHART_ENVIRONMENT, CHART.resolve("values.yaml"), SECRET)
                .entrySet()) {
            Matcher matcher = file.getValue().matcher(Files.readString(file.getKey()));
            while (matcher.find()) {
                named.add(matcher.group(1));
            }
        }
        assertThat(named).contains("FANFARE_HTTP_PUBLIC_URL", "FANFARE_REDIS_URL");
        assertThat(known).containsAll(named);
    }

    @Test
    void theSchemaOfTheChartWantsDomainAndProxiesAndRefusesUnknownValues() throws IOException {
        Schema schema = SchemaRegistry.withDialect(Dialects.getDraft7())
                .getSchema(Files.readString(CHART.resolve("values.schema.json")));
        ObjectNode values =
                (ObjectNode) YAML.readTree(CHART.resolve("values.yaml").toFile());

        assertThat(schema.validate(values).stream()
                        .map(message -> message.getInstanceLocation().toString()))
                .containsExactlyInAnyOrder("/domain", "/trustedProxies");
        values.put("domain", "social.example").put("trustedProxies", "10.0.0.0/8");
        assertThat(schema.validate(values)).isEmpty();
        values.put("replicas", 3);
        assertThat(schema.validate(values)).hasSize(1);
    }

    @Test
    void chartAndComposeHaveTheVersionOfTheBuild() throws IOException {
        String version = YAML.readTree(CHART.resolve("Chart.yaml").toFile())
                .path("appVersion")
                .asText();
        Matcher pom = Pattern.compile("<version>([0-9.]+)(?:-SNAPSHOT)?</version>")
                .matcher(Files.readString(Path.of("../pom.xml")));
        assertThat(pom.find()).isTrue();
        assertThat(version).isEqualTo(pom.group(1));
        assertThat(Files.readString(COMPOSE)).contains("${FANFARE_IMAGE:-fanfare:" + version + "}");
    }

    /** The environment that dist/image/pom.xml sets. */
    private static SettingsLayer imageEnvironment() throws IOException {
        Matcher variable = Pattern.compile("<(FANFARE_\\w+)>([^<]*)</")
                .matcher(Files.readString(Path.of("../dist/image/pom.xml")));
        Map<String, String> environment = new LinkedHashMap<>();
        while (variable.find()) {
            environment.put(variable.group(1), variable.group(2));
        }
        assertThat(environment).containsKeys("FANFARE_HTTP_HOST", "FANFARE_MANAGEMENT_PORT");
        return SettingsLayer.environment(environment);
    }

    /** Each variable by a value that suits it, or its default. */
    private static String substituted(String text) {
        return VARIABLE.matcher(text)
                .replaceAll(variable -> "-".equals(variable.group(2))
                        ? variable.group(3)
                        : VALUES.getOrDefault(variable.group(1), variable.group(1)));
    }
}
