package io.fanfare.media;

import io.fanfare.common.model.Refusal;
import io.fanfare.failure.Reason;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.SynchronousQueue;

/**
 * The child process that decodes pictures, so that a file which fills the memory or crashes a decoder ends nothing
 * else. Reads requests from its standard input and writes replies to its standard output, one at a time; ends when its
 * input does, even while it decodes. It knows no setting, and loads neither Vert.x nor a logger. {@link PictureProcess}
 * is the other side.
 */
final class PictureChild {
    /** The first byte, once the child can take requests. */
    static final int READY = 0x52;

    /** The picture is made; the fields of a {@link Rendition} follow. */
    static final int MADE = 1;

    /** The file is refused; the sentence follows. */
    static final int REFUSED = 2;

    /** The picture cannot be written; the name of the exception follows. */
    static final int UNWRITABLE = 3;

    private PictureChild() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        // Nothing else in the process may write among the replies.
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, "UTF-8"));
        SynchronousQueue<Request> requests = new SynchronousQueue<>();
        Thread decoder = new Thread(() -> serve(requests), "decoder");
        decoder.setDaemon(true);
        decoder.start();
        try (DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in))) {
            while (true) {
                requests.put(Request.read(in));
            }
        } catch (EOFException parentEnded) {
            Runtime.getRuntime().halt(0);
        }
    }

    private static void serve(SynchronousQueue<Request> requests) {
        try (DataOutputStream out = new DataOutputStream(new FileOutputStream(FileDescriptor.out))) {
            out.writeByte(READY);
            out.flush();
            while (true) {
                answer(requests.take(), out);
                // A process that waits holds little memory.
                System.gc();
            }
        } catch (IOException | InterruptedException parentEnded) {
            Runtime.getRuntime().halt(0);
        } catch (Throwable fatal) {
            Runtime.getRuntime().halt(1);
        }
    }

    private static void answer(Request request, DataOutputStream out) throws IOException {
        Rendition made;
        try {
            made = PictureMaker.make(
                    request.use(), request.head(), request.cleaned(), request.original(), request.small());
        } catch (Refusal refusal) {
            out.writeByte(REFUSED);
            out.writeUTF(refusal.getMessage());
            return;
        } catch (IOException unwritable) {
            out.writeByte(UNWRITABLE);
            out.writeUTF(Reason.kind(unwritable));
            return;
        }
        out.writeByte(MADE);
        out.writeUTF(made.extension());
        out.writeInt(made.width());
        out.writeInt(made.height());
        out.writeInt(made.smallWidth());
        out.writeInt(made.smallHeight());
        out.writeUTF(made.blurhash());
    }

    /** The reply to a request, as {@link #answer} writes it. Throws what it says. */
    static Rendition reply(DataInputStream in) throws IOException, Unwritable {
        int kind = in.readUnsignedByte();
        switch (kind) {
            case MADE -> {
                return new Rendition(
                        in.readUTF(), in.readInt(), in.readInt(), in.readInt(), in.readInt(), in.readUTF());
            }
            case REFUSED -> throw new Refusal(Refusal.Reason.INVALID, in.readUTF());
            case UNWRITABLE -> throw new Unwritable(in.readUTF());
            default -> throw new IOException("a reply of kind " + kind);
        }
    }

    /** The picture could not be written, which is no fault of the file. */
    static final class Unwritable extends Exception {
        private static final long serialVersionUID = 1L;

        Unwritable(String cause) {
            super(cause);
        }
    }

    /**
     * A checked file and the paths of the files to make of it.
     *
     * @param cleaned path of the copy without metadata
     */
    record Request(PictureUse use, PictureHead head, Path cleaned, Path original, Path small) {
        void write(DataOutputStream out) throws IOException {
            out.writeUTF(use.name());
            out.writeUTF(head.format().name());
            out.writeInt(head.width());
            out.writeInt(head.height());
            out.writeByte(head.orientation());
            out.writeUTF(cleaned.toAbsolutePath().toString());
            out.writeUTF(original.toAbsolutePath().toString());
            out.writeUTF(small.toAbsolutePath().toString());
            out.flush();
        }

        private static Request read(DataInputStream in) throws IOException {
            return new Request(
                    PictureUse.valueOf(in.readUTF()),
                    new PictureHead(
                            PictureFormat.valueOf(in.readUTF()), in.readInt(), in.readInt(), in.readUnsignedByte()),
                    Path.of(in.readUTF()),
                    Path.of(in.readUTF()),
                    Path.of(in.readUTF()));
        }
    }
}
