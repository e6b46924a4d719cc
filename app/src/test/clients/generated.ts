/**
 * The TypeScript client that openapi-generator makes of /openapi.yaml, in ./client: two people sign up with it and use the
 * server. Of each answer the client must keep all: encoded again it is what the server has sent.
 */
import { check, refused, run, soon } from "./checks.mjs";
import * as client from "./client/index.js";

declare const process: { argv: string[] };
const [host, ann, bob, password] = process.argv.slice(2);

/** A dot. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let answered: unknown;
const hears: client.Middleware = {
  async post({ response }) {
    answered = await response.clone().json();
  },
};

/** The operations that a token allows. */
class As {
  readonly configuration: client.Configuration;
  readonly apps;
  readonly accounts;
  readonly relationships;
  readonly statuses;
  readonly timelines;
  readonly notifications;
  readonly media;
  readonly lists;
  readonly filters;
  readonly articles;
  readonly instance;
  readonly searching;

  constructor(token?: client.Token) {
    this.configuration = new client.Configuration({ basePath: `http://${host}`, accessToken: token && `Bearer ${token.accessToken}`, middleware: [hears] });
    this.apps = new client.AppsApi(this.configuration);
    this.accounts = new client.AccountsApi(this.configuration);
    this.relationships = new client.RelationshipsApi(this.configuration);
    this.statuses = new client.StatusesApi(this.configuration);
    this.timelines = new client.TimelinesApi(this.configuration);
    this.notifications = new client.NotificationsApi(this.configuration);
    this.media = new client.MediaApi(this.configuration);
    this.lists = new client.ListsApi(this.configuration);
    this.filters = new client.FiltersApi(this.configuration);
    this.articles = new client.ArticlesApi(this.configuration);
    this.instance = new client.InstanceApi(this.configuration);
    this.searching = new client.SearchApi(this.configuration);
  }
}

/** The value as JSON, the names in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, it) => (it && typeof it === "object" && !Array.isArray(it) ? Object.fromEntries(Object.entries(it).sort()) : it));
}

/** The call answers, and the client has read all of the answer. */
async function whole<T>(call: string, ask: () => Promise<T>, encode: (it: T) => unknown, holds: (it: T) => boolean = () => true): Promise<T> {
  const read = await check(call, ask, holds);
  const sent = sorted(answered);
  await check(`${call}: nothing of ${sent} is lost`, async () => sorted(encode(read)), (it) => it === sent);
  return read;
}

const all = <T>(encode: (it: T) => unknown) => (list: T[]) => list.map(encode);

/** The call fails with this status and with an error that the client reads. */
const fails = (call: string, ask: () => Promise<unknown>, status: number, holds: (error: client.ModelError) => boolean) =>
  refused(call, ask, (cause: unknown) => cause instanceof client.ResponseError && cause.response.status === status && holds(client.ModelErrorFromJSON(answered)));

/** Models that are not read but taken as they come: those of a schema without fields of its own. An enum, which is a value too, may be. */
function unread() {
  const all: Record<string, any> = client;
  const models = Object.keys(all).filter((name) => name.startsWith("instanceOf")).map((name) => name.slice("instanceOf".length));
  const sent = {};
  return models.filter((name) => !(name in all)).filter((name) => {
    try {
      return all[`${name}FromJSON`](sent) === sent;
    } catch {
      return false; // Something is missing, so it has read.
    }
  });
}

