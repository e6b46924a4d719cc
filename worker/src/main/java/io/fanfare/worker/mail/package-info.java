/** Mails: the handler of their jobs, their texts, and the connection to the mail server. */
package io.fanfare.worker.mail;
