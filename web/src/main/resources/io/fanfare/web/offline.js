// The page of the service worker for when there is no connection: in the language of the reader, and until there is one.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("fanfare.language");
  } catch {
    // Storage is off: the language that the browser asked for stays.
  }
  const sections = [...document.querySelectorAll("section[lang]")];
  const shown = sections.find(({ lang }) => chosen && lang.startsWith(chosen));
  if (shown) {
    document.documentElement.lang = shown.lang;
    document.title = shown.querySelector("h1").textContent;
    sections.forEach((section) => (section.hidden = section !== shown));
  }
  addEventListener("online", () => location.reload());
  // A server that was away makes no event.
  setInterval(async () => {
    const answer = document.hidden ? null : await fetch(location.href, { method: "HEAD" }).catch(() => null);
    answer?.status < 500 && location.reload();
  }, 5000);
}
