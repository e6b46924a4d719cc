package io.fanfare.api.instance;

import static io.fanfare.api.endpoint.Endpoint.constant;
import static io.fanfare.api.endpoint.Endpoint.get;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fanfare.api.endpoint.Access;
import io.fanfare.api.endpoint.Answer;
import io.fanfare.api.endpoint.Call;
import io.fanfare.api.endpoint.Endpoint;
import io.fanfare.api.endpoint.ResourceLinks;
import io.fanfare.api.oauth.KnownSignUps;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.store.Release;
import io.fanfare.common.store.SiteSwitches.Switch;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Documents that programs look up: the authorization server (RFC 8414), the software of this server (NodeInfo 2.0), the
 * page of an account (RFC 7033), the page that changes a password, and the rules for search engines (RFC 9309).
 */
public final class DiscoveryRoutes {
    private static final String NODEINFO_PATH = "/nodeinfo/2.0";
    private static final String NODEINFO_SCHEMA = "http://nodeinfo.diaspora.software/ns/schema/2.0";

    private final Settings.Auth auth;
    private final Accounts accounts;
    private final InstanceStats instanceStats;
    private final KnownSignUps signUps;
    private final ResourceLinks resourceLinks;
    private final String publicUrl;
    private final Release release;

    /** @param release of Fanfare */
    public DiscoveryRoutes(
            Settings.Auth auth,
            Accounts accounts,
            InstanceStats instanceStats,
            KnownSignUps signUps,
            String publicUrl,
            Release release) {
        this.auth = auth;
        this.accounts = accounts;
        this.resourceLinks = new ResourceLinks(publicUrl);
        this.instanceStats = instanceStats;
        this.signUps = signUps;
        this.publicUrl = publicUrl;
        this.release = release;
    }

    public List<Endpoint> endpoints() {
        return List.of(
                constant("/.well-known/oauth-authorization-server", Answer.json(this::authorizationServer)),
                constant("/.well-known/host-meta", hostMeta()),
                get("/.well-known/webfinger", Access.OPEN, this::webFinger),
                constant("/.well-known/nodeinfo", Answer.json(this::nodeInfoLinks)),
                constant("/.well-known/change-password", changePassword()),
                constant("/robots.txt", robots()),
                get(NODEINFO_PATH, Access.OPEN, this::nodeInfo).despite(Switch.MEMBERS_ONLY));
    }

    private void authorizationServer(JsonGenerator json) throws IOException {
        List<String> grants = new ArrayList<>(List.of("authorization_code", "client_credentials"));
        if (auth.passwordGrant()) {
            grants.add("password");
        }
        json.writeStartObject();
        json.writeStringField("issuer", publicUrl);
        json.writeStringField("service_documentation", publicUrl + "/docs");
        json.writeStringField("authorization_endpoint", publicUrl + "/oauth/authorize");
        json.writeStringField("token_endpoint", publicUrl + "/oauth/token");
        json.writeStringField("revocation_endpoint", publicUrl + "/oauth/revoke");
        json.writeStringField("app_registration_endpoint", publicUrl + "/api/v1/apps");
        array(
                json,
                "scopes_supported",
                List.of("read", "write", "follow", "push", "profile", "admin:read", "admin:write"));
        array(json, "response_types_supported", List.of("code"));
        array(json, "response_modes_supported", List.of("query"));
        array(json, "grant_types_supported", grants);
        array(json, "token_endpoint_auth_methods_supported", List.of("client_secret_basic", "client_secret_post"));
        array(json, "code_challenge_methods_supported", List.of("S256"));
        json.writeBooleanField("authorization_response_iss_parameter_supported", true);
        json.writeEndObject();
    }

    /** RFC 6415: where WebFinger is asked. */
    private Answer hostMeta() {
        String document = """
                <?xml version="1.0" encoding="UTF-8"?>
                <XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
                  <Link rel="lrdd" template="%s/.well-known/webfinger?resource={uri}"/>
                </XRD>
                """.formatted(publicUrl);
        return Answer.file("application/xrd+xml", document.getBytes(StandardCharsets.UTF_8));
    }

