package io.fanfare.stream.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;

/**
 * The end of a connection beside its socket, for bytes that many connections share: around what the connection does for
 * responses. The socket is given them at once; what it does not take waits in the channel's queue as every other write
 * does, and until that is empty everything goes there, so that nothing overtakes anything. Errors are the channel's
 * business, which closes then. For connections that are not encrypted. Confined to one event loop.
 */
final class DirectSocketWriter extends ChannelInboundHandlerAdapter {
    /** Bytes queued in one piece: each piece that is taken shows that somebody reads. */
    private static final int PIECE_BYTES = 8 << 10;

    private Runnable drained = () -> {};
    private ChannelHandlerContext context;
    private Channel channel;

    /** Null = only the channel can write to it, as it is on systems that have no epoll. */
    private Socket socket;

    /**
     * Whether something may wait in the channel's queue. False = nothing does, so that the queue is not looked at: with
     * thousands of streams none of the objects on the way to it is in the processor's cache, and looking costs as much
     * as all that is done here.
     */
    private boolean mayWait = true;

    /**
     * The writer of a connection, which may carry one stream after the other; {@code drained} is told from now on when
     * it is no longer full.
     */
    static DirectSocketWriter on(ChannelHandlerContext connection, Runnable drained) {
        DirectSocketWriter writer = connection.pipeline().get(DirectSocketWriter.class);
        if (writer == null) {
            writer = new DirectSocketWriter();
            connection.pipeline().addFirst(writer);
        }
        writer.drained = drained;
        writer.mayWait = true;
        return writer;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        channel = added.channel();
        socket = channel instanceof UnixChannel unix && unix.fd() instanceof Socket fd ? fd : null;
    }

    /** Whether so much waits that nothing more should be sent. */
    boolean isFull() {
        return mayWait && !channel.isWritable();
    }

    /** Bytes that the socket has not taken yet, with a little for each piece. */
    long waiting() {
        if (!mayWait) {
            return 0;
        }
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        long waiting = queue == null ? 0 : queue.totalPendingWriteBytes();
        // One that is closed has none, and stays full.
        mayWait = queue == null || waiting > 0;
        return waiting;
    }

    /** Sends bytes that will not change any more; the caller need not keep them, and still has to release them. */
    void send(ByteBuf bytes) {
        int rest = bytes.readerIndex() + sendAtOnce(bytes);
        if (rest < bytes.writerIndex()) {
            queue(bytes, rest);
        }
    }

    /** Answers how many bytes the socket has taken. */
    private int sendAtOnce(ByteBuf bytes) {
        // A channel that is closed has given its descriptor back: by now it may be somebody else's.
        if (socket == null || !socket.isOpen() || waiting() > 0 || !bytes.hasMemoryAddress()) {
            return 0;
        }
        try {
            return socket.sendAddress(bytes.memoryAddress(), bytes.readerIndex(), bytes.writerIndex());
        } catch (IOException broken) {
            // The channel meets it as well, with the same bytes, and does what there is to do.
            return 0;
        }
    }

    /** All pieces in one go to the socket. A promise for each would cost more than the write. */
    private void queue(ByteBuf bytes, int from) {
        mayWait = true;
        for (int at = from; at < bytes.writerIndex(); at += PIECE_BYTES) {
            ByteBuf piece = bytes.retainedSlice(at, Math.min(PIECE_BYTES, bytes.writerIndex() - at));
            var unused = context.write(piece, context.voidPromise());
        }
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            drained.run();
        }
        ctx.fireChannelWritabilityChanged();
    }
}
