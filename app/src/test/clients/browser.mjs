/** The Chromium of the scripts that use pages as people do. It asks nobody outside of this machine for anything. */

import { chromium } from "playwright-core";

/** Starts the Chromium that the environment variable CHROMIUM names, else Debian's. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
