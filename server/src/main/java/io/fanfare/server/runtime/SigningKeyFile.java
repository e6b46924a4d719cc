package io.fanfare.server.runtime;

import io.fanfare.common.settings.Settings;
import io.fanfare.failure.Reason;
import io.fanfare.secret.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * {@code DATA/signing-key}: the key of access tokens that the service has made for itself, as {@code auth.signing-key}
 * would have it, on one line. Readable for its owner only; it is what backups of Redis' files must not have in them.
 */
public final class SigningKeyFile {
    private static final String NAME = "signing-key";
    /** The longest file: far more than any key has. */
    public static final int FILE_BYTES_MAX = 4096;

    private static final int KEY_BYTES = 32;
    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private SigningKeyFile() {}

    /**
     * Settings with the key of the folder where they need it: where they name none, or {@code stored} as a previous
     * one.
     */
    public static Settings applied(Path data, Settings settings) {
        Settings.Auth auth = settings.auth();
        boolean needed = auth.keys().contains("") || auth.keys().contains(Settings.Auth.STORED_KEY);
        return needed ? read(data).map(key -> with(settings, key, data)).orElse(settings) : settings;
    }

    private static Settings with(Settings settings, Secret key, Path data) {
        try {
            return settings.with(settings.auth().keptAs(key));
        } catch (IllegalArgumentException e) {
            throw new StartFailed("the signing key in " + data.resolve(NAME) + " will not do: " + e.getMessage());
        }
    }

    /** Empty when there is no file; fails with {@link StartFailed} when others can read it, or it has no key in it. */
    public static Optional<Secret> read(Path data) {
        Path file = data.resolve(NAME);
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new StartFailed("the file " + file + " is longer than any signing key: it may have at most "
                        + FILE_BYTES_MAX + " bytes");
            }
            String key = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
                throw new StartFailed("other users of the machine can read the signing key in " + file
                        + ": chmod 600 it, and change the key if they may have");
            }
            if (key.isEmpty()) {
                throw new StartFailed(
                        "the file " + file
                                + " has no signing key in it: restore it, or remove it to get a new one, which ends every session");
            }
            return Optional.of(new Secret(key));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new StartFailed("the signing key in " + file + " cannot be read: " + Reason.of(e));
        }
    }

    /** A new key. */
    public static Secret drawn(SecureRandom random) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return ofHex(HexFormat.of().formatHex(key));
    }

    /** The key with these bytes. */
    public static Secret ofHex(String bytes) {
        return new Secret(Settings.Auth.HEX_KEY + bytes);
    }

    /** Keeps a key for good: it is on the disk when this returns. */
    public static void write(Path data, Secret key) {
        try {
            PrivateFile.writeDurably(data.resolve(NAME), key.reveal() + "\n");
        } catch (IOException e) {
            throw new StartFailed(
                    "the signing key cannot be written into the data folder " + data + ": " + Reason.of(e));
        }
    }
}
