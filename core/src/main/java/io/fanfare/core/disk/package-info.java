/** How much room the disk has, and who may use it. */
package io.fanfare.core.disk;
