package io.fanfare.server.http;

import io.fanfare.common.model.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.Attribute;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.FileUpload;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import io.netty.handler.codec.http.multipart.MemoryFileUpload;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A body of {@code multipart/form-data}, decoded by Netty as it comes. A part with a file is refused as soon as its
 * head is there, unless files are taken: then its bytes go to the disk as they come, past Netty, whose search for the
 * end of a part costs up to forty times as much in a file of dashes or line ends. Browsers send a part without a file
 * name for a file input that nobody has used; it is passed over as long as it is empty. Confined to one event loop.
 */
final class MultipartForm implements BodyReader.Form {
    /** So much is decoded together: Netty begins a part's head again with whatever comes, and that may be one byte. */
    private static final int BLOCK_BYTES = 8 << 10;

    /** The head of a part, which Netty keeps until it has all of it; and what may stand before the first part. */
    private static final int HEAD_BYTES_MAX = 1 << 10;

    /** About what Netty takes for an attribute, however short. */
    private static final int ATTRIBUTE_BYTES = 1 << 10;

    /** On the heap, and nowhere else: what Netty's decoder loses when it fails is collected as garbage then. */
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(/* preferDirect= */ false);

    private final ParameterReader into;
    private final BodyBudget.Claim claim;
    private final FileParts files;
    private final long bytesMax;
    private final HttpPostMultipartRequestDecoder decoder;
    private final byte[] delimiter;
    private final PartHeads heads;
    private final FileContent content;

    /** The file that came last; null = none. */
    private Spooled open;

    private int filesBegun;

    /** Whether Netty has its head and no byte of it, so that the bytes go past Netty. */
    private boolean inFile;

    private ByteBuf block = HEAP.heapBuffer(0);
    private boolean over;
    private long received;
    private long spooled;

