package io.fanfare.common.model;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of files: 128 random bits, which nobody guesses, so that who has the address of a picture was shown it. The
 * small size of {@code 0123...ef.jpg} is {@code 0123...ef-small.jpg}, as is the preview of {@code 0123...ef.mp4}. A
 * source, {@code 0123...ef.source}, waits to be made into a picture, which gets another name: no reader learns of it.
 */
public final class MediaName {
    private static final int BYTES = 16;
    private static final String SMALL = "-small";
    private static final String PICTURES = "(?:" + SMALL + ")?\\.(?:jpg|png)";
    private static final String CLIPS = Arrays.stream(ClipFormat.values())
            .map(ClipFormat::extension)
            .collect(Collectors.joining("|", "\\.(?:", ")"));
    private static final Pattern NAME =
            Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}(?:" + PICTURES + "|" + CLIPS + ")");

    private static final String SOURCE = "source";
    private static final Pattern SOURCE_NAME = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}\\." + SOURCE);

    private MediaName() {}

    /** Draws the name of a new source. */
    public static String drawSource(SecureRandom random) {
        return draw(random, SOURCE);
    }

    /** Draws the name of a new file with this extension. */
    public static String draw(SecureRandom random, String extension) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes) + "." + extension;
    }

    /** Whether a source could have this name. It is no name by {@link #isName}, so that nothing serves it. */
    public static boolean isSource(String text) {
        return text.length() <= 2 * BYTES + 16 && SOURCE_NAME.matcher(text).matches();
    }

    /** Whether a file that is served could have this name; no other text comes near a path. */
    public static boolean isName(String text) {
        return text.length() <= 2 * BYTES + 16 && NAME.matcher(text).matches();
    }

    /** The path of the file of this name in the folder of all. */
    public static Path place(Path folder, String name) {
        return folder.resolve(key(name));
    }

    /** The same as the key of an object in a bucket: {@code ab/cd/abcd...jpg}. */
    public static String key(String name) {
        if (!isName(name) && !isSource(name)) {
            throw new IllegalArgumentException("not the name of a file");
        }
        return name.substring(0, 2) + "/" + name.substring(2, 4) + "/" + name;
    }

    /** The name of its small size, of a video or sound of its preview. */
    public static String small(String name) {
        int dot = name.indexOf('.');
        String extension = ClipFormat.named(name).isPresent() ? ".jpg" : name.substring(dot);
        return name.substring(0, dot) + SMALL + extension;
    }

    /** The media type of a file of this name. */
    public static String type(String name) {
        if (isSource(name)) {
            return "application/octet-stream";
        }
        return ClipFormat.named(name).map(ClipFormat::type).orElse(name.endsWith(".png") ? "image/png" : "image/jpeg");
    }
}
