package io.fanfare.app.size;

import io.fanfare.app.size.Costs.Cost;
import io.fanfare.app.size.FollowerGraph.AuthorClass;
import io.fanfare.app.size.Simulation.Balance;
import io.fanfare.app.size.Size.Amount;
import io.fanfare.app.size.Size.Limit;
import io.fanfare.app.size.Size.Role;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tables of at most 100 columns for people. A star marks a row that has a reckoned cost in it. */
public final class SizeText {
    private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"};
    private static final double THOUSAND = 1000;
    private static final double SHOWN_MIN = 0.001;
    private static final String MARK = " *";

    private final Costs costs;
    private final StringBuilder text = new StringBuilder();
    private final TreeSet<String> reckoned = new TreeSet<>();

    private SizeText(Costs costs) {
        this.costs = costs;
    }

    /**
     * The table of sizes.
     *
     * @param sizes one column each
     */
    public static String of(List<Size> sizes, Sizing sizing) {
        SizeText made = new SizeText(sizing.costs());
        made.sizes(sizes, sizing);
        return made.text.toString();
    }

    public static String of(Simulation simulation, Site site, Costs costs) {
        SizeText made = new SizeText(costs);
        made.simulation(simulation, site);
        return made.text.toString();
    }

    public static String of(Costs costs) {
        SizeText made = new SizeText(costs);
        made.costs();
        return made.text.toString();
    }

    private void sizes(List<Size> sizes, Sizing sizing) {
        row("users", sizes, size -> number((double) size.site().users()));
        section("at the peak, a second", sizes, Size::load, SizeText::number);
        section("network, a second", sizes, Size::network, SizeText::bytes);
        section(
                "processes",
                sizes,
                roles(role -> new Amount("", (double) role.processes(), List.of())),
                SizeText::number);
        section("cores, 70 % of each in use at the peak", sizes, roles(Role::cores), SizeText::number);
        section("memory", sizes, roles(Role::memory), SizeText::bytes);
        section("memory of Redis, without replicas", sizes, Size::memory, SizeText::bytes);
        section("disk", sizes, Size::disk, SizeText::bytes);
        line("");
        line("limits: how many of each would be in full use");
        for (Limit limit : sizes.get(sizes.size() - 1).limits()) {
            row("  " + limit.resource().name(), sizes, size -> number(size.use(limit.resource())));
        }
        sizes.forEach(size -> bottleneck(size, sizing));
        reasons();
        line("All costs are of a machine with 2 cores that Redis, servers and load shared.");
    }

    private static Function<Size, List<Amount>> roles(Function<Role, Amount> part) {
        return size -> size.roles().stream()
                .map(role -> new Amount(
                        role.name(), part.apply(role).value(), part.apply(role).costs()))
                .toList();
    }

    private void section(
            String head, List<Size> sizes, Function<Size, List<Amount>> amounts, DoubleFunction<String> spelling) {
        line("");
        line("%s", head);
        List<Amount> first = amounts.apply(sizes.get(0));
        for (int at = 0; at < first.size(); at++) {
            int same = at;
            row(
                    "  " + first.get(at).name() + mark(first.get(at).costs()),
                    sizes,
                    size -> spelling.apply(amounts.apply(size).get(same).value()));
        }
    }

    private void row(String name, List<Size> sizes, Function<Size, String> value) {
        line(
                "%-42s%s",
                name,
                sizes.stream()
                        .map(size -> String.format("%14s", value.apply(size)))
                        .collect(Collectors.joining()));
    }

    private void bottleneck(Size size, Sizing sizing) {
        Limit limit = size.bottleneck();
        Resource resource = limit.resource();
        line("");
        line("bottleneck at %s users: %s", number((double) size.site().users()), resource.name());
        if (limit.use() > 1) {
            line("  It needs %s times %s.", number(limit.use()), resource.one());
            line("  %s", resource.remedy());
        } else {
            line(
                    "  One process of each role is enough, or one `fanfare up`. The limit is reached at %s users.",
                    number((double) sizing.usersAt(size.site(), other -> other.use(resource))));
        }
        line("  See %s.", resource.page());
    }

    private void simulation(Simulation simulation, Site site) {
        line(
                "%s accounts, each followed by %s others on average, by a power law; all post alike",
                number((double) site.users()), number(site.followers()));
        line("");
        line("%-22s %14s %12s %16s %15s", "followers", "authors", "deliveries", "left if pulled", "time of a post");
        double left = 1;
        for (AuthorClass one : simulation.classes()) {
            left = Math.max(0, left - one.follows());
            line(
                    "%13s and more %14s %10.2f %% %14.2f %% %13s s",
                    number(one.followersMin()),
                    number(Math.rint(one.accounts())),
                    100 * one.follows(),
                    100 * left,
                    number(one.followersMin() * simulation.deliverySeconds()));
        }
        line(
                "The largest author has %s followers; a post reaches the last of them after %s s.",
                number(simulation.largest()), number(simulation.largest() * simulation.deliverySeconds()));
        line("");
        line("%-22s %14s %16s %16s", "fullest over mean of", "homes", "follower lists", "memory");
        for (Balance balance : simulation.balances()) {
            line(
                    "%15d shards %14.2f %16.2f %16.2f",
                    balance.shards(), balance.homes(), balance.lists(), balance.memory());
        }
        line("");
        line("The log gets %s events/s.", number(simulation.events()));
        line(
                "Each takes %s us of its node, with copies for %s event loops.",
                number(simulation.eventMicros()), number(simulation.loops()));
        line(
                "Its ceiling is %s events/s with these event loops, and %s with a quarter of them.",
                number(simulation.ceiling()), number(simulation.quarterCeiling()));
        line(
                simulation.usersAtCeiling() < Site.USERS_MAX
                        ? "The same site reaches its ceiling with %s users."
                        : "The same site does not reach its ceiling with %s users.",
                number((double) simulation.usersAtCeiling()));
        line("");
        line("All of this is reckoned from costs of a machine with 2 cores.");
    }

    private void costs() {
        Collection<List<Cost>> bySource = costs.all().stream()
                .collect(Collectors.groupingBy(Cost::source, LinkedHashMap::new, Collectors.toList()))
                .values();
        for (List<Cost> ofSource : bySource) {
            line("%s", ofSource.get(0).source());
            for (Cost cost : ofSource) {
                line(
                        "  %-18s %12s %-8s %s",
                        cost.name() + mark(List.of(cost.name())), number(cost.value()), cost.unit(), cost.what());
            }
        }
        reasons();
    }

    private void reasons() {
        line("");
        line("* reckoned, not measured:");
        for (String name : reckoned) {
            line("  %-18s %s", name, costs.get(name).reason());
        }
    }

    private String mark(List<String> names) {
        List<String> found =
                names.stream().filter(name -> !costs.get(name).isMeasured()).toList();
        reckoned.addAll(found);
        return found.isEmpty() ? "" : MARK;
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append(System.lineSeparator());
    }

    /** Three digits, or all of a larger whole number. */
    static String number(double value) {
        if (value >= THOUSAND - 0.5) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (value > 0 && value < SHOWN_MIN) {
            return "<" + SHOWN_MIN;
        }
        return new BigDecimal(value)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }

    /** In decimal units, three digits. */
    static String bytes(double bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= THOUSAND - 0.5 && unit < UNITS.length - 1) {
            value /= THOUSAND;
            unit++;
        }
        return number(value) + " " + UNITS[unit];
    }
}
