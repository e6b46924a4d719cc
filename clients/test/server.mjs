// A real server for tests: starts, kills and restarts `java -jar app/target/fanfare.jar up`, and a proxy that cuts.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const JAR = process.env.TESTS_JAR ?? new URL("../../app/target/fanfare.jar", import.meta.url).pathname;
const START_MAX = 90_000;

/** A port that was free a moment ago, from TESTS_PORT on when that is set. */
let nextPort = Number(process.env.TESTS_PORT ?? 0);
export async function freePort() {
  for (let tries = 0; tries < 50; tries++) {
    const wanted = nextPort ? nextPort++ : 0;
    const port = await new Promise((resolve) => {
      const probe = net.createServer();
      probe.once("error", () => resolve(0));
      probe.listen(wanted, "127.0.0.1", () => {
        const { port } = probe.address();
        probe.close(() => resolve(port));
      });
    });
    if (port) {
      return port;
    }
  }
  throw new Error("No port is free.");
}

/** Waits until `holds` answers something true, and answers that. */
export async function until(sentence, holds, millis = 30_000) {
  for (const end = Date.now() + millis; Date.now() < end;) {
    const value = await holds();
    if (value) {
      return value;
    }
    await delay(20);
  }
  throw new Error(`After ${millis} ms still not: ${sentence}`);
}

export class Server {
  #process = null;
  #log = "";

  static async start(settings = {}) {
    const server = new Server();
    server.data = mkdtempSync(join(process.env.TESTS_DATA ?? tmpdir(), "fanfare-clients-"));
    server.port = await freePort();
    server.management = await freePort();
    server.settings = {
      "limits.enabled": false,
      "management.port": server.management,
      "stream.heartbeat": "1s",
      "stream.per-user-rate": 10000,
      "stream.per-address-rate": 10000,
      ...settings,
    };
    await server.run();
    return server;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async run() {
    const options = Object.entries(this.settings).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const run = ["-XX:TieredStopAtLevel=1", "-Xmx256m", "-jar", JAR, "up", "--port", String(this.port)];
    this.#process = spawn("java", [...run, "--data", this.data, ...options], { stdio: ["ignore", "pipe", "pipe"] });
    for (const out of [this.#process.stdout, this.#process.stderr]) {
      out.on("data", (text) => (this.#log = (this.#log + text).slice(-20_000)));
    }
    this.ended = new Promise((resolve) => this.#process.once("exit", resolve));
    let gone = false;
    this.ended.then(() => (gone = true));
    await until(
      "the server is ready",
      async () => {
        if (gone) {
          throw new Error(`The server ended while it started:\n${this.#log}`);
        }
        return fetch(`${this.url}/api/v1/instance`).then(
          (answer) => answer.ok,
          () => false,
        );
      },
      START_MAX,
    );
  }

  /** kill -9, without a goodbye. */
  async kill() {
    this.#process.kill("SIGKILL");
    await this.ended;
  }

  async restart() {
    await this.kill();
    await this.run();
  }

  async stop() {
    this.#process.kill("SIGTERM");
    const late = setTimeout(() => this.#process.kill("SIGKILL"), 20_000);
    await this.ended;
    clearTimeout(late);
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** Passes bytes to a port of this machine; `cut()` resets every connection, `pace` bounds the bytes of a second. */
export class Proxy {
  #sockets = new Set();

  static async start(target) {
    const proxy = new Proxy();
    proxy.pace = 0;
    proxy.refuses = false;
    proxy.server = net.createServer((socket) => proxy.#pass(socket, target));
    proxy.port = await freePort();
    await new Promise((resolve) => proxy.server.listen(proxy.port, "127.0.0.1", resolve));
    return proxy;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  #pass(client, target) {
    if (this.refuses) {
      client.resetAndDestroy();
      return;
    }
    const server = net.connect(target, "127.0.0.1");
    for (const [one, other] of [
      [client, server],
      [server, client],
    ]) {
      this.#sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    client.pipe(server);
    server.on("data", (bytes) => {
      const full = !client.write(bytes);
      if (this.pace || full) {
        server.pause();
        const again = () => server.resume();
        this.pace ? setTimeout(again, (bytes.length / this.pace) * 1000) : client.once("drain", again);
      }
    });
  }

  /** Resets all connections that pass now. */
  cut() {
    for (const socket of this.#sockets) {
      socket.resetAndDestroy();
    }
  }

  async stop() {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
