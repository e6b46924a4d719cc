/** Reports of accounts and posts, which operators read and close. */
package io.fanfare.api.report;