    /** W3C, A Well-Known URL for Changing Passwords: managers of passwords send their users there. */
    private Answer changePassword() {
        return Answer.file("text/plain; charset=utf-8", new byte[0])
                .status(302)
                .header("Location", base() + "/settings");
    }

    /** Pages are for everybody, see their {@code noindex}; the rest is for programs, or for who is logged in. */
    private Answer robots() {
        StringBuilder lines = new StringBuilder("User-agent: *\n");
        for (String path : List.of("/api/", "/oauth/", "/login", "/search", "/settings", "/signup")) {
            lines.append("Disallow: ").append(base()).append(path).append('\n');
        }
        return Answer.file("text/plain; charset=utf-8", lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** A proxy may serve this server from below a path. */
    private String base() {
        return URI.create(publicUrl).getRawPath();
    }

    /** {@code resource} is {@code acct:name@this.host} or an account's URL. */
    private Future<Answer> webFinger(Call call) {
        String resource = call.parameters().text("resource", "").strip();
        if (resource.isEmpty()) {
            throw new Refusal(
                    Refusal.Reason.MALFORMED, "The parameter resource is missing: send acct:name@host, or a URL.");
        }
        String handle = resource.startsWith("acct:") ? resource.substring("acct:".length()) : resource;
        return accounts.require(resourceLinks.username(handle).orElseThrow(Refusal::unknown))
                .map(account -> Answer.json(json -> webFinger(json, account.username())));
    }

    private void webFinger(JsonGenerator json, String username) throws IOException {
        String page = publicUrl + "/@" + username;
        json.writeStartObject();
        json.writeStringField(
                "subject", "acct:" + username + "@" + URI.create(publicUrl).getAuthority());
        array(json, "aliases", List.of(page));
        json.writeArrayFieldStart("links");
        json.writeStartObject();
        json.writeStringField("rel", "http://webfinger.net/rel/profile-page");
        json.writeStringField("type", "text/html");
        json.writeStringField("href", page);
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void nodeInfoLinks(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("links");
        json.writeStartObject();
        json.writeStringField("rel", NODEINFO_SCHEMA);
        json.writeStringField("href", publicUrl + NODEINFO_PATH);
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private Future<Answer> nodeInfo(Call call) {
        return instanceStats.sums().map(sums -> Answer.json(json -> nodeInfo(json, sums)));
    }

    /**
     * How many are active is not counted, so nothing is said of it rather than 0. The upstream tells clients whose API
     * this is.
     */
    private void nodeInfo(JsonGenerator json, InstanceStats.Sums sums) throws IOException {
        json.writeStartObject();
        json.writeStringField("version", "2.0");
        json.writeObjectFieldStart("software");
        json.writeStringField("name", "fanfare");
        json.writeStringField("version", release.version());
        json.writeEndObject();
        array(json, "protocols", List.of());
        json.writeObjectFieldStart("services");
        array(json, "inbound", List.of());
        array(json, "outbound", List.of());
        json.writeEndObject();
        json.writeBooleanField("openRegistrations", signUps.shown().isOpen());
        json.writeObjectFieldStart("usage");
        json.writeObjectFieldStart("users");
        json.writeNumberField("total", sums.users());
        json.writeEndObject();
        json.writeNumberField("localPosts", sums.statuses());
        json.writeEndObject();
        json.writeObjectFieldStart("metadata");
        json.writeObjectFieldStart("upstream");
        json.writeStringField("name", "mastodon");
        json.writeEndObject();
        if (release.commit().isPresent()) {
            Release.Commit commit = release.commit().get();
            json.writeStringField("commit", commit.id());
            json.writeStringField("commit_time", commit.time().toString());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void array(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
