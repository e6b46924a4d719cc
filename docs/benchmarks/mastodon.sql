-- What Mastodon's streaming server asks of its database when a stream is opened, with one account, whose token may read statuses and nothing else.
CREATE TABLE accounts (id bigint PRIMARY KEY, suspended_at timestamp);
CREATE TABLE user_roles (id bigint PRIMARY KEY, permissions bigint NOT NULL);
CREATE TABLE users (id bigint PRIMARY KEY, account_id bigint NOT NULL, role_id bigint, disabled boolean NOT NULL, chosen_languages varchar[]);
CREATE TABLE oauth_access_tokens (id bigint PRIMARY KEY, resource_owner_id bigint, token varchar NOT NULL UNIQUE, scopes varchar, revoked_at timestamp);
CREATE TABLE lists (id bigint PRIMARY KEY, account_id bigint NOT NULL);
INSERT INTO accounts VALUES (1, NULL);
INSERT INTO users VALUES (1, 1, NULL, false, NULL);
INSERT INTO oauth_access_tokens VALUES (1, 1, 'fanfare-bench', 'read:statuses', NULL);
INSERT INTO lists SELECT id, 1 FROM generate_series(0, 9999) id;
