// The files of one version of the repository: of the working tree, or of a tag.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const FILES_BYTES_MAX = 64 * 1024 * 1024;

export const git = (root, ...parameters) =>
  execFileSync("git", parameters, { cwd: root, maxBuffer: FILES_BYTES_MAX, encoding: "buffer" });

const names = (output) => output.toString().split("\0").filter(Boolean);

export class Repository {
  /** @param ref null = the working tree, with files that are new and not ignored */
  constructor(root, ref) {
    this.root = root;
    this.ref = ref;
    this.files = new Set(
      ref
        ? names(git(root, "ls-tree", "-r", "-z", "--name-only", ref))
        : names(git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")),
    );
    if (!ref) names(git(root, "ls-files", "-z", "--deleted")).forEach((file) => this.files.delete(file));
    this.folders = new Set([""]);
    for (const file of this.files) {
      for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder)) {
        this.folders.add(folder);
      }
    }
  }

  bytes(file) {
    return this.ref ? git(this.root, "show", `${this.ref}:${file}`) : readFileSync(path.join(this.root, file));
  }

  text(file) {
    return this.bytes(file).toString("utf8");
  }

  /** The pages of a folder, not of the folders in it. */
  pages(folder) {
    return [...this.files].filter((file) => path.posix.dirname(file) === folder && file.endsWith(".md")).sort();
  }

  /** Every page that is part of the manual. */
  manual() {
    return [...this.files].filter((file) => /^docs\/.*\.md$/.test(file)).sort();
  }
}
