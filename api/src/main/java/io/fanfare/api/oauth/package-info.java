/** Logins, tokens and the authorization page (OAuth 2, RFC 6749; PKCE, RFC 7636; metadata, RFC 8414). */
package io.fanfare.api.oauth;
