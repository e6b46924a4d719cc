/**
 * Drives megalodon through its detector, the code grant and the calls that Fanfare has routes for, and checks what they answer.
 *
 * Usage: node megalodon.mjs HOST:PORT ANN BOB PASSWORD    two users who have signed up
 * MEGALODON names the package, for another version of it.
 */
import { check, Heard, ids, refused, run, same, soon, streams } from "./checks.mjs";

// Of a CommonJS package, as it was before 10.3, the exports are where import puts them, or one step below.
const imported = await import(process.env.MEGALODON ?? "megalodon");
const common = imported.default?.default?.default ? imported.default.default : imported.default;
const { default: generator, detector } = typeof imported.default === "function" ? imported : common;
const [host, annName, bobName, password] = process.argv.slice(2);
const url = `http://${host}`;
const SCOPES = ["read", "write", "follow"];
const tag = `deep_${annName}`; // The users are new, and so is what only they speak of.
const status = (wanted) => (error) => error.response?.status === wanted;
const client = (token = null) => generator("mastodon", url, token);

/** What a person does in a browser: opens the page, fills in the form, and copies the code. */
async function authorize(page, name, secret) {
  const shown = await fetch(page);
  const cookie = shown.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const form = await shown.text();
  const fields = new URLSearchParams();
  for (const [element] of form.matchAll(/<(?:input|button)\b[^>]*>/g)) {
    const attribute = (key) =>
      element
        .match(new RegExp(`\\b${key}="([^"]*)"`))?.[1]
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&");
    const typed = { password: secret, text: name }[
      attribute("type") ?? (element.startsWith("<input") ? "text" : "submit")
    ];
    // Of the buttons the first is pressed.
    if (!fields.has(attribute("name"))) {
      fields.set(attribute("name"), typed ?? attribute("value") ?? "");
    }
  }
  const target = new URL(form.match(/<form[^>]*\baction="([^"]*)"/)?.[1].replaceAll("&amp;", "&") ?? page, page);
  return (
    await fetch(target, { method: "POST", body: fields, headers: { Cookie: cookie }, redirect: "follow" })
  ).text();
}

async function logIn() {
  await check(
    "detector",
    () => detector(url),
    (kind) => kind === "mastodon",
  );
  const app = await check(
    "registerApp",
    () => client().registerApp("conformance", { scopes: SCOPES }),
    (it) => it.client_id && it.client_secret && it.url,
  );
  const codeGrant = async (name) => {
    const page = await authorize(app.url, name, password);
    const code = page.match(/<code[^>]*>\s*([^<\s]+)\s*<\/code>/)?.[1];
    return code
      ? client().fetchAccessToken(app.client_id, app.client_secret, code)
      : Promise.reject(new Error(`no code in ${page}`));
  };
  const ann = await check(
    "fetchAccessToken",
    () => codeGrant(annName),
    (it) =>
      it.access_token && it.token_type === "Bearer" && same(it.scope.split(" ").sort(), ["follow", "read", "write"]),
  );
  const bob = await check(
    "fetchAccessToken by address",
    () => codeGrant(`${bobName}@example.org`),
    (it) => it.access_token,
  );
  await refused(
    "fetchAccessToken with a wrong code",
    () => client().fetchAccessToken(app.client_id, app.client_secret, "wrong"),
    status(400),
  );
  await check(
    "a wrong password on the form",
    () => authorize(app.url, annName, "wrong password"),
    (page) => page.includes('role="alert"'),
  );
  await check(
    "verifyAppCredentials",
    () => client(ann.access_token).verifyAppCredentials(),
    (it) => it.data.name === "conformance",
  );
  return [app, client(ann.access_token), client(bob.access_token), bob.access_token];
}

