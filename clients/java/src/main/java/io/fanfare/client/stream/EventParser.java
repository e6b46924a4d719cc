package io.fanfare.client.stream;

import io.fanfare.client.http.Json;
import io.fanfare.client.model.Notification;
import io.fanfare.client.model.Status;
import java.time.Instant;

/** Makes typed events of frames. One thread: it remembers the newest status. */
final class EventParser {
    private record HelloData(String stream, String conn, String epoch, long tip, long floor, boolean resumed) {}

    private record DeleteData(String id, String accountId) {}

    private record FollowData(String accountId, String targetAccountId, Instant createdAt) {}

    private record VoteData(String id, String accountId, long votes, long score) {}

    private record GapData(Long from, Long to, String reason, Long missed) {}

    private record LimitData(long track) {}

    private record WarningData(String code, int percentFull) {}

    private String newestStatus;

    /** @throws io.fanfare.client.error.ProtocolException when the data is not of this kind */
    StreamEvent parse(SseReader.Frame frame) {
        String id = frame.idOrEmpty();
        String json = frame.data();
        return switch (frame.name()) {
            case "hello" -> {
                HelloData hello = Json.read(json, HelloData.class);
                yield new StreamEvent.Hello(
                        id,
                        json,
                        hello.stream(),
                        hello.conn(),
                        hello.epoch(),
                        hello.tip(),
                        hello.floor(),
                        hello.resumed());
            }
            case "status" -> {
                Status status = Json.read(json, Status.class);
                newestStatus = status.id();
                yield new StreamEvent.Posted(id, json, status);
            }
            case "status.update" -> new StreamEvent.Edited(id, json, Json.read(json, Status.class));
            case "delete" -> {
                DeleteData delete = Json.read(json, DeleteData.class);
                yield new StreamEvent.Deleted(id, json, delete.id(), delete.accountId());
            }
            case "follow", "unfollow" -> {
                FollowData follow = Json.read(json, FollowData.class);
                yield new StreamEvent.Followed(
                        id,
                        json,
                        follow.accountId(),
                        follow.targetAccountId(),
                        follow.createdAt(),
                        frame.name().equals("unfollow"));
            }
            case "notification" -> new StreamEvent.Notified(id, json, Json.read(json, Notification.class));
            case "vote" -> {
                VoteData vote = Json.read(json, VoteData.class);
                yield new StreamEvent.Voted(id, json, vote.id(), vote.accountId(), vote.votes(), vote.score());
            }
            case "gap" -> {
                GapData gap = Json.read(json, GapData.class);
                yield new StreamEvent.Gap(id, json, gap.from(), gap.to(), gap.reason(), gap.missed(), newestStatus);
            }
            case "limit" ->
                new StreamEvent.Limited(
                        id, json, Json.read(json, LimitData.class).track());
            case "warning" -> {
                WarningData warning = Json.read(json, WarningData.class);
                yield new StreamEvent.Warned(id, json, warning.code(), warning.percentFull());
            }
            default -> new StreamEvent.Other(id, json, frame.name());
        };
    }
}
