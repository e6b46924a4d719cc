// node expand.js FOLDER FILE...: writes each Lua script into a folder as Redis receives it, with the files of lib that it
// includes, for luacheck. What a script includes and does not use is not its fault.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const isLibrary = (file) => basename(dirname(file)) === "lib";
const libraries = new Map(files.filter(isLibrary).map((file) => [basename(file, ".lua"), readFileSync(file, "utf8")]));
const included = new Set();

function include(name) {
  included.add(name);
  if (!libraries.has(name)) {
    throw new Error(`there is no lib/${name}.lua`);
  }
  return `-- luacheck: push ignore 211\n${libraries.get(name)}\n-- luacheck: pop`;
}

mkdirSync(folder, { recursive: true });
for (const file of files.filter((each) => !isLibrary(each))) {
  const script = readFileSync(file, "utf8")
    .replace(/^#!lua.*$/m, "")
    .replace(/^ *--#include (\w+)$/gm, (line, name) => include(name))
    .replace(/^ *--#check$/gm, "redis.call('PING')");
  writeFileSync(join(folder, basename(file)), script);
}
for (const name of libraries.keys()) {
  if (!included.has(name)) {
    throw new Error(`no script includes lib/${name}.lua`);
  }
}
