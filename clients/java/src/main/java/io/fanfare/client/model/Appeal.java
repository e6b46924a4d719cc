package io.fanfare.client.model;

/** The appeal of an account against a warning. Its state is {@code pending}, {@code approved} or {@code rejected}. */
public record Appeal(String text, String state) {}
