/** The handler that makes the previews of uploads. */
package io.fanfare.worker.media;
