/** The first processing of users' texts. Knows nothing else of ours. */
package io.fanfare.common.text;
