/** A panel of emojis for the form to write in. Loaded when somebody opens it. */
import { fileAddress, h } from "./dom.js";
import { customEmojis } from "./api.js";
import { t } from "./i18n.js";

const USUAL =
  "😀 😁 😂 🤣 😊 😍 😘 😎 🤔 😅 😇 🙂 🙃 😉 😋 😜 🤗 🤩 😴 😢 😭 😡 😱 🥳 🤯 😬 🙄 🥺 👍 👎 👏 🙏 💪 🤝 👋 ✌️ 🤞 👀 ❤️ 🧡 💛 💚 💙 💜 🖤 💔 ✨ 🔥 🎉 🎂 🌈 ☀️ 🌧️ ❄️ 🌱 🌸 🌍 🐶 🐱 🦊 🐻 🐼 🐦 🐟 🍎 🍕 🍔 🍜 🍣 🍰 ☕ 🍵 🍺 ⚽ 🏀 🚲 🚗 ✈️ 🏠 💻 📱 📷 📚 🎵 🎬 💡 ✅ ❌ ❓ ❗ ⭐ 🏆".split(
    " ",
  );

/** @param take is called with what a choice writes */
export async function panel(take) {
  const custom = await customEmojis();
  const choice = (text, shown) =>
    h(
      "button",
      { type: "button", class: "icon-button", title: text, "aria-label": text, on: { click: () => take(text) } },
      shown,
    );
  return h(
    "div",
    { class: "emoji-panel", role: "group", "aria-label": t("compose.emoji") },
    custom
      .filter(({ visible_in_picker: visible }) => visible)
      .map(({ shortcode, url }) =>
        choice(`:${shortcode}:`, h("img", { class: "emoji", src: fileAddress(url), alt: "", loading: "lazy" })),
      ),
    USUAL.map((one) => choice(one, one)),
  );
}
