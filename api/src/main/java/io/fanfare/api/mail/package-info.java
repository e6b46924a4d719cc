/** Pages that mails lead to: a forgotten password is reset by a link. */
package io.fanfare.api.mail;
