// Builds dist: ES modules, CommonJS and types by tsc, and one minified file for pages without a bundler.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const tsc = join(here, "node_modules/typescript/bin/tsc");
const compile = (...options) =>
  execFileSync(process.execPath, [tsc, "-p", here, ...options], { cwd: here, stdio: "inherit" });

rmSync(join(here, "dist"), { recursive: true, force: true });
compile();
compile("--module", "CommonJS", "--moduleResolution", "Node10", "--outDir", join(here, "dist/cjs"));
writeFileSync(join(here, "dist/cjs/package.json"), '{ "type": "commonjs" }\n');
await build({
  entryPoints: [join(here, "dist/esm/index.js")],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8", // marks of the table of calls
  outfile: join(here, "dist/fanfare.min.js"),
});
cpSync(join(here, "../../LICENSE"), join(here, "LICENSE"));
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
console.log(`fanfare-client ${version}: ${statSync(join(here, "dist/fanfare.min.js")).size} bytes minified`);