async function instance(ann) {
  await check(
    "getInstance",
    () => ann.getInstance(),
    (it) => it.data.uri === host && it.data.stats.user_count >= 2,
  );
  await check(
    "getInstancePeers",
    () => ann.getInstancePeers(),
    (it) => same(it.data, []),
  );
  await check(
    "getInstanceActivity",
    () => ann.getInstanceActivity(),
    (it) => it.data.length === 12 && Number(it.data[0].registrations) + Number(it.data[1].registrations) >= 2,
  );
  await check(
    "getInstanceTrends",
    () => ann.getInstanceTrends(),
    (it) => Array.isArray(it.data),
  );
  await check(
    "getInstanceDirectory",
    () => ann.getInstanceDirectory(),
    (it) => Array.isArray(it.data),
  );
  await check(
    "getInstanceCustomEmojis",
    () => ann.getInstanceCustomEmojis(),
    (it) => same(it.data, []),
  );
  await check(
    "getInstanceAnnouncements",
    () => ann.getInstanceAnnouncements(),
    (it) => same(it.data, []),
  );
  await check(
    "getFilters",
    () => ann.getFilters(),
    (it) => same(it.data, []),
  );
  await check(
    "getLists",
    () => ann.getLists(),
    (it) => same(it.data, []),
  );
  await check(
    "getFollowedTags",
    () => ann.getFollowedTags(),
    (it) => same(it.data, []),
  );
  await check(
    "getFollowRequests",
    () => ann.getFollowRequests(),
    (it) => same(it.data, []),
  );
  await check(
    "getDomainBlocks",
    () => ann.getDomainBlocks(),
    (it) => same(it.data, []),
  );
  await check(
    "getConversationTimeline",
    () => ann.getConversationTimeline(),
    (it) => same(it.data, []),
  );
  await check(
    "getScheduledStatuses",
    () => ann.getScheduledStatuses(),
    (it) => same(it.data, []),
  );
  await check(
    "getSuggestions",
    () => ann.getSuggestions(),
    (it) => it.data.every((one) => one.id && one.username !== annName),
  );
  await check("getPreferences", () => ann.getPreferences());
  await check("getMarkers", () => ann.getMarkers(["home"]));
}

async function people(ann, bob) {
  const me = (
    await check(
      "verifyAccountCredentials",
      () => ann.verifyAccountCredentials(),
      (it) => it.data.username === annName,
    )
  ).data;
  const other = (
    await check(
      "lookupAccount",
      () => ann.lookupAccount(bobName),
      (it) => it.data.acct === bobName,
    )
  ).data;
  await check(
    "getAccount",
    () => ann.getAccount(other.id),
    (it) => it.data.username === bobName,
  );
  await refused("getAccount of nobody", () => ann.getAccount("1"), status(404));
  await check(
    "searchAccount",
    () => ann.searchAccount(bobName, { limit: 5 }),
    (it) => it.data[0].id === other.id,
  );
  await check(
    "search",
    () => ann.search(bobName, { type: "accounts" }),
    (it) => it.data.accounts[0].id === other.id,
  );
  await check(
    "updateCredentials",
    () => ann.updateCredentials({ display_name: "Ann of the deep" }),
    (it) => it.data.display_name === "Ann of the deep",
  );
  await check(
    "followAccount",
    () => bob.followAccount(me.id),
    (it) => it.data.following,
  );
  await check(
    "getRelationship",
    () => ann.getRelationship(other.id),
    (it) => it.data.followed_by,
  );
  await check(
    "getRelationships",
    () => ann.getRelationships([other.id, me.id]),
    (it) => it.data.length === 2,
  );
  await check(
    "getAccountFollowers",
    () => ann.getAccountFollowers(me.id),
    (it) => same(ids(it.data), [other.id]),
  );
  await check(
    "getAccountFollowing",
    () => ann.getAccountFollowing(other.id),
    (it) => same(ids(it.data), [me.id]),
  );
  return [me, other];
}

