const name = /^[\w!#$%&'*+.^`|~-]+$/;
/** What a field of HTTP may have. */
const value = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,…`, the values percent-encoded. @returns null for what has another form */
export function readHeaders(text: string | undefined): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of (text ?? '').split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, at)).trim();
    const decoded = decode(pair.slice(at + 1).trim());
    if (!name.test(key) || decoded === null || !value.test(decoded)) return null;
    headers[key] = decoded;
  }
  return headers;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
