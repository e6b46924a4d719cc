/** A backup of a running service as one file: what is in it, how it is written and checked. Blocking. */
package io.fanfare.app.backup;
