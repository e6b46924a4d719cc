package io.fanfare.server.http;

import java.nio.file.Path;

/**
 * A file of a request, whole on the disk; it goes with the end of the request.
 *
 * @param path of ours, which says nothing of the name that the client gave it
 */
public record UploadedFile(Path path, long bytes) {}
