/** The pages of the web client, of a status for visitors without JavaScript, and oEmbed. */
package io.fanfare.api.web;