async function statuses(ann, bob, me) {
  const first = (
    await check(
      "postStatus",
      () =>
        ann.postStatus(`Hello from the #${tag}`, {
          visibility: "public",
          spoiler_text: "greeting",
          sensitive: true,
          language: "en",
        }),
      (it) => it.data.spoiler_text === "greeting",
    )
  ).data;
  const reply = (
    await check(
      "postStatus reply",
      () => bob.postStatus("Hello", { in_reply_to_id: first.id }),
      (it) => it.data.in_reply_to_id === first.id,
    )
  ).data;
  const secret = (
    await check(
      "postStatus private",
      () => ann.postStatus("Followers only", { visibility: "private" }),
      (it) => it.data.visibility === "private",
    )
  ).data;
  await check(
    "getStatus",
    () => bob.getStatus(first.id),
    (it) => it.data.account.id === me.id,
  );
  await check(
    "getStatusContext",
    () => ann.getStatusContext(first.id),
    (it) => same(ids(it.data.descendants), [reply.id]),
  );
  await check(
    "favouriteStatus",
    () => bob.favouriteStatus(first.id),
    (it) => it.data.favourited && it.data.favourites_count === 1,
  );
  await check(
    "getStatusFavouritedBy",
    () => ann.getStatusFavouritedBy(first.id),
    (it) => it.data[0].acct === bobName,
  );
  await check(
    "getFavourites",
    () => bob.getFavourites(),
    (it) => same(ids(it.data), [first.id]),
  );
  await check(
    "reblogStatus",
    () => bob.reblogStatus(first.id),
    (it) => it.data.reblog.id === first.id,
  );
  await check(
    "getStatusRebloggedBy",
    () => ann.getStatusRebloggedBy(first.id),
    (it) => it.data[0].acct === bobName,
  );
  await check(
    "editStatus",
    () => ann.editStatus(first.id, { status: `Hello again from the #${tag}`, spoiler_text: "greeting" }),
    (it) => it.data.content.includes("again") && it.data.edited_at,
  );
  await check(
    "getStatusSource",
    () => ann.getStatusSource(first.id),
    (it) => it.data.text.startsWith("Hello again") && it.data.spoiler_text === "greeting",
  );
  await check(
    "bookmarkStatus",
    () => bob.bookmarkStatus(first.id),
    (it) => it.data.bookmarked,
  );
  await check(
    "getBookmarks",
    () => bob.getBookmarks(),
    (it) => same(ids(it.data), [first.id]),
  );
  await soon(
    "getHomeTimeline",
    () => bob.getHomeTimeline(),
    (it) => ids(it.data).includes(first.id),
  );
  await soon(
    "getPublicTimeline",
    () => bob.getPublicTimeline(),
    (it) => ids(it.data).includes(first.id),
  );
  await soon(
    "getLocalTimeline",
    () => bob.getLocalTimeline(),
    (it) => ids(it.data).includes(first.id) && !ids(it.data).includes(secret.id),
  );
  await soon(
    "getTagTimeline",
    () => bob.getTagTimeline(tag),
    (it) => same(ids(it.data), [first.id]),
  );
  await check(
    "getAccountStatuses",
    () => bob.getAccountStatuses(me.id, { exclude_replies: true }),
    (it) => ids(it.data).includes(first.id),
  );
  await check(
    "unfavouriteStatus",
    () => bob.unfavouriteStatus(first.id),
    (it) => !it.data.favourited,
  );
  await check(
    "unreblogStatus",
    () => bob.unreblogStatus(first.id),
    (it) => !it.data.reblogged,
  );
  await check(
    "unbookmarkStatus",
    () => bob.unbookmarkStatus(first.id),
    (it) => !it.data.bookmarked,
  );
  const all = await soon(
    "getNotifications",
    () => ann.getNotifications(),
    (it) => it.data.some((one) => one.type === "mention") && it.data.some((one) => one.type === "follow"),
  );
  await check(
    "getNotification",
    () => ann.getNotification(all.data[0].id),
    (it) => it.data.id === all.data[0].id,
  );
  await check("dismissNotifications", () => ann.dismissNotifications());
  await check("deleteStatus", () => ann.deleteStatus(secret.id));
  await refused("getStatus of a deleted one", () => ann.getStatus(secret.id), status(404));
}

/** By the Link header, as the library hands it on. */
async function polls(ann, bob) {
  const asked = (
    await check(
      "postStatus with a poll",
      () =>
        ann.postStatus("Which?", {
          visibility: "private",
          poll: { options: ["this", "that", "both"], expires_in: 300, multiple: true },
        }),
      (it) => it.data.poll.multiple && it.data.poll.options.length === 3,
    )
  ).data;
  await check(
    "getPoll",
    () => bob.getPoll(asked.poll.id),
    (it) => it.data.votes_count === 0 && it.data.voted === false,
  );
  await check(
    "votePoll",
    () => bob.votePoll(asked.poll.id, [0, 2], asked.id),
    (it) => it.data.voters_count === 1 && it.data.votes_count === 2 && it.data.voted,
  );
  await refused("votePoll again", () => bob.votePoll(asked.poll.id, [0], asked.id), status(422));
  await check("deleteStatus with a poll", () => ann.deleteStatus(asked.id));
}

