package io.fanfare.common.model;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The role of an account on its site: which acts of moderation it may do. The constants are in the order of rank. Ids,
 * names and permissions are those of Mastodon's entity Role; the permissions that this server does not know are left
 * out.
 */
public enum Role {
    USER("-99", "", 0),
    MODERATOR(
            "1",
            "Moderator",
            Permission.VIEW_AUDIT_LOG
                    | Permission.MANAGE_REPORTS
                    | Permission.MANAGE_BLOCKS
                    | Permission.MANAGE_USERS
                    | Permission.INVITE_USERS),
    ADMIN("2", "Admin", MODERATOR.permissions | Permission.MANAGE_ROLES | Permission.DELETE_USER_DATA),
    OWNER("3", "Owner", Permission.ALL);

    /** The flags of the field {@code permissions}, by Mastodon's names. */
    public static final class Permission {
        public static final int VIEW_AUDIT_LOG = 0x4;
        public static final int MANAGE_REPORTS = 0x10;
        public static final int MANAGE_BLOCKS = 0x80;
        public static final int MANAGE_USERS = 0x400;
        public static final int INVITE_USERS = 0x10000;
        public static final int MANAGE_ROLES = 0x20000;
        public static final int DELETE_USER_DATA = 0x80000;

        /** The flag Administrator, which stands for all, and all others. */
        private static final int ALL = 0xfffff;

        private Permission() {}
    }

    private final String label = name().toLowerCase(Locale.ROOT);
    private final String id;
    private final String title;
    private final int permissions;

    Role(String id, String title, int permissions) {
        this.id = id;
        this.title = title;
        this.permissions = permissions;
    }

    /** The word in Redis, in requests and on the command line. */
    public String label() {
        return label;
    }

    /** The role with this {@link #label}; empty for any other text. */
    public static Optional<Role> of(String label) {
        return Stream.of(values()).filter(role -> role.label.equals(label)).findFirst();
    }

    /** The role of a stored field; a missing one, or one of a later version, is {@link #USER}. */
    public static Role stored(String label) {
        return label == null ? USER : of(label).orElse(USER);
    }

    /** The {@code id} of the entity. */
    public String id() {
        return id;
    }

    /** The {@code name} of the entity; empty for {@link #USER}. */
    public String title() {
        return title;
    }

    /** The {@code permissions} of the entity. */
    public int permissions() {
        return permissions;
    }

    /** Whether the role has a {@link Permission}. */
    public boolean may(int permission) {
        return (permissions & permission) != 0;
    }

    /** Whether somebody with this role may act on an account with another: those of a lower rank, an owner on all. */
    public boolean governs(Role other) {
        return this == OWNER || compareTo(other) > 0;
    }
}
