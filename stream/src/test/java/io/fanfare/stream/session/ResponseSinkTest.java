package io.fanfare.stream.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That bytes which go around a channel's queue, and those that go through it, come to the reader as they were sent. */
class ResponseSinkTest {
    private static final int SOCKET_BYTES = 4 << 10;
    private static final int QUEUE_BYTES = 64 << 10;
    private static final int PIECE_BYTES_MAX = 30_000;
    private static final int ROUNDS = 200;

    private enum Transport {
        EPOLL,
        NIO
    }

    private final Random random = new Random(41);
    private EventLoopGroup loops;
    private Socket client;
    private Channel channel;
    private ResponseSink.DirectSocketWriter writer;
    private int drained;

    @AfterEach
    void stop() throws IOException {
        client.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @ParameterizedTest
    @EnumSource
    void aReaderWhoPausesGetsEveryByteOnceAndInOrder(Transport transport) throws Exception {
        connect(transport);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        boolean waited = false;
        boolean went = false;
        for (int round = 0; round < ROUNDS; round++) {
            boolean several = random.nextBoolean();
            waited |= onLoop(() -> {
                do {
                    send(sent);
                } while (several && !writer.isFull());
                return writer.waiting() > 0;
            });
            // Sometimes all, so that the queue is empty again; sometimes less than waits.
            int most = random.nextBoolean() ? sent.size() - read.size() : random.nextInt(2 * SOCKET_BYTES);
            read.write(client.getInputStream().readNBytes(Math.min(most, sent.size() - read.size())));
            went |= onLoop(() -> writer.waiting() == 0);
        }
        read.write(client.getInputStream().readNBytes(sent.size() - read.size()));

        assertThat(Arrays.mismatch(read.toByteArray(), sent.toByteArray()))
                .as("the first byte that differs")
                .isEqualTo(-1);
        assertThat(waited).as("sometimes something waited").isTrue();
        assertThat(went).as("sometimes nothing waited").isTrue();
        assertThat(drained).as("it was told when it could go on").isPositive();
    }

    @Test
    void bytesThatTheSocketTakesAtOnceAreNotQueued() throws Exception {
        assumeThat(Epoll.isAvailable()).isTrue();
        connect(Transport.EPOLL);
        long seen = onLoop(() -> {
            ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(new byte[100]);
            int references = bytes.refCnt();
            writer.send(bytes);
            assertThat(bytes.refCnt()).isEqualTo(references);
            bytes.release();
            return writer.waiting();
        });
        assertThat(seen).isZero();
        assertThat(client.getInputStream().readNBytes(100)).hasSize(100);
    }

    @Test
    void anErrorOfTheSocketClosesTheChannelAndNothingIsWrittenThereafter() throws Exception {
        assumeThat(Epoll.isAvailable()).isTrue();
        connect(Transport.EPOLL);
        boolean closed = onLoop(() -> {
            // The event loop itself does not hear of the reset as long as this runs.
            client.setSoLinger(true, 0);
            client.close();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (channel.isOpen() && System.nanoTime() < until) {
                send(new ByteArrayOutputStream());
            }
            boolean open = channel.isOpen();
            send(new ByteArrayOutputStream());
            return !open && writer.waiting() == 0 && writer.isFull();
        });
        assertThat(closed).isTrue();
    }

    /** The connection behind the writer: ignores errors. */
    private static final class Connection extends ChannelInboundHandlerAdapter {
        @Override
        @SuppressWarnings("deprecation") // Of the interface that declares it besides, not of this one.
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable expected) {}
    }

    private void send(ByteArrayOutputStream sent) {
        byte[] piece = new byte[1 + random.nextInt(PIECE_BYTES_MAX)];
        random.nextBytes(piece);
        sent.writeBytes(piece);
        // What is sent need not begin where its memory does.
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(new byte[3]);
        writer.send(bytes.writeBytes(piece).skipBytes(3));
        bytes.release();
    }

    private <T> T onLoop(Callable<T> call) throws Exception {
        return channel.eventLoop().submit(call).get(20, TimeUnit.SECONDS);
    }

    private void connect(Transport transport) throws Exception {
        assumeThat(transport == Transport.NIO || Epoll.isAvailable()).isTrue();
        boolean epoll = transport == Transport.EPOLL;
        loops = new MultiThreadIoEventLoopGroup(1, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
        Channel server = new ServerBootstrap()
                .group(loops)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.SO_SNDBUF, SOCKET_BYTES)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(QUEUE_BYTES / 2, QUEUE_BYTES))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel child) {
                        child.pipeline().addLast("connection", new Connection());
                        writer = ResponseSink.DirectSocketWriter.on(
                                child.pipeline().context("connection"), () -> drained++);
                        accepted.add(child);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        client = new Socket();
        client.setReceiveBufferSize(SOCKET_BYTES);
        client.setSoTimeout(20_000);
        client.connect(server.localAddress());
        channel = accepted.poll(20, TimeUnit.SECONDS);
        assertThat(channel.localAddress()).isInstanceOf(InetSocketAddress.class);
    }
}