async function paging(ann, bob, me) {
  const posted = [];
  for (let number = 0; number < 7; number++) {
    posted.unshift((await ann.postStatus(`number ${number}`, { visibility: "unlisted" })).data.id);
  }
  await check(
    "getAccountStatuses to its end",
    async () => {
      const walked = [];
      let options = { limit: 3 };
      while (options && walked.length < 100) {
        const page = await bob.getAccountStatuses(me.id, options);
        walked.push(...ids(page.data));
        const next = page.headers.link?.split(", ").find((one) => one.endsWith('rel="next"'));
        options = next
          ? { limit: 3, max_id: new URL(next.slice(1, next.indexOf(">"))).searchParams.get("max_id") }
          : null;
      }
      return walked;
    },
    (walked) => same(walked.slice(0, 7), posted) && new Set(walked).size === walked.length,
  );
}

/** A WebSocket for each stream, with the token in its address. */
async function streaming(ann, bob) {
  const open = [];
  const listen = async (call, stream) => {
    const heard = new Heard();
    const socket = await check(call, stream);
    socket.on("update", (status) => heard.add("update", status.id, status));
    socket.on("status_update", (status) => heard.add("status.update", status.id, status));
    socket.on("delete", (id) => heard.add("delete", id));
    socket.on("notification", (notification) => heard.add("notification", notification.id, notification));
    socket.on("error", (cause) => heard.add("error", null, String(cause)));
    socket.on("parser-error", (cause) => heard.add("error", null, String(cause)));
    open.push(socket);
    return heard;
  };
  const others = {
    public: await listen("publicStreaming", () => bob.publicStreaming()),
    "public:local": await listen("localStreaming", () => bob.localStreaming()),
    hashtag: await listen("tagStreaming", () => bob.tagStreaming(tag)),
  };
  const own = await listen("userStreaming", () => bob.userStreaming());
  const post = async (text, visibility) => (await ann.postStatus(text, { visibility })).data.id;
  await streams(
    post,
    (id, text) => ann.editStatus(id, { status: text }),
    (id) => ann.deleteStatus(id),
    tag,
    bobName,
    own,
    others,
  );
  open.forEach((socket) => socket.stop());
}

async function quiet(app, ann, bob, me, other, token) {
  await check(
    "muteAccount",
    () => bob.muteAccount(me.id, true),
    (it) => it.data.muting,
  );
  await check(
    "getMutes",
    () => bob.getMutes(),
    (it) => same(ids(it.data), [me.id]),
  );
  await check(
    "unmuteAccount",
    () => bob.unmuteAccount(me.id),
    (it) => !it.data.muting,
  );
  await check(
    "blockAccount",
    () => ann.blockAccount(other.id),
    (it) => it.data.blocking,
  );
  await check(
    "getBlocks",
    () => ann.getBlocks(),
    (it) => same(ids(it.data), [other.id]),
  );
  await check(
    "unblockAccount",
    () => ann.unblockAccount(other.id),
    (it) => !it.data.blocking,
  );
  await check(
    "unfollowAccount",
    () => bob.unfollowAccount(me.id),
    (it) => !it.data.following,
  );
  await check("revokeToken", () => bob.revokeToken(app.client_id, app.client_secret, token));
  await refused("verifyAccountCredentials when revoked", () => bob.verifyAccountCredentials(), status(401));
}

run(async () => {
  const [app, ann, bob, token] = await logIn();
  await instance(ann);
  const [me, other] = await people(ann, bob);
  await statuses(ann, bob, me);
  await polls(ann, bob);
  await paging(ann, bob, me);
  await streaming(ann, bob);
  await quiet(app, ann, bob, me, other, token);
});
