/**
 * A worker that solves a challenge of the server: it looks for a nonce with which the SHA-256 digest (FIPS 180-4) of
 * `challenge.nonce` begins with so many zero bits. crypto.subtle answers by a promise for each digest, which takes ten
 * times as long.
 */
const primes = [];
for (let n = 2; primes.length < 64; n++) {
  primes.every((prime) => n % prime) && primes.push(n);
}
/** The first 32 bits of the fraction. */
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
const BEGIN = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const BLOCK = 64; // bytes
const LENGTH = 8; // bytes at the end of the block
const words = new Int32Array(BLOCK);

const turned = (x, by) => (x >>> by) | (x << (32 - by));

/** The first 32 bits of the digest of a message of one block. */
function digest(block) {
  for (let i = 0; i < 16; i++) {
    words[i] = block.getInt32(4 * i);
  }
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15];
    const y = words[i - 2];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let a = BEGIN[0];
  let b = BEGIN[1];
  let c = BEGIN[2];
  let d = BEGIN[3];
  let e = BEGIN[4];
  let f = BEGIN[5];
  let g = BEGIN[6];
  let h = BEGIN[7];
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return (a + BEGIN[0]) >>> 0;
}

/** @param bits at most 32 */
function solve(challenge, bits) {
  const bytes = new Uint8Array(BLOCK);
  const block = new DataView(bytes.buffer);
  const before = `${challenge}.`;
  for (let nonce = 0; ; nonce++) {
    const text = before + nonce;
    if (text.length >= BLOCK - LENGTH) {
      throw new Error("the challenge is too long");
    }
    bytes.fill(0, before.length);
    for (let i = nonce === 0 ? 0 : before.length; i < text.length; i++) {
      bytes[i] = text.charCodeAt(i);
    }
    bytes[text.length] = 0x80;
    block.setUint32(BLOCK - 4, 8 * text.length);
    if (bits === 0 || digest(block) >>> (32 - bits) === 0) {
      return String(nonce);
    }
  }
}

addEventListener("message", ({ data: { challenge, bits } }) => postMessage(solve(challenge, bits)));
