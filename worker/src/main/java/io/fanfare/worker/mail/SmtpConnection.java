package io.fanfare.worker.mail;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/**
 * A connection to a mail server, from which {@link #REPLY_BYTES_MAX} can be read and no more. Another thread may close
 * it, also before it is connected: each step on it then fails.
 */
final class SmtpConnection extends Socket {
    /** Bytes of all replies, those of TLS among them. */
    static final int REPLY_BYTES_MAX = 256 << 10;

    private InputStream bounded;

    @Override
    public InputStream getInputStream() throws IOException {
        if (bounded == null) {
            bounded = new BoundedInput(super.getInputStream());
        }
        return bounded;
    }

    /** Never fails: a socket that cannot be closed in order is closed all the same. */
    void abort() {
        try {
            close();
        } catch (IOException e) {
            return;
        }
    }

    private static final class BoundedInput extends FilterInputStream {
        private int left = REPLY_BYTES_MAX;

        BoundedInput(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            int read = super.read(buffer, from, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int bytes) throws IOException {
            left -= bytes;
            if (left < 0) {
                throw new IOException("the mail server sends too much");
            }
        }
    }
}
