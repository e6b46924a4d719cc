package io.fanfare.client.http;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** The reason of a lost connection in plain words. */
public final class Reason {
    private Reason() {}

    public static String of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return "the host name has no address";
            }
            if (cause instanceof SSLException) {
                return "the certificate or the encryption of the server is not accepted: " + cause.getMessage();
            }
        }
        if (failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException) {
            return "nothing answers at this address";
        }
        return "the connection was lost";
    }
}
