package io.fanfare.failure;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.ReadOnlyFileSystemException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Failures of the system and of libraries as sentences for people. Their own messages often are the name of a file
 * alone, or nothing, and the names of their classes mean something to programmers only.
 */
public final class Reason {
    /** Sentences by class; the first one that a failure, or a cause of it, belongs to counts. */
    private static final Map<Class<? extends Throwable>, String> KINDS = new LinkedHashMap<>();

    static {
        KINDS.put(NoSuchFileException.class, "there is no such file or folder");
        KINDS.put(FileNotFoundException.class, "there is no such file, or this user has no right to it");
        KINDS.put(AccessDeniedException.class, "this user has no right to it");
        KINDS.put(FileAlreadyExistsException.class, "it exists already");
        KINDS.put(DirectoryNotEmptyException.class, "the folder is not empty");
        KINDS.put(NotDirectoryException.class, "it is no folder");
        KINDS.put(FileSystemLoopException.class, "its links lead in a circle");
        KINDS.put(ReadOnlyFileSystemException.class, "the file system takes no writes");
        KINDS.put(UnknownHostException.class, "the host name has no address");
        KINDS.put(UnresolvedAddressException.class, "the host name has no address");
        KINDS.put(NoRouteToHostException.class, "no route leads to the host");
        KINDS.put(SocketTimeoutException.class, "no answer came in time");
        KINDS.put(HttpTimeoutException.class, "no answer came in time");
        KINDS.put(TimeoutException.class, "no answer came in time");
        KINDS.put(CertificateExpiredException.class, "the certificate has ended");
        KINDS.put(CertificateNotYetValidException.class, "the certificate is not valid yet");
        KINDS.put(CertPathBuilderException.class, "no authority that this machine trusts has signed the certificate");
        KINDS.put(CertPathValidatorException.class, "the certificate is not valid for this machine");
        KINDS.put(CertificateException.class, "the certificate is for another name, or damaged");
        KINDS.put(EOFException.class, "the data ended too early");
        KINDS.put(ClosedChannelException.class, "the connection was closed");
        KINDS.put(OutOfMemoryError.class, "there is not enough memory");
        KINDS.put(StackOverflowError.class, "it is nested too deeply");
        KINDS.put(InterruptedException.class, "it was interrupted");
        KINDS.put(RejectedExecutionException.class, "this process ends");
    }

    /** Names of classes within messages, with the colon behind them. */
    private static final Pattern CLASS_NAME =
            Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z][\\w$]*:? ?|\\b[A-Z]\\w*(?:Exception|Error)\\b:? ?");

    private static final int DEPTH_MAX = 20;

    private Reason() {}

    /** A sentence without a capital letter and a full stop, with what is known, such as the file. */
    public static String of(Throwable failure) {
        Throwable cause = unwrapped(failure);
        String kind = kindOrNull(cause);
        if (cause instanceof FileSystemException file) {
            String reason = kind == null || kind.isEmpty() ? "it cannot be read or written" : kind;
            return file.getFile() == null ? reason : file.getFile() + ": " + reason;
        }
        String message = cleaned(cause.getMessage());
        if (cause instanceof FileNotFoundException || cause instanceof UnknownHostException) {
            return message.isEmpty() ? kind : kind + " (" + message + ")";
        }
        if (kind != null) {
            return kind;
        }
        if (cause instanceof SSLException) {
            return message.isEmpty() ? "TLS failed" : "TLS failed: " + message;
        }
        if (!message.isEmpty()) {
            return message;
        }
        return cause instanceof IOException ? "reading or writing failed" : mistake(cause);
    }

    /** The same without anything that somebody may have written: for places that never show texts of users. */
    public static String kind(Throwable failure) {
        Throwable cause = unwrapped(failure);
        String kind = kindOrNull(cause);
        if (kind != null) {
            return kind;
        }
        if (cause instanceof SSLException) {
            return "TLS failed";
        }
        return cause instanceof IOException ? "reading or writing failed" : mistake(cause);
    }

    /** The name of the class helps to fix the mistake. */
    private static String mistake(Throwable cause) {
        return "a mistake in Fanfare (" + cause.getClass().getSimpleName() + ")";
    }

    private static String kindOrNull(Throwable cause) {
        if (isMistake(cause)) {
            return mistake(cause);
        }
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof ConnectException
                && !has(cause, UnresolvedAddressException.class)
                && !has(cause, UnknownHostException.class)) {
            return message.contains("timed out") ? "no answer came in time" : "the connection was refused";
        }
        for (Map.Entry<Class<? extends Throwable>, String> kind : KINDS.entrySet()) {
            if (has(cause, kind.getKey())) {
                return kind.getValue();
            }
        }
        if (cause instanceof FileSystemException file) {
            return file.getReason() == null ? null : lowerCase(file.getReason());
        }
        if (cause instanceof SSLException) {
            return message.contains("SSL/TLS record") || message.contains("SSL message")
                    ? "the other side does not speak TLS"
                    : null;
        }
        if (message.startsWith("Connection reset")
                || message.startsWith("Broken pipe")
                || message.startsWith("Connection was closed")
                || message.startsWith("Stream was closed")) {
            return "the connection was closed";
        }
        if (cause instanceof SocketException && message.equals("Permission denied")) {
            return "this user has no right to it";
        }
        return null;
    }

    /** Whether no state of the system causes a failure of this kind. */
    private static boolean isMistake(Throwable cause) {
        return cause instanceof NullPointerException
                || cause instanceof ClassCastException
                || cause instanceof IndexOutOfBoundsException
                || cause instanceof ArithmeticException
                || cause instanceof NegativeArraySizeException
                || cause instanceof ConcurrentModificationException
                || cause instanceof NoSuchElementException
                || (cause instanceof UnsupportedOperationException && !(cause instanceof ReadOnlyFileSystemException))
                || cause instanceof LinkageError
                || cause instanceof AssertionError;
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (kind.isInstance(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The failure within those that only carry it. */
    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; carries(cause) && depth < DEPTH_MAX; depth++) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static boolean carries(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause != null
                && (failure instanceof CompletionException
                        || failure instanceof ExecutionException
                        || failure instanceof UncheckedIOException
                        || failure instanceof io.vertx.core.file.FileSystemException
                        || cause.toString().equals(failure.getMessage()));
    }

    private static String cleaned(String message) {
        return message == null ? "" : CLASS_NAME.matcher(message).replaceAll("").strip();
    }

    private static String lowerCase(String sentence) {
        return sentence.isEmpty() ? sentence : Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
