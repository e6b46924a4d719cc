package io.fanfare.api.push;

import io.fanfare.common.model.PushSubscription;
import io.fanfare.common.model.PushSubscription.Policy;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.push.ClientKeys;
import io.fanfare.core.push.PushEndpoint;
import io.fanfare.server.http.Parameters;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A push subscription as a client wants it: the body of {@code POST /api/v1/push/subscription}. Whoever holds one holds
 * acceptable values.
 */
public record NewPushSubscription(PushEndpoint endpoint, ClientKeys keys, boolean standard, Preferences preferences) {
    /** The notifications that are pushed: all that {@code PUT} changes. */
    public record Preferences(Set<String> alerts, Policy policy) {
        /** Absent alerts are off, and an absent policy is {@code all}. */
        public static Preferences of(Parameters given) {
            Set<String> alerts = new HashSet<>();
            for (String type : PushSubscription.ALERTS) {
                if (given.flag("data[alerts][" + type + "]", false)) {
                    alerts.add(type);
                }
            }
            String policyName = given.text("data[policy]", given.text("policy", Policy.ALL.wire()));
            Policy policy = Policy.of(policyName);
            if (policy == null) {
                throw invalid("Policy must be all, followed, follower or none");
            }
            return new Preferences(alerts, policy);
        }
    }

    /**
     * Reads and validates it.
     *
     * @param privates whether endpoints inside of a network are good, too
     */
    public static NewPushSubscription of(Parameters given, boolean privates) {
        PushEndpoint endpoint = PushEndpoint.of(given.text("subscription[endpoint]", ""), privates);
        ClientKeys keys = ClientKeys.of(
                        given.text("subscription[keys][p256dh]", ""), given.text("subscription[keys][auth]", ""))
                .orElseThrow(() -> invalid("Keys must be a public key of P-256 and 16 bytes, in base64"));
        return new NewPushSubscription(
                endpoint, keys, given.flag("subscription[standard]", false), Preferences.of(given));
    }

    /**
     * The subscription that it makes, without an id.
     *
     * @param sealedToken the access token, sealed; empty = not known
     */
    public PushSubscription subscription(String sealedToken) {
        return new PushSubscription(
                0,
                0,
                preferences.alerts(),
                preferences.policy(),
                standard,
                List.of(),
                keys.p256dh(),
                keys.secret(),
                endpoint.text(),
                sealedToken);
    }

    private static Refusal invalid(String what) {
        return new Refusal(Refusal.Reason.INVALID, "Validation failed: " + what);
    }
}
