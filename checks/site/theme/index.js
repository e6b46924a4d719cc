// The default theme of VitePress with a menu of versions, and a line above the pages of all but the newest.
import { useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

const Menu = {
  setup() {
    const { theme } = useData();
    return () => {
      const { version, versions, root } = theme.value;
      if (versions.length < 2) return h("span", { class: "version" }, version);
      const options = versions.map(({ name, folder }) =>
        h("option", { value: root + folder, selected: name === version }, name),
      );
      const open = (event) => window.location.assign(event.target.value);
      return h("select", { class: "version", "aria-label": "Version", onChange: open }, options);
    };
  },
};

const OtherVersion = {
  setup() {
    const { theme } = useData();
    return () => {
      const { version, versions, root } = theme.value;
      const newest = versions.find(({ folder }) => folder === "");
      if (newest.name === version) return null;
      // With a target, the browser loads the page: it belongs to another site.
      const link = h("a", { href: root, target: "_self" }, `the pages of ${newest.name}, the newest release`);
      return h("p", { class: "other-version" }, [`This page is about ${version}. See `, link, "."]);
    };
  },
};

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "nav-bar-title-after": () => h(Menu),
      "doc-before": () => h(OtherVersion),
    }),
};
