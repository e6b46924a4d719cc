/**
 * Drives masto.js through the calls that Fanfare has routes for - all of them with JSON bodies - and checks what they answer.
 *
 * Usage: node masto.mjs HOST:PORT ANN BOB PASSWORD    two users who have signed up
 * MASTO names the package, for another version of it.
 */
import WebSocket from "ws";
import { check, Heard, ids, picturePng, refused, run, same, soon, streams } from "./checks.mjs";

// Version 8 asks for node 22, of which it needs this and WebSocket (--experimental-websocket).
Promise.withResolvers ??= function () {
  const parts = {};
  parts.promise = new this((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
const { createOAuthAPIClient, createRestAPIClient, createStreamingAPIClient } = await import(
  process.env.MASTO ?? "masto"
);
const [host, annName, bobName, password] = process.argv.slice(2);
const url = `http://${host}`;
const OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob";
const tag = `js_${annName}`; // The users are new, and so is what only they speak of.
const status = (wanted) => (error) => error.statusCode === wanted;

async function logIn() {
  const app = await check(
    "v1.apps.create",
    () =>
      createRestAPIClient({ url }).v1.apps.create({
        clientName: "conformance",
        redirectUris: OUT_OF_BAND,
        scopes: "read write follow",
      }),
    (it) => it.name === "conformance" && it.clientId && it.clientSecret,
  );
  const token = (username, secret) =>
    createOAuthAPIClient({ url }).token.create({
      grantType: "password",
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      redirectUri: OUT_OF_BAND,
      username,
      password: secret,
      scope: "read write follow",
    });
  await refused("token.create with a wrong password", () => token(annName, "wrong password"), status(400));
  const oauth = createOAuthAPIClient({ url });
  const brief = await token(annName, password);
  const client = { clientId: app.clientId, clientSecret: app.clientSecret };
  const stranger = await createRestAPIClient({ url }).v1.apps.create({
    clientName: "stranger",
    redirectUris: OUT_OF_BAND,
    scopes: "read",
  });
  const strangers = { clientId: stranger.clientId, clientSecret: stranger.clientSecret };
  await refused("revoke by another app", () => oauth.revoke({ ...strangers, token: brief.accessToken }), status(403));
  await check(
    "v1.accounts.verifyCredentials after that",
    () => createRestAPIClient({ url, accessToken: brief.accessToken }).v1.accounts.verifyCredentials(),
    (it) => it.username === annName,
  );
  await check("revoke", () => oauth.revoke({ ...client, token: brief.accessToken }));
  // On connections of several event loops: each learns of it within a second.
  const revoked = () =>
    createRestAPIClient({ url, accessToken: brief.accessToken })
      .v1.accounts.verifyCredentials()
      .catch((cause) => cause.statusCode);
  await soon(
    "v1.accounts.verifyCredentials with a revoked token",
    () => Promise.all(Array.from({ length: 8 }, revoked)),
    (all) => all.every((it) => it === 401),
  );
  const ann = await check(
    "token.create by name",
    () => token(annName, password),
    (it) => it.tokenType === "Bearer" && Number.isInteger(it.createdAt),
  );
  const bob = await check(
    "token.create by address",
    () => token(`${bobName}@example.org`, password),
    (it) => same(it.scope.split(" ").sort(), ["follow", "read", "write"]),
  );
  return [...[ann, bob].map((one) => createRestAPIClient({ url, accessToken: one.accessToken })), bob.accessToken];
}

async function instance(ann) {
  await check(
    "v2.instance.fetch",
    () => ann.v2.instance.fetch(),
    (it) => it.domain === host && it.configuration.urls.streaming === `ws://${host}` && it.version.startsWith("4.5.0"),
  );
  await check(
    "v1.instance.fetch",
    () => ann.v1.instance.fetch(),
    (it) => it.uri === host && it.stats.userCount >= 2,
  );
  await check(
    "v1.instance.rules.list",
    () => ann.v1.instance.rules.list(),
    (all) => same(all, []),
  );
  await check(
    "v1.instance.peers.list",
    () => ann.v1.instance.peers.list(),
    (all) => same(all, []),
  );
  await check(
    "v1.instance.activity.list",
    () => ann.v1.instance.activity.list(),
    (all) =>
      all.length === 12 &&
      all.every((it) => [it.week, it.statuses, it.logins, it.registrations].every((count) => /^\d+$/.test(count))),
  );
  await check(
    "v1.annualReports.list",
    () => ann.v1.annualReports.list(),
    (it) => same(it, { annualReports: [], accounts: [], statuses: [] }),
  );
  await check(
    "v1.annualReports.state.fetch",
    () => ann.v1.annualReports.$select("2026").state.fetch(),
    (it) => it.state === "ineligible",
  );
  await check("v1.annualReports.generate", () => ann.v1.annualReports.$select("2026").generate());
  await check(
    "v1.instance.extendedDescription.fetch",
    () => ann.v1.instance.extendedDescription.fetch(),
    (it) => it.content === "",
  );
  await check(
    "v1.instance.translationLanguages.list",
    () => ann.v1.instance.translationLanguages.list(),
    (it) => same(it, {}),
  );
  await check(
    "v1.instance.languages.list",
    () => ann.v1.instance.languages.list(),
    (all) => all[0].code === "en",
  );
  await check(
    "v1.customEmojis.list",
    () => ann.v1.customEmojis.list(),
    (all) => same(all, []),
  );
  await check(
    "v1.announcements.list",
    () => ann.v1.announcements.list(),
    (all) => same(all, []),
  );
  await check(
    "v2.filters.list",
    () => ann.v2.filters.list(),
    (all) => same(all, []),
  );
  await check(
    "v1.lists.list",
    () => ann.v1.lists.list(),
    (all) => same(all, []),
  );
  await check(
    "v1.followedTags.list",
    () => ann.v1.followedTags.list(),
    (all) => same(all, []),
  );
  await check(
    "v1.followRequests.list",
    () => ann.v1.followRequests.list(),
    (all) => same(all, []),
  );
  await check(
    "v2.suggestions.list",
    () => ann.v2.suggestions.list(),
    (all) => Array.isArray(all) && all.every(({ sources, account }) => sources.length === 1 && account.id),
  );
  await check(
    "v1.trends.tags.list",
    () => ann.v1.trends.tags.list(),
    (all) => all.every(({ name, history }) => name && history.length === 7),
  );
  await check(
    "v1.tags.fetch",
    () => ann.v1.tags.$select(tag).fetch(),
    (it) => it.name === tag && it.history.length === 7 && it.following === false,
  );
  await check(
    "v1.tags.follow",
    () => ann.v1.tags.$select(tag).follow(),
    (it) => it.name === tag && it.following,
  );
  await check(
    "v1.tags.feature",
    () => ann.v1.tags.$select(tag).feature(),
    (it) => it.name === tag && it.featuring,
  );
  await check(
    "v1.tags.unfeature",
    () => ann.v1.tags.$select(tag).unfeature(),
    (it) => !it.featuring,
  );
  await check(
    "v1.followedTags.list of one",
    () => ann.v1.followedTags.list(),
    (all) => all[0].name === tag,
  );
  await check(
    "v1.tags.unfollow",
    () => ann.v1.tags.$select(tag).unfollow(),
    (it) => !it.following,
  );
  await check(
    "v1.directory.list",
    () => ann.v1.directory.list({ order: "new" }),
    (all) => all.some(({ acct }) => acct === bobName),
  );
  await check(
    "v1.preferences.fetch",
    () => ann.v1.preferences.fetch(),
    (it) => it["posting:default:visibility"] === "public",
  );
  await check(
    "v1.markers.create",
    () => ann.v1.markers.create({ notifications: { lastReadId: "1000" } }),
    (it) => it.notifications.lastReadId === "1000" && it.notifications.version === 1,
  );
  await check(
    "v1.markers.fetch",
    () => ann.v1.markers.fetch({ timeline: ["home", "notifications"] }),
    (it) => same(Object.keys(it), ["notifications"]),
  );
  await refused("v1.push.subscription.fetch without its scope", () => ann.v1.push.subscription.fetch(), status(403));
  await push();
  await refused("v1.polls.fetch", () => ann.v1.polls.$select("1").fetch(), status(404));
}

/** With a token of the scope that an app has to ask for. */
async function push() {
  const app = await createRestAPIClient({ url }).v1.apps.create({
    clientName: "pusher",
    redirectUris: OUT_OF_BAND,
    scopes: "read push",
  });
  const { accessToken } = await createOAuthAPIClient({ url }).token.create({
    grantType: "password",
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    redirectUri: OUT_OF_BAND,
    username: annName,
    password,
    scope: "read push",
  });
  const phone = createRestAPIClient({ url, accessToken });
  const keys = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  const subscription = { endpoint: "https://push.example.com/x", keys };
  await refused("v1.push.subscription.fetch of none", () => phone.v1.push.subscription.fetch(), status(404));
  await refused(
    "v1.push.subscription.create inside of a network",
    () => phone.v1.push.subscription.create({ policy: "all", subscription: { endpoint: "https://10.0.0.1/x", keys } }),
    status(422),
  );
  await check(
    "v1.push.subscription.create",
    () => phone.v1.push.subscription.create({ policy: "followed", subscription, data: { alerts: { mention: true } } }),
    (it) =>
      it.serverKey === app.vapidKey &&
      it.alerts.mention &&
      !it.alerts.follow &&
      it.policy === "followed" &&
      it.endpoint === subscription.endpoint,
  );
  await check(
    "v1.push.subscription.fetch",
    () => phone.v1.push.subscription.fetch(),
    (it) => it.alerts.mention && it.policy === "followed",
  );
  await check(
    "v1.push.subscription.update",
    () => phone.v1.push.subscription.update({ policy: "none", data: { alerts: { follow: true } } }),
    (it) => it.alerts.follow && !it.alerts.mention && it.policy === "none",
  );
  await check(
    "v1.push.subscription.remove",
    () => phone.v1.push.subscription.remove(),
    (it) => same(it, {}),
  );
}

async function people(ann, bob) {
  await check(
    "v1.accounts.updateCredentials attributionDomains",
    () => ann.v1.accounts.updateCredentials({ attributionDomains: ["example.com"] }),
    (it) => same(it.source.attributionDomains, ["example.com"]),
  );
  const me = await check(
    "v1.accounts.verifyCredentials",
    () => ann.v1.accounts.verifyCredentials(),
    (it) => it.username === annName && it.source.privacy === "public",
  );
  const other = await check(
    "v1.accounts.lookup",
    () => ann.v1.accounts.lookup({ acct: bobName }),
    (it) => it.acct === bobName,
  );
  await check(
    "v1.accounts.fetch",
    () => ann.v1.accounts.$select(other.id).fetch(),
    (it) => it.username === bobName,
  );
  await refused("v1.accounts.fetch of nobody", () => ann.v1.accounts.$select("1").fetch(), status(404));
  await refused(
    "v1.accounts.verifyCredentials without a token",
    () => createRestAPIClient({ url }).v1.accounts.verifyCredentials(),
    status(401),
  );
  await check(
    "v1.accounts.identityProofs.list",
    () => ann.v1.accounts.$select(other.id).identityProofs.list(),
    (all) => same(all, []),
  );
  await check(
    "v1.accounts.search.list",
    () => ann.v1.accounts.search.list({ q: bobName }),
    (all) => all[0].id === other.id,
  );
  await check(
    "v2.search.list",
    () => ann.v2.search.list({ q: bobName, type: "accounts", resolve: true }),
    (it) => (it.accounts ?? it[0].accounts)[0].id === other.id,
  );
  await check(
    "v1.accounts.updateCredentials",
    () =>
      ann.v1.accounts.updateCredentials({ displayName: "Ann of JS", note: "one & two", source: { language: "en" } }),
    (it) => it.displayName === "Ann of JS" && it.source.note === "one & two",
  );
  await check(
    "v1.accounts.follow",
    () => bob.v1.accounts.$select(me.id).follow({ reblogs: true }),
    (it) => it.following,
  );
  await check(
    "v1.accounts.follow with languages",
    () => bob.v1.accounts.$select(me.id).follow({ languages: ["en", "de"] }),
    (it) => same(it.languages, ["en", "de"]),
  );
  await check(
    "v1.accounts.follow in all languages",
    () => bob.v1.accounts.$select(me.id).follow({ languages: [] }),
    (it) => it.following && it.languages === null,
  );
  await check(
    "v1.accounts.follow with notify",
    () => bob.v1.accounts.$select(me.id).follow({ notify: true }),
    (it) => it.following && it.notifying,
  );
  await check(
    "v1.accounts.relationships.fetch",
    () => ann.v1.accounts.relationships.fetch({ id: [other.id] }),
    (all) => all[0].followedBy && all[0].id === other.id,
  );
  await check(
    "v1.accounts.mute for a time",
    () => ann.v1.accounts.$select(other.id).mute({ duration: 3600 }),
    (it) => it.muting && Date.parse(it.mutingExpiresAt) > Date.now(),
  );
  await check(
    "v1.mutes.list with its end",
    () => ann.v1.mutes.list(),
    (all) => Date.parse(all[0].muteExpiresAt) > Date.now(),
  );
  await check(
    "v1.accounts.unmute",
    () => ann.v1.accounts.$select(other.id).unmute(),
    (it) => !it.muting && it.mutingExpiresAt === null,
  );
  await check(
    "v1.accounts.note.create",
    () => ann.v1.accounts.$select(other.id).note.create({ comment: "Met at a fair" }),
    (it) => it.note === "Met at a fair",
  );
  await check(
    "v1.accounts.note.create of nothing",
    () => ann.v1.accounts.$select(other.id).note.create({ comment: "" }),
    (it) => it.note === "",
  );
  await check(
    "v1.accounts.followers.list",
    () => ann.v1.accounts.$select(me.id).followers.list(),
    (all) => same(ids(all), [other.id]),
  );
  await check(
    "v1.accounts.following.list",
    () => ann.v1.accounts.$select(other.id).following.list(),
    (all) => same(ids(all), [me.id]),
  );
  // As the types would have it, fetch([id]), masto.js sends ?0=<id>, which is a parameter of no server's.
  await check(
    "v1.accounts.familiarFollowers.fetch",
    () => ann.v1.accounts.familiarFollowers.fetch({ id: [other.id] }),
    (all) => same(ids(all), [other.id]),
  );
  const both = [me.id, other.id];
  await check(
    "v1.accounts.fetch of several",
    () => ann.v1.accounts.fetch({ id: both }),
    (all) => same(ids(all).sort(), both.sort()),
  );
  await check("v1.suggestions.remove", () => ann.v1.suggestions.$select(other.id).remove());
  await check(
    "v1.reports.create",
    () => ann.v1.reports.create({ accountId: other.id, comment: "too loud", category: "spam" }),
    (it) => it.category === "spam" && it.comment === "too loud" && !it.actionTaken && it.targetAccount.id === other.id,
  );
  await check(
    "v1.profile.avatar.remove",
    () => ann.v1.profile.avatar.remove(),
    (it) => it.id === me.id && it.avatar,
  );
  await check(
    "v1.profile.header.remove",
    () => ann.v1.profile.header.remove(),
    (it) => it.id === me.id && it.header,
  );
  return [me, other];
}

async function statuses(ann, bob, me) {
  const first = await check(
    "v1.statuses.create",
    () =>
      ann.v1.statuses.create({
        status: `Hello from #${tag}`,
        visibility: "public",
        sensitive: true,
        spoilerText: "greeting",
        language: "en",
        mediaIds: [],
      }),
    (it) =>
      it.spoilerText === "greeting" &&
      it.sensitive &&
      it.language === "en" &&
      it.reblog === null &&
      same(it.mediaAttachments, []),
  );
  const once = () =>
    ann.v1.statuses.create({ status: "Only once" }, { requestInit: { headers: { "Idempotency-Key": "masto-once" } } });
  const made = await check("v1.statuses.create with a key", once);
  await check("v1.statuses.create with the same key", once, (it) => it.id === made.id);
  const whisper = await check(
    "v1.statuses.create direct",
    () => ann.v1.statuses.create({ status: `@${bobName} for you alone`, visibility: "direct" }),
    (it) => it.visibility === "direct",
  );
  const [talk] = await check(
    "v1.conversations.list",
    () => bob.v1.conversations.list(),
    (all) =>
      all.length === 1 && all[0].unread && all[0].accounts[0].id === me.id && all[0].lastStatus.id === whisper.id,
  );
  await check(
    "v1.conversations.read",
    () => bob.v1.conversations.$select(talk.id).read(),
    (it) => it.id === talk.id && !it.unread,
  );
  await check("v1.conversations.remove", () => bob.v1.conversations.$select(talk.id).remove());
  await check(
    "v1.conversations.list of none",
    () => bob.v1.conversations.list(),
    (all) => all.length === 0,
  );
  await refused(
    "v1.statuses.fetch direct",
    () => createRestAPIClient({ url }).v1.statuses.$select(whisper.id).fetch(),
    status(404),
  );
  await check("v1.statuses.remove direct", () => ann.v1.statuses.$select(whisper.id).remove());
  await refused("v1.statuses.create of nothing", () => ann.v1.statuses.create({ status: "" }), status(422));
  const secret = await check(
    "v1.statuses.create private",
    () => ann.v1.statuses.create({ status: "Followers only", visibility: "private" }),
    (it) => it.visibility === "private",
  );
  const hushed = await check(
    "v1.statuses.create quote of one's own private one",
    () => ann.v1.statuses.create({ status: "As I said", quotedStatusId: secret.id }),
    (it) => it.visibility === "private" && it.quote.quotedStatus.id === secret.id,
  );
  await ann.v1.statuses.$select(hushed.id).remove();
  const pixel = new Blob(
    [
      Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      ),
    ],
    { type: "image/png" },
  );
  const picture = await check(
    "v2.media.create",
    () => ann.v2.media.create({ file: pixel, description: "a dot" }),
    (it) => it.description === "a dot",
  );
  const drawn = await ann.v1.statuses.create({ status: "A dot", visibility: "private", mediaIds: [picture.id] });
  await refused("v1.media.remove of a posted one", () => ann.v1.media.$select(picture.id).remove(), status(422));
  await check(
    "v1.statuses.remove with a picture",
    () => ann.v1.statuses.$select(drawn.id).remove(),
    (it) => it.mediaAttachments[0].id === picture.id,
  );
  const redrawn = await check(
    "v1.statuses.create with the picture of a deleted one",
    () => ann.v1.statuses.create({ status: "The dot", visibility: "private", mediaIds: [picture.id] }),
    (it) => it.mediaAttachments[0].description === "a dot",
  );
  await check("v1.statuses.remove with deleteMedia", () =>
    ann.v1.statuses.$select(redrawn.id).remove({ deleteMedia: true }),
  );
  await refused(
    "v1.statuses.create with a deleted picture",
    () => ann.v1.statuses.create({ status: "No dot", mediaIds: [picture.id] }),
    status(422),
  );
  const large = await check(
    "v2.media.create of a large picture",
    () => ann.v2.media.create({ file: new Blob([picturePng(4000, 3000)], { type: "image/png" }) }),
    (it) => it.url && it.meta.original.width === 3325,
  );
  const shown = await check(
    "v1.statuses.create with a large picture",
    () => ann.v1.statuses.create({ status: "Large", visibility: "private", mediaIds: [large.id] }),
    (it) => it.mediaAttachments[0].url === large.url,
  );
  await ann.v1.statuses.$select(shown.id).remove({ deleteMedia: true });
  const red = new Blob(
    [
      Buffer.from(
        "GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAIdEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHGTbuMU6uEElTDZ1OsggEMTbuMU6uEHFO7a1OsggIH7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBNgIRMYXZmV0GETGF2ZkSJiECPQAAAAAAAFlSua8GuAQAAAAAAADjXgQFzxYgAAAAAAAAAAZyBACK1nIN1bmSIgQCGhVZfVlA4g4EBI+ODhAvrwgDgibCBILqBGJqBAhJUw2fRc3POY8CLY8WIAAAAAAAAAAFnyJhFo4dFTkNPREVSRIeLTGF2YyBsaWJ2cHhnyKJFo4hEVVJBVElPTkSHlDAwOjAwOjAxLjAwMDAwMDAwMAAAH0O2dUCf54EAo76BAACAEAMAnQEqIAAYAABHCIWFiIWEiAICAnWqA/gD+gIIWQy9AP79bvP/45k3MMT/jm3/8WE8DijI//FRAKOVgQDIALEBAAEQEAAYABhYL/QACHAAo5WBAZAAsQEAARAQABgAGFgv9AAIcACjlYECWACxAQABEBAAGAAYWC/0AAhwAKOVgQMgALEBAAEQEAAYABhYL/QACHAAHFO7a5G7j7OBALeK94EB8YIBYvCBAw==",
        "base64",
      ),
    ],
    { type: "video/webm" },
  ); // 32 x 24, a second
  const video = await check(
    "v2.media.create of a video",
    () => ann.v2.media.create({ file: red, description: "red" }),
    (it) =>
      it.type === "video" &&
      it.meta.original.width === 32 &&
      it.meta.original.duration === 1 &&
      it.meta.original.frameRate === "5/1",
  );
  await refused(
    "v1.statuses.create with a video and a picture",
    async () =>
      ann.v1.statuses.create({ status: "Both", mediaIds: [video.id, (await ann.v2.media.create({ file: pixel })).id] }),
    status(422),
  );
  const film = await check(
    "v1.statuses.create with a video",
    () => ann.v1.statuses.create({ status: "Red", visibility: "private", mediaIds: [video.id] }),
    (it) => it.mediaAttachments[0].type === "video",
  );
  await check(
    "v1.statuses.remove with a video",
    () => ann.v1.statuses.$select(film.id).remove({ deleteMedia: true }),
    (it) => it.mediaAttachments[0].url === video.url,
  );
  const unused = await ann.v2.media.create({ file: pixel });
  await check("v1.media.remove", () => ann.v1.media.$select(unused.id).remove());
  await check(
    "v1.statuses.fetch",
    () => bob.v1.statuses.$select(first.id).fetch(),
    (it) => it.account.id === me.id && it.content.includes("Hello"),
  );
  await refused(
    "v1.statuses.fetch private",
    () => createRestAPIClient({ url }).v1.statuses.$select(secret.id).fetch(),
    status(404),
  );

  const reply = await check(
    "v1.statuses.create reply",
    () => bob.v1.statuses.create({ status: `@${annName} hello`, inReplyToId: first.id }),
    (it) => it.inReplyToId === first.id && it.mentions[0].id === me.id,
  );
  await check(
    "v1.statuses.context.fetch",
    () => ann.v1.statuses.$select(first.id).context.fetch(),
    (it) => same(ids(it.descendants), [reply.id]),
  );
  const quote = await check(
    "v1.statuses.create quote",
    () => bob.v1.statuses.create({ status: "Look at this", quotedStatusId: first.id }),
    (it) => it.quote?.quotedStatus?.id === first.id && it.content.includes("quote-inline"),
  );
  await check(
    "v1.statuses.quotes.list",
    () => ann.v1.statuses.$select(first.id).quotes.list(),
    (all) => same(ids(all), [quote.id]),
  );
  const unwanted = await bob.v1.statuses.create({ status: "And at this", quotedStatusId: first.id });
  await check(
    "v1.statuses.quotes.revoke",
    () => ann.v1.statuses.$select(first.id).quotes.$select(unwanted.id).revoke(),
    (it) => it.id === unwanted.id && it.quote.state === "revoked",
  );
  await bob.v1.statuses.$select(unwanted.id).remove();
  await check(
    "v1.statuses.interactionPolicy.update",
    () => ann.v1.statuses.$select(first.id).interactionPolicy.update({ quoteApprovalPolicy: "followers" }),
    (it) => same(it.quoteApproval.automatic, ["followers"]),
  );

  await check(
    "v1.statuses.favourite",
    () => bob.v1.statuses.$select(first.id).favourite(),
    (it) => it.favourited && it.favouritesCount === 1,
  );
  await check(
    "v1.statuses.favouritedBy.list",
    () => ann.v1.statuses.$select(first.id).favouritedBy.list(),
    (all) => all.length === 1 && all[0].acct === bobName,
  );
  await check(
    "v1.favourites.list",
    () => bob.v1.favourites.list(),
    (all) => same(ids(all), [first.id]),
  );
  await check(
    "v1.statuses.reblog",
    () => bob.v1.statuses.$select(first.id).reblog(),
    (it) => it.reblog.id === first.id && it.reblogged,
  );
  await check(
    "v1.statuses.rebloggedBy.list",
    () => ann.v1.statuses.$select(first.id).rebloggedBy.list(),
    (all) => all.length === 1 && all[0].acct === bobName,
  );
  await check(
    "v1.statuses.update",
    () =>
      ann.v1.statuses
        .$select(first.id)
        .update({ status: `Hello again from #${tag}`, spoilerText: "greeting", mediaIds: [] }),
    (it) =>
      it.id === first.id &&
      it.content.includes("again") &&
      it.editedAt > it.createdAt &&
      it.language === "en" &&
      it.reblogsCount === 1,
  );
  await check(
    "v1.statuses.fetch of a quote of an edited one",
    () => bob.v1.statuses.$select(quote.id).fetch(),
    (it) => it.quote.quotedStatus.content.includes("again"),
  );
  await check(
    "v1.statuses.fetch of several",
    () => bob.v1.statuses.fetch({ id: [first.id, quote.id] }),
    (all) => same(ids(all).sort(), [first.id, quote.id].sort()),
  );
  await check(
    "v1.statuses.source.fetch",
    () => ann.v1.statuses.$select(first.id).source.fetch(),
    (it) => it.text.startsWith("Hello again") && it.spoilerText === "greeting",
  );
  await check(
    "v1.statuses.history.list",
    () => bob.v1.statuses.$select(first.id).history.list(),
    (all) =>
      same(
        all.map((one) => one.content.includes("again")),
        [false, true],
      ),
  );
  await refused(
    "v1.statuses.update of somebody else's",
    () => bob.v1.statuses.$select(first.id).update({ status: "Mine" }),
    status(404),
  );
  await soon(
    "v1.notifications.list of a new post",
    () => bob.v1.notifications.list({ types: ["status"] }),
    (all) => all.some((one) => one.status.id === first.id),
  );
  await soon(
    "v1.notifications.list of the edit of a quoted one",
    () => bob.v1.notifications.list({ types: ["quoted_update"] }),
    (all) =>
      same(
        all.map((one) => one.status.id),
        [quote.id],
      ),
  );
  await soon(
    "v1.notifications.list of the edit",
    () => bob.v1.notifications.list({ types: ["update"] }),
    (all) =>
      same(
        all.map((one) => one.status.id),
        [first.id],
      ),
  );
  await check(
    "v1.statuses.bookmark",
    () => bob.v1.statuses.$select(first.id).bookmark(),
    (it) => it.bookmarked,
  );
  await check(
    "v1.statuses.mute",
    () => ann.v1.statuses.$select(reply.id).mute(),
    (it) => it.muted,
  );
  await check(
    "v1.statuses.fetch of another one of it",
    () => ann.v1.statuses.$select(first.id).fetch(),
    (it) => it.muted,
  );
  await check(
    "v1.notifications.list without it",
    () => ann.v1.notifications.list({ types: ["mention"] }),
    (all) => all.every((one) => one.status.id !== reply.id),
  );
  await check(
    "v1.statuses.unmute",
    () => ann.v1.statuses.$select(first.id).unmute(),
    (it) => !it.muted,
  );
  await check(
    "v1.statuses.pin",
    () => ann.v1.statuses.$select(first.id).pin(),
    (it) => it.pinned,
  );
  await refused("v1.statuses.pin of somebody else's", () => bob.v1.statuses.$select(first.id).pin(), status(422));
  await check(
    "v1.accounts.statuses.list pinned",
    () => bob.v1.accounts.$select(me.id).statuses.list({ pinned: true }),
    (all) => same(ids(all), [first.id]),
  );
  await check(
    "v1.statuses.unpin",
    () => ann.v1.statuses.$select(first.id).unpin(),
    (it) => !it.pinned,
  );
  await check(
    "v1.bookmarks.list",
    () => bob.v1.bookmarks.list(),
    (all) => same(ids(all), [first.id]),
  );
  await profile(ann, bob, me);

  await soon(
    "v2.search.list of words",
    () => bob.v2.search.list({ q: `from:${annName} "only once"`, type: "statuses" }),
    (it) => ids(it.statuses ?? it[0]?.statuses ?? []).includes(made.id),
  );
  await soon(
    "v1.timelines.home.list",
    () => bob.v1.timelines.home.list(),
    (all) => ids(all).includes(first.id) && ids(all).includes(secret.id),
  );
  const passesOn = (all) => all.some((one) => one.reblog?.id === first.id);
  await check(
    "v1.timelines.home.list without the repost of what stands close below",
    () => bob.v1.timelines.home.list(),
    (all) => !passesOn(all),
  );
  await check(
    "v1.accounts.updateCredentials of how the home is",
    () => bob.v1.accounts.updateCredentials({ source: { aggregateReblogs: false } }),
    (it) => it.source.aggregateReblogs === false,
  );
  await check("v1.timelines.home.list with it", () => bob.v1.timelines.home.list(), passesOn);
  await check(
    "v1.accounts.updateCredentials back",
    () => bob.v1.accounts.updateCredentials({ source: { aggregateReblogs: true } }),
    (it) => it.source.aggregateReblogs === true,
  );
  await soon(
    "v1.timelines.public.list",
    () => bob.v1.timelines.public.list({ local: true }),
    (all) => ids(all).includes(first.id) && !ids(all).includes(secret.id),
  );
  await soon(
    "v1.timelines.tag.list",
    () => bob.v1.timelines.tag.$select(tag).list(),
    (all) => same(ids(all), [first.id]),
  );
  await check(
    "v1.accounts.statuses.list",
    () => bob.v1.accounts.$select(me.id).statuses.list({ excludeReplies: true, excludeReblogs: true }),
    (all) => ids(all).includes(first.id),
  );

  await check(
    "v1.statuses.unfavourite",
    () => bob.v1.statuses.$select(first.id).unfavourite(),
    (it) => !it.favourited && it.favouritesCount === 0,
  );
  await check(
    "v1.statuses.unreblog",
    () => bob.v1.statuses.$select(first.id).unreblog(),
    (it) => !it.reblogged,
  );
  await check(
    "v1.statuses.unbookmark",
    () => bob.v1.statuses.$select(first.id).unbookmark(),
    (it) => !it.bookmarked,
  );
  await check(
    "v1.statuses.remove",
    () => ann.v1.statuses.$select(secret.id).remove(),
    (it) => it.text === "Followers only",
  );
  await refused("v1.statuses.fetch of a removed one", () => ann.v1.statuses.$select(secret.id).fetch(), status(404));
  return first;
}

/** What stands on a profile, and who may follow: bob follows ann at the end as at the beginning. */
async function profile(ann, bob, me) {
  const featured = await check(
    "v1.featuredTags.create",
    () => ann.v1.featuredTags.create({ name: tag }),
    (it) => it.statusesCount === "1" && it.lastStatusAt !== null,
  );
  await check(
    "v1.featuredTags.list",
    () => ann.v1.featuredTags.list(),
    (all) => same(ids(all), [featured.id]),
  );
  await check(
    "v1.accounts.featuredTags.list",
    () => bob.v1.accounts.$select(me.id).featuredTags.list(),
    (all) => same(ids(all), [featured.id]),
  );
  await check(
    "v1.featuredTags.suggestions.list",
    () => ann.v1.featuredTags.suggestions.list(),
    (all) => all.every((one) => one.name !== featured.name),
  );
  await check("v1.featuredTags.remove", () => ann.v1.featuredTags.$select(featured.id).remove());
  await check(
    "v1.accounts.pin",
    () => bob.v1.accounts.$select(me.id).pin(),
    (it) => it.endorsed,
  );
  await check(
    "v1.endorsements.list",
    () => bob.v1.endorsements.list(),
    (all) => same(ids(all), [me.id]),
  );
  await check(
    "v1.accounts.unpin",
    () => bob.v1.accounts.$select(me.id).unpin(),
    (it) => !it.endorsed,
  );
  await check(
    "v1.accounts.endorse",
    () => bob.v1.accounts.$select(me.id).endorse(),
    (it) => it.endorsed,
  );
  const fan = await bob.v1.accounts.verifyCredentials();
  await check(
    "v1.accounts.endorsements.list",
    () => ann.v1.accounts.$select(fan.id).endorsements.list(),
    (all) => same(ids(all), [me.id]),
  );
  await check(
    "v1.accounts.unendorse",
    () => bob.v1.accounts.$select(me.id).unendorse(),
    (it) => !it.endorsed,
  );

  const other = await bob.v1.accounts.verifyCredentials();
  await check(
    "v1.accounts.updateCredentials locked",
    () => ann.v1.accounts.updateCredentials({ locked: true }),
    (it) => it.locked,
  );
  await check(
    "v1.accounts.unfollow",
    () => bob.v1.accounts.$select(me.id).unfollow(),
    (it) => !it.following,
  );
  await check(
    "v1.accounts.follow of who is locked",
    () => bob.v1.accounts.$select(me.id).follow({ notify: true }),
    (it) => it.requested && !it.following,
  );
  await check(
    "v1.followRequests.list of one",
    () => ann.v1.followRequests.list(),
    (all) => same(ids(all), [other.id]),
  );
  await soon(
    "v1.notifications.list of a request",
    () => ann.v1.notifications.list({ types: ["follow_request"] }),
    (all) => all.length === 1 && all[0].account.id === other.id,
  );
  await check(
    "v1.followRequests.reject",
    () => ann.v1.followRequests.$select(other.id).reject(),
    (it) => !it.requestedBy && !it.followedBy,
  );
  await check(
    "v1.accounts.follow again",
    () => bob.v1.accounts.$select(me.id).follow({ notify: true }),
    (it) => it.requested,
  );
  await check(
    "v1.followRequests.authorize",
    () => ann.v1.followRequests.$select(other.id).authorize(),
    (it) => it.followedBy,
  );
  await refused(
    "v1.followRequests.authorize of nobody",
    () => ann.v1.followRequests.$select(other.id).authorize(),
    status(404),
  );
  await check(
    "v1.accounts.updateCredentials unlocked",
    () => ann.v1.accounts.updateCredentials({ locked: false }),
    (it) => !it.locked,
  );
  await check(
    "v1.accounts.relationships.fetch after that",
    () => bob.v1.accounts.relationships.fetch({ id: [me.id] }),
    (all) => all[0].following && all[0].notifying && !all[0].requested,
  );
}

async function scheduled(bob) {
  const later = await check(
    "v1.statuses.create scheduled",
    () => bob.v1.statuses.create({ status: "later", scheduledAt: "2100-01-01T00:00:00.000Z" }),
    (it) => it.scheduledAt === "2100-01-01T00:00:00.000Z" && it.params.text === "later",
  );
  await check(
    "v1.scheduledStatuses.list",
    () => bob.v1.scheduledStatuses.list(),
    (all) => same(ids(all), [later.id]),
  );
  const one = bob.v1.scheduledStatuses.$select(later.id);
  await check(
    "v1.scheduledStatuses.fetch",
    () => one.fetch(),
    (it) => it.id === later.id,
  );
  await check(
    "v1.scheduledStatuses.update",
    () => one.update({ scheduledAt: "2100-01-02T00:00:00.000Z" }),
    (it) => it.scheduledAt === "2100-01-02T00:00:00.000Z",
  );
  await check("v1.scheduledStatuses.remove", () => one.remove());
  await check(
    "v1.scheduledStatuses.list",
    () => bob.v1.scheduledStatuses.list(),
    (all) => same(all, []),
  );
}

async function polls(ann, bob) {
  const asked = await check(
    "v1.statuses.create poll",
    () => ann.v1.statuses.create({ status: "which?", poll: { options: ["this", "that"], expiresIn: 300 } }),
    (it) => it.poll.options.length === 2 && it.poll.voted,
  );
  const one = bob.v1.polls.$select(asked.poll.id);
  await check(
    "v1.polls.fetch",
    () => one.fetch(),
    (it) => it.votesCount === 0 && !it.voted,
  );
  await check(
    "v1.polls.votes.create",
    () => one.votes.create({ choices: [1] }),
    (it) => it.options[1].votesCount === 1 && same(it.ownVotes, [1]),
  );
  await check("v1.statuses.remove poll", () => ann.v1.statuses.$select(asked.id).remove());
}

async function lists(bob, me, first) {
  const list = await check(
    "v1.lists.create",
    () => bob.v1.lists.create({ title: "Friends", repliesPolicy: "followed" }),
    (it) => it.title === "Friends" && it.repliesPolicy === "followed" && !it.exclusive,
  );
  const one = bob.v1.lists.$select(list.id);
  await check(
    "v1.lists.fetch",
    () => one.fetch(),
    (it) => it.id === list.id,
  );
  await check(
    "v1.lists.update",
    () => one.update({ title: "Best friends" }),
    (it) => it.title === "Best friends" && it.repliesPolicy === "followed",
  );
  await check("v1.lists.accounts.create", () => one.accounts.create({ accountIds: [me.id] }));
  await refused("v1.lists.accounts.create again", () => one.accounts.create({ accountIds: [me.id] }), status(422));
  await check(
    "v1.lists.accounts.list",
    () => one.accounts.list(),
    (all) => same(ids(all), [me.id]),
  );
  await check(
    "v1.accounts.lists.list",
    () => bob.v1.accounts.$select(me.id).lists.list(),
    (all) => same(ids(all), [list.id]),
  );
  await check(
    "v1.timelines.list.list",
    () => bob.v1.timelines.list.$select(list.id).list(),
    (all) => ids(all).includes(first.id),
  );
  await check("v1.lists.accounts.remove", () => one.accounts.remove({ accountIds: [me.id] }));
  await check(
    "v1.lists.accounts.list of none",
    () => one.accounts.list(),
    (all) => same(all, []),
  );
  await check("v1.lists.remove", () => one.remove());
  await refused("v1.lists.fetch of a removed one", () => one.fetch(), status(404));
}

async function filters(bob, first) {
  const made = await check(
    "v2.filters.create",
    () =>
      bob.v2.filters.create({
        title: "Birds",
        context: ["home", "public"],
        filterAction: "hide",
        keywordsAttributes: [{ keyword: "owl", wholeWord: "true" }],
      }),
    (it) =>
      it.title === "Birds" &&
      it.filterAction === "hide" &&
      it.keywords[0].keyword === "owl" &&
      it.keywords[0].wholeWord,
  );
  const one = bob.v2.filters.$select(made.id);
  await check(
    "v2.filters.list",
    () => bob.v2.filters.list(),
    (all) => same(ids(all), [made.id]),
  );
  await check(
    "v2.filters.fetch",
    () => one.fetch(),
    (it) => it.id === made.id,
  );
  await check(
    "v2.filters.update",
    () => one.update({ title: "Some birds" }),
    (it) => it.title === "Some birds" && it.keywords.length === 1,
  );
  const keyword = await check(
    "v2.filters.keywords.create",
    () => one.keywords.create({ keyword: "jay", wholeWord: false }),
    (it) => it.keyword === "jay" && !it.wholeWord,
  );
  await check(
    "v2.filters.keywords.list",
    () => one.keywords.list(),
    (all) => all.length === 2,
  );
  await check(
    "v2.filters.keywords.fetch",
    () => bob.v2.filters.keywords.$select(keyword.id).fetch(),
    (it) => it.id === keyword.id,
  );
  await check(
    "v2.filters.keywords.update",
    () => bob.v2.filters.keywords.$select(keyword.id).update({ keyword: "wren" }),
    (it) => it.keyword === "wren",
  );
  await check("v2.filters.keywords.remove", () => bob.v2.filters.keywords.$select(keyword.id).remove());
  const lying = await check(
    "v2.filters.statuses.create",
    () => one.statuses.create({ statusId: first.id }),
    (it) => it.statusId === first.id,
  );
  await check(
    "v2.filters.statuses.list",
    () => one.statuses.list(),
    (all) => same(ids(all), [lying.id]),
  );
  await check(
    "v2.filters.statuses.fetch",
    () => bob.v2.filters.statuses.$select(lying.id).fetch(),
    (it) => it.statusId === first.id,
  );
  await check(
    "v1.statuses.fetch of a filtered one",
    () => bob.v1.statuses.$select(first.id).fetch(),
    (it) => it.filtered[0].filter.id === made.id && same(it.filtered[0].statusMatches, [first.id]),
  );
  await check("v2.filters.statuses.remove", () => bob.v2.filters.statuses.$select(lying.id).remove());
  await check("v2.filters.remove", () => one.remove());
  await refused("v2.filters.fetch of a removed one", () => one.fetch(), status(404));
  const old = await check(
    "v1.filters.create",
    () => bob.v1.filters.create({ phrase: "owl", context: ["home"], irreversible: true }),
    (it) => it.phrase === "owl" && it.irreversible,
  );
  await check(
    "v1.filters.list",
    () => bob.v1.filters.list(),
    (all) => same(ids(all), [old.id]),
  );
  await check(
    "v1.filters.fetch",
    () => bob.v1.filters.$select(old.id).fetch(),
    (it) => it.phrase === "owl",
  );
  await check(
    "v1.filters.update",
    () => bob.v1.filters.$select(old.id).update({ phrase: "jay", context: ["home"] }),
    (it) => it.phrase === "jay",
  );
  await check("v1.filters.remove", () => bob.v1.filters.$select(old.id).remove());
}

async function notifications(ann) {
  const all = await soon(
    "v1.notifications.list",
    () => ann.v1.notifications.list(),
    (all) => all.some((one) => one.type === "mention") && all.some((one) => one.type === "follow"),
  );
  await check(
    "v1.notifications.unreadCount.fetch",
    () => ann.v1.notifications.unreadCount.fetch(),
    (it) => it.count > 0,
  );
  await check(
    "v1.notifications.requests.merged.fetch",
    () => ann.v1.notifications.requests.merged.fetch(),
    (it) => it.merged,
  );
  await check(
    "v1.notifications.fetch",
    () => ann.v1.notifications.$select(all[0].id).fetch(),
    (one) => one.id === all[0].id,
  );
  await check(
    "v1.notifications.list of a type",
    () => ann.v1.notifications.list({ types: ["follow"] }),
    (some) => some.length > 0 && some.every((one) => one.type === "follow"),
  );
  const groups = await check(
    "v2.notifications.list",
    () => ann.v2.notifications.list(),
    (it) =>
      it.notificationGroups.some(
        (one) => one.type === "follow" && one.sampleAccountIds.every((id) => ids(it.accounts).includes(id)),
      ),
  );
  const follows = groups.notificationGroups.find((one) => one.type === "follow");
  await check(
    "v2.notifications.list of a type",
    () => ann.v2.notifications.list({ types: ["follow"], expandAccounts: "partial_avatars" }),
    (it) => it.notificationGroups.length === 1 && it.partialAccounts,
  );
  await check(
    "v2.notifications.unreadCount.fetch",
    () => ann.v2.notifications.unreadCount.fetch(),
    (it) => it.count > 0,
  );
  await check(
    "v2.notifications.fetch",
    () => ann.v2.notifications.$select(follows.groupKey).fetch(),
    (it) => it.notificationGroups[0].notificationsCount === follows.notificationsCount,
  );
  await check(
    "v2.notifications.accounts.fetch",
    () => ann.v2.notifications.$select(follows.groupKey).accounts.fetch(),
    (them) => same(ids(them), follows.sampleAccountIds),
  );
  await check("v2.notifications.dismiss", () => ann.v2.notifications.$select(follows.groupKey).dismiss());
  await check(
    "v2.notifications.list without the dismissed",
    () => ann.v2.notifications.list(),
    (it) => it.notificationGroups.every((one) => one.groupKey !== follows.groupKey),
  );
  await check(
    "v2.notifications.policy.fetch",
    () => ann.v2.notifications.policy.fetch(),
    (it) => it.forNotFollowing === "accept" && it.summary.pendingRequestsCount === 0,
  );
  await check(
    "v2.notifications.policy.update",
    () => ann.v2.notifications.policy.update({ forNotFollowing: "drop", forNotFollowers: "accept" }),
    (it) => it.forNotFollowing === "drop",
  );
  await check(
    "v2.notifications.policy.update back",
    () => ann.v2.notifications.policy.update({ forNotFollowing: "accept" }),
    (it) => it.forNotFollowing === "accept",
  );
  await check(
    "v2.notifications.policy.update to filter",
    () => ann.v2.notifications.policy.update({ forNewAccounts: "filter" }),
    (it) => it.forNewAccounts === "filter" && it.summary.pendingRequestsCount > 0,
  );
  const [request] = await check(
    "v1.notifications.requests.list",
    () => ann.v1.notifications.requests.list(),
    (all) => all.length > 0 && all[0].account.id,
  );
  await check(
    "v1.notifications.requests.fetch",
    () => ann.v1.notifications.requests.$select(request.id).fetch(),
    (it) => it.id === request.id,
  );
  await check("v1.notifications.requests.accept", () => ann.v1.notifications.requests.$select(request.id).accept());
  await refused(
    "v1.notifications.requests.dismiss of an accepted one",
    () => ann.v1.notifications.requests.$select(request.id).dismiss(),
    status(404),
  );
  await check(
    "v2.notifications.policy.update to accept",
    () => ann.v2.notifications.policy.update({ forNewAccounts: "accept" }),
    (it) => it.summary.pendingRequestsCount === 0,
  );
  await check("v2.notifications.clear", () => ann.v2.notifications.clear());
  await check(
    "v2.notifications.list when cleared",
    () => ann.v2.notifications.list(),
    (it) => same(it.notificationGroups, []),
  );
  await check("v1.notifications.clear", () => ann.v1.notifications.clear());
  await check(
    "v1.notifications.list when cleared",
    () => ann.v1.notifications.list(),
    (left) => same(left, []),
  );
}

async function paging(ann, bob, me) {
  const posted = [];
  for (let number = 0; number < 11; number++) {
    posted.unshift((await ann.v1.statuses.create({ status: `number ${number}`, visibility: "unlisted" })).id);
  }
  await soon(
    "v1.timelines.home.list of eleven",
    () => bob.v1.timelines.home.list({ limit: 11 }),
    (page) => same(ids(page), posted),
  );
  const lists = {
    "v1.accounts.statuses.list": () => bob.v1.accounts.$select(me.id).statuses.list({ limit: 3 }),
    "v1.timelines.home.list": () => bob.v1.timelines.home.list({ limit: 4 }),
  };
  for (const [call, list] of Object.entries(lists)) {
    await check(
      `${call} to its end`,
      async () => {
        const walked = [];
        for await (const page of list()) {
          walked.push(...ids(page));
        }
        return walked;
      },
      (walked) => same(walked.slice(0, 11), posted) && new Set(walked).size === walked.length,
    );
    await check(
      `${call} back from the middle`,
      async () => {
        const newer = [];
        for await (const page of list().setDirection("prev")) {
          newer.push(ids(page));
          if (page.length === 0 || newer.length > 20) {
            break;
          }
        }
        return newer;
      },
      (newer) => newer.length === 2 && newer[1].length === 0,
    );
  }
}

/** One WebSocket with a subscription to each stream. */
async function streaming(ann, accessToken) {
  const options = { streamingApiUrl: `ws://${host}`, implementation: WebSocket };
  const wrong = () =>
    new Promise((resolve, reject) =>
      new WebSocket(`ws://${host}/api/v1/streaming`, "wrong").on("open", resolve).on("error", reject),
    );
  await refused("a socket with a wrong token", wrong, (error) => error.message.endsWith("401"));
  const client = createStreamingAPIClient({ ...options, accessToken });
  await check(
    "prepare",
    () => client.prepare(),
    (socket) => socket.protocol === accessToken,
  );
  const listen = (subscription, name) => {
    const heard = new Heard();
    const add = async () => {
      for await (const { stream, event, payload } of subscription) {
        heard.add(same(stream, name) ? event : "error", payload.id ?? payload, payload);
      }
    };
    add().catch((cause) => heard.add("error", null, String(cause)));
    return heard;
  };
  const others = {
    public: listen(client.public.subscribe(), ["public"]),
    "public:local": listen(client.public.local.subscribe(), ["public:local"]),
    hashtag: listen(client.hashtag.subscribe({ tag }), ["hashtag", tag]),
  };
  const own = listen(client.user.subscribe(), ["user"]);
  const post = async (text, visibility) => (await ann.v1.statuses.create({ status: text, visibility })).id;
  const edit = (id, text) => ann.v1.statuses.$select(id).update({ status: text });
  await streams(post, edit, (id) => ann.v1.statuses.$select(id).remove(), tag, bobName, own, others);
  await check("close", () => client.close());
}

async function quiet(ann, bob, me, other) {
  await check(
    "v1.accounts.mute",
    () => bob.v1.accounts.$select(me.id).mute({ notifications: true }),
    (it) => it.muting && it.mutingNotifications,
  );
  await check(
    "v1.mutes.list",
    () => bob.v1.mutes.list(),
    (all) => same(ids(all), [me.id]),
  );
  await check(
    "v1.accounts.unmute",
    () => bob.v1.accounts.$select(me.id).unmute(),
    (it) => !it.muting,
  );
  await check("v1.accounts.removeFromFollowers", () => ann.v1.accounts.$select(other.id).removeFromFollowers());
  await check(
    "v1.accounts.relationships.fetch after that",
    () => ann.v1.accounts.relationships.fetch({ id: [other.id] }),
    (all) => !all[0].followedBy,
  );
  await check(
    "v1.accounts.follow anew",
    () => bob.v1.accounts.$select(me.id).follow(),
    (it) => it.following,
  );
  await check(
    "v1.accounts.block",
    () => ann.v1.accounts.$select(other.id).block(),
    (it) => it.blocking && !it.followedBy,
  );
  await check(
    "v1.blocks.list",
    () => ann.v1.blocks.list(),
    (all) => same(ids(all), [other.id]),
  );
  await check(
    "v1.accounts.unblock",
    () => ann.v1.accounts.$select(other.id).unblock(),
    (it) => !it.blocking,
  );
  await check(
    "v1.accounts.unfollow",
    () => bob.v1.accounts.$select(me.id).unfollow(),
    (it) => !it.following,
  );
}

run(async () => {
  const [ann, bob, token] = await logIn();
  await instance(ann);
  const [me, other] = await people(ann, bob);
  const first = await statuses(ann, bob, me);
  await lists(bob, me, first);
  await scheduled(bob);
  await filters(bob, first);
  await polls(ann, bob);
  await notifications(ann);
  await paging(ann, bob, me);
  await streaming(ann, token);
  await quiet(ann, bob, me, other);
});
