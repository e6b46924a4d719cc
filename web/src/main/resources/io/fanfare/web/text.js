/** How long a text is, as the server counts: what a reader takes for one character is one, an address 23, of @name@host the name. */
const WORD = "\\p{L}\\p{M}\\p{N}_";
// A symbol belongs to a host when a dot and a word come after it; a number in brackets is one, too.
const NUMBER = "\\[[0-9a-f.]*:[0-9a-f:.]*\\]";
const HOST = `(?:${NUMBER}|[${WORD}\\p{So}][${WORD}\\p{So}.-]*\\.(?=[${WORD}])[${WORD}.-]*|[${WORD}][${WORD}.-]*)`;
const USER = `(?:[${WORD}\\-.~!$&'()*+,;=:%]+@(?=${NUMBER}|[${WORD}\\p{So}][${WORD}\\p{So}-]*\\.[${WORD}\\p{So}.-]))?`;
const ADDRESS = new RegExp(
  `(?<![a-z0-9])https?://${USER}${HOST}(?::\\d+)?(?:[/?#][${WORD}\\-._~:/?#[\\]@!$&'()*+,;=%]*)?`,
  "giu",
);
const PUNCTUATION = /[.,:;!?'*]+$/;
const ADDRESS_CHARS = "x".repeat(23);
const HANDLE = new RegExp(`(?<![${WORD}/@])@([a-z0-9_]+)@[${WORD}][${WORD}.:-]*[${WORD}]`, "giu");
const segmenter = new Intl.Segmenter();

export function length(text) {
  const counted = text
    .replace(ADDRESS, (address) => ADDRESS_CHARS + (PUNCTUATION.exec(address)?.[0] ?? ""))
    .replace(HANDLE, "@$1");
  let n = 0;
  for (const unused of segmenter.segment(counted)) {
    n++;
  }
  return n;
}
