package io.fanfare.api.endpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The order in which a router tries endpoints. A router of Vert.x takes the first route that matches, so a path with a
 * variable would hide a fixed path that comes after it. In this order it cannot, whatever the order in which the
 * features list their endpoints.
 */
public final class RouteOrder {
    /** Orders paths by the first segment that differs in kind: the fixed segment comes before the parameter. */
    private static final Comparator<String> FIXED_FIRST = (one, other) -> {
        String[] left = one.split("/", -1);
        String[] right = other.split("/", -1);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int kinds = Integer.compare(kind(left[i]), kind(right[i]));
            if (kinds != 0) {
                return kinds;
            }
        }
        return Integer.compare(left.length, right.length);
    };

    private RouteOrder() {}

    /**
     * Sorts endpoints with fixed segments before endpoints with variables, and keeps their order otherwise. Throws an
     * {@link IllegalStateException} if two endpoints match the same requests.
     */
    public static List<Endpoint> of(Stream<Endpoint> endpoints) {
        List<Endpoint> ordered = new ArrayList<>(endpoints.toList());
        Set<String> seen = new HashSet<>();
        for (Endpoint endpoint : ordered) {
            if (!seen.add(endpoint.method() + " " + endpoint.path().replaceAll(":[a-z]+", ":"))) {
                throw new IllegalStateException("two endpoints match " + endpoint.method() + " " + endpoint.path());
            }
        }
        ordered.sort(Comparator.comparing(Endpoint::path, FIXED_FIRST));
        return List.copyOf(ordered);
    }

    /** 0 = fixed, 1 = with a variable, 2 = a variable. */
    private static int kind(String segment) {
        int variable = segment.indexOf(':');
        return variable < 0 ? 0 : variable > 0 ? 1 : 2;
    }
}
