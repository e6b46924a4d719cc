/**
 * Pictures: what is uploaded is recognised by its bytes, measured before it is decoded, decoded within bounds of
 * memory, turned upright, and re-encoded without metadata; videos and sounds, which are stored as they are, with a
 * preview by ffmpeg; and the files, on disk or in a bucket. Knows nothing of the requests of clients, nor of Redis.
 */
package io.fanfare.media;
