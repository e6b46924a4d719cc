/** The worker role. It stands alone: nothing here knows of the API or the stream. */
package io.fanfare.worker;
