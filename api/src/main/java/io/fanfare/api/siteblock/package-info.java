/** Moderators block networks, mail domains and user names, as Mastodon's apps do; sign-ups are compared with them. */
package io.fanfare.api.siteblock;
