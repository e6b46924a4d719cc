package io.fanfare.client.model;

import java.util.List;

/** The statuses above and below a status. A field without a value is null; a list without a value is empty. */
public record Context(List<Status> ancestors, List<Status> descendants) {}
