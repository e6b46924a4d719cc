package io.fanfare.common.siteblock;

import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlock.Severity;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The blocks that hold at one moment, arranged for look-ups. Immutable. */
final class BlockIndex {
    static final BlockIndex EMPTY = new BlockIndex(List.of(), 0);

    private final Map<Severity, NetworkSet> networks = new EnumMap<>(Severity.class);
    private final Map<String, Long> mailDomains = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final List<NamePattern> patterns;

    /** Unix time of the first end among the blocks. */
    private final long nextEndMillis;

    BlockIndex(List<SiteBlock> blocks, long nowMillis) {
        List<SiteBlock> valid =
                blocks.stream().filter(block -> !block.hasEnded(nowMillis)).toList();
        for (Severity severity : Severity.values()) {
            networks.put(
                    severity,
                    new NetworkSet(valid.stream()
                            .filter(block -> block.kind() == Kind.NETWORK && block.severity() == severity)
                            .map(SiteBlock::network)
                            .toList()));
        }
        valid.stream()
                .filter(block -> block.kind() == Kind.MAIL_DOMAIN)
                .forEach(block -> mailDomains.put(block.value(), block.id()));
        List<NamePattern> all = valid.stream()
                .filter(block -> block.kind() == Kind.NAME)
                .map(block -> new NamePattern(block.value()))
                .toList();
        all.stream().filter(NamePattern::isExact).forEach(name -> names.add(name.text()));
        this.patterns = all.stream().filter(pattern -> !pattern.isExact()).toList();
        this.nextEndMillis = valid.stream()
                .mapToLong(SiteBlock::endMillis)
                .filter(end -> end != 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Whether a block has ended since the index was made. */
    boolean isStale(long nowMillis) {
        return nextEndMillis <= nowMillis;
    }

    boolean closesNetworks() {
        return !networks.get(Severity.NO_ACCESS).isEmpty();
    }

    /** @param address as the server spells those of clients */
    boolean isClosedTo(String address) {
        return networks.get(Severity.NO_ACCESS).contains(address);
    }

    /** The strongest block of a network that an address belongs to. */
    Optional<Severity> severity(String address) {
        Severity strongest = null;
        for (Map.Entry<Severity, NetworkSet> one : networks.entrySet()) {
            strongest = one.getValue().contains(address) ? one.getKey() : strongest;
        }
        return Optional.ofNullable(strongest);
    }

    /** The id of the block of the narrowest domain that a mail address belongs to; 0 = none. */
    long mailBlock(String email) {
        if (mailDomains.isEmpty()) {
            return 0;
        }
        for (String domain = MailDomain.ofAddress(email).orElse("");
                !domain.isEmpty();
                domain = MailDomain.above(domain)) {
            Long id = mailDomains.get(domain);
            if (id != null) {
                return id;
            }
        }
        return 0;
    }

    /** @param name in lower case */
    boolean blocksName(String name) {
        return names.contains(name) || patterns.stream().anyMatch(pattern -> pattern.matches(name));
    }
}
