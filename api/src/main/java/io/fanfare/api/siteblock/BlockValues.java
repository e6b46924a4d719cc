package io.fanfare.api.siteblock;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.siteblock.BlockedNetwork;
import io.fanfare.common.siteblock.SiteBlock.Kind;
import io.fanfare.common.siteblock.SiteBlocks;
import io.fanfare.server.http.ClientAddress;
import io.fanfare.server.http.ClientAddress.CidrBlock;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the values of blocks as people write them. */
public final class BlockValues {
    private static final int TEXT_CHARS_MAX = 300;

    /** An address alone; the server compares the first half of one of IPv6. */
    private static final String WHOLE_IPV6 = "/128";

    private static final Pattern NETWORK = Pattern.compile("[0-9A-Fa-f:.]{2,45}(?:/\\d{1,3})?");

    private BlockValues() {}

    /**
     * The value of a block as the store has it. Throws {@link Refusal} ({@code INVALID}) with a sentence that names the
     * field.
     */
    public static String of(Kind kind, String field, String text) {
        String bare = text.strip();
        if (bare.isEmpty()) {
            throw fault(field, "ERR_BLANK", "can't be blank");
        }
        if (bare.length() > TEXT_CHARS_MAX) {
            throw fault(field, "ERR_TOO_LONG", "is too long (at most " + TEXT_CHARS_MAX + " characters)");
        }
        return switch (kind) {
            case NETWORK -> network(field, bare).key();
            case MAIL_DOMAIN ->
                SiteBlocks.mailDomain(bare.startsWith("@") ? bare.substring(1) : bare)
                        .orElseThrow(() -> fault(field, "ERR_INVALID", "must be a domain such as example.org"));
            case NAME ->
                SiteBlocks.namePattern(bare)
                        .orElseThrow(() -> fault(
                                field,
                                "ERR_INVALID",
                                "must be a user name, in which up to " + SiteBlocks.STARS_MAX
                                        + " stars stand for any letters, such as casino*"));
        };
    }

    private static BlockedNetwork network(String field, String text) {
        String known = text.endsWith(WHOLE_IPV6) && text.contains(":")
                ? text.substring(0, text.length() - WHOLE_IPV6.length())
                : text;
        Optional<CidrBlock> read = NETWORK.matcher(text).matches() ? CidrBlock.of(known) : Optional.empty();
        if (read.isEmpty()) {
            throw fault(
                    field,
                    "ERR_INVALID",
                    "must be an address or a network such as 192.0.2.0/24 or 2001:db8::/48, of IPv6 with 64 bits at most");
        }
        String digits = read.get().digits();
        int least = BlockedNetwork.bitsMin(digits);
        if (read.get().bits() < least) {
            throw fault(
                    field, "ERR_INVALID", "is too wide: the prefix must have at least " + least + " bits, block parts");
        }
        BlockedNetwork network = new BlockedNetwork(digits, read.get().bits());
        if (ClientAddress.isOwn(network.digits()) || network.contains("0".repeat(16))) {
            throw fault(field, "ERR_INVALID", "contains the server itself: choose another network");
        }
        return network;
    }

    /** {@code Refusal(INVALID)} with one fault. */
    static Refusal fault(String field, String error, String description) {
        ValidationErrors errors = new ValidationErrors();
        errors.add(field, error, description);
        return errors.refusal();
    }
}
