package io.fanfare.client.model;

import java.time.Instant;
import java.util.List;

/** A report to the moderators. A field without a value is null; a list without a value is empty. */
public record Report(
        String id,
        boolean actionTaken,
        String category,
        String comment,
        boolean forwarded,
        Instant createdAt,
        List<String> statusIds,
        List<String> ruleIds,
        Account targetAccount) {}
