/** The settings in force, secrets masked, and versions. */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import * as api from "./api.js";
import { bytes, card, col, facts, moment, table } from "./parts.js";

export function settings() {
  const body = h("div", { id: "settings" });
  const changed = h("input", { type: "checkbox", id: "changed" });
  const wanted = h("input", {
    type: "search",
    id: "wanted",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": t("settings.find"),
    placeholder: t("settings.find"),
  });
  let all = [];

  function show() {
    const rows = all
      .filter((one) => !changed.checked || !one.from.startsWith("the defaults"))
      .filter((one) => `${one.key} ${one.value}`.toLowerCase().includes(wanted.value.trim().toLowerCase()))
      .map((one) => [h("code", {}, one.key), h("code", {}, one.value === "" ? "–" : one.value), one.from]);
    body.replaceChildren(
      table(t("settings.title"), [col(t("settings.key")), col(t("settings.value")), col(t("settings.from"))], rows),
    );
  }

  changed.addEventListener("change", show);
  wanted.addEventListener("input", show);
  const versions = h("div", {});
  const start = async () => {
    try {
      const said = await api.get("settings");
      all = said.settings;
      const { heap_max_bytes: heap, started, ...rest } = said.versions;
      versions.replaceChildren(
        facts([
          ...Object.entries(rest).map(([name, value]) => [t(`versions.${name}`), String(value)]),
          [t("versions.heap"), bytes(heap)],
          [t("versions.started"), moment(started)],
        ]),
      );
      show();
    } catch (error) {
      body.replaceChildren(h("p", { class: "trouble" }, error.message));
    }
  };
  const element = h(
    "div",
    {},
    h("h1", { tabindex: "-1" }, t("settings.title")),
    card(t("versions.title"), versions),
    h("p", { class: "row" }, wanted, changed, h("label", { for: "changed" }, t("settings.changed"))),
    body,
  );
  return { title: t("settings.title"), element, start, stop: () => {} };
}