    /**
     * @param contentType with its boundary
     * @param files where files go; null = none are taken
     * @param bytesMax of the body without its files
     */
    MultipartForm(String contentType, ParameterReader into, BodyBudget.Claim claim, FileParts files, long bytesMax) {
        this.files = files;
        this.bytesMax = bytesMax;
        this.into = into;
        this.claim = claim;
        String boundary = boundary(contentType);
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.UTF_8);
        this.heads = new PartHeads(boundary);
        this.content = new FileContent(boundary);
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        try {
            this.decoder = new HttpPostMultipartRequestDecoder(
                    new Attributes(), request, StandardCharsets.UTF_8, ParameterReader.VALUES_MAX, HEAD_BYTES_MAX);
        } catch (RuntimeException e) {
            throw malformed();
        }
    }

    @Override
    public void add(Buffer piece) {
        claim.add(piece.length());
        block.writeBytes(piece.getBytes());
        if (block.readableBytes() >= BLOCK_BYTES) {
            split();
        }
        received += piece.length();
        if (received - spooled > bytesMax + BLOCK_BYTES + HEAD_BYTES_MAX) {
            throw BodyReader.tooLarge(bytesMax);
        }
    }

    @Override
    public ParameterReader finish() {
        split();
        if (inFile) {
            throw malformed();
        }
        decode(new DefaultLastHttpContent(block));
        try {
            for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
                if (data instanceof Attribute attribute) {
                    into.add(attribute.getName(), attribute.getValue());
                }
            }
        } catch (IOException e) {
            throw malformed();
        } finally {
            drop();
        }
        return into;
    }

    @Override
    public void drop() {
        if (!over) {
            over = true;
            decoder.destroy();
        }
    }

    /** Decodes the block, but for the bytes of a file. */
    private void split() {
        byte[] bytes = new byte[block.readableBytes()];
        block.readBytes(bytes);
        block = HEAP.heapBuffer(0);
        int from = 0;
        while (from < bytes.length) {
            int end = inFile ? pass(bytes, from) : heads.read(bytes, from, bytes.length);
            if (heads.bytesBefore() > HEAD_BYTES_MAX) {
                throw malformed();
            }
            boolean goesOn = end < 0;
            end = goesOn ? bytes.length : end;
            if (!inFile) {
                block.writeBytes(bytes, from, end - from);
                int before = filesBegun;
                decode();
                inFile = !goesOn && filesBegun > before;
                if (!inFile && open != null && !open.isCompleted()) {
                    throw malformed(); // Netty reads another form in it, such as one of parts within a part.
                }
            } else if (!goesOn) {
                inFile = false;
                heads.inDelimiter();
                block.writeBytes(delimiter);
            }
            from = end;
        }
        if (block.isReadable()) {
            decode();
        }
    }

    /** Passes the bytes of a file on; answers the index behind the delimiter at its end, or -1. */
    private int pass(byte[] bytes, int from) {
        ByteArrayOutputStream file = new ByteArrayOutputStream(bytes.length - from + delimiter.length);
        int end = content.read(bytes, from, bytes.length, file);
        open.pass(file.toByteArray());
        return end;
    }

    private void decode() {
        HttpContent all = new DefaultHttpContent(block);
        block = HEAP.heapBuffer(0);
        decode(all);
    }

    /** As Netty reads it; empty when there is none, which Netty refuses. */
    private static String boundary(String contentType) {
        for (String parameter : contentType.split(";", -1)) {
            String[] named = parameter.split("=", 2);
            if (named.length == 2 && named[0].strip().equalsIgnoreCase("boundary")) {
                String value = named[1].strip();
                boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                return quoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return "";
    }

    private void decode(HttpContent content) {
        try {
            decoder.offer(content);
        } catch (Refusal e) {
            throw e;
        } catch (RuntimeException e) {
            // Netty throws many kinds, and not only those that it documents.
            throw malformed();
        }
    }

    private static Refusal malformed() {
        return new Refusal(
                Refusal.Reason.MALFORMED,
                "The multipart body is malformed: send parts with a boundary, a name and a short head, at most "
                        + ParameterReader.VALUES_MAX + " of them.");
    }

    private static Refusal file(String name) {
        return new Refusal(Refusal.Reason.INVALID, "Files are not taken here: send the request without " + name + ".");
    }

    /** A file, whose bytes go to the disk. */
    private final class Spooled extends MemoryFileUpload {
        private final UploadSpool spool;

        Spooled(String name, String contentType, String contentTransferEncoding, Charset charset) {
            super(name, "", contentType, contentTransferEncoding, charset, 0);
            spool = files.begin(name, claim::less);
            open = this;
            filesBegun++;
        }

        /** Bytes that Netty does not see. */
        void pass(byte[] bytes) {
            if (bytes.length > 0) {
                spooled += bytes.length;
                spool.add(bytes);
            }
        }

        @Override
        public void addContent(ByteBuf buffer, boolean last) throws IOException {
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            buffer.release();
            pass(bytes);
            super.addContent(HEAP.heapBuffer(0), last);
        }
    }

    /** A file input that nobody has used: refused with its first byte. */
    private static final class NoFile extends MemoryFileUpload {
        NoFile(String name, String contentType, String contentTransferEncoding, Charset charset) {
            super(name, "", contentType, contentTransferEncoding, charset, 0);
        }

        @Override
        public void addContent(ByteBuf buffer, boolean last) throws IOException {
            if (buffer.isReadable()) {
                throw file(getName());
            }
            super.addContent(buffer, last);
        }
    }

    /** Counts what Netty makes, and makes no files. */
    private final class Attributes extends DefaultHttpDataFactory {
        Attributes() {
            super(/* useDisk= */ false);
        }

        @Override
        public Attribute createAttribute(HttpRequest request, String name) {
            count(name);
            return super.createAttribute(request, name);
        }

        @Override
        public Attribute createAttribute(HttpRequest request, String name, long definedSize) {
            count(name);
            return super.createAttribute(request, name, definedSize);
        }

        @Override
        public Attribute createAttribute(HttpRequest request, String name, String value) {
            count(name);
            return super.createAttribute(request, name, value);
        }

        @Override
        public FileUpload createFileUpload(
                HttpRequest request,
                String name,
                String filename,
                String contentType,
                String contentTransferEncoding,
                Charset charset,
                long size) {
            count(name);
            if (!filename.isEmpty() && files != null) {
                return new Spooled(name, contentType, contentTransferEncoding, charset);
            }
            if (!filename.isEmpty()) {
                throw file(name);
            }
            return new NoFile(name, contentType, contentTransferEncoding, charset);
        }

        private void count(String name) {
            ParameterReader.checkName(name);
            claim.add(ATTRIBUTE_BYTES);
        }
    }
}