await run(async () => {
  await check("every model reads", unread, (it) => it.length === 0);
  const everybody = new As();
  const app = await whole("createApp", () => everybody.apps.createApp({ newApp: { clientName: "generated", redirectUris: "urn:ietf:wg:oauth:2.0:oob", scopes: "read write follow" } }), client.CredentialApplicationToJSON);
  const ofApp = new As(await whole("createToken", () => everybody.apps.createToken({ tokenRequest: { grantType: "client_credentials", clientId: app.clientId, clientSecret: app.clientSecret, scope: "read write follow" } }), client.TokenToJSON));
  await whole("verifyApp", () => ofApp.apps.verifyApp(), client.ApplicationToJSON, (it) => it.name === "generated");
  const signUp = (username: string) => ofApp.accounts.createAccount({ signUp: { username, email: `${username}@example.org`, password, agreement: true } });
  const one = new As(await whole("createAccount", () => signUp(ann), client.TokenToJSON));
  const two = new As(await whole("createAccount of another", () => signUp(bob), client.TokenToJSON));
  await fails("createAccount of a taken name", () => signUp(ann), 422, (it) => it.details?.username[0].error === "ERR_TAKEN");

  const me = await whole("verifyCredentials", () => one.accounts.verifyCredentials(), client.CredentialAccountToJSON, (it) => it.username === ann && it.source.privacy === "public");
  await whole("updateCredentials", () => one.accounts.updateCredentials({ profile: { displayName: "Ann", note: "Generated" } }), client.CredentialAccountToJSON, (it) => it.displayName === "Ann");
  await whole("showAccount", () => everybody.accounts.showAccount({ id: me.id }), client.AccountToJSON, (it) => it.displayName === "Ann");
  await whole("followAccount", () => two.relationships.followAccount({ id: me.id }), client.RelationshipToJSON, (it) => it.following);
  await whole("listRelationships", () => two.relationships.listRelationships({ id: [me.id] }), all(client.RelationshipToJSON), (it) => it[0].following);
  await whole("listFollowers", () => one.relationships.listFollowers({ id: me.id }), all(client.AccountEntryToJSON), (it) => it[0].username === bob);

  const file = new Blob([Uint8Array.from(atob(PICTURE), (it) => it.charCodeAt(0))], { type: "image/png" });
  const picture = await whole("createMedia", () => one.media.createMedia({ file, description: "A dot" }), client.MediaAttachmentToJSON, (it) => it.type === "image");
  const words = `Generated #${ann} for @${bob}`;
  const status = (await whole("createStatus", () => one.statuses.createStatus({ newStatus: { status: words, mediaIds: [picture.id], spoilerText: "TypeScript" } }), client.CreateStatus200ResponseToJSON)) as client.Status;
  const id = status.id;
  await whole("showStatus", () => everybody.statuses.showStatus({ id }), client.StatusToJSON, (it) => it.content.includes("Generated") && it.mentions[0].username === bob && it.mediaAttachments[0].description === "A dot");
  await whole("editStatus", () => one.statuses.editStatus({ id, statusWords: { status: `${words}, edited` } }), client.StatusToJSON, (it) => it.editedAt !== null);
  await whole("listEdits", () => one.statuses.listEdits({ id }), all(client.StatusEditToJSON), (it) => it.length === 2);
  await whole("showSource", () => one.statuses.showSource({ id }), client.StatusSourceToJSON, (it) => it.text.endsWith("edited"));
  const asked = (await whole("createStatus with a poll", () => one.statuses.createStatus({ newStatus: { status: "Which?", poll: { options: ["this", "that"], expiresIn: 3600 } } }), client.CreateStatus200ResponseToJSON)) as client.Status;
  await whole("votePoll", () => two.statuses.votePoll({ id: asked.poll!.id, vote: { choices: [1] } }), client.PollToJSON, (it) => it.voted === true && it.options[1].votesCount === 1);
  const later = (await whole("createStatus for later", () => one.statuses.createStatus({ newStatus: { status: "Later", inReplyToId: id, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() } }), client.CreateStatus200ResponseToJSON)) as client.ScheduledStatus;
  await whole("showScheduledStatus", () => one.statuses.showScheduledStatus({ id: later.id }), client.ScheduledStatusToJSON, (it) => it.params.text === "Later" && it.params.inReplyToId === Number(id));
  await whole("createArticle", () => one.articles.createArticle({ newArticle: { title: "Generated", link: "https://example.org/" } }), client.StatusToJSON, (it) => it.article?.title === "Generated");

  await whole("favouriteStatus", () => two.statuses.favouriteStatus({ id }), client.StatusToJSON, (it) => it.favourited === true && it.favouritesCount === 1);
  await whole("reblogStatus", () => two.statuses.reblogStatus({ id }), client.StatusToJSON, (it) => it.reblog?.id === id);
  await whole("createStatus that quotes", () => two.statuses.createStatus({ newStatus: { status: "As said", quotedStatusId: id } }), client.CreateStatus200ResponseToJSON, (it) => "quote" in it && it.quote?.state === "accepted");
  await whole("createStatus that replies", () => two.statuses.createStatus({ newStatus: { status: `@${ann} Hello`, inReplyToId: id } }), client.CreateStatus200ResponseToJSON);
  await whole("createStatus to one", () => two.statuses.createStatus({ newStatus: { status: `@${ann} Psst`, visibility: "direct" } }), client.CreateStatus200ResponseToJSON);
  await soon("showContext has the reply", () => one.statuses.showContext({ id }), (it) => it.descendants.length === 1);
  await whole("showContext", () => one.statuses.showContext({ id }), client.ContextToJSON);

  await soon("showHome has all", () => two.timelines.showHome(), (it) => it.some((status) => status.id === id) && it.some((status) => status.article));
  await whole("showHome", () => two.timelines.showHome(), all(client.StatusToJSON));
  await soon("listNotifications has all", () => one.notifications.listNotifications(), (it) => ["favourite", "follow", "mention", "quote", "reblog"].every((type) => it.some((told) => told.type === type)));
  await whole("listNotifications", () => one.notifications.listNotifications(), all(client.NotificationToJSON));
  await whole("listGroupedNotifications", () => one.notifications.listGroupedNotifications(), client.GroupedNotificationsToJSON, (it) => it.notificationGroups.length > 0);
  await soon("listConversations has one", () => one.statuses.listConversations(), (it) => it.length === 1);
  await whole("listConversations", () => one.statuses.listConversations(), all(client.ConversationToJSON));
  await whole("showPublic", () => everybody.timelines.showPublic(), all(client.StatusToJSON), (it) => it.length > 0);
  await whole("showTag", () => everybody.timelines.showTag({ tag: ann }), all(client.StatusToJSON), (it) => it[0].id === id);
  await whole("listAccountStatuses", () => two.timelines.listAccountStatuses({ id: me.id }), all(client.StatusToJSON), (it) => it.length > 1);
  await whole("search", () => two.searching.search({ q: ann }), client.SearchToJSON, (it) => it.accounts[0].id === me.id && it.hashtags[0].name === ann);
  await whole("setMarkers", () => one.timelines.setMarkers({ readUpTo: { home: { lastReadId: id } } }), client.MarkersToJSON, (it) => it.home?.lastReadId === id);
  await whole("createList", () => two.lists.createList({ newList: { title: "Generated", repliesPolicy: "none" } }), client.UserListToJSON, (it) => it.repliesPolicy === "none");
  await whole("createFilter", () => two.filters.createFilter({ newFilter: { title: "Generated", context: ["home"], keywordsAttributes: [{ keyword: "edited" }] } }), client.FilterToJSON, (it) => it.expiresAt === null && it.keywords[0].keyword === "edited");
  await whole("showStatus that a filter matches", () => two.statuses.showStatus({ id }), client.StatusToJSON, (it) => it.filtered?.[0].keywordMatches?.[0] === "edited");
  await whole("showInstance", () => everybody.instance.showInstance(), client.InstanceV1ToJSON);
  await whole("showInstanceV2", () => everybody.instance.showInstanceV2(), client.InstanceV2ToJSON, (it) => it.apiVersions.mastodon >= 7);

  await whole("deleteStatus", () => one.statuses.deleteStatus({ id }), client.DeletedStatusToJSON, (it) => it.text.endsWith("edited"));
  await fails("showStatus of what is gone", () => two.statuses.showStatus({ id }), 404, (it) => it.error.startsWith("Record not found"));
  await fails("verifyCredentials without a token", () => everybody.accounts.verifyCredentials(), 401, (it) => it.error.includes("token"));
  await fails("createStatus without words", () => one.statuses.createStatus({ newStatus: { status: "" } }), 422, (it) => it.details?.text[0].error === "ERR_BLANK");
});
