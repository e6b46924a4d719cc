/** The servers of Redis: state, persistence, slow commands, slots, and what takes the memory. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import {
  bytes,
  button,
  card,
  col,
  duration,
  facts,
  figure,
  integer,
  moment,
  num,
  polling,
  share,
  table,
} from "./parts.js";

const ok = (text) => (text === "ok" ? text : h("span", { class: "warn" }, text ?? "–"));

function node(one) {
  if (one.error) {
    return card(one.node, h("p", { class: "trouble" }, one.error));
  }
  const most = Number(one.maxmemory);
  return card(
    one.node,
    facts([
      [t("redis.version"), one.valkey_version ? `Valkey ${one.valkey_version}` : `Redis ${one.redis_version}`],
      [t("redis.role"), t("redis.role.said", { role: one.role, n: Number(one.connected_slaves) })],
      [t("redis.uptime"), duration(Number(one.uptime_in_seconds) * 1000)],
      [
        t("redis.memory"),
        most > 0
          ? t("redis.memory.said", { used: bytes(Number(one.used_memory)), most: bytes(most) })
          : bytes(Number(one.used_memory)),
      ],
      [t("redis.peak"), bytes(Number(one.used_memory_peak))],
      [t("redis.fragmentation"), one.mem_fragmentation_ratio],
      [t("redis.keys"), integer(one.keys)],
      [t("redis.commands"), figure(Number(one.instantaneous_ops_per_sec))],
      [t("redis.clients"), integer(Number(one.connected_clients))],
      [t("redis.evicted"), Number(one.evicted_keys) > 0 ? h("span", { class: "warn" }, one.evicted_keys) : "0"],
      [
        t("redis.aof"),
        one.aof_enabled === "1" ? ok(one.aof_last_write_status) : h("span", { class: "warn" }, t("redis.off")),
      ],
      [t("redis.aof.size"), one.aof_current_size ? bytes(Number(one.aof_current_size)) : "–"],
      [
        t("redis.rewrite"),
        one.aof_rewrite_in_progress === "1" ? t("redis.rewrite.now") : ok(one.aof_last_bgrewrite_status),
      ],
      [
        t("redis.save"),
        h("span", {}, ok(one.rdb_last_bgsave_status), ", ", moment(Number(one.rdb_last_save_time) * 1000)),
      ],
    ]),
  );
}

export function redis() {
  const nodes = h("div", { id: "nodes" });
  const slow = h("div", {});
  const slots = h("div", {});
  const memory = h("div", { id: "memory", "aria-live": "polite" });
  const poll = polling(10_000, async () => {
    const said = await api.get("redis");
    nodes.replaceChildren(...said.nodes.map(node));
    const rows = said.slow.map((one) => [
      moment(one.at),
      duration(one.micros / 1000),
      h("code", {}, one.command),
      h("code", {}, one.key),
      integer(one.words),
      one.node,
    ]);
    slow.replaceChildren(
      card(
        t("redis.slow"),
        said.slow_error
          ? h("p", { class: "hint" }, said.slow_error)
          : table(
              t("redis.slow"),
              [
                col(t("redis.when")),
                num(t("redis.took")),
                col(t("redis.command")),
                col(t("redis.key")),
                num(t("redis.words")),
                col(t("redis.node")),
              ],
              rows,
            ),
      ),
    );
    const ranges = said.slots.map((one) => [`${one.first}–${one.last}`, one.master, one.replicas.join(", ") || "–"]);
    slots.replaceChildren(
      said.slots.length > 0
        ? card(
            t("redis.slots"),
            table(
              t("redis.slots"),
              [col(t("redis.slots.range")), col(t("redis.master")), col(t("redis.replicas"))],
              ranges,
            ),
          )
        : "",
    );
  });

  const survey = async () => {
    memory.replaceChildren(h("p", { class: "hint" }, t("redis.survey.runs")));
    try {
      const said = await api.get("redis/memory");
      const sum = said.families.reduce((all, one) => all + one.bytes, 0);
      const part = (name) => (one) => [
        h("code", {}, String(one[name])),
        integer(one.keys),
        bytes(one.bytes),
        share(one.bytes / Math.max(1, sum)),
      ];
      const heads = (text) => [col(text), num(t("redis.keys")), num(t("redis.bytes")), num(t("redis.share"))];
      memory.replaceChildren(
        h(
          "p",
          { class: "hint" },
          t(said.sampled_keys < said.keys ? "redis.survey.estimate" : "redis.survey.all", {
            sampled: said.sampled_keys,
            keys: said.keys,
            at: moment(said.at),
          }),
        ),
        table(t("redis.family"), heads(t("redis.family")), said.families.map(part("family"))),
        table(t("redis.largest.shards"), heads(t("redis.largest.shards")), said.shards.map(part("shard"))),
        table(
          t("redis.largest.keys"),
          [col(t("redis.largest.keys")), num(t("redis.bytes"))],
          said.big_keys.map((one) => [h("code", {}, one.key), bytes(one.bytes)]),
        ),
      );
    } catch (error) {
      memory.replaceChildren(h("p", { class: "trouble" }, error.message));
    }
  };

  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("redis.title")),
    poll.trouble,
    nodes,
    slow,
    slots,
    card(
      t("redis.survey"),
      h("p", { class: "hint" }, t("redis.survey.hint")),
      button(t("redis.survey.start"), survey),
      memory,
    ),
  );
  return { title: t("redis.title"), element, ...poll };
}
