// Before the first paint, so that nobody sees the other theme flash by. The choice is of this browser; without one the system's counts.
{
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("fanfare.theme");
    if (theme === "light" || theme === "dark") {
      root.dataset.theme = theme;
    }
  } catch {
    // Storage is off: the system's theme counts.
  }
  root.classList.add("js");
}
