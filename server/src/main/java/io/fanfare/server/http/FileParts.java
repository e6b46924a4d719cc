package io.fanfare.server.http;

import io.fanfare.common.model.Refusal;
import io.fanfare.failure.Reason;
import io.fanfare.media.MediaProcessor;
import io.fanfare.media.UploadSlots;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of one request, which are deleted when it has ended. Confined to one event loop. */
public final class FileParts {
    private static final Logger LOG = LoggerFactory.getLogger(FileParts.class);

    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final MediaProcessor media;
    private final long user;
    private final FileLimits limits;
    private final Supplier<Runnable> room;
    private final Map<String, UploadSpool> spools = new LinkedHashMap<>();
    private final LongSupplier nanos;
    private final Listener listener;
    private UploadSlots.Slot slot;
    private long timer = NO_TIMER;
    private Runnable taken;
    private Runnable onRoom = () -> {};
    private Consumer<Refusal> onEnded = refusal -> {};
    private boolean whole;
    private boolean over;

    /** Receives whether an upload waits for its client or for this server, each time that it changes. */
    public interface Listener {
        /** The first file begins. */
        void begun();

        /** The upload waits for the client: the speed of the bytes is watched. */
        void awaitsClient();

        /** The upload waits for the disk of this server, and at its end for the answer. */
        void awaitsServer();
    }

    /**
     * @param media null = no files can be kept here
     * @param limits of their lengths
     * @param nanos elapsed time
     * @param room takes room on the disk for all of them, or refuses; what it answers gives it back
     * @param listener receives nothing before the first file begins
     */
    public FileParts(
            Vertx vertx,
            MediaProcessor media,
            long user,
            FileLimits limits,
            LongSupplier nanos,
            Supplier<Runnable> room,
            Listener listener) {
        this.nanos = nanos;
        this.room = room;
        this.listener = listener;
        this.vertx = vertx;
        this.media = media;
        this.user = user;
        this.limits = limits;
    }

    /** Begins a file; refuses it when too many are received already. */
    UploadSpool begin(String name, IntConsumer onWritten) {
        if (media == null) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "Pictures cannot be uploaded on this server: its operator has set no folder for them.");
        }
        if (spools.size() == FileLimits.FILES_MAX || spools.containsKey(name) || over) {
            throw new Refusal(
                    Refusal.Reason.INVALID,
                    "The request has too many files: send " + name + " once, with fewer others.");
        }
        if (taken == null) {
            taken = room.get();
        }
        if (slot == null) {
            take();
        }
        UploadSpool spool = new UploadSpool(vertx, media.store().draft(), limits, bytes -> {
            onWritten.accept(bytes);
            if (!isFull()) {
                onRoom.run();
            }
        });
        spools.put(name, spool);
        return spool;
    }

    private void take() {
        Context context = vertx.getOrCreateContext();
        slot = media.slots()
                .take(
                        user,
                        nanos.getAsLong(),
                        // From within the reading of a body, or from another event loop.
                        refusal -> context.runOnContext(ended -> onEnded.accept(refusal)));
        timer = vertx.setPeriodic(slot.sampleTime().toMillis(), id -> slot.sample(nanos.getAsLong()));
        listener.begun();
        listener.awaitsClient();
    }

    /** So many bytes of the body have come, whatever they are. */
    void received(int bytes) {
        if (slot != null) {
            slot.received(bytes);
        }
    }

    /** The body is not read for a while, or read again. */
    void pause(boolean now) {
        if (slot != null) {
            slot.pause(now);
            if (!whole && now) {
                listener.awaitsServer();
            } else if (!whole) {
                listener.awaitsClient();
            }
        }
    }

    /** Calls this with the answer when the request has to end before its files have come. */
    void onEnded(Consumer<Refusal> action) {
        onEnded = action;
    }

    /** The limit of all files together. */
    long bytesMax() {
        return limits.bytesMax();
    }

    boolean isFull() {
        return spools.values().stream().anyMatch(UploadSpool::isFull);
    }

    /** Calls this whenever there is room again. */
    void onRoom(Runnable action) {
        onRoom = action;
    }

    /** Completes with the files by their names when all are on the disk. Empty ones are none. Nothing more comes. */
    Future<Map<String, UploadedFile>> settled() {
        unwatch();
        if (slot != null) {
            slot.whole();
        }
        whole();
        List<Future<Void>> ends = new ArrayList<>();
        spools.values().forEach(spool -> ends.add(spool.end()));
        return Future.all(ends).map(done -> {
            Map<String, UploadedFile> files = new LinkedHashMap<>();
            spools.forEach((name, spool) -> {
                if (spool.file().bytes() > 0) {
                    files.put(name, spool.file());
                }
            });
            return files;
        });
    }

    /** Nothing more of the body is waited for: it has come, or it is refused. */
    public void whole() {
        if (!whole) {
            whole = true;
            listener.awaitsServer();
        }
    }

    /** The request has ended. */
    public void end() {
        if (over) {
            return;
        }
        over = true;
        for (UploadSpool spool : spools.values()) {
            spool.delete().onFailure(cause -> LOG.warn("upload not deleted cause={}", Reason.of(cause)));
        }
        unwatch();
        if (slot != null) {
            slot.giveBack();
        }
        if (taken != null) {
            taken.run();
        }
    }

    private void unwatch() {
        if (timer != NO_TIMER) {
            boolean unused = vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }
}
