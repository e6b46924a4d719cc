/**
 * The pictures of README.md and docs/web.md: fills a new server with a few people and what they write, and photographs it.
 *
 * Usage: node pictures.mjs HOST:PORT FOLDER    a server without accounts, with limits.enabled=false
 */

import { launch } from "./browser.mjs";

const [host, folder] = process.argv.slice(2);
const url = `http://${host}`;

const PEOPLE = [
  ["ada", "Ada Lovelace", "Analytical engines, poetical science."],
  ["grace", "Grace Hopper", "Compilers. A ship in port is safe, but that is not what ships are for."],
  ["alan", "Alan Turing", "Machines that think, and sunflowers."],
  ["radia", "Radia Perlman", "I think that I shall never see a graph more lovely than a tree."],
];
const POSTS = [
  [
    "alan",
    "Counted the spirals of a sunflower again this morning: 34 one way, 55 the other. #nature keeps using the same numbers.",
  ],
  [
    "grace",
    "Found the reason why relay 70 did not close. It is taped into the log book now, wings and all. #debugging",
  ],
  [
    "radia",
    "A spanning tree does not need to know the whole network, only which neighbour is closer to the root. Most good things are like that. #networks",
  ],
  ["grace", "The most dangerous phrase in the language is: we have always done it this way."],
];
const ARTICLES = [
  ["radia", "A tree that heals itself", "https://example.org/spanning-tree", "networks"],
  ["grace", "Why your queue needs leases", "https://example.org/leases", "redis"],
  ["alan", "On morphogenesis", "https://example.org/leopard", "nature"],
];

const browser = await launch();

async function call(token, method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body && JSON.stringify(body),
  });
  const said = await answer.json();
  return answer.ok ? said : Promise.reject(new Error(`${path}: ${JSON.stringify(said)}`));
}

const people = {};
for (const [name, display_name, note] of PEOPLE) {
  const { access_token } = await call(null, "POST", "/api/v1/accounts", {
    username: name,
    email: `${name}@example.org`,
    password: "correct horse battery",
    agreement: true,
  });
  const { id } = await call(access_token, "PATCH", "/api/v1/accounts/update_credentials", { display_name, note });
  people[name] = { id, token: access_token };
}
for (const one of Object.values(people)) {
  await call(one.token, "POST", "/api/v1/accounts/follow", {
    id: Object.values(people)
      .filter(({ id }) => id !== one.id)
      .map(({ id }) => id),
  });
}
const posts = [];
for (const [name, status] of POSTS) {
  posts.push(await call(people[name].token, "POST", "/api/v1/statuses", { status, language: "en" }));
}
for (const [name, title, link, group] of ARTICLES) {
  const article = await call(people[name].token, "POST", "/api/v1/articles", {
    title,
    link,
    groups: [group],
    language: "en",
  });
  for (const other of Object.keys(people).slice(0, ARTICLES.findIndex(([, one]) => one === title) + 1)) {
    await call(people[other].token, "POST", `/api/v1/articles/${article.id}/vote`).catch(() => {});
  }
}
await call(people.ada.token, "POST", "/api/v1/statuses", {
  status:
    "We may say most aptly that the engine weaves algebraical patterns just as the loom weaves flowers and leaves.",
  quoted_status_id: posts[2].id,
  language: "en",
});
for (const [i, names] of [["ada", "radia"], ["ada", "alan", "radia"], ["grace", "alan"], ["alan"]].entries()) {
  for (const name of names) {
    await call(people[name].token, "POST", `/api/v1/statuses/${posts[i].id}/favourite`);
  }
}
await call(people.alan.token, "POST", "/api/v1/statuses", {
  status: "@radia And the root does not know that it is one?",
  in_reply_to_id: posts[2].id,
  language: "en",
});
await call(people.ada.token, "POST", `/api/v1/statuses/${posts[1].id}/reblog`, {});

async function photograph(
  name,
  path,
  {
    colorScheme = "light",
    viewport = { width: 1000, height: 540 },
    deviceScaleFactor = 0.75,
    prepare = async () => {},
  } = {},
) {
  const context = await browser.newContext({ viewport, deviceScaleFactor, colorScheme, locale: "en-US" });
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.fill("#f-username", "grace");
  await page.fill("#f-password", "correct horse battery");
  await page.press("#f-password", "Enter");
  await page.waitForSelector(".write");
  await page.goto(url + path);
  await page.waitForSelector("html.ready");
  await page.waitForTimeout(1000);
  await prepare(page);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
}

await photograph("web-home", "/");
await photograph("web-thread-dark", `/@radia/${posts[2].id}`, {
  colorScheme: "dark",
  viewport: { width: 390, height: 640 },
});
await photograph("web-streams", "/streams", {
  prepare: async (page) => {
    await page.selectOption("[name=kind]", "filter");
    await page.fill("[name=track]", "tree, queue");
    await page.click("form .button.primary");
    await page.waitForTimeout(800);
    for (const [name, status] of [
      ["radia", "A tree is a graph without doubts."],
      ["alan", "Which queue is the shortest? The other one."],
    ]) {
      await call(people[name].token, "POST", "/api/v1/statuses", { status, language: "en" });
    }
    await page.waitForSelector(".stream-list mark");
    await page.waitForTimeout(1500);
    await page.evaluate(() => scrollTo(0, document.querySelector(".stream-figures").offsetTop - 230));
  },
});
await browser.close();
