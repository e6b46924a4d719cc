package io.fanfare.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One Lua script of {@code lua/}, loaded once per process. Each file's header states KEYS, ARGV, Returns and Holds. A
 * line {@code --#include name} is replaced by {@code lua/lib/name.lua}: Redis has no modules, and what several scripts
 * share must have one definition.
 *
 * <p><b>The fence.</b> While a slot of a cluster moves, its keys lie on two servers, and Redis refuses a command whose
 * keys are torn apart. It does not look ahead, though: a script whose keys are all there may run, remove one of them,
 * and fail when it writes it again, half done. So each script that writes is called with one more key, which never
 * exists: Redis answers TRYAGAIN to all of them while their slot moves. The script drops it first
 * ({@code table.remove(KEYS)}, put before its header). A file with a line {@code --#unfenced} has no fence: it writes
 * one key, never removes it, and is to run while its slot moves.
 *
 * <p><b>The check.</b> Redis does not undo what a script has written before it meets a command that its user may not
 * run. So each script that writes first asks for the right to every command that its text names, and to its KEYS
 * ({@code redis.acl_check_cmd}), and answers NOPERM before it has done anything. A file with a line
 * {@code --#unchecked} has no check: it runs very often, and what it leaves half done is of no account. A file with a
 * line {@code --#check} has the check there, before its first write and only where it is needed.
 */
public final class Script {
    private static final String FOLDER = "lua/";
    private static final String ENDING = ".lua";
    private static final String INCLUDE = "--#include ";
    private static final String CHECK = "--#check";
    private static final String START = "#!lua";
    private static final String HEADER = "--[[";
    private static final String UNFENCED = "\n--#unfenced\n";
    private static final String UNCHECKED = "\n--#unchecked\n";
    private static final String REDIS = "redis.";

    /** A sample is enough: the keys after it have the same form. */
    private static final int CHECKED_KEYS = 32;

    private static final String UNDONE =
            "NOPERM a right that the script needs is missing, nothing was done (redis-cli: ACL LOG)";

    /** By name. Each event loop asks for most of them, and they never change while a process lives. */
    private static final Map<String, Script> LOADED = new ConcurrentHashMap<>();

    /** The files that have been read, by their path: many scripts share one of {@code lua/lib}. */
    private static final Map<String, String> FILES = new ConcurrentHashMap<>();

    /**
     * The first argument of a script that gives out ids, in place of a moment: the Redis server's clock, which
     * {@link ClockGuard} lets the script compare with that of the process. Without a guard nothing is compared.
     */
    public static final String CHECKED_NOW = "~";

    private final String name;
    private final String text;
    private final boolean fenced;
    private final boolean reads;
    // Made when it is first asked for, maybe by two threads: a start loads every script, and calls few of them.
    private volatile String sha1;

    private Script(String name, String text, boolean fenced) {
        this.reads = text.substring(0, text.indexOf('\n')).contains("no-writes");
        this.name = name;
        this.text = text;
        this.fenced = fenced;
    }

    /** The script in {@code lua/<name>.lua}; a missing file is an {@link IllegalStateException}. For any thread. */
    public static Script load(String name) {
        return LOADED.computeIfAbsent(name, Script::read);
    }

    /** Without regular expressions: a start reads every script, before anything is compiled. */
    private static Script read(String name) {
        String written = replaceLines(file(FOLDER + name + ENDING), INCLUDE, Script::library);
        String text = withCheck(name, written);
        int header = text.indexOf('\n') + 1;
        if (!text.startsWith(START) || !text.startsWith(HEADER, header)) {
            throw new IllegalStateException(name + " does not begin with #!lua and its header");
        }
        boolean writes = !text.substring(0, header).contains("no-writes");
        boolean fenced = writes && !text.contains(UNFENCED);
        boolean checked = writes && text.equals(written) && !text.contains(UNCHECKED);
        // On the header's first line, so that errors name the lines of the file.
        String before = (fenced ? "table.remove(KEYS) " : "") + (checked ? check(text) : "");
        return new Script(name, text.substring(0, header) + before + text.substring(header), fenced);
    }

    /**
     * The text with the check in place of the line that marks it; fails when something follows the mark on its line.
     */
    static String withCheck(String name, String written) {
        return replaceLines(written, CHECK, after -> {
            if (!after.isBlank()) {
                throw new IllegalStateException(
                        "the script " + name + " has \"" + after.strip() + "\" after " + CHECK + ": write it alone");
            }
            return check(written);
        });
    }

    /**
     * The text with others in place of the lines that begin with the mark, spaces before it aside.
     *
     * @param replacement of a line, by what follows the mark on it
     */
    private static String replaceLines(String text, String mark, UnaryOperator<String> replacement) {
        StringBuilder replaced = null;
        int copied = 0;
        for (int at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
            int line = text.lastIndexOf('\n', at) + 1;
            int end = text.indexOf('\n', at);
            end = end < 0 ? text.length() : end;
            if (text.substring(line, at).isBlank()) {
                replaced = replaced == null ? new StringBuilder(2 * text.length()) : replaced;
                replaced.append(text, copied, line).append(replacement.apply(text.substring(at + mark.length(), end)));
                copied = end;
            }
        }
        return replaced == null
                ? text
                : replaced.append(text, copied, text.length()).toString();
    }

    /**
     * The first key goes with each command, since Redis ends when it looks for the key of a command that must have one.
     * For PUBLISH and SPUBLISH it stands for the channel: both have the namespace of the link, which the rights are
     * given for.
     */
    private static String check(String text) {
        String commands = commands(text).stream()
                .map(name -> " and may('" + name + "',KEYS[1]" + (name.endsWith("PUBLISH") ? ",'')" : ")"))
                .collect(Collectors.joining());
        return "do local may=redis.acl_check_cmd if not(may('UNLINK',unpack(KEYS,1,math.min(#KEYS," + CHECKED_KEYS
                + ")))" + commands + ") then return redis.error_reply('" + UNDONE + "') end end ";
    }

    /** The commands of the calls {@code redis.call('NAME'} and {@code redis.pcall('NAME'} of a text. */
    private static SortedSet<String> commands(String text) {
        SortedSet<String> commands = new TreeSet<>();
        for (int at = text.indexOf(REDIS); at >= 0; at = text.indexOf(REDIS, at + 1)) {
            int call = at + REDIS.length();
            call += text.startsWith("p", call) ? 1 : 0;
            if (!text.startsWith("call(", call)) {
                continue;
            }
            int quote = call + "call(".length();
            while (quote < text.length() && Character.isWhitespace(text.charAt(quote))) {
                quote++;
            }
            int end = text.indexOf('\'', quote + 1);
            if (text.startsWith("'", quote) && end > 0) {
                commands.add(text.substring(quote + 1, end));
            }
        }
        return commands;
    }

    /**
     * The texts of the scripts of all modules, for an administrator to load: every {@code lua/} of the class path,
     * without {@code lua/lib}.
     */
    public static List<String> texts() {
        Set<String> names = new TreeSet<>();
        try {
            for (URL folder : Collections.list(Script.class.getClassLoader().getResources("lua"))) {
                names.addAll(names(folder));
            }
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("the scripts cannot be listed", e);
        }
        return names.stream().map(name -> load(name).text).toList();
    }

    /**
     * The same script with one part of its text replaced, which must be there exactly once: for tests that ask whether
     * leaving a rule out would be noticed.
     */
    public Script with(String part, String replacement) {
        int at = text.indexOf(part);
        if (at < 0 || text.indexOf(part, at + 1) >= 0) {
            throw new IllegalArgumentException("not exactly once in " + name + ": " + part);
        }
        return new Script(name, text.substring(0, at) + replacement + text.substring(at + part.length()), fenced);
    }

    /** The call of this script; all keys must be of one slot. A null argument is not allowed: send an empty string. */
    public Command call(List<String> keys, Object... args) {
        return Command.script(this, keys, args);
    }

    public String name() {
        return name;
    }

    public String text() {
        return text;
    }

    /** Whether it changes nothing. */
    public boolean reads() {
        return reads;
    }

    /** Whether a key that never exists goes behind its keys. */
    boolean isFenced() {
        return fenced;
    }

    String sha1() {
        String known = sha1;
        if (known == null) {
            known = sha1(text);
            sha1 = known;
        }
        return known;
    }

    /**
     * The names in one {@code lua/}: in a jar, or in a folder of classes. All files of a jar are read here, since each
     * look for one by the class path costs as much as reading it.
     */
    private static List<String> names(URL folder) throws IOException, URISyntaxException {
        if (folder.openConnection() instanceof JarURLConnection jar) {
            jar.setUseCaches(false); // Else closing it would close the file for others too.
            try (JarFile file = jar.getJarFile()) {
                List<String> names = new ArrayList<>();
                for (JarEntry entry : Collections.list(file.entries())) {
                    String path = entry.getName();
                    if (path.startsWith(FOLDER) && path.endsWith(ENDING)) {
                        names.addAll(names(path));
                        try (InputStream in = file.getInputStream(entry)) {
                            FILES.putIfAbsent(path, new String(in.readAllBytes(), StandardCharsets.UTF_8));
                        }
                    }
                }
                return names;
            }
        }
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            return files.flatMap(file -> names(FOLDER + file.getFileName()).stream())
                    .toList();
        }
    }

    /** The name of the script of a path; none for what is in a folder of {@code lua/}. */
    private static List<String> names(String path) {
        boolean isScript = path.endsWith(ENDING) && path.indexOf('/', FOLDER.length()) < 0;
        return isScript ? List.of(path.substring(FOLDER.length(), path.length() - ENDING.length())) : List.of();
    }

    private static String library(String name) {
        return file(FOLDER + "lib/" + name + ENDING);
    }

    private static String file(String path) {
        return FILES.computeIfAbsent(path, Script::resource);
    }

    private static String resource(String resource) {
        try (InputStream in = Script.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no such resource: " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            // SHA-1 because EVALSHA is defined by it; nothing here is a secret.
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
