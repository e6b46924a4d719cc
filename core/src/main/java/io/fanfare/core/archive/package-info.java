/** The pass that moves old statuses from Redis into the archive. */
package io.fanfare.core.archive;
