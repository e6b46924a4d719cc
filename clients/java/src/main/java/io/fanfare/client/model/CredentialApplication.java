package io.fanfare.client.model;

import java.util.List;

/** A registered app, with its secret. A field without a value is null; a list without a value is empty. */
public record CredentialApplication(
        String id,
        String name,
        String website,
        List<String> scopes,
        String redirectUri,
        List<String> redirectUris,
        String vapidKey,
        String clientId,
        String clientSecret,
        long clientSecretExpiresAt) {}
