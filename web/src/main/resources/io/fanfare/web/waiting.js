/** The number of open reports and waiting posts beside the link to the pages of moderators, who alone load this file. */
import * as api from "./api.js";

const LISTS = ["/api/v1/admin/reports", "/api/v1/admin/held_statuses"];
const PAGE = 40;
const PACE = 300_000; // ms between two looks

let timer = null;

/** Looks now and every five minutes while the page is visible. @param show gets the number, and a text with + if there are more */
export function watch(show) {
  clearInterval(timer);
  timer = setInterval(() => {
    if (api.session.account && api.moderates()) {
      look(show);
    } else {
      clearInterval(timer);
    }
  }, PACE);
  return look(show);
}

/** A build can leave a list out. */
const list = (path) =>
  api.get(path, { limit: PAGE }).catch((refused) => (refused.status === 404 ? [] : Promise.reject(refused)));

/** Without an answer the number stays. */
async function look(show) {
  if (document.visibilityState === "visible") {
    const lists = await Promise.all(LISTS.map(list)).catch(() => null);
    if (lists) {
      const n = lists.reduce((sum, { length }) => sum + length, 0);
      show(n, lists.some(({ length }) => length === PAGE) ? `${n}+` : String(n));
    }
  }
}
