// Servers that misbehave: each handler writes the bytes of an answer to a socket itself.
import net from "node:net";
import zlib from "node:zlib";

/** `handler(request, socket, n)` gets the head and body of the n-th request; `requests` keeps them all. */
export async function fake(t, handler) {
  const requests = [];
  const sockets = new Set();
  const server = net.createServer((socket) => {
    let text = "";
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      for (let end; (end = text.indexOf("\r\n\r\n")) >= 0;) {
        const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
        if (text.length < end + 4 + length) {
          return;
        }
        const head = text.slice(0, end);
        const request = {
          head,
          line: head.slice(0, head.indexOf("\r\n")),
          body: text.slice(end + 4, end + 4 + length),
          header: (name) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim(),
        };
        text = text.slice(end + 4 + length);
        requests.push(request);
        handler(request, socket, requests.length);
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, requests, sockets };
}

export const answer = (status, body, headers = {}) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const lines = Object.entries({ "Content-Type": "application/json", ...headers }).map(([n, v]) => `${n}: ${v}\r\n`);
  return `HTTP/1.1 ${status} Some\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${lines.join("")}\r\n${text}`;
};

export const STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
export const COMPRESSED = STREAM.replace("\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n");

/** A stream as a server compresses it: each text can be read as soon as its bytes have come. */
export function gzip() {
  const deflate = zlib.createGzip();
  return (text) =>
    new Promise((resolve) => {
      deflate.write(text);
      deflate.flush(zlib.constants.Z_SYNC_FLUSH, () => resolve(deflate.read()));
    });
}
export const hello = (id, conn = "c1") =>
  `:\n${id ? `id: ${id}\n` : ""}event: hello\ndata: {"stream":"firehose","conn":"${conn}","epoch":"5f3a9c01","tip":9,"floor":1,"resumed":true,"from":1}\n\n`;
export const status = (seq, id = 1000 + seq, epoch = "5f3a9c01") =>
  `id: ${epoch}-${seq}\nevent: status\ndata: {"id":"${id}"}\n\n`;
