/**
 * Pictures: what is uploaded is recognised by its bytes, measured before it is decoded, decoded within bounds of
 * memory, turned upright, and written anew without metadata; and the files on disk. Knows nothing of HTTP and Redis.
 */
package io.fanfare.common.media;
