package io.fanfare.client.model;

import java.util.List;

/** The app with which a status was posted. A field without a value is null; a list without a value is empty. */
public record Application(
        String id,
        String name,
        String website,
        List<String> scopes,
        String redirectUri,
        List<String> redirectUris,
        String vapidKey) {}
