/** Mails to users: their kinds, the requests for them, and the links in them. */
package io.fanfare.core.mail;
