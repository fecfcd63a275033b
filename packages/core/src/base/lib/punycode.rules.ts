const [base, tMin, tMax, skew, damp, firstBias, firstPoint] = [36, 1, 26, 38, 700, 72, 128];
const mostPoints = 0x10ffff;

/**
 * Decodes what follows `xn--` in an A-label (RFC 3492, 6.2).
 *
 * @param text at most 63 characters, as in a host name: the time grows with the square of the length
 * @returns null for what no label encodes to
 */
export function decodePunycode(text: string): string | null {
  if (text.length > 63) return null;
  const lastHyphen = text.lastIndexOf('-');
  const points = [...text.slice(0, Math.max(0, lastHyphen))].map((char) => char.codePointAt(0) ?? 0);
  if (points.some((point) => point >= firstPoint)) return null;
  let [at, point, index, bias] = [lastHyphen < 1 ? 0 : lastHyphen + 1, firstPoint, 0, firstBias];
  while (at < text.length) {
    const before = index;
    let weight = 1;
    for (let k = base; ; k += base) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit === null) return null;
      index += digit * weight;
      if (index > Number.MAX_SAFE_INTEGER) return null;
      const threshold = Math.min(tMax, Math.max(tMin, k - bias));
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const count = points.length + 1;
    bias = adapted(index - before, count, before === 0);
    point += Math.floor(index / count);
    if (point > mostPoints) return null;
    index %= count;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** NaN, past the end, is no digit. */
function digitOf(code: number): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x41 && code <= 0x5a ? code - 0x41 : null;
}

function adapted(given: number, count: number, isFirst: boolean): number {
  let delta = Math.floor(given / (isFirst ? damp : 2));
  delta += Math.floor(delta / count);
  let k = 0;
  for (; delta > ((base - tMin) * tMax) / 2; k += base) delta = Math.floor(delta / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * delta) / (delta + skew));
}
